// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is going on: the work of all features, so that one button cancels it, and a test or a
// picture can wait for its end.
#include <QObject>
#include <functional>
#include <vector>

namespace fxs::ui {

/// View: panes are not complete without it. Answer: somebody asked for its result.
enum class WorkFor : std::uint8_t { View, Answer };

struct Work {
  WorkFor purpose = WorkFor::Answer;
  std::function<bool()> running;
  std::function<void()> cancel = {};  ///< by the button Cancel; empty if it has one of its own
};

class WorkList final : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  void add(Work work) { all_.push_back(std::move(work)); }
  bool running(WorkFor purpose) const;
  /// Something is running that cancel() ends.
  bool cancellable() const;
  void cancel();

 Q_SIGNALS:
  /// A feature emits it when work begins or ends.
  void changed();

 private:
  std::vector<Work> all_;
};

}  // namespace fxs::ui
