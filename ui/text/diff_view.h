// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A side-by-side difference of two texts, ready to show: which lines face each other, marked lines
// and words, folds of unchanged parts, and the list of changes.
#include <QString>
#include <memory>
#include <vector>

#include "mlir/compare/diff.h"
#include "text/code_text.h"
#include "text/facing_lines.h"
#include "text/folded_lines.h"
#include "text/line_marks.h"

namespace fxs::ui {

/// Which differences are left out: neither marked nor counted.
struct DiffOptions {
  bool hideConstants = false;
  bool hideRenumbering = true;  ///< other names of the same values
  friend bool operator==(const DiffOptions&, const DiffOptions&) = default;
};

/// A half-open range of 0-based lines on each side; empty on a side without such lines.
struct DiffChange {
  std::uint32_t aBegin = 0, aEnd = 0, bBegin = 0, bEnd = 0;
  std::uint32_t row = 0;  ///< the first, as an index of DiffView::rows
  friend bool operator==(const DiffChange&, const DiffChange&) = default;
};

struct DiffView {
  std::shared_ptr<const StageText> a, b;
  mlir::Diff diff;  ///< of all operations, whatever the options
  DiffOptions options;
  std::size_t added = 0, removed = 0, changed = 0, moved = 0, renumbered = 0;  ///< operations shown
  std::size_t hiddenConstants = 0;                                             ///< that differ
  std::vector<FacingLines> rows;
  std::shared_ptr<const LineMarks> marksA, marksB;
  /// Unchanged parts, folded, and the folds of the texts, unfolded unless there is no change.
  std::vector<Fold> foldsA, foldsB;
  std::vector<DiffChange> changes;  ///< in text order
};
/// Both must have a `module`.
std::shared_ptr<const DiffView> diffView(std::shared_ptr<const StageText> a,
                                         std::shared_ptr<const StageText> b,
                                         const DiffOptions& options = {});
/// "+ 12  − 3  ~ 4  ↕ 1" (added, removed, changed, moved operations), or "no difference".
QString summary(const mlir::Diff&);
/// The same of what is shown, with "% 2" for renumbered ones and "3 constants hidden".
QString summary(const DiffView&);
/// Where an operation that begins on that line of A, else of B, was moved from or to: "Moved to
/// line 12 of B"; "" if it was not moved.
QString movedText(const DiffView&, bool inA, std::uint32_t line);

}  // namespace fxs::ui
