// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for the selected operation of a text: the pass that made it, what it was made
// of, and what it becomes.
#include <QVBoxLayout>
#include <QWidget>

#include "features/passes/op_origin_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

class OpOriginSection final : public QWidget {
  Q_OBJECT
 public:
  OpOriginSection(Appearance& appearance, OpOriginPresenter& origin, QWidget* parent);

 Q_SIGNALS:
  /// A hop was clicked.
  void hopRequested(const fxs::ui::OpHop& hop);

 private:
  void rebuild();
  void addHops(QVBoxLayout* list, const QString& title, const std::vector<OpHop>& hops,
               const QString& none);
  Appearance& appearance_;
  OpOriginPresenter& origin_;
};

}  // namespace fxs::ui
