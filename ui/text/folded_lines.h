// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Maps the lines of a text to visible rows when parts of it are folded. Folds may nest; the
// outermost folded one wins. Lines and rows are 0-based.
#include <QString>
#include <cstdint>
#include <vector>

namespace fxs::ui {

enum class FoldKind : std::uint8_t {
  Region,  ///< the first line stays visible, followed by the label: `scf.for .. {` "… 12 operations
           ///< }"
  Function,  ///< like Region, for modules and functions, which "fold all" leaves unfolded
  Block,     ///< the label replaces all its lines: "14 aliases", "120 unchanged operations"
};

struct Fold {
  std::uint32_t first = 0, last = 0;  ///< lines, inclusive
  FoldKind kind = FoldKind::Region;
  QString label;
  bool folded = false;
  /// A fold of the text beside this one with the same number and kind folds with it; 0 for none.
  std::uint32_t group = 0;
};

class FoldedLines {
 public:
  /// Sets the folds, in any order. A fold of a single line is kept only if it is a Block.
  void set(std::size_t lineCount, std::vector<Fold> folds);
  const std::vector<Fold>& folds() const { return folds_; }

  std::size_t rowCount() const { return visible_.empty() ? lineCount_ : visible_.size(); }
  std::uint32_t lineOfRow(std::size_t row) const;
  /// The row of a line; for a hidden line, the row of the fold that hides it.
  std::size_t rowOfLine(std::uint32_t line) const;
  bool isHidden(std::uint32_t line) const { return lineOfRow(rowOfLine(line)) != line; }
  /// Index of the fold that a click in the margin toggles: the folded one shown there, else a
  /// region, else a block; -1 for none.
  int foldAt(std::uint32_t line) const;
  /// Index of the folded fold shown in the row of this line; -1 if the line is shown in full.
  int foldedAt(std::uint32_t line) const;

  void setFolded(int fold, bool folded);
  void setAllFolded(FoldKind kind, bool folded);
  /// Unfolds every fold that hides the line; false if none did.
  bool reveal(std::uint32_t line);
  /// Folds and unfolds the folds that belong to those of the text beside this one as they are
  /// there; false if they already were.
  bool follow(const FoldedLines& beside);

 private:
  void recount();
  std::size_t lineCount_ = 0;
  std::vector<Fold> folds_;             ///< by first line, longer ones first
  std::vector<std::uint32_t> visible_;  ///< visible lines; empty if all are
};

}  // namespace fxs::ui
