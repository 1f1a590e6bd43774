#pragma once
// One line that says how far lowering came: each step with its time, the one that failed in the colour of an error and with its
// sign. Where there is no room the first steps give way.
#include <QWidget>
#include <vector>

#include "presenters/stage_presenter.h"
#include "theme/appearance.h"

namespace fxs::ui {

struct TrackStep {
  StageMark mark = StageMark::Ok;
  QString text;  ///< "tosa FAILED 21 ms"
};

class StageTrack final : public QWidget {
  Q_OBJECT
 public:
  explicit StageTrack(Appearance& appearance, QWidget* parent = nullptr);
  void setSteps(std::vector<TrackStep> steps);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {3 * kGrid, 2 * kGrid}; }

 protected:
  void paintEvent(QPaintEvent*) override;

 private:
  Appearance& appearance_;
  std::vector<TrackStep> steps_;
};

}  // namespace fxs::ui
