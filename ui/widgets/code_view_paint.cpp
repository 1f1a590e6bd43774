// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Painting of CodeView.
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "text/words.h"
#include "widgets/code_colours.h"
#include "widgets/code_view.h"
#include "widgets/code_view_metrics.h"
#include "widgets/mark_sign.h"

namespace fxs::ui {
namespace {

constexpr int kMarkWidth = 3;
/// Most ticks drawn at the scroll bar; more would be a solid bar.
constexpr std::size_t kMaxTicks = 2'000;

struct Sign {
  const char* text;
  Role ink, ground;
};
/// Differences also have a letter, so that colour is not the only distinction.
Sign signOf(LineMark mark) {
  switch (mark) {
    case LineMark::Added: return {"+", Role::Success, Role::DiffAdded};
    case LineMark::Removed: return {"−", Role::Error, Role::DiffRemoved};
    case LineMark::Changed: return {"~", Role::Warning, Role::DiffChanged};
    case LineMark::Moved: return {"↕", Role::Moved, Role::DiffMoved};
    case LineMark::MovedAndChanged: return {"↕~", Role::Moved, Role::DiffMoved};
    case LineMark::Renumbered: return {"%", Role::TextMuted, Role::Surface};
    case LineMark::None: break;
  }
  return {"", Role::CodeGutter, Role::Surface};
}
/// Moved lines have a dashed frame, too.
bool isMoved(LineMark mark) { return mark == LineMark::Moved || mark == LineMark::MovedAndChanged; }

bool isAscii(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void CodeView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), appearance_.color(Role::Surface));
  painter.setFont(font_);
  const int top = verticalScrollBar()->value();
  const std::size_t first = static_cast<std::size_t>(top / lineHeight_);
  const std::size_t last = std::min(
      rowCount(), first + static_cast<std::size_t>(viewport()->height() / lineHeight_) + 2);
  for (std::size_t row = first; row < last; ++row)
    paintRow(painter, rowAt(row), static_cast<int>(row) * lineHeight_ - top);
  paintTicks(painter);
}

/// Hatched: this text has nothing that faces the row of the other one.
void CodeView::paintFiller(QPainter& painter, int top) {
  painter.fillRect(0, top, viewport()->width(), lineHeight_, appearance_.color(Role::Sunken));
  painter.setBrushOrigin(0, -verticalScrollBar()->value());  // the hatching moves with the text
  painter.fillRect(gutter_, top, viewport()->width() - gutter_, lineHeight_,
                   QBrush(appearance_.color(Role::Border), Qt::BDiagPattern));
}

/// Above the first and below the last of moved lines.
void CodeView::paintMoved(QPainter& painter, Row row, int top) {
  const auto moved = [&](std::uint32_t line) { return isMoved(marks_->at(line)); };
  if (!marks_ || !moved(row.line)) return;
  painter.setPen(QPen(appearance_.color(Role::Moved), 1, Qt::DashLine));
  if (row.firstColumn == 0 && (row.line == 0 || !moved(row.line - 1)))
    painter.drawLine(gutter_, top, viewport()->width(), top);
  const std::size_t end = row.firstColumn + std::size_t{wrapColumns_};
  if (!moved(row.line + 1) && (!wrap_ || end >= text_->line(row.line).size()))
    painter.drawLine(gutter_, top + lineHeight_ - 1, viewport()->width(), top + lineHeight_ - 1);
}

void CodeView::paintRow(QPainter& painter, Row row, int top) {
  if (row.isFiller) return paintFiller(painter, top);
  const bool relatedLine = isRelated(row.line);
  const bool currentLine = row.line == cursor_.line && hasFocus();
  const int folded = folded_.foldedAt(row.line);
  const Fold* fold = folded < 0 ? nullptr : &folded_.folds()[static_cast<std::size_t>(folded)];
  const bool block = fold && fold->kind == FoldKind::Block;
  if (const std::optional<Role> ground = block ? Role::Sunken : groundOf(row.line))
    painter.fillRect(QRect(0, top, viewport()->width(), lineHeight_), appearance_.color(*ground));

  double end = gutter_ + kLeftPadding;
  if (!block) paintMoved(painter, row, top);
  if (!block) end = paintText(painter, row, top);
  if (fold) paintFoldLabel(painter, *fold, end, top);
  if (row.firstColumn == 0 && !plain_)
    paintMargin(painter, row, top, !block && (relatedLine || currentLine));
  if (!relatedLine || block) return;
  // Dotted if the origin is inferred.
  if (inferred_.contains(row.line)) {
    painter.setPen(QPen(appearance_.color(Role::Accent), kMarkWidth, Qt::DotLine));
    painter.drawLine(QPointF(kMarkWidth / 2.0, top + 1),
                     QPointF(kMarkWidth / 2.0, top + lineHeight_ - 1));
  } else {
    painter.fillRect(0, top, kMarkWidth, lineHeight_, appearance_.color(Role::Accent));
  }
}

/// The ground of a line that is not folded to a block; none for that of the view.
std::optional<Role> CodeView::groundOf(std::uint32_t line) const {
  if (isRelated(line)) return Role::LineRelated;
  const LineMark mark = marks_ ? marks_->at(line) : LineMark::None;
  if (mark != LineMark::None) return signOf(mark).ground;
  if (line == cursor_.line && hasFocus()) return Role::LineCurrent;
  return std::nullopt;
}

void CodeView::paintMargin(QPainter& painter, Row row, int top, bool strong) {
  const int foldWidth = folded_.folds().empty() ? 0 : kFoldWidth;
  const int numberRight = gutter_ - kGutterPadding - foldWidth;
  const int fold = folded_.foldAt(row.line);
  const bool isFolded = fold >= 0 && folded_.folds()[static_cast<std::size_t>(fold)].folded;
  bool hasMark = false;
  if (!isFolded || folded_.folds()[static_cast<std::size_t>(fold)].kind != FoldKind::Block) {
    const bool tinted = marks_ && marks_->at(row.line) != LineMark::None;
    const Role plain = tinted ? Role::TextMuted : Role::CodeGutter;
    painter.setPen(appearance_.color(strong ? Role::Text : plain));
    painter.drawText(QRectF(0, top, numberRight, lineHeight_), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(row.line + 1));
    hasMark = paintNodeMarks(painter, row.line, top);
  }
  if (folded_.foldedAt(row.line) < 0) paintDiffSign(painter, row.line, top, hasMark);
  if (fold < 0) return;
  const int side = std::min(kFoldWidth, lineHeight_ - 4);
  appearance_
      .icon(isFolded ? "chevron-right" : "chevron-down", isFolded ? Role::Accent : Role::CodeGutter)
      .paint(&painter,
             QRect(numberRight + kGutterPadding / 2, top + (lineHeight_ - side) / 2, side, side));
}

void CodeView::paintDiffSign(QPainter& painter, std::uint32_t line, int top, bool hasMark) {
  const LineMark mark = marks_ ? marks_->at(line) : LineMark::None;
  if (mark == LineMark::None) return;
  const Sign sign = signOf(mark);
  painter.setPen(appearance_.color(sign.ink));
  if (!hasMark)
    painter.drawText(QRect(kMarkWidth, top, signWidth(), lineHeight_), Qt::AlignCenter,
                     QString::fromUtf8(sign.text));
  if (!isMoved(mark)) {
    painter.fillRect(gutter_ - 2, top, 2, lineHeight_, appearance_.color(sign.ink));
    return;
  }
  painter.setPen(QPen(appearance_.color(sign.ink), 2, Qt::DashLine));
  painter.drawLine(gutter_ - 1, top, gutter_ - 1, top + lineHeight_);
}

bool CodeView::paintNodeMarks(QPainter& painter, std::uint32_t line, int top) {
  const auto found =
      std::ranges::lower_bound(nodeMarks_, line, {}, [](const auto& each) { return each.first; });
  if (found == nodeMarks_.end() || found->first != line) return false;
  bool hasAny = false;
  const int side = nodeSignSide();
  QRect at(kMarkWidth, top + (lineHeight_ - side) / 2, side, side);
  for (const Mark* mark : {&found->second.status, &found->second.flag}) {
    if (mark->emphasis == Emphasis::None) continue;
    appearance_.icon(mark->icon, roleOf(mark->emphasis)).paint(&painter, at);
    at.translate(side, 0);
    hasAny = true;
  }
  return hasAny;
}

void CodeView::paintFoldLabel(QPainter& painter, const Fold& fold, double left, int top) {
  const QFontMetricsF metrics(font_);
  const double width = metrics.horizontalAdvance(fold.label);
  const QRectF at(left + (fold.kind != FoldKind::Block ? charWidth_ : 0), top + 1, width + kGrid,
                  lineHeight_ - 2);
  if (fold.kind != FoldKind::Block) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(appearance_.color(Role::Hover));
    painter.drawRoundedRect(at, 3, 3);
  }
  painter.setPen(appearance_.color(Role::TextMuted));
  painter.drawText(fold.kind != FoldKind::Block ? at.adjusted(kGrid / 2.0, 0, 0, 0) : at,
                   Qt::AlignLeft | Qt::AlignVCenter, fold.label);
}

/// A row of the text, and where its columns are, in pixels.
struct CodeView::TextRow {
  Row row;
  QString line;
  std::string_view bytes;          ///< of the line
  qsizetype first = 0, last = 0;   ///< columns
  double left = 0, charWidth = 0;  ///< `left`: of the first column
  int top = 0;
  bool ascii = false;

  double x(qsizetype column) const {
    return left + static_cast<double>(column - first) * charWidth;
  }
  qsizetype columnOf(std::size_t byte) const {
    return ascii ? static_cast<qsizetype>(byte) : exact(bytes.substr(0, byte)).size();
  }
};

CodeView::TextRow CodeView::textRowOf(Row row, int top) const {
  TextRow text;
  text.row = row;
  text.line = lineText(row.line);
  text.bytes = text_->line(row.line);
  text.first = static_cast<qsizetype>(row.firstColumn);
  text.last =
      wrap_ ? std::min<qsizetype>(text.line.size(), text.first + wrapColumns_) : text.line.size();
  text.left = gutter_ + kLeftPadding - (wrap_ ? 0 : horizontalScrollBar()->value());
  text.charWidth = charWidth_;
  text.top = top;
  text.ascii = isAscii(text.bytes.substr(0, kMaxLexed));
  return text;
}

/// Returns the x of the text's end, in pixels.
double CodeView::paintText(QPainter& painter, Row row, int top) {
  const TextRow text = textRowOf(row, top);
  painter.save();
  painter.setClipRect(gutter_, top, viewport()->width() - gutter_, lineHeight_);
  if (marks_) {
    paintMatches(painter, text, marks_->words, Role::DiffWord);
    underline(painter, text, marks_->words);
  }
  paintMatches(painter, text, occurrences_, Role::Occurrence);
  paintMatches(painter, text, matches_, Role::FindMatch);
  paintSelection(painter, text);
  paintTokens(painter, text);
  const bool isAtCursor = row.line == cursor_.line && cursor_.column >= row.firstColumn &&
                          (!wrap_ || cursor_.column <= row.firstColumn + wrapColumns_);
  if (isAtCursor && hasFocus() && !hasSelection())
    painter.fillRect(QRectF(text.x(cursor_.column), top + 2, 1.5, lineHeight_ - 4),
                     appearance_.color(Role::Accent));
  painter.restore();
  return text.x(text.last);
}

void CodeView::fillColumns(QPainter& painter, const TextRow& text, qsizetype from, qsizetype to,
                           Role role) {
  from = std::max(from, text.first);
  to = std::min(to, wrap_ ? text.last : std::max<qsizetype>(to, 0));
  if (from < to)
    painter.fillRect(
        QRectF(text.x(from), text.top, static_cast<double>(to - from) * charWidth_, lineHeight_),
        appearance_.color(role));
}

void CodeView::paintMatches(QPainter& painter, const TextRow& text,
                            const std::vector<FindMatch>& all, Role role) {
  for (const FindMatch& match :
       std::ranges::equal_range(all, text.row.line, {}, &FindMatch::line)) {
    const bool isCurrent = &all == &matches_ && &match - all.data() == currentMatch_;
    fillColumns(painter, text, text.columnOf(match.begin), text.columnOf(match.end),
                isCurrent ? Role::FindCurrent : role);
  }
}

/// So that colour is not the only distinction of changed words.
void CodeView::underline(QPainter& painter, const TextRow& text,
                         const std::vector<FindMatch>& words) {
  for (const FindMatch& word :
       std::ranges::equal_range(words, text.row.line, {}, &FindMatch::line)) {
    const qsizetype from = std::max(text.columnOf(word.begin), text.first);
    const qsizetype to = std::min(text.columnOf(word.end), text.last);
    if (from < to)
      painter.fillRect(QRectF(text.x(from), text.top + lineHeight_ - 2,
                              static_cast<double>(to - from) * charWidth_, 1.5),
                       appearance_.color(Role::Warning));
  }
}

void CodeView::paintSelection(QPainter& painter, const TextRow& text) {
  const std::uint32_t line = text.row.line;
  const auto [from, to] = std::minmax(cursor_, anchor_);
  if (from == to || line < from.line || to.line < line) return;
  fillColumns(painter, text, line == from.line ? from.column : 0,
              line == to.line ? to.column : text.line.size() + 1, Role::AccentSoft);
}

void CodeView::paintTokens(QPainter& painter, const TextRow& text) {
  const QFontMetrics metrics = painter.fontMetrics();
  const double baseline = text.top + (lineHeight_ + metrics.ascent() - metrics.descent()) / 2.0;
  // Draw only the visible columns.
  const auto firstSeen = std::max<qsizetype>(
      text.first, static_cast<qsizetype>((gutter_ - text.left) / charWidth_) + text.first - 1);
  const auto lastSeen = std::min<qsizetype>(
      text.last,
      static_cast<qsizetype>((viewport()->width() - text.left) / charWidth_) + text.first + 2);
  const auto run = [&](qsizetype from, qsizetype to, Role role) {
    from = std::max(from, firstSeen);
    to = std::min(to, lastSeen);
    if (from >= to) return;
    painter.setPen(appearance_.color(role));
    painter.drawText(QPointF(text.x(from), baseline), text.line.mid(from, to - from));
  };
  qsizetype done = text.first;
  for (const mlir::Token& token :
       plain_ ? std::vector<mlir::Token>() : mlir::lexLine(text.bytes.substr(0, kMaxLexed))) {
    const qsizetype begin = text.columnOf(token.range.begin), end = text.columnOf(token.range.end);
    if (begin >= lastSeen) break;
    if (begin > done) run(done, begin, Role::CodeText);
    run(begin, end, roleOf(token.kind));
    done = std::max(done, end);
  }
  run(done, text.last, Role::CodeText);
}

void CodeView::paintTicks(QPainter& painter) {
  const double height = viewport()->height();
  const double rows = std::max(1.0, static_cast<double>(rowCount()));
  if (rows * lineHeight_ <= height) return;
  const auto tick = [&](std::uint32_t line, Role role) {
    const double y = static_cast<double>(rowOf({line, 0})) / rows * height;
    painter.fillRect(QRectF(viewport()->width() - 4, y, 4, 3), appearance_.color(role));
  };
  for (std::size_t i = 0; i < matches_.size();
       i += std::max<std::size_t>(1, matches_.size() / kMaxTicks))
    tick(matches_[i].line, Role::FindCurrent);
  if (marks_) {
    LineMark last = LineMark::None;
    for (std::size_t line = 0; line < marks_->lines.size(); ++line) {
      const LineMark mark = marks_->lines[line];
      if (mark != LineMark::None && (mark != last || line % 16 == 0))
        tick(static_cast<std::uint32_t>(line), signOf(mark).ink);
      last = mark;
    }
  }
  for (std::size_t i = 0; i < related_.size();
       i += std::max<std::size_t>(1, related_.size() / kMaxTicks))
    tick(related_[i], Role::Accent);
}

}  // namespace fxs::ui
