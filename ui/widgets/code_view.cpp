// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/code_view.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QFontMetricsF>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "text/words.h"
#include "widgets/code_view_metrics.h"

namespace fxs::ui {
namespace {

/// Columns drawn of one line; a longer line is cut and ends with the number of bytes left.
constexpr std::size_t kMaxColumns = 20'000;

}  // namespace

CodeView::CodeView(Appearance& appearance, QWidget* parent)
    : QAbstractScrollArea(parent), appearance_(appearance), text_(CodeText::of({})) {
  connect(this, &CodeView::cursorMoved, this, [this] {
    QAccessibleTextCursorEvent moved(this, static_cast<int>(cursor_.column));
    QAccessible::updateAccessibility(&moved);
  });
  folded_.set(text_->lineCount(), {});
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
  occurrences_.clear();
  marks_.reset();
  nodeMarks_.clear();
  folded_.set(text_->lineCount(), {});
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
    cursor_ = anchor_ = {match.line,
                         static_cast<std::uint32_t>(exact(line.substr(0, match.begin)).size())};
    showLine(match.line);
    revealCursor();
  }
  viewport()->update();
}

void CodeView::setOccurrences(std::vector<FindMatch> occurrences) {
  if (occurrences_.empty() && occurrences.empty()) return;
  occurrences_ = std::move(occurrences);
  viewport()->update();
}

void CodeView::setMarks(std::shared_ptr<const LineMarks> marks) {
  marks_ = std::move(marks);
  measure();
}

void CodeView::setNodeMarks(MarksByLine marks) {
  if (nodeMarks_.empty() && marks.empty()) return;
  nodeMarks_ = std::move(marks);
  measure();
}

int CodeView::signWidth() const {
  const int difference = marks_ ? static_cast<int>(std::ceil(charWidth_)) + kGrid / 2 : 0;
  return std::max(difference, nodeSignWidth());
}

int CodeView::nodeSignSide() const {
  return std::min(appearance_.scaled(kNodeSign), lineHeight_ - 2);
}

int CodeView::nodeSignWidth() const {
  int most = 0;
  for (const auto& [line, marks] : nodeMarks_)
    most = std::max(most, (marks.status.emphasis != Emphasis::None ? 1 : 0) +
                              (marks.flag.emphasis != Emphasis::None ? 1 : 0));
  return most * nodeSignSide();
}

void CodeView::refold(const std::function<void()>& change) {
  // Keep the top line, or the row that now hides it, at the top.
  const std::uint32_t top = rowAtHeight(0).line;
  const int within = verticalScrollBar()->value() % lineHeight_;
  change();
  measure();
  verticalScrollBar()->setValue(static_cast<int>(rowOf({top, 0})) * lineHeight_ + within);
}

void CodeView::setFolds(std::vector<Fold> folds) {
  refold([&] { folded_.set(text_->lineCount(), std::move(folds)); });
}
void CodeView::setFolded(int fold, bool folded) {
  refold([&] { folded_.setFolded(fold, folded); });
}
void CodeView::setAllFolded(FoldKind kind, bool folded) {
  refold([&] { folded_.setAllFolded(kind, folded); });
}

void CodeView::followFolds(const FoldedLines& beside) {
  if (folded_.follow(beside)) measure();
}

ShownLines CodeView::shownLines() const {
  std::vector<std::uint32_t> heights(folded_.rowCount());
  for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = heightOf(i);
  return {folded_, std::move(heights)};
}

void CodeView::setFillers(Fillers fillers) {
  if (fillers_ == fillers) return;
  fillers_ = std::move(fillers);
  placeRows();
}

void CodeView::setPlain(bool on) {
  plain_ = on;
  measure();
}

void CodeView::setWrap(bool on) {
  if (wrap_ == on) return;
  const std::uint32_t top = rowAtHeight(0).line;
  wrap_ = on;
  layOut();
  verticalScrollBar()->setValue(static_cast<int>(rowOf({top, 0})) * lineHeight_);
}

void CodeView::setZoom(int pixels) {
  pixels = std::clamp(pixels, kMinZoom, kMaxZoom);
  if (pixels == zoom_) return;
  const std::uint32_t top = rowAtHeight(0).line;
  zoom_ = pixels;
  measure();
  verticalScrollBar()->setValue(static_cast<int>(rowOf({top, 0})) * lineHeight_);
}

void CodeView::measure() {
  font_ = appearance_.mono();
  font_.setPixelSize(static_cast<int>(std::lround(zoom_ * appearance_.textScale())));
  const QFontMetricsF metrics(font_);
  charWidth_ = metrics.horizontalAdvance(QString(64, 'm')) / 64;
  lineHeight_ = static_cast<int>(std::ceil(metrics.height() * 1.25));
  const double digits =
      std::max(3.0, std::floor(std::log10(static_cast<double>(text_->lineCount()))) + 1);
  gutter_ = plain_ ? kGutterPadding / 2
                   : static_cast<int>(std::ceil(digits * charWidth_)) + 2 * kGutterPadding;
  if (!plain_ && !folded_.folds().empty()) gutter_ += kFoldWidth;
  if (!plain_) gutter_ += signWidth();
  layOut();
}

int CodeView::columnsInView() const {
  const int width = std::max(0, viewport()->width() - gutter_ - kLeftPadding);
  return static_cast<int>(std::floor(width / charWidth_));
}

void CodeView::layOut() {
  wrapColumns_ = static_cast<std::uint32_t>(std::max(20, columnsInView()));
  fillers_.clear();
  // Before the scroll bar gets its range, so that fillers set now keep its position.
  Q_EMIT shapeChanged();
  placeRows();
}

/// In rows, of a visible line without its fillers.
std::uint32_t CodeView::heightOf(std::size_t shown) const {
  const std::uint32_t line = folded_.lineOfRow(shown);
  if (!wrap_ || folded_.foldedAt(line) >= 0) return 1;
  const std::size_t columns = std::min(text_->line(line).size(), kMaxColumns);
  return std::max<std::uint32_t>(
      1, static_cast<std::uint32_t>((columns + wrapColumns_ - 1) / wrapColumns_));
}

void CodeView::placeRows() {
  const int width = std::max(0, viewport()->width() - gutter_ - kLeftPadding);
  rowStart_.clear();
  if (wrap_ || !fillers_.empty()) {
    const std::size_t count = folded_.rowCount();
    rowStart_.reserve(count + 1);
    std::uint32_t row = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i < fillers_.size()) row += fillers_[i];
      rowStart_.push_back(row);
      row += heightOf(i);
    }
    rowStart_.push_back(row + (count < fillers_.size() ? fillers_[count] : 0));
  }
  const double rows = static_cast<double>(rowCount()) * lineHeight_;
  const int shown = viewport()->height() - lineHeight_ / 2;
  verticalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, rows - shown)));
  verticalScrollBar()->setPageStep(std::max(lineHeight_, viewport()->height() - lineHeight_));
  verticalScrollBar()->setSingleStep(lineHeight_);
  const double columns = static_cast<double>(std::min(text_->longestLine(), kMaxColumns)) + 4;
  horizontalScrollBar()->setRange(
      0, wrap_ ? 0 : static_cast<int>(std::max(0.0, columns * charWidth_ - width)));
  horizontalScrollBar()->setPageStep(std::max(1, width));
  horizontalScrollBar()->setSingleStep(static_cast<int>(charWidth_ * 4));
  viewport()->update();
}

std::size_t CodeView::rowCount() const {
  return rowStart_.empty() ? folded_.rowCount() : rowStart_.back();
}

CodeView::Row CodeView::rowAt(std::size_t row) const {
  row = std::min(row, rowCount() - 1);
  if (rowStart_.empty()) return {folded_.lineOfRow(row), 0};
  const auto after =
      std::upper_bound(rowStart_.begin(), rowStart_.end() - 1, static_cast<std::uint32_t>(row));
  if (after == rowStart_.begin()) return {folded_.lineOfRow(0), 0, true};
  const auto shown = static_cast<std::size_t>(after - rowStart_.begin() - 1);
  const std::uint32_t within = static_cast<std::uint32_t>(row) - rowStart_[shown];
  if (within >= heightOf(shown)) return {folded_.lineOfRow(shown), 0, true};
  return {folded_.lineOfRow(shown), within * wrapColumns_};
}

CodeView::Row CodeView::rowAtHeight(int y) const {
  return rowAt(
      static_cast<std::size_t>(std::max(0, (y + verticalScrollBar()->value()) / lineHeight_)));
}

std::size_t CodeView::rowOf(CodePosition position) const {
  const std::uint32_t line =
      std::min(position.line, static_cast<std::uint32_t>(text_->lineCount() - 1));
  const std::size_t shown = folded_.rowOfLine(line);
  if (rowStart_.empty()) return shown;
  const bool isWrapped = wrap_ && folded_.lineOfRow(shown) == line;
  const std::uint32_t within = isWrapped ? position.column / wrapColumns_ : 0;
  return rowStart_[shown] + std::min(within, heightOf(shown) - 1);
}

QString CodeView::lineText(std::uint32_t line) const {
  const std::string_view all = text_->line(line);
  if (all.size() <= kMaxColumns) return shownInColumns(exact(all));
  return shownInColumns(exact(all.substr(0, kMaxColumns))) +
         QString(" … %1 more").arg(bytesText(all.size() - kMaxColumns));
}

CodePosition CodeView::positionAt(QPoint point) const {
  const Row at = rowAtHeight(point.y());
  const double x =
      point.x() - gutter_ - kLeftPadding + (wrap_ ? 0 : horizontalScrollBar()->value());
  std::uint32_t column =
      at.firstColumn + static_cast<std::uint32_t>(std::max(0L, std::lround(x / charWidth_)));
  if (wrap_) column = std::min(column, at.firstColumn + wrapColumns_);
  return {at.line, std::min(column, static_cast<std::uint32_t>(lineText(at.line).size()))};
}

bool CodeView::isRelated(std::uint32_t line) const {
  return std::binary_search(related_.begin(), related_.end(), line);
}

QRect CodeView::lineRect(std::uint32_t line) const {
  return {0, static_cast<int>(rowOf({line, 0})) * lineHeight_ - verticalScrollBar()->value(),
          viewport()->width(), lineHeight_};
}

bool CodeView::isLineVisible(std::uint32_t line) const {
  const QRect at = lineRect(line);
  return !folded_.isHidden(line) && at.top() >= 0 && at.top() + lineHeight_ <= viewport()->height();
}

std::uint32_t CodeView::lineAtHeight(int y) const { return rowAtHeight(y).line; }

void CodeView::scrollLineTo(std::uint32_t line, int y) {
  verticalScrollBar()->setValue(static_cast<int>(rowOf({line, 0})) * lineHeight_ - y);
}

std::size_t CodeView::offsetOf(CodePosition position) const {
  const std::string_view line = text_->line(position.line);
  return text_->startOf(position.line) +
         static_cast<std::size_t>(exact(line).left(position.column).toUtf8().size());
}

CodePosition CodeView::positionOf(std::size_t offset) const {
  const std::uint32_t line = text_->lineAt(offset);
  return {
      line,
      static_cast<std::uint32_t>(
          exact(text_->all().substr(text_->startOf(line), offset - text_->startOf(line))).size())};
}

void CodeView::showLine(std::uint32_t line) {
  if (folded_.reveal(line)) measure();
  if (isLineVisible(line)) return;
  verticalScrollBar()->setValue(static_cast<int>(rowOf({line, 0})) * lineHeight_ -
                                viewport()->height() / 3);
}

void CodeView::goToLine(std::uint32_t line) { goTo({line, 0}); }

void CodeView::goTo(CodePosition to) {
  cursor_ =
      anchor_ = {std::min(to.line, static_cast<std::uint32_t>(text_->lineCount() - 1)), to.column};
  showLine(cursor_.line);
  revealCursor();
  viewport()->update();
  Q_EMIT cursorMoved();
}

void CodeView::revealCursor() {
  const int top = static_cast<int>(rowOf(cursor_)) * lineHeight_;
  QScrollBar* vertical = verticalScrollBar();
  if (top < vertical->value()) vertical->setValue(top);
  else if (top + lineHeight_ > vertical->value() + viewport()->height())
    vertical->setValue(top + lineHeight_ - viewport()->height());
  if (wrap_) return;
  const double x = cursor_.column * charWidth_;
  const int width = viewport()->width() - gutter_ - kLeftPadding;
  QScrollBar* horizontal = horizontalScrollBar();
  if (x < horizontal->value()) horizontal->setValue(static_cast<int>(x) - width / 4);
  else if (x > horizontal->value() + width - 2 * charWidth_)
    horizontal->setValue(static_cast<int>(x) - width * 3 / 4);
}

void CodeView::moveCursor(CodePosition to, bool select) {
  cursor_ = to;
  if (!select) anchor_ = to;
  revealCursor();
  viewport()->update();
  Q_EMIT cursorMoved();
}

QString CodeView::selectedText() const {
  const auto [from, to] = std::minmax(cursor_, anchor_);
  if (from == to) return {};
  if (from.line == to.line) return lineText(from.line).mid(from.column, to.column - from.column);
  // Lines are copied in full, including what is not drawn of a very long line.
  QString out = shownInColumns(exact(text_->line(from.line)).mid(from.column)) + '\n';
  if (to.line > from.line + 1) {
    const std::size_t begin = text_->startOf(from.line + 1);
    out += lines(text_->all().substr(begin, text_->startOf(to.line) - begin));
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

}  // namespace fxs::ui
