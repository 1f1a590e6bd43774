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

/// Lines of an operation without its regions.
struct Lines {
  std::uint32_t first = 0, last = 0;
};
Lines headLines(const mlir::Module& module, const CodeText& text, mlir::OpId id) {
  const mlir::Op& op = module.op(id);
  if (module.regionsOf(id).empty()) return {op.firstLine, op.lastLine};
  return {op.firstLine, text.lineAt(op.head.end > op.head.begin ? op.head.end - 1 : op.head.begin)};
}

void mark(std::vector<LineMark>& lines, const mlir::Module& module, const CodeText& text,
          mlir::OpId id, LineMark how) {
  const Lines head = headLines(module, text, id);
  for (std::uint32_t line = head.first; line <= head.last && line < lines.size(); ++line)
    lines[line] = how;
  // The closing brace of a region belongs to the operation.
  const std::uint32_t last = module.op(id).lastLine;
  if ((how == LineMark::Added || how == LineMark::Removed) && last < lines.size())
    lines[last] = how;
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

/// The corresponding line of each line, interpolated between anchors that ascend on both sides.
std::vector<std::uint32_t> beside(
    std::size_t lineCount, std::size_t otherCount,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& anchors) {
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
  const mlir::Module &ma = *a->module, &mb = *b->module;
  const CodeText &ta = *a->code, &tb = *b->code;
  view->diff = mlir::diff(ma, mb);
  auto marksA = std::make_shared<LineMarks>(), marksB = std::make_shared<LineMarks>();
  marksA->lines.resize(ta.lineCount());
  marksB->lines.resize(tb.lineCount());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors;
  std::uint32_t atA = 0, atB = 0;  // ends of the last lines seen on each side
  bool open = false;               // the last pair belongs to the last change
  for (const mlir::OpPair& pair : view->diff.pairs) {
    const LineMark how = lineMarkOf(pair.change);
    const Lines a2 = pair.a.valid() ? headLines(ma, ta, pair.a) : Lines{atA, atA};
    const Lines b2 = pair.b.valid() ? headLines(mb, tb, pair.b) : Lines{atB, atB};
    const bool stays =
        pair.change == mlir::OpChange::Same || pair.change == mlir::OpChange::Changed;
    if (stays &&
        (anchors.empty() || (a2.first > anchors.back().first && b2.first > anchors.back().second)))
      anchors.emplace_back(a2.first, b2.first);
    if (how != LineMark::None) {
      if (pair.a.valid()) mark(marksA->lines, ma, ta, pair.a, how);
      if (pair.b.valid()) mark(marksB->lines, mb, tb, pair.b, how);
      const DiffChange now{pair.a.valid() ? a2.first : atA, pair.a.valid() ? a2.last + 1 : atA,
                           pair.b.valid() ? b2.first : atB, pair.b.valid() ? b2.last + 1 : atB};
      // A moved operation is a separate change on each side, so that no change spans the distance.
      const bool near = open && now.aBegin <= view->changes.back().aEnd + 1 &&
                        now.aBegin >= view->changes.back().aBegin &&
                        now.bBegin <= view->changes.back().bEnd + 1 &&
                        now.bBegin >= view->changes.back().bBegin;
      if (near) {
        view->changes.back().aEnd = std::max(view->changes.back().aEnd, now.aEnd);
        view->changes.back().bEnd = std::max(view->changes.back().bEnd, now.bEnd);
      } else {
        view->changes.push_back(now);
      }
      if (pair.a.valid() && pair.b.valid())
        if (pair.change == mlir::OpChange::Changed ||
            pair.change == mlir::OpChange::MovedAndChanged) {
          const mlir::WordMarks words = mlir::wordMarks(ma, mb, pair);
          for (const TextRange range : words.a) marksA->words.push_back(placeOf(ta, range));
          for (const TextRange range : words.b) marksB->words.push_back(placeOf(tb, range));
        }
    }
    open = how != LineMark::None;
    if (pair.a.valid() && pair.change != mlir::OpChange::Moved &&
        pair.change != mlir::OpChange::MovedAndChanged)
      atA = a2.last + 1;
    if (pair.b.valid()) atB = b2.last + 1;
  }
  const auto byPlace = [](const FindMatch& x, const FindMatch& y) {
    return x.line != y.line ? x.line < y.line : x.begin < y.begin;
  };
  std::sort(marksA->words.begin(), marksA->words.end(), byPlace);
  std::sort(marksB->words.begin(), marksB->words.end(), byPlace);
  // foldsB requires the order of the right side, foldsA that of the left side.
  std::stable_sort(view->changes.begin(), view->changes.end(),
                   [](const DiffChange& x, const DiffChange& y) { return x.bBegin < y.bBegin; });
  view->foldsB = sameFolds(mb, static_cast<std::uint32_t>(tb.lineCount()), view->changes, false);
  std::vector<DiffChange> left = view->changes;
  std::stable_sort(left.begin(), left.end(),
                   [](const DiffChange& x, const DiffChange& y) { return x.aBegin < y.aBegin; });
  view->foldsA = sameFolds(ma, static_cast<std::uint32_t>(ta.lineCount()), left, true);
  view->toB = beside(ta.lineCount(), tb.lineCount(), anchors);
  for (auto& [from, to] : anchors) std::swap(from, to);
  view->toA = beside(tb.lineCount(), ta.lineCount(), anchors);
  view->marksA = std::move(marksA);
  view->marksB = std::move(marksB);
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
