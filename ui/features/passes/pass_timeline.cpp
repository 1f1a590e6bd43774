// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/pass_timeline.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "features/passes/passes_model.h"
#include "widgets/accessible_roles.h"
#include "widgets/controls.h"
#include "widgets/stage_sign.h"

namespace fxs::ui {
namespace {

using Kind = TimelineSegment::Kind;
constexpr int kBarsHeight = 20;   ///< height of the bars, times the text scale
constexpr int kStopSign = 14;     ///< side of the sign of the pass that stopped, likewise
constexpr int kFramed = 2;        ///< of the current pass, around its segment
constexpr int kWidthWithGap = 5;  ///< of a segment that has a gap after it
constexpr int kLeastTimeline = 20 * kGrid;

/// Each has a contrast of 3:1 with Role::Surface; see contrastPairs().
Role roleOf(Kind kind) {
  switch (kind) {
    case Kind::Changed: return Role::Accent;
    case Kind::Stopped: return Role::Error;
    case Kind::Unknown: return Role::Warning;
    case Kind::Unchanged:
    case Kind::NotRun: break;
  }
  return Role::Skipped;
}

}  // namespace

PassTimeline::PassTimeline(Appearance& appearance, PassPresenter& passes, QWidget* parent)
    : QWidget(parent), appearance_(appearance), passes_(passes) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleRole(this, QAccessible::Slider);
  setAccessibleName("Timeline of the passes");
  connect(&passes, &PassPresenter::traceChanged, this, &PassTimeline::refresh);
  connect(&passes, &PassPresenter::passesChanged, this, &PassTimeline::refresh);
  connect(&passes, &PassPresenter::handlesChanged, this, &PassTimeline::describe);
  connect(&appearance, &Appearance::changed, this, [this] {
    updateGeometry();
    refresh();
  });
  refresh();
}

void PassTimeline::setWidths(TimelineWidths widths) {
  widths_ = widths;
  refresh();
}

void PassTimeline::setNamed(bool on) {
  if (on == isNamed_) return;
  isNamed_ = on;
  updateGeometry();
  update();
}

int PassTimeline::namesHeight() const {
  return isNamed_ ? QFontMetrics(appearance_.sans(TextSize::Small)).height() : 0;
}

QSize PassTimeline::sizeHint() const {
  return {2 * appearance_.scaled(kLeastTimeline), minimumSizeHint().height()};
}

QSize PassTimeline::minimumSizeHint() const {
  return {kLeastTimeline, namesHeight() + appearance_.scaled(kBarsHeight) + 2 * kFramed};
}

void PassTimeline::refresh() {
  segments_ = timelineOf(passes_.passes(), widths_, width() - 2 * kFramed);
  describe();
}

/// What is read aloud is the current pass.
void PassTimeline::describe() {
  const bool isAny = passes_.pass() >= 0 && passes_.pass() < static_cast<int>(segments_.size());
  const QString now = isAny ? passTip(passes_.passes()[static_cast<std::size_t>(passes_.pass())])
                            : QString("No pass is selected");
  if (now != accessibleDescription()) {
    setAccessibleDescription(now);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
  update();
}

const TimelineSegment* PassTimeline::segmentOf(int pass) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [pass](const auto& each) { return each.pass == pass; });
  return found == segments_.end() ? nullptr : &*found;
}

QRect PassTimeline::rectOf(const TimelineSegment& segment) const {
  const int left = kFramed + static_cast<int>(std::lround(segment.begin));
  const int right = kFramed + static_cast<int>(std::lround(segment.end));
  const int gap = right - left >= kWidthWithGap ? 1 : 0;
  const int bottom = height() - kFramed;
  const int high = std::max(
      2, static_cast<int>(std::lround(segment.height * (bottom - namesHeight() - kFramed))));
  return {left, bottom - high, std::max(1, right - left - gap), high};
}

QPoint PassTimeline::positionOf(int pass) const {
  const TimelineSegment* segment = segmentOf(pass);
  return segment ? QPoint(rectOf(*segment).center().x(), height() - kFramed - 1) : QPoint();
}

const TimelineSegment* PassTimeline::stopped() const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [](const auto& each) { return each.kind == Kind::Stopped; });
  return found == segments_.end() ? nullptr : &*found;
}

QRect PassTimeline::signRect() const {
  const TimelineSegment* segment = stopped();
  if (segment == nullptr) return {};
  const int side = appearance_.scaled(kStopSign);
  const int x = std::clamp(rectOf(*segment).center().x() - side / 2, 0, width() - side);
  return {x, 0, side, side};
}

void PassTimeline::paintSign(QPainter& painter) const {
  const TimelineSegment* segment = stopped();
  if (segment == nullptr) return;
  const QRect at = signRect();
  const PassRow& row = passes_.passes()[static_cast<std::size_t>(segment->pass)];
  painter.fillRect(at, appearance_.color(Role::Surface));
  painter.drawPixmap(at.topLeft(),
                     pixmap(appearance_, iconOf(markOf(row.status)), Role::Error, kStopSign, this));
}

void PassTimeline::paintStages(QPainter& painter) const {
  painter.setFont(appearance_.sans(TextSize::Small));
  const QFontMetrics metrics(painter.font());
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (!segments_[i].startsStage) continue;
    std::size_t next = i + 1;
    while (next < segments_.size() && !segments_[next].startsStage) ++next;
    const int left = kFramed + static_cast<int>(std::lround(segments_[i].begin));
    const int right = kFramed + static_cast<int>(std::lround(segments_[next - 1].end));
    painter.setPen(appearance_.color(Role::BorderStrong));
    painter.drawLine(left, 0, left, height());
    if (!isNamed_) continue;
    painter.setPen(appearance_.color(Role::TextMuted));
    QRect at(left + 3, 0, right - left - 6, namesHeight());
    if (const QRect sign = signRect(); !sign.isNull() && sign.intersects(at)) {
      // The name is on the side of the sign that has more space.
      if (sign.left() - at.left() > at.right() - sign.right()) at.setRight(sign.left() - 2);
      else at.setLeft(sign.right() + 2);
    }
    const QString name = passes_.passes()[i].stage;
    if (at.width() > metrics.horizontalAdvance(name.left(2)) * 2)
      painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
                       metrics.elidedText(name, Qt::ElideRight, at.width()));
  }
}

void PassTimeline::paintSegment(QPainter& painter, const TimelineSegment& segment) const {
  const QRect at = rectOf(segment);
  const QColor colour = appearance_.color(roleOf(segment.kind));
  if (segment.kind != Kind::NotRun) return painter.fillRect(at, colour);
  // A line with gaps below: it was to come.
  painter.setPen(QPen(colour, 1, Qt::DotLine));
  painter.drawLine(at.bottomLeft(), at.bottomRight());
}

void PassTimeline::paintCurrent(QPainter& painter) const {
  const TimelineSegment* segment = segmentOf(passes_.pass());
  if (segment == nullptr) return;
  const QRect own = rectOf(*segment);
  const int top = namesHeight();
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(appearance_.color(Role::Text), kFramed));
  painter.drawRect(QRect(own.left(), top, own.width(), height() - top).adjusted(-1, 1, 1, -1));
}

void PassTimeline::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), appearance_.color(Role::Surface));
  paintStages(painter);
  for (const TimelineSegment& segment : segments_) paintSegment(painter, segment);
  paintSign(painter);
  paintCurrent(painter);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(appearance_.color(Role::Accent));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void PassTimeline::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  refresh();
}

bool PassTimeline::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int pass = passAt(segments_, help->pos().x() - kFramed);
  if (const TimelineSegment* segment = segmentOf(pass)) {
    QRect over = rectOf(*segment);
    over.setTop(0);
    over.setBottom(height());
    QToolTip::showText(help->globalPos(), passTip(passes_.passes()[static_cast<std::size_t>(pass)]),
                       this, over);
  } else {
    QToolTip::hideText();
  }
  return true;
}

void PassTimeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
  passes_.choose(passAt(segments_, event->position().x() - kFramed));
}

void PassTimeline::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(segments_.size()) - 1;
  const int now = passes_.pass();
  switch (event->key()) {
    case Qt::Key_Left: return passes_.choose(std::max(now < 0 ? last : now - 1, 0));
    case Qt::Key_Right: return passes_.choose(std::min(now + 1, last));
    case Qt::Key_Home: return passes_.choose(0);
    case Qt::Key_End: return passes_.choose(last);
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace fxs::ui
