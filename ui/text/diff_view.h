// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A side-by-side difference of two texts, ready to show: marked lines and words, folds of unchanged
// parts, the list of changes, and which lines correspond.
#include <memory>
#include <vector>

#include "mlir/compare/diff.h"
#include "text/code_text.h"
#include "text/folded_lines.h"
#include "text/line_marks.h"

namespace fxs::ui {

/// A half-open range of 0-based lines on each side; empty on a side without such lines.
struct DiffChange {
  std::uint32_t aBegin = 0, aEnd = 0, bBegin = 0, bEnd = 0;
  friend bool operator==(const DiffChange&, const DiffChange&) = default;
};

struct DiffView {
  std::shared_ptr<const StageText> a, b;
  mlir::Diff diff;
  std::shared_ptr<const LineMarks> marksA, marksB;
  std::vector<Fold> foldsA, foldsB;     ///< unchanged parts, folded
  std::vector<DiffChange> changes;      ///< in text order
  std::vector<std::uint32_t> toB, toA;  ///< by line: the corresponding line of the other side
};
/// Both must have a `module`.
std::shared_ptr<const DiffView> diffView(std::shared_ptr<const StageText> a,
                                         std::shared_ptr<const StageText> b);
/// "+ 12  − 3  ~ 4  ↕ 1" (added, removed, changed, moved operations), or "no difference".
QString summary(const mlir::Diff&);

}  // namespace fxs::ui
