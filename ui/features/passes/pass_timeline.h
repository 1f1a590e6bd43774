// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of the lowering as a bar below the names of their stages: a click or the arrow keys
// choose a pass.
#include <QWidget>

#include "features/passes/timeline_state.h"
#include "theme/appearance.h"

namespace fxs::ui {

class PassTimeline final : public QWidget {
  Q_OBJECT
 public:
  PassTimeline(Appearance& appearance, PassPresenter& passes, QWidget* parent);

  TimelineWidths widths() const { return widths_; }
  void setWidths(TimelineWidths widths);
  /// Without the names of stages, it is lower.
  void setNamed(bool on);
  /// Where a pass is clicked, in this widget.
  QPoint positionOf(int pass) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent*) override;
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent*) override;
  void mousePressEvent(QMouseEvent*) override;
  void keyPressEvent(QKeyEvent*) override;

 private:
  void refresh();
  void describe();
  int namesHeight() const;
  /// The pass in which the pipeline stopped, or null; and where its sign is.
  const TimelineSegment* stopped() const;
  QRect signRect() const;
  void paintStages(QPainter&) const;
  void paintSign(QPainter&) const;
  void paintSegment(QPainter&, const TimelineSegment&) const;
  void paintCurrent(QPainter&) const;
  QRect rectOf(const TimelineSegment&) const;
  const TimelineSegment* segmentOf(int pass) const;

  Appearance& appearance_;
  PassPresenter& passes_;
  TimelineWidths widths_ = TimelineWidths::Equal;
  bool isNamed_ = true;
  std::vector<TimelineSegment> segments_;
};

}  // namespace fxs::ui
