// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One line with the steps of the lowering, their times and icons; a failed step is in the error
// colour. If space is short, the first steps are left out.
#include <QWidget>
#include <vector>

#include "features/stages/stage_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

class StageTrack final : public QWidget {
  Q_OBJECT
 public:
  StageTrack(Appearance& appearance, StagePresenter& stages, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {3 * kGrid, 2 * kGrid}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  void refresh();
  struct Step {
    StageMark mark = StageMark::Ok;
    QString text;  ///< "tosa FAILED 21 ms"
  };
  Appearance& appearance_;
  StagePresenter& stages_;
  std::vector<Step> steps_;
};

}  // namespace fxs::ui
