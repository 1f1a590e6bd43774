#include "panes/code_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "presenters/words.h"

namespace fxs::ui {
namespace {

/// Of one line, that many columns are drawn; a longer line says how much more there is.
constexpr std::size_t kMaxColumns = 20'000;
constexpr int kGutterPadding = 12;
constexpr int kLeftPadding = 8;

}  // namespace

CodeView::CodeView(Appearance& appearance, QWidget* parent)
    : QAbstractScrollArea(parent), appearance_(appearance), text_(CodeText::of({})) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setCursor(Qt::IBeamCursor);
  viewport()->setMouseTracking(true);
  measure();
  connect(&appearance, &Appearance::changed, viewport(), qOverload<>(&QWidget::update));
}

void CodeView::setCode(CodeTextPtr text) {
  const int top = verticalScrollBar()->value();
  const bool sameShape = text && text->lineCount() == text_->lineCount();
  text_ = text ? std::move(text) : CodeText::of({});
  matches_.clear();
  currentMatch_ = -1;
  related_.clear();
  inferred_.clear();
  if (!sameShape) cursor_ = anchor_ = {};
  measure();
  verticalScrollBar()->setValue(sameShape ? top : 0);
}

void CodeView::setRelated(std::vector<std::uint32_t> lines, std::set<std::uint32_t> inferred) {
  related_ = std::move(lines);
  inferred_ = std::move(inferred);
  viewport()->update();
}

void CodeView::setMatches(std::vector<FindMatch> matches) {
  matches_ = std::move(matches);
  currentMatch_ = -1;
  viewport()->update();
}

void CodeView::setCurrentMatch(int index) {
  currentMatch_ = index;
  if (index >= 0 && index < static_cast<int>(matches_.size())) {
    const FindMatch& match = matches_[static_cast<std::size_t>(index)];
    const std::string_view line = text_->line(match.line);
    cursor_ = anchor_ = {match.line, static_cast<std::uint32_t>(text(line.substr(0, match.begin)).size())};
    showLine(match.line);
    revealCursor();
  }
  viewport()->update();
}

void CodeView::setPlain(bool on) {
  plain_ = on;
  measure();
}

void CodeView::setWrap(bool on) {
  if (wrap_ == on) return;
  const std::uint32_t top = rowAt(static_cast<std::size_t>(verticalScrollBar()->value() / lineHeight_)).line;
  wrap_ = on;
  layOut();
  verticalScrollBar()->setValue(static_cast<int>(rowOf({top, 0})) * lineHeight_);
}

void CodeView::setZoom(int pixels) {
  pixels = std::clamp(pixels, kMinZoom, kMaxZoom);
  if (pixels == zoom_) return;
  const std::uint32_t top = rowAt(static_cast<std::size_t>(verticalScrollBar()->value() / lineHeight_)).line;
  zoom_ = pixels;
  measure();
  verticalScrollBar()->setValue(static_cast<int>(rowOf({top, 0})) * lineHeight_);
}

void CodeView::measure() {
  font_ = appearance_.mono();
  font_.setPixelSize(zoom_);
  const QFontMetricsF metrics(font_);
  charWidth_ = metrics.horizontalAdvance(QString(64, 'm')) / 64;
  lineHeight_ = static_cast<int>(std::ceil(metrics.height() * 1.25));
  const double digits = std::max(3.0, std::floor(std::log10(static_cast<double>(text_->lineCount()))) + 1);
  gutter_ = plain_ ? kGutterPadding / 2 : static_cast<int>(std::ceil(digits * charWidth_)) + 2 * kGutterPadding;
  layOut();
}

void CodeView::layOut() {
  const int width = std::max(0, viewport()->width() - gutter_ - kLeftPadding);
  rowStart_.clear();
  if (wrap_) {
    wrapColumns_ = static_cast<std::uint32_t>(std::max(20.0, std::floor(width / charWidth_)));
    rowStart_.reserve(text_->lineCount() + 1);
    std::uint32_t row = 0;
    for (std::size_t i = 0; i < text_->lineCount(); ++i) {
      rowStart_.push_back(row);
      const std::size_t columns = std::min(text_->line(i).size(), kMaxColumns);
      row += std::max<std::uint32_t>(1, static_cast<std::uint32_t>((columns + wrapColumns_ - 1) / wrapColumns_));
    }
    rowStart_.push_back(row);
  }
  const double rows = static_cast<double>(rowCount()) * lineHeight_;
  verticalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, rows - viewport()->height() + lineHeight_ / 2)));
  verticalScrollBar()->setPageStep(std::max(lineHeight_, viewport()->height() - lineHeight_));
  verticalScrollBar()->setSingleStep(lineHeight_);
  const double columns = static_cast<double>(std::min(text_->longestLine(), kMaxColumns)) + 4;
  horizontalScrollBar()->setRange(0, wrap_ ? 0 : static_cast<int>(std::max(0.0, columns * charWidth_ - width)));
  horizontalScrollBar()->setPageStep(std::max(1, width));
  horizontalScrollBar()->setSingleStep(static_cast<int>(charWidth_ * 4));
  viewport()->update();
}

std::size_t CodeView::rowCount() const { return wrap_ ? rowStart_.back() : text_->lineCount(); }

CodeView::Row CodeView::rowAt(std::size_t row) const {
  row = std::min(row, rowCount() - 1);
  if (!wrap_) return {static_cast<std::uint32_t>(row), 0};
  const auto after = std::upper_bound(rowStart_.begin(), rowStart_.end() - 1, static_cast<std::uint32_t>(row));
  const auto line = static_cast<std::uint32_t>(after - rowStart_.begin() - 1);
  return {line, (static_cast<std::uint32_t>(row) - rowStart_[line]) * wrapColumns_};
}

std::size_t CodeView::rowOf(CodePosition position) const {
  const std::uint32_t line = std::min(position.line, static_cast<std::uint32_t>(text_->lineCount() - 1));
  if (!wrap_) return line;
  return std::min(rowStart_[line] + position.column / wrapColumns_, rowStart_[line + 1] - 1);
}

QString CodeView::lineText(std::uint32_t line) const {
  const std::string_view all = text_->line(line);
  if (all.size() <= kMaxColumns) return text(all);
  return text(all.substr(0, kMaxColumns)) + QString(" … %1 more").arg(bytesText(all.size() - kMaxColumns));
}

CodePosition CodeView::positionAt(QPoint point) const {
  const std::size_t row = static_cast<std::size_t>(std::max(0, (point.y() + verticalScrollBar()->value()) / lineHeight_));
  const Row at = rowAt(row);
  const double x = point.x() - gutter_ - kLeftPadding + (wrap_ ? 0 : horizontalScrollBar()->value());
  std::uint32_t column = at.firstColumn + static_cast<std::uint32_t>(std::max(0L, std::lround(x / charWidth_)));
  if (wrap_) column = std::min(column, at.firstColumn + wrapColumns_);
  return {at.line, std::min(column, static_cast<std::uint32_t>(lineText(at.line).size()))};
}

bool CodeView::isRelated(std::uint32_t line) const { return std::binary_search(related_.begin(), related_.end(), line); }

bool CodeView::isLineVisible(std::uint32_t line) const {
  const int top = static_cast<int>(rowOf({line, 0})) * lineHeight_ - verticalScrollBar()->value();
  return top >= 0 && top + lineHeight_ <= viewport()->height();
}

void CodeView::showLine(std::uint32_t line) {
  if (isLineVisible(line)) return;
  verticalScrollBar()->setValue(static_cast<int>(rowOf({line, 0})) * lineHeight_ - viewport()->height() / 3);
}

void CodeView::goToLine(std::uint32_t line) {
  cursor_ = anchor_ = {std::min(line, static_cast<std::uint32_t>(text_->lineCount() - 1)), 0};
  showLine(cursor_.line);
  viewport()->update();
  emit cursorMoved();
}

void CodeView::revealCursor() {
  const int top = static_cast<int>(rowOf(cursor_)) * lineHeight_;
  QScrollBar* vertical = verticalScrollBar();
  if (top < vertical->value()) vertical->setValue(top);
  else if (top + lineHeight_ > vertical->value() + viewport()->height()) vertical->setValue(top + lineHeight_ - viewport()->height());
  if (wrap_) return;
  const double x = cursor_.column * charWidth_;
  const int width = viewport()->width() - gutter_ - kLeftPadding;
  QScrollBar* horizontal = horizontalScrollBar();
  if (x < horizontal->value()) horizontal->setValue(static_cast<int>(std::max(0.0, x - width / 4)));
  else if (x > horizontal->value() + width - 2 * charWidth_) horizontal->setValue(static_cast<int>(x - width * 3 / 4));
}

void CodeView::moveCursor(CodePosition to, bool select) {
  cursor_ = to;
  if (!select) anchor_ = to;
  revealCursor();
  viewport()->update();
  emit cursorMoved();
}

QString CodeView::selectedText() const {
  const auto [from, to] = std::minmax(cursor_, anchor_);
  if (from == to) return {};
  if (from.line == to.line) return lineText(from.line).mid(from.column, to.column - from.column);
  // Whole lines between the ends, in full: what is not drawn of a very long line is copied too.
  QString out = text(text_->line(from.line)).mid(from.column) + '\n';
  if (to.line > from.line + 1) {
    const std::size_t begin = text_->startOf(from.line + 1);
    out += text(text_->all().substr(begin, text_->startOf(to.line) - begin));
  }
  return out + lineText(to.line).left(to.column);
}

void CodeView::copy() {
  if (hasSelection()) QApplication::clipboard()->setText(selectedText());
}

void CodeView::selectAll() {
  const auto last = static_cast<std::uint32_t>(text_->lineCount() - 1);
  anchor_ = {0, 0};
  cursor_ = {last, static_cast<std::uint32_t>(lineText(last).size())};
  viewport()->update();
}

void CodeView::resizeEvent(QResizeEvent*) { layOut(); }
void CodeView::focusInEvent(QFocusEvent*) { viewport()->update(); }
void CodeView::focusOutEvent(QFocusEvent*) { viewport()->update(); }

void CodeView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  dragging_ = true;
  dragged_ = false;
  const CodePosition at = positionAt(event->pos());
  cursor_ = at;
  if (!(event->modifiers() & Qt::ShiftModifier)) anchor_ = at;
  viewport()->update();
  emit cursorMoved();
}

void CodeView::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) {
    viewport()->setCursor(event->pos().x() < gutter_ ? Qt::ArrowCursor : Qt::IBeamCursor);
    return;
  }
  const CodePosition at = positionAt(event->pos());
  if (at != cursor_) dragged_ = true;
  moveCursor(at, true);
}

void CodeView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !dragging_) return;
  dragging_ = false;
  if (!dragged_ && !(event->modifiers() & Qt::ShiftModifier)) emit lineClicked(cursor_.line);
}

void CodeView::mouseDoubleClickEvent(QMouseEvent* event) {
  const CodePosition at = positionAt(event->pos());
  const QString line = lineText(at.line);
  // A word in MLIR: %name, @name, torch.aten.add, !torch.vtensor.
  const auto inWord = [&](qsizetype i) {
    return i >= 0 && i < line.size() && (line[i].isLetterOrNumber() || QStringLiteral("_.%@!#$").contains(line[i]));
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
  const auto page = static_cast<std::uint32_t>(std::max(1, viewport()->height() / lineHeight_ - 1));
  CodePosition to = cursor_;
  switch (event->key()) {
    case Qt::Key_Up: to.line -= to.line > 0; break;
    case Qt::Key_Down: to.line = std::min(last, to.line + 1); break;
    case Qt::Key_PageUp: to.line -= std::min(to.line, page); break;
    case Qt::Key_PageDown: to.line = std::min(last, to.line + page); break;
    case Qt::Key_Home: to = {control ? 0 : to.line, 0}; break;
    case Qt::Key_End: {
      to.line = control ? last : to.line;
      to.column = static_cast<std::uint32_t>(lineText(to.line).size());
      break;
    }
    case Qt::Key_Left: to.column -= to.column > 0; break;
    case Qt::Key_Right: ++to.column; break;
    case Qt::Key_Return:
    case Qt::Key_Enter: emit lineClicked(cursor_.line); return;
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
  to.column = std::min(to.column, static_cast<std::uint32_t>(lineText(to.line).size()));
  moveCursor(to, select);
}

void CodeView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    emit zoomRequested(std::clamp(zoom_ + (event->angleDelta().y() > 0 ? 1 : -1), kMinZoom, kMaxZoom));
    return event->accept();
  }
  QAbstractScrollArea::wheelEvent(event);
}

bool CodeView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip && lineTip_) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::size_t row = static_cast<std::size_t>((help->pos().y() + verticalScrollBar()->value()) / lineHeight_);
    const QString tip = row < rowCount() ? lineTip_(rowAt(row).line) : QString();
    if (tip.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), tip, viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace fxs::ui
