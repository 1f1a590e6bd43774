// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What features say of the operation under the pointer, below what its text says. Views of texts
// ask; they know none of the features.
#include <QObject>
#include <QStringList>
#include <functional>
#include <utility>
#include <vector>

#include "session/op_commands.h"

namespace fxs::ui {

class OpTips final : public QObject {
  Q_OBJECT
 public:
  /// Plain text, "" for none. It may start work, and emits changed() when that ends.
  using Source = std::function<QString(const TextOp&)>;

  void add(Source source) { sources_.push_back(std::move(source)); }
  /// In the order in which the sources were added.
  QStringList of(const TextOp& op) const {
    QStringList out;
    for (const Source& source : sources_)
      if (const QString tip = source(op); !tip.isEmpty()) out << tip;
    return out;
  }

 Q_SIGNALS:
  void changed();

 private:
  std::vector<Source> sources_;
};

}  // namespace fxs::ui
