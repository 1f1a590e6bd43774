// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Inspector section for the single-node lowering of a call: the result per output type, and a
// choice to inline it. The text itself is shown in a pane next to the stages.
#include <QPointer>
#include <QWidget>

#include "features/alone/alone_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class AloneSection final : public QWidget {
  Q_OBJECT
 public:
  AloneSection(Appearance& appearance, AlonePresenter& alone, QWidget* parent = nullptr);

 Q_SIGNALS:
  /// Asks for the pane with the text.
  void textRequested();

 private:
  void rebuild();
  LinkButton* choice(const QString& shown, const std::optional<lower::OutputType>& type);
  Appearance& appearance_;
  QPointer<AlonePresenter> alone_;  ///< a replaced section may outlive it until deleteLater() runs
};

}  // namespace fxs::ui
