// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is going on: the work of all features, so that one button cancels it, and a test or a
// picture can wait for its end. Each Task adds itself.
#include <QObject>
#include <cstdint>
#include <vector>

namespace fxs::ui {

class Work;

/// View: panes are not complete without it. Answer: somebody asked for its result.
enum class WorkFor : std::uint8_t { View, Answer };
/// Button: WorkList::cancel() cancels it. Owner: what it belongs to has a button of its own.
enum class CancelBy : std::uint8_t { Owner, Button };

class WorkList final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(Work& work) { all_.push_back(&work); }
  void remove(Work& work) { std::erase(all_, &work); }
  bool running(WorkFor purpose) const;
  /// Something is running that cancel() ends.
  bool cancellable() const;
  void cancel();

 Q_SIGNALS:
  /// Work began, went on, or ended.
  void changed();

 private:
  std::vector<Work*> all_;
};

}  // namespace fxs::ui
