// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shows the texts of the chosen arrangement, and remembers them for the next time.
#include <QObject>

#include "features/stages/stage_presenter.h"
#include "session/arrangement_presenter.h"

namespace fxs::ui {

class ArrangedTextsPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit ArrangedTextsPresenter(Services& services);

 private:
  void show();
  /// In the arrangement for them, shows the module before and after a pass.
  void showPasses();
  ArrangementPresenter& arrangement_;
  StagePresenter& stages_;
};

}  // namespace fxs::ui
