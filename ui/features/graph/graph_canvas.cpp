// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_canvas.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "features/graph/graph_painter.h"
#include "features/graph/minimap.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"

namespace fxs::ui {
namespace {

constexpr double kLeastZoom = 0.002, kKeyStep = 1.25, kWheelStep = 1.0015;
constexpr double kPage = 0.85;  // of the height
// Times GraphStyle::textScale. The first view is fitted if that is at least kReadable, else it is
// kComfortable at the top.
constexpr double kMostZoom = 4, kMostFitted = 1.2, kReadable = 0.6, kComfortable = 0.9;
constexpr double kMargin = 24;
constexpr int kMenuEntries = 24;

}  // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QWidget(parent), minimap_(new Minimap(scene_, style_, this)) {
  setAccessibleRole(this, QAccessible::Canvas);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(120, 80);
  setAccessibleName(tr("Graph"));
  setAccessibleDescription(
      tr("The program's graph. Arrow keys follow edges, Enter expands or collapses a module, plus "
         "and minus zoom, Space fits the graph."));
  minimap_->hide();
  connect(minimap_, &Minimap::wentTo, this, [this](QPointF point) {
    offset_ = QRectF(rect()).center() - point * zoom_;
    moved();
  });
}

void GraphCanvas::setPicture(GraphPicture picture, layout::GroupId anchor) {
  const bool sameProgram = !scene_.empty() && scene_.picture().program == picture.program;
  std::optional<QPointF> held;
  if (sameProgram && anchor.valid())
    if (const auto old = scene_.groupRect(anchor))
      held = toWidget(QRectF(old->topLeft(), QSizeF(old->width(), 1))).center();
  take(std::move(picture));
  if (!sameProgram) {
    firstView();
  } else if (held) {
    if (const auto now = scene_.groupRect(anchor)) {
      offset_ += *held - toWidget(QRectF(now->topLeft(), QSizeF(now->width(), 1))).center();
      fitted_ = false;
    }
  } else if (!anchor.valid()) {
    // All groups were expanded or collapsed, so the old position means nothing.
    firstView();
    revealSelection();
  }
  minimap_->refresh();
  moved();
}

void GraphCanvas::setNextPicture(GraphPicture picture, fx::NodeId before, fx::NodeId now) {
  const auto positionOf = [this](fx::NodeId node) -> std::optional<QPointF> {
    const auto rect = node.valid() && !scene_.empty() ? scene_.nodeRect(node) : std::nullopt;
    return rect ? std::optional(toWidget(*rect).center()) : std::nullopt;
  };
  const bool inPlace = picture.full && picture.full == scene_.picture().full;
  const std::optional<QPointF> held = inPlace ? std::nullopt : positionOf(before);
  take(std::move(picture));
  if (const std::optional<QPointF> position = positionOf(now); held && position)
    offset_ += *held - *position;
  minimap_->refresh();
  moved();
}

void GraphCanvas::take(GraphPicture picture) {
  const fx::NodeId cursorNode = cursor_ && *cursor_ < scene_.view().boxes.size()
                                    ? scene_.view().boxes[*cursor_].node
                                    : fx::NodeId{};
  scene_ = GraphScene(std::move(picture));
  scene_.setMarks(marks_);
  scene_.setShades(shades_);
  scene_.setSelection(selection_);
  cursor_.reset();
  if (cursorNode.valid() && !scene_.empty() && cursorNode.index() < scene_.view().boxOf.size() &&
      scene_.view().boxOf[cursorNode.index()].valid())
    cursor_ = scene_.view().boxOf[cursorNode.index()].index();
}

void GraphCanvas::setMessage(const QString& message) {
  message_ = message;
  update();
}

void GraphCanvas::setGraphStyle(const GraphStyle& style) {
  const bool scaled = style.textScale != style_.textScale;
  zoom_ *= style.textScale / style_.textScale;
  style_ = style;
  minimap_->refresh();
  if (!scaled) return update();
  if (fitted_) firstView();
  moved();
}

void GraphCanvas::setMarks(MarksByNode marks) {
  marks_ = std::move(marks);
  scene_.setMarks(marks_);
  minimap_->refresh();
  update();
}

void GraphCanvas::setShades(std::vector<Shade> shades) {
  shades_ = std::move(shades);
  scene_.setShades(shades_);
  minimap_->refresh();
  update();
}

void GraphCanvas::setSelection(std::vector<fx::NodeId> nodes, layout::GroupId group) {
  selection_ = std::move(nodes);
  selectedGroup_ = group;
  scene_.setSelection(selection_);
  if (!scene_.empty() && !selection_.empty() && selection_.front().valid() &&
      selection_.front().index() < scene_.view().boxOf.size()) {
    const layout::BoxId box = scene_.view().boxOf[selection_.front().index()];
    if (box.valid()) cursor_ = box.index();
  }
  minimap_->refresh();
  update();
}

QRectF GraphCanvas::toWidget(const QRectF& scene) const {
  return {scene.topLeft() * zoom_ + offset_, scene.size() * zoom_};
}
QPointF GraphCanvas::toScene(const QPointF& widget) const { return (widget - offset_) / zoom_; }
QRectF GraphCanvas::visibleScene() const {
  return {toScene(QPointF(0, 0)), QSizeF(size()) / zoom_};
}

void GraphCanvas::firstView() {
  fitted_ = true;
  if (scene_.empty() || width() <= 0 || height() <= 0) return;
  const QRectF all = scene_.bounds();
  const double fitting =
      std::min((width() - 2 * kMargin) / all.width(), (height() - 2 * kMargin) / all.height());
  const bool fits = fitting >= kReadable * style_.textScale;
  zoom_ = fits ? std::min(fitting, style_.textScale) : kComfortable * style_.textScale;
  double x = (width() - all.width() * zoom_) / 2;
  // If the graph is wider than the view, centre its first box, because the middle may be empty.
  if (all.width() * zoom_ > width() && !scene_.layout().boxes.empty()) {
    QRectF first = scene_.boxRect(0);
    for (std::size_t i = 1; i < scene_.layout().boxes.size(); ++i)
      if (scene_.boxRect(i).top() < first.top()) first = scene_.boxRect(i);
    x = width() / 2.0 - first.center().x() * zoom_;
  }
  const double y = fits ? (height() - all.height() * zoom_) / 2 : kMargin / 2;
  offset_ = {x, y};
}

void GraphCanvas::fit() {
  if (scene_.empty()) return;
  const QRectF all = scene_.bounds();
  zoom_ = std::clamp(
      std::min((width() - 2 * kMargin) / all.width(), (height() - 2 * kMargin) / all.height()),
      kLeastZoom, kMostFitted * style_.textScale);
  offset_ = QRectF(rect()).center() - all.center() * zoom_;
  fitted_ = false;
  moved();
}

void GraphCanvas::zoomTo(double zoom, QPointF at) {
  if (scene_.empty()) return;
  const QPointF held = toScene(at);
  zoom_ = std::clamp(zoom, kLeastZoom, kMostZoom * style_.textScale);
  offset_ = at - held * zoom_;
  fitted_ = false;
  moved();
}

void GraphCanvas::zoomBy(double factor, std::optional<QPointF> at) {
  zoomTo(zoom_ * factor, at.value_or(QRectF(rect()).center()));
}

void GraphCanvas::reveal(const QRectF& target) {
  const QRectF seen = QRectF(rect()).adjusted(kMargin / 2, kMargin / 2, -kMargin / 2, -kMargin / 2);
  const QRectF at = toWidget(target);
  const bool covered =
      !minimap_->isHidden() && minimap_->geometry().contains(at.center().toPoint());
  if (!covered && seen.contains(at)) return;
  if (!covered && at.intersects(seen) && (at.width() > seen.width() || at.height() > seen.height()))
    return;
  if (zoom_ < 0.2 * style_.textScale) zoom_ = kReadable * style_.textScale;
  offset_ = QRectF(rect()).center() - target.center() * zoom_;
  fitted_ = false;
  moved();
}

void GraphCanvas::revealSelection() {
  if (scene_.empty()) return;
  std::optional<QRectF> selected;
  if (selectedGroup_.valid()) selected = scene_.groupRect(selectedGroup_);
  // A module of a single node has no box of its own.
  if (!selected && !selection_.empty()) selected = scene_.nodeRect(selection_.front());
  if (selected) reveal(*selected);
}

/// Keeps part of the graph in view, and updates the minimap and the zoom display.
void GraphCanvas::moved() {
  if (!scene_.empty()) {
    const QRectF all = toWidget(scene_.bounds());
    const double keepX = std::min(80.0, width() / 3.0), keepY = std::min(80.0, height() / 3.0);
    if (all.right() < keepX) offset_.rx() += keepX - all.right();
    if (all.left() > width() - keepX) offset_.rx() -= all.left() - (width() - keepX);
    if (all.bottom() < keepY) offset_.ry() += keepY - all.bottom();
    if (all.top() > height() - keepY) offset_.ry() -= all.top() - (height() - keepY);
  }
  placeMinimap();
  Q_EMIT zoomChanged(zoom_ / style_.textScale);
  update();
}

void GraphCanvas::placeMinimap() {
  minimap_->setView(visibleScene());
  const QSize wanted = minimap_->wanted(size());
  minimap_->setVisible(!wanted.isEmpty());
  if (wanted.isEmpty()) return;
  minimap_->setGeometry(
      QRect(QPoint(width() - wanted.width() - 12, height() - wanted.height() - 12), wanted));
}

void GraphCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), style_.background);
  if (!scene_.empty()) {
    painter.save();
    painter.translate(offset_);
    painter.scale(zoom_, zoom_);
    GraphPainter(scene_, style_).paint(painter, visibleScene(), zoom_, cursor_);
    painter.restore();
  }
  if (hasFocus()) {
    QColor soft = style_.accent;
    soft.setAlpha(90);  // a subtle focus frame
    painter.setPen(QPen(soft, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
  drawMessage(painter);
}

void GraphCanvas::drawMessage(QPainter& painter) const {
  if (message_.isEmpty()) return;
  if (!scene_.empty()) {
    QColor veil = style_.background;
    veil.setAlpha(190);
    painter.fillRect(rect(), veil);
  }
  QFont font(style_.sansFamily);
  font.setPixelSize(static_cast<int>(std::lround(14 * style_.textScale)));
  painter.setFont(font);
  painter.setPen(style_.mutedText);
  painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, message_);
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
  const bool fitted = fitted_;
  if (fitted) firstView();
  else if (event->oldSize().isValid())
    offset_ += QRectF(rect()).center() - QRectF(QPointF(), QSizeF(event->oldSize())).center();
  placeMinimap();
  revealSelection();
  fitted_ = fitted;
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
  double delta = event->angleDelta().y();
  if (delta == 0) delta = event->angleDelta().x();
  zoomBy(std::pow(kWheelStep, delta), event->position());
  event->accept();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
    return QWidget::mousePressEvent(event);
  pressed_ = true;
  dragging_ = false;
  pressedAt_ = draggedFrom_ = event->position();
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_) {
    const GraphHit hit =
        scene_.empty() ? GraphHit{} : scene_.at(toScene(event->position()), 4 / zoom_);
    const bool canPress = hit.kind != GraphHit::Kind::Nothing && hit.kind != GraphHit::Kind::Edge;
    setCursor(canPress ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return;
  }
  if (!dragging_ &&
      (event->position() - pressedAt_).manhattanLength() < QApplication::startDragDistance())
    return;
  dragging_ = true;
  setCursor(Qt::ClosedHandCursor);
  offset_ += event->position() - draggedFrom_;
  draggedFrom_ = event->position();
  fitted_ = false;
  moved();
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (!pressed_) return;
  pressed_ = false;
  setCursor(Qt::ArrowCursor);
  if (dragging_ || event->button() != Qt::LeftButton || scene_.empty()) {
    dragging_ = false;
    return;
  }
  click(scene_.at(toScene(event->position()), 4 / zoom_), event->globalPosition().toPoint());
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && !scene_.empty())
    toggle(scene_.at(toScene(event->position()), 4 / zoom_));
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (scene_.empty()) return;
  const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
  GraphHit hit;
  if (!byKey) hit = scene_.at(toScene(QPointF(event->pos())), 4 / zoom_);
  else if (cursor_) hit = {GraphHit::Kind::Box, *cursor_, 0};
  const bool isNode =
      hit.kind == GraphHit::Kind::Box && !scene_.view().boxes[hit.index].collapsed();
  Q_EMIT menuRequested(isNode ? scene_.view().boxes[hit.index].node : fx::NodeId{},
                       byKey && isNode
                           ? mapToGlobal(toWidget(scene_.boxRect(hit.index)).center().toPoint())
                           : event->globalPos());
}

void GraphCanvas::leaveEvent(QEvent*) { setCursor(Qt::ArrowCursor); }

void GraphCanvas::click(const GraphHit& hit, const QPoint& globalPosition) {
  using Kind = GraphHit::Kind;
  switch (hit.kind) {
    case Kind::Nothing: Q_EMIT backgroundClicked(); return;
    case Kind::Box: chooseBox(hit.index); return;
    case Kind::BoxBadge: Q_EMIT groupToggled(scene_.view().boxes[hit.index].group); return;
    case Kind::Chip:
      Q_EMIT nodeClicked(scene_.view().boxes[hit.index].chips[hit.chip].node);
      return;
    case Kind::Stub: jump(hit.index, globalPosition); return;
    case Kind::FrameCaption: Q_EMIT groupClicked(scene_.view().frames[hit.index].group); return;
    case Kind::Edge: Q_EMIT nodeClicked(scene_.view().edges[hit.index].values.front()); return;
  }
}

void GraphCanvas::toggle(const GraphHit& hit) {
  using Kind = GraphHit::Kind;
  if (hit.kind == Kind::FrameCaption) Q_EMIT groupToggled(scene_.view().frames[hit.index].group);
  if ((hit.kind == Kind::Box || hit.kind == Kind::Chip) &&
      scene_.view().boxes[hit.index].collapsed())
    Q_EMIT groupToggled(scene_.view().boxes[hit.index].group);
}

void GraphCanvas::chooseBox(std::size_t index) {
  cursor_ = index;
  const layout::Box& box = scene_.view().boxes[index];
  if (box.collapsed()) Q_EMIT groupClicked(box.group);
  else Q_EMIT nodeClicked(box.node);
  update();
}

void GraphCanvas::jump(std::size_t index, const QPoint& globalPosition) {
  const layout::Stub& stub = scene_.view().stubs[index];
  const auto go = [this](std::size_t box) {
    reveal(scene_.boxRect(box));
    chooseBox(box);
  };
  if (stub.others.size() == 1) return go(stub.others.front().index());
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const layout::BoxId other : stub.others) {
    if (menu->actions().size() == kMenuEntries) {
      menu->addAction(tr("and %1 more").arg(stub.others.size() - kMenuEntries))->setEnabled(false);
      break;
    }
    const layout::Box& box = scene_.view().boxes[other.index()];
    QString path;
    for (std::size_t frame = box.frame; frame != layout::kNoFrame;
         frame = scene_.view().frames[frame].parent)
      path = text(scene_.view().frames[frame].title) + QStringLiteral(" › ") + path;
    connect(menu->addAction(withoutMnemonic(path + text(box.title))), &QAction::triggered, this,
            [go, other] { go(other.index()); });
  }
  menu->popup(globalPosition);
}

void GraphCanvas::walk(int key) {
  if (scene_.empty()) return;
  if (!cursor_) {
    // Start at the box nearest to the middle of the view.
    const QPointF middle = visibleScene().center();
    double nearest = 0;
    for (std::size_t box = 0; box < scene_.view().boxes.size(); ++box) {
      const QPointF d = scene_.boxRect(box).center() - middle;
      if (cursor_ && std::hypot(d.x(), d.y()) >= nearest) continue;
      cursor_ = box;
      nearest = std::hypot(d.x(), d.y());
    }
  } else if (key == Qt::Key_Left || key == Qt::Key_Right) {
    const auto next = scene_.beside(*cursor_, key == Qt::Key_Right);
    if (!next) return;
    cursor_ = next;
  } else {
    const std::vector<std::size_t> next =
        key == Qt::Key_Down ? scene_.consumers(*cursor_) : scene_.producers(*cursor_);
    if (next.empty()) return;
    cursor_ = next.front();
  }
  reveal(scene_.boxRect(*cursor_));
  chooseBox(*cursor_);
}

void GraphCanvas::scrollPages(double pages) {
  offset_.ry() += pages * height();
  fitted_ = false;
  moved();
}

bool GraphCanvas::toggleAtCursor() {
  if (!cursor_ || scene_.empty()) return false;
  if (const layout::Box& box = scene_.view().boxes[*cursor_]; box.collapsed())
    Q_EMIT groupToggled(box.group);
  else if (box.frame != layout::kNoFrame)
    Q_EMIT groupToggled(scene_.view().frames[box.frame].group);
  return true;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) break;
      walk(event->key());
      return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kKeyStep); return;
    case Qt::Key_Minus: zoomBy(1 / kKeyStep); return;
    case Qt::Key_Space: fit(); return;
    case Qt::Key_PageDown: scrollPages(-kPage); return;
    case Qt::Key_PageUp: scrollPages(kPage); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (toggleAtCursor()) return;
      break;
    default: break;
  }
  QWidget::keyPressEvent(event);
}

bool GraphCanvas::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && !scene_.empty()) {
    auto* help = static_cast<QHelpEvent*>(event);
    const QString text =
        scene_.describe(scene_.at(toScene(QPointF(help->pos())), 4 / zoom_), marks_);
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace fxs::ui
