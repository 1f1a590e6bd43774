// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mouse and key handling of CodeView.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>

#include "widgets/code_view.h"
#include "widgets/code_view_metrics.h"

namespace fxs::ui {

int CodeView::foldSignAt(QPoint point) const {
  if (plain_ || folded_.folds().empty()) return -1;
  if (!isOnLine(point.y())) return -1;
  const Row row = rowAtHeight(point.y());
  if (row.firstColumn > 0) return -1;
  const std::uint32_t line = row.line;
  // A click anywhere in the row of a folded block unfolds it.
  if (const int folded = folded_.foldedAt(line);
      folded >= 0 && folded_.folds()[static_cast<std::size_t>(folded)].kind == FoldKind::Block)
    return folded;
  return point.x() >= gutter_ - kFoldWidth - kGutterPadding / 2 && point.x() < gutter_
             ? folded_.foldAt(line)
             : -1;
}

/// Whether there is a line at `y`, not a filler or what is below the text.
bool CodeView::isOnLine(int y) const {
  const int row = (y + verticalScrollBar()->value()) / lineHeight_;
  return row >= 0 && static_cast<std::size_t>(row) < rowCount() && !rowAtHeight(y).isFiller;
}

void CodeView::resizeEvent(QResizeEvent*) {
  // Without wrapping, the width changes no height.
  if (wrap_) layOut();
  else placeRows();
}
void CodeView::focusInEvent(QFocusEvent*) { viewport()->update(); }
void CodeView::focusOutEvent(QFocusEvent*) { viewport()->update(); }

void CodeView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int fold = foldSignAt(event->pos()); fold >= 0)
    return setFolded(fold, !folded_.folds()[static_cast<std::size_t>(fold)].folded);
  if (rowAtHeight(event->pos().y()).isFiller) return;
  dragging_ = true;
  dragged_ = false;
  const CodePosition at = positionAt(event->pos());
  cursor_ = at;
  if (!(event->modifiers() & Qt::ShiftModifier)) anchor_ = at;
  viewport()->update();
  Q_EMIT cursorMoved();
}

void CodeView::mouseMoveEvent(QMouseEvent* event) {
  constexpr int kRests = 4;  // pixels
  if (tipAt_ && (event->pos() - *tipAt_).manhattanLength() > kRests) tipAt_.reset();
  if (!dragging_) {
    if (foldSignAt(event->pos()) >= 0) return viewport()->setCursor(Qt::PointingHandCursor);
    return viewport()->setCursor(event->pos().x() < gutter_ ? Qt::ArrowCursor : Qt::IBeamCursor);
  }
  const CodePosition at = positionAt(event->pos());
  if (at != cursor_) dragged_ = true;
  moveCursor(at, true);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = false;
  if (dragged_ || event->modifiers() & Qt::ShiftModifier) return;
  if (event->modifiers() & Qt::ControlModifier) Q_EMIT definitionRequested(cursor_);
  else Q_EMIT lineClicked(cursor_.line);
}

void CodeView::mouseDoubleClickEvent(QMouseEvent* event) {
  const CodePosition at = positionAt(event->pos());
  const QString line = lineText(at.line);
  // A word in MLIR: %name, @name, torch.aten.add, !torch.vtensor.
  const auto inWord = [&](qsizetype i) {
    return i >= 0 && i < line.size() &&
           (line[i].isLetterOrNumber() || QStringLiteral("_.%@!#$").contains(line[i]));
  };
  qsizetype begin = at.column, end = at.column;
  while (inWord(begin - 1)) --begin;
  while (inWord(end)) ++end;
  anchor_ = {at.line, static_cast<std::uint32_t>(begin)};
  cursor_ = {at.line, static_cast<std::uint32_t>(end)};
  viewport()->update();
}

void CodeView::keyPressEvent(QKeyEvent* event) {
  const bool select = event->modifiers() & Qt::ShiftModifier;
  const bool control = event->modifiers() & Qt::ControlModifier;
  const auto last = static_cast<std::uint32_t>(text_->lineCount() - 1);
  const std::ptrdiff_t page = std::max(1, viewport()->height() / lineHeight_ - 1);
  const auto shownFrom = [&](std::ptrdiff_t rows) {
    const auto row = static_cast<std::ptrdiff_t>(folded_.rowOfLine(cursor_.line)) + rows;
    return folded_.lineOfRow(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, row)));
  };
  CodePosition to = cursor_;
  switch (event->key()) {
    case Qt::Key_Up: to.line = shownFrom(-1); break;
    case Qt::Key_Down: to.line = shownFrom(1); break;
    case Qt::Key_PageUp: to.line = shownFrom(-page); break;
    case Qt::Key_PageDown: to.line = shownFrom(page); break;
    case Qt::Key_Home: to = {control ? 0 : to.line, 0}; break;
    case Qt::Key_End: {
      to.line = control ? last : to.line;
      to.column = static_cast<std::uint32_t>(lineText(to.line).size());
      break;
    }
    case Qt::Key_Left: to.column -= to.column > 0; break;
    case Qt::Key_Right: ++to.column; break;
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT lineClicked(cursor_.line); return;
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  to.column = std::min(to.column, static_cast<std::uint32_t>(lineText(to.line).size()));
  moveCursor(to, select);
}

void CodeView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    Q_EMIT zoomRequested(
        std::clamp(zoom_ + (event->angleDelta().y() > 0 ? 1 : -1), kMinZoom, kMaxZoom));
    return event->accept();
  }
  QAbstractScrollArea::wheelEvent(event);
}

void CodeView::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Keyboard) {
    const QPoint at = lineRect(cursor_.line).bottomLeft() + QPoint(gutter_, 0);
    return Q_EMIT menuRequested(cursor_, viewport()->mapToGlobal(at));
  }
  Q_EMIT menuRequested(positionAt(event->pos()), event->globalPos());
}

bool CodeView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && tip_) {
    tipAt_ = static_cast<QHelpEvent*>(event)->pos();
    refreshTip();
    return true;
  }
  if (event->type() == QEvent::Leave) tipAt_.reset();
  return QAbstractScrollArea::viewportEvent(event);
}

void CodeView::refreshTip() {
  if (!tipAt_ || !tip_) return;
  const QString tip = isOnLine(tipAt_->y()) ? tip_(positionAt(*tipAt_)) : QString();
  if (tip.isEmpty()) QToolTip::hideText();
  else QToolTip::showText(viewport()->mapToGlobal(*tipAt_), tip, viewport());
}

}  // namespace fxs::ui
