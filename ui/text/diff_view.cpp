// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/diff_view.h"

#include <QStringList>
#include <algorithm>

#include "text/code_structure.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr std::uint32_t kContext = 3;
/// Fewer unchanged lines are not folded.
constexpr std::uint32_t kLeastFolded = 4;

LineMark lineMarkOf(mlir::OpChange change) {
  switch (change) {
    case mlir::OpChange::Same: return LineMark::None;
    case mlir::OpChange::Changed: return LineMark::Changed;
    case mlir::OpChange::Moved: return LineMark::Moved;
    case mlir::OpChange::MovedAndChanged: return LineMark::MovedAndChanged;
    case mlir::OpChange::Added: return LineMark::Added;
    case mlir::OpChange::Removed: return LineMark::Removed;
  }
  return LineMark::None;
}

bool isMoved(mlir::OpChange change) {
  return change == mlir::OpChange::Moved || change == mlir::OpChange::MovedAndChanged;
}

bool hasOtherWords(mlir::OpChange change) {
  return change == mlir::OpChange::Changed || change == mlir::OpChange::MovedAndChanged;
}

/// Lines of an operation without its regions.
struct Lines {
  std::uint32_t begin = 0, end = 0;
};
Lines headLines(const mlir::Module& module, const CodeText& text, mlir::OpId id) {
  const mlir::Op& op = module.op(id);
  if (module.regionsOf(id).empty()) return {op.firstLine, op.lastLine + 1};
  const std::size_t last = op.head.end > op.head.begin ? op.head.end - 1 : op.head.begin;
  return {op.firstLine, text.lineAt(last) + 1};
}

/// One of the two texts, while the pairs are looked at in order.
struct Side {
  explicit Side(const StageText& from) : module(*from.module), text(*from.code) {
    marks.lines.resize(text.lineCount());
  }
  /// An operation that this side does not have is between two lines.
  Lines linesOf(mlir::OpId id) const {
    return id.valid() ? headLines(module, text, id) : Lines{at, at};
  }

  const mlir::Module& module;
  const CodeText& text;
  LineMarks marks;
  std::uint32_t at = 0;  ///< end of the last lines seen
};

void mark(Side& side, mlir::OpId id, LineMark change) {
  if (!id.valid()) return;
  std::vector<LineMark>& lines = side.marks.lines;
  const Lines head = headLines(side.module, side.text, id);
  for (std::uint32_t line = head.begin; line < head.end && line < lines.size(); ++line)
    lines[line] = change;
  // The closing brace of a region belongs to the operation.
  const std::uint32_t last = side.module.op(id).lastLine;
  if ((change == LineMark::Added || change == LineMark::Removed) && last < lines.size())
    lines[last] = change;
}

void markWords(Side& a, Side& b, const mlir::OpPair& pair) {
  const mlir::WordMarks words = mlir::wordMarks(a.module, b.module, pair);
  for (const TextRange range : words.a) a.marks.words.push_back(positionOf(a.text, range));
  for (const TextRange range : words.b) b.marks.words.push_back(positionOf(b.text, range));
}

std::shared_ptr<const LineMarks> sorted(LineMarks marks) {
  std::sort(marks.words.begin(), marks.words.end(), [](const FindMatch& x, const FindMatch& y) {
    return x.line != y.line ? x.line < y.line : x.begin < y.begin;
  });
  return std::make_shared<const LineMarks>(std::move(marks));
}

bool touches(const DiffChange& last, const DiffChange& now) {
  return now.aBegin <= last.aEnd + 1 && now.aBegin >= last.aBegin && now.bBegin <= last.bEnd + 1 &&
         now.bBegin >= last.bBegin;
}

void extend(DiffChange& last, const DiffChange& now) {
  last.aEnd = std::max(last.aEnd, now.aEnd);
  last.bEnd = std::max(last.bEnd, now.bEnd);
}

/// Folds for the lines between the changes of one side.
std::vector<Fold> sameFolds(const mlir::Module& module, std::uint32_t lineCount,
                            const std::vector<DiffChange>& changes, bool sideA) {
  std::vector<Fold> folds;
  std::uint32_t from = 0;
  const auto fold = [&](std::uint32_t end) {
    if (end <= from + kLeastFolded) return;
    const auto begins = [&](std::uint32_t line) {
      return std::partition_point(module.ops.begin(), module.ops.end(),
                                  [&](const mlir::Op& op) { return op.firstLine < line; });
    };
    const auto ops = static_cast<std::size_t>(begins(end) - begins(from));
    folds.push_back({from, end - 1, FoldKind::Block,
                     "⋯  " + (ops ? counted(ops, "unchanged operation")
                                  : counted(end - from, "unchanged line")),
                     true});
  };
  for (const DiffChange& change : changes) {
    const std::uint32_t begin = sideA ? change.aBegin : change.bBegin,
                        end = sideA ? change.aEnd : change.bEnd;
    fold(begin > kContext ? begin - kContext : 0);
    from = std::max(from, end + kContext);
  }
  if (!changes.empty()) fold(lineCount);
  return folds;
}

/// Corresponding lines, which ascend on both sides.
using Anchors = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool isAfter(const Anchors& anchors, const Lines& a, const Lines& b) {
  return anchors.empty() || (a.begin > anchors.back().first && b.begin > anchors.back().second);
}

/// The corresponding line of each line, interpolated between anchors.
std::vector<std::uint32_t> beside(std::size_t lineCount, std::size_t otherCount,
                                  const Anchors& anchors) {
  std::vector<std::uint32_t> to(lineCount);
  std::size_t next = 0;
  std::uint32_t baseFrom = 0, baseTo = 0;
  for (std::uint32_t line = 0; line < lineCount; ++line) {
    while (next < anchors.size() && anchors[next].first <= line) {
      baseFrom = anchors[next].first;
      baseTo = anchors[next++].second;
    }
    const auto limit =
        static_cast<std::uint32_t>(next < anchors.size() ? anchors[next].second : otherCount - 1);
    to[line] = std::min(limit, baseTo + (line - baseFrom));
  }
  return to;
}

}  // namespace

std::shared_ptr<const DiffView> diffView(std::shared_ptr<const StageText> a,
                                         std::shared_ptr<const StageText> b) {
  auto view = std::make_shared<DiffView>();
  Side left(*a), right(*b);
  view->diff = mlir::diff(left.module, right.module);
  std::vector<DiffChange>& changes = view->changes;
  Anchors anchors;
  bool open = false;  // the last pair belongs to the last change
  for (const mlir::OpPair& pair : view->diff.pairs) {
    const LineMark change = lineMarkOf(pair.change);
    const Lines inA = left.linesOf(pair.a), inB = right.linesOf(pair.b);
    const bool stays =
        pair.change == mlir::OpChange::Same || pair.change == mlir::OpChange::Changed;
    if (stays && isAfter(anchors, inA, inB)) anchors.emplace_back(inA.begin, inB.begin);
    if (change != LineMark::None) {
      mark(left, pair.a, change);
      mark(right, pair.b, change);
      const DiffChange now{inA.begin, inA.end, inB.begin, inB.end};
      // A moved operation is a separate change on each side, so that no change spans the distance.
      if (open && touches(changes.back(), now)) extend(changes.back(), now);
      else changes.push_back(now);
      if (hasOtherWords(pair.change)) markWords(left, right, pair);
    }
    open = change != LineMark::None;
    if (!isMoved(pair.change)) left.at = inA.end;
    right.at = inB.end;
  }
  // foldsB requires the order of the right side, foldsA that of the left side.
  std::stable_sort(changes.begin(), changes.end(),
                   [](const DiffChange& x, const DiffChange& y) { return x.bBegin < y.bBegin; });
  const std::size_t countA = left.text.lineCount(), countB = right.text.lineCount();
  view->foldsB = sameFolds(right.module, static_cast<std::uint32_t>(countB), changes, false);
  std::vector<DiffChange> byLeft = changes;
  std::stable_sort(byLeft.begin(), byLeft.end(),
                   [](const DiffChange& x, const DiffChange& y) { return x.aBegin < y.aBegin; });
  view->foldsA = sameFolds(left.module, static_cast<std::uint32_t>(countA), byLeft, true);
  view->toB = beside(countA, countB, anchors);
  for (auto& [from, to] : anchors) std::swap(from, to);
  view->toA = beside(countB, countA, anchors);
  view->marksA = sorted(std::move(left.marks));
  view->marksB = sorted(std::move(right.marks));
  view->a = std::move(a);
  view->b = std::move(b);
  return view;
}

QString summary(const mlir::Diff& diff) {
  QStringList parts;
  const auto say = [&](const QString& sign, std::size_t count) {
    if (count) parts << sign + ' ' + QString::number(count);
  };
  say("+", diff.added);
  say("−", diff.removed);
  say("~", diff.changed);
  say("↕", diff.moved);
  return parts.isEmpty() ? QString("no difference") : parts.join("  ");
}

}  // namespace fxs::ui
