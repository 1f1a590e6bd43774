#pragma once
// Two texts beside each other and what differs between them, ready to be shown: marks by line, the words that changed, what can
// fold because it is the same, the way from change to change, and which line stands beside which. Made by a job.
#include <memory>
#include <vector>

#include "mlir/compare/diff.h"
#include "text/code_text.h"
#include "text/folded_lines.h"
#include "text/line_marks.h"

namespace fxs::ui {

/// A stretch of lines on each side, half-open; empty on the side that has nothing of it.
struct DiffChange {
  std::uint32_t aBegin = 0, aEnd = 0, bBegin = 0, bEnd = 0;
  friend bool operator==(const DiffChange&, const DiffChange&) = default;
};

struct DiffView {
  std::shared_ptr<const StageText> a, b;
  mlir::Diff diff;
  std::shared_ptr<const LineMarks> marksA, marksB;
  std::vector<Fold> foldsA, foldsB;     ///< what is the same on both sides, folded; not those of the texts themselves
  std::vector<DiffChange> changes;      ///< in order of the text
  std::vector<std::uint32_t> toB, toA;  ///< by line: the line beside it
};
/// Both must have a structure.
std::shared_ptr<const DiffView> diffView(std::shared_ptr<const StageText> a, std::shared_ptr<const StageText> b);
/// "+ 12  − 3  ~ 4  ↕ 1"; "no difference".
QString summary(const mlir::Diff&);

}  // namespace fxs::ui
