#pragma once
// One line that says how far lowering came: each step with its time, the one that failed in the colour of an error and with its
// sign. Where there is no room the first steps give way.
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
