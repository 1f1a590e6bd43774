// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/diff_view.h"

#include <QStringList>
#include <algorithm>

#include "mlir/compare/constants.h"
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

/// One of the two texts, while the pairs are looked at.
struct Side {
  explicit Side(const StageText& from) : module(*from.module), text(*from.code), folds(from.folds) {
    marks.lines.resize(text.lineCount());
  }
  const mlir::Module& module;
  const CodeText& text;
  const std::vector<Fold>& folds;
  LineMarks marks;
  std::vector<std::uint32_t> hidden;  ///< lines on which operations begin whose change is hidden
};

void mark(Side& side, mlir::OpId id, LineMark change) {
  if (!id.valid()) return;
  std::vector<LineMark>& lines = side.marks.lines;
  const Lines head = headLines(side.module, side.text, id);
  for (std::uint32_t line = head.begin; line < head.end && line < lines.size(); ++line)
    lines[line] = change;
  if (change != LineMark::Added && change != LineMark::Removed) return;
  // The closing braces of regions and the labels of blocks belong to the operation.
  for (const mlir::RegionId region : side.module.regionsOf(id)) {
    lines[side.text.lineAt(side.module.region(region).text.end - 1)] = change;
    for (const mlir::BlockId block : side.module.blocksOf(region))
      if (const TextRange label = side.module.block(block).label; !label.empty())
        lines[side.text.lineAt(label.begin)] = change;
  }
}

void markWords(Side& a, Side& b, const mlir::OpPair& pair) {
  const mlir::WordMarks words = mlir::wordMarks(a.module, b.module, pair);
  for (const TextRange range : words.a) a.marks.words.push_back(positionOf(a.text, range));
  for (const TextRange range : words.b) b.marks.words.push_back(positionOf(b.text, range));
}

/// The names of values that an operation defines and uses, with those in the labels of its blocks.
std::vector<TextRange> namesOf(const mlir::Module& module, mlir::OpId id) {
  std::vector<TextRange> names;
  const auto values = [&](const mlir::IndexRange& range) {
    for (std::uint32_t i = range.begin; i < range.end; ++i) names.push_back(module.values[i].name);
  };
  values(module.op(id).results);
  for (const mlir::Operand& operand : module.operandsOf(id)) names.push_back(operand.text);
  for (const mlir::RegionId region : module.regionsOf(id))
    for (const mlir::BlockId block : module.blocksOf(region)) values(module.block(block).arguments);
  return names;
}

void markName(Side& side, TextRange name) {
  const FindMatch at = positionOf(side.text, name);
  LineMark& line = side.marks.lines[at.line];
  if (line == LineMark::None) line = LineMark::Renumbered;
  // The results of an operation have one name.
  if (side.marks.words.empty() || side.marks.words.back() != at) side.marks.words.push_back(at);
}

/// Marks the names that differ; false if none does.
bool markNames(Side& a, Side& b, const mlir::OpPair& pair) {
  const std::vector<TextRange> mine = namesOf(a.module, pair.a), theirs = namesOf(b.module, pair.b);
  if (mine.size() != theirs.size()) return false;
  bool any = false;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (mine[i].of(a.module.text) == theirs[i].of(b.module.text)) continue;
    markName(a, mine[i]);
    markName(b, theirs[i]);
    any = true;
  }
  return any;
}

std::shared_ptr<const LineMarks> sorted(LineMarks marks) {
  std::sort(marks.words.begin(), marks.words.end(), [](const FindMatch& x, const FindMatch& y) {
    return x.line != y.line ? x.line < y.line : x.begin < y.begin;
  });
  return std::make_shared<const LineMarks>(std::move(marks));
}

/// Adds the lines that correspond: where an operation begins, where its regions begin and end, and
/// the labels of their blocks.
void addFacing(std::vector<FacingLines>& facing, const Side& a, const Side& b,
               const mlir::OpPair& pair) {
  facing.push_back({a.module.op(pair.a).firstLine, b.module.op(pair.b).firstLine});
  const auto face = [&](std::size_t inA, std::size_t inB) {
    facing.push_back({a.text.lineAt(inA), b.text.lineAt(inB)});
  };
  const auto mine = a.module.regionsOf(pair.a), theirs = b.module.regionsOf(pair.b);
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    const TextRange inA = a.module.region(mine[i]).text, inB = b.module.region(theirs[i]).text;
    face(inA.begin, inB.begin);
    face(inA.end - 1, inB.end - 1);
    const auto blocksA = a.module.blocksOf(mine[i]), blocksB = b.module.blocksOf(theirs[i]);
    for (std::size_t k = 0; k < std::min(blocksA.size(), blocksB.size()); ++k) {
      const TextRange labelA = a.module.block(blocksA[k]).label;
      const TextRange labelB = b.module.block(blocksB[k]).label;
      if (!labelA.empty() && !labelB.empty()) face(labelA.begin, labelB.begin);
    }
  }
}

class Comparison {
 public:
  Comparison(DiffView& view, const StageText& a, const StageText& b) : view_(view), a_(a), b_(b) {}

  void make() {
    view_.diff = mlir::diff(a_.module, b_.module);
    for (const mlir::OpPair& pair : view_.diff.pairs) look(pair);
    std::sort(a_.hidden.begin(), a_.hidden.end());
    std::sort(b_.hidden.begin(), b_.hidden.end());
    view_.rows = facingLines(a_.text.lineCount(), b_.text.lineCount(), std::move(facing_));
    divide();
    addFolds(a_, view_.foldsA, [](const FacingLines& row) { return row.a; });
    addFolds(b_, view_.foldsB, [](const FacingLines& row) { return row.b; });
    view_.marksA = sorted(std::move(a_.marks));
    view_.marksB = sorted(std::move(b_.marks));
  }

 private:
  void look(const mlir::OpPair& pair) {
    const bool isPair = pair.a.valid() && pair.b.valid();
    if (isPair && !isMoved(pair.change)) addFacing(facing_, a_, b_, pair);
    if (pair.change == mlir::OpChange::Same) {
      if (!view_.options.hideRenumbering && !hides(pair) && markNames(a_, b_, pair))
        ++view_.renumbered;
      return;
    }
    if (hides(pair)) return hide(pair);
    const LineMark change = lineMarkOf(pair.change);
    mark(a_, pair.a, change);
    mark(b_, pair.b, change);
    if (hasOtherWords(pair.change)) markWords(a_, b_, pair);
    view_.added += pair.change == mlir::OpChange::Added;
    view_.removed += pair.change == mlir::OpChange::Removed;
    view_.changed += hasOtherWords(pair.change);
    view_.moved += isMoved(pair.change);
  }
  bool hides(const mlir::OpPair& pair) const {
    return view_.options.hideConstants && mlir::isConstant(a_.module, b_.module, pair);
  }
  void hide(const mlir::OpPair& pair) {
    ++view_.hiddenConstants;
    if (pair.a.valid()) a_.hidden.push_back(a_.module.op(pair.a).firstLine);
    if (pair.b.valid()) b_.hidden.push_back(b_.module.op(pair.b).firstLine);
  }

  bool isMarked(const FacingLines& row) const {
    return (row.a != kNoLine && a_.marks.at(row.a) != LineMark::None) ||
           (row.b != kNoLine && b_.marks.at(row.b) != LineMark::None);
  }
  /// The rows, as runs of marked ones, which are changes, and of others, which are folded.
  void divide() {
    std::uint32_t nextA = 0, nextB = 0;
    bool open = false;
    std::vector<std::pair<std::size_t, std::size_t>> same{{0, 0}};
    for (std::size_t i = 0; i < view_.rows.size(); ++i) {
      const FacingLines& row = view_.rows[i];
      const bool marked = isMarked(row);
      if (marked && !open)
        view_.changes.push_back({nextA, nextA, nextB, nextB, static_cast<std::uint32_t>(i)});
      if (!marked && open) same.emplace_back(i, i);
      open = marked;
      if (row.a != kNoLine) nextA = row.a + 1;
      if (row.b != kNoLine) nextB = row.b + 1;
      if (!marked) {
        same.back().second = i + 1;
        continue;
      }
      if (row.a != kNoLine) view_.changes.back().aEnd = nextA;
      if (row.b != kNoLine) view_.changes.back().bEnd = nextB;
    }
    if (view_.changes.empty()) return;
    for (const auto& [first, end] : same) foldRows(first, end);
  }
  /// Folds unchanged rows, except those next to a change.
  void foldRows(std::size_t first, std::size_t end) {
    if (first > 0) first += kContext;
    if (end < view_.rows.size()) end -= std::min<std::size_t>(end, kContext);
    if (end <= first + kLeastFolded) return;
    // Where only one side has lines, that is no place for the signs of both.
    const auto begin = view_.rows.begin();
    const auto both = std::find_if(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end),
        [](const FacingLines& row) { return row.a != kNoLine && row.b != kNoLine; });
    if (both != begin + static_cast<std::ptrdiff_t>(end))
      first = static_cast<std::size_t>(both - begin);
    ++groups_;
    Fold inA = foldOf(a_, first, end, [](const FacingLines& row) { return row.a; });
    Fold inB = foldOf(b_, first, end, [](const FacingLines& row) { return row.b; });
    view_.foldsA.push_back(std::move(inA));
    view_.foldsB.push_back(std::move(inB));
  }
  template <class LineOf>
  Fold foldOf(const Side& side, std::size_t first, std::size_t end, LineOf lineOf) const {
    std::uint32_t from = kNoLine, to = 0;
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t line = lineOf(view_.rows[i]);
      if (line == kNoLine) continue;
      from = std::min(from, line);
      to = line;
    }
    if (from == kNoLine) return {1, 0, FoldKind::Block, {}, false, 0};  // of no line
    return {from, to, FoldKind::Block, labelOf(side, from, to + 1), true, groups_};
  }
  static QString labelOf(const Side& side, std::uint32_t from, std::uint32_t end) {
    const auto opsTo = [&](std::uint32_t line) {
      return std::partition_point(side.module.ops.begin(), side.module.ops.end(),
                                  [&](const mlir::Op& op) { return op.firstLine < line; });
    };
    const auto hiddenTo = [&](std::uint32_t line) {
      return std::lower_bound(side.hidden.begin(), side.hidden.end(), line);
    };
    const auto hidden = static_cast<std::size_t>(hiddenTo(end) - hiddenTo(from));
    const auto ops = static_cast<std::size_t>(opsTo(end) - opsTo(from)) - hidden;
    QStringList parts;
    if (ops > 0) parts << counted(ops, "unchanged operation");
    if (hidden > 0) parts << counted(hidden, "hidden constant");
    if (parts.isEmpty()) parts << counted(end - from, "unchanged line");
    return "⋯  " + parts.join(", ");
  }

  /// Those of the text, in groups by row; folded, they would hide changes.
  template <class LineOf>
  void addFolds(const Side& side, std::vector<Fold>& folds, LineOf lineOf) {
    std::vector<std::uint32_t> rowOf(side.text.lineCount());
    for (std::size_t i = 0; i < view_.rows.size(); ++i)
      if (const std::uint32_t line = lineOf(view_.rows[i]); line != kNoLine)
        rowOf[line] = static_cast<std::uint32_t>(i);
    for (Fold fold : side.folds) {
      if (!view_.changes.empty()) fold.folded = false;
      if (fold.first < rowOf.size()) fold.group = groups_ + 1 + rowOf[fold.first];
      folds.push_back(std::move(fold));
    }
  }

  DiffView& view_;
  Side a_, b_;
  std::vector<FacingLines> facing_;
  std::uint32_t groups_ = 0;
};

struct Counted {
  QString sign;
  std::size_t count;
};
QString joined(const std::vector<Counted>& all) {
  QStringList parts;
  for (const auto& [sign, count] : all)
    if (count) parts << sign + ' ' + QString::number(count);
  return parts.isEmpty() ? QString("no difference") : parts.join("  ");
}

}  // namespace

std::shared_ptr<const DiffView> diffView(std::shared_ptr<const StageText> a,
                                         std::shared_ptr<const StageText> b,
                                         const DiffOptions& options) {
  auto view = std::make_shared<DiffView>();
  view->options = options;
  Comparison(*view, *a, *b).make();
  view->a = std::move(a);
  view->b = std::move(b);
  return view;
}

QString summary(const mlir::Diff& diff) {
  return joined({{"+", diff.added}, {"−", diff.removed}, {"~", diff.changed}, {"↕", diff.moved}});
}

QString summary(const DiffView& view) {
  QString shown = joined({{"+", view.added},
                          {"−", view.removed},
                          {"~", view.changed},
                          {"↕", view.moved},
                          {"%", view.renumbered}});
  if (view.hiddenConstants == 0) return shown;
  return shown + "  (" + counted(view.hiddenConstants, "constant") + " hidden)";
}

QString movedText(const DiffView& view, bool inA, std::uint32_t line) {
  const mlir::Module& module = *(inA ? view.a : view.b)->module;
  const mlir::OpId op = module.opOfLine(line);
  if (!op.valid() || module.op(op).firstLine != line) return {};
  const mlir::OpPair& pair =
      view.diff.pairs[(inA ? view.diff.pairOfA : view.diff.pairOfB)[op.index()]];
  if (!isMoved(pair.change)) return {};
  const mlir::Op& there = inA ? view.b->module->op(pair.b) : view.a->module->op(pair.a);
  return QString(inA ? "Moved to line %1 of B" : "Moved from line %1 of A")
      .arg(there.firstLine + 1);
}

}  // namespace fxs::ui
