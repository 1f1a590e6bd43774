#pragma once
// Which lines of a text are on show when parts of it are folded away, and how much each fold hides. Folds may nest; the outermost
// folded one wins. Rows are what is on show, counted from the top.
#include <QString>
#include <cstdint>
#include <vector>

namespace fxs::ui {

enum class FoldKind : std::uint8_t {
  Region,    ///< its first line stays, the label follows it: `scf.for .. {` "… 12 ops }"
  Function,  ///< like a region; of a module or a function, which "fold all" leaves open
  Block,     ///< its label stands in place of all its lines: "14 aliases", "120 unchanged operations"
};

struct Fold {
  std::uint32_t first = 0, last = 0;  ///< lines, both inside
  FoldKind kind = FoldKind::Region;
  QString label;
  bool folded = false;
};

class FoldedLines {
 public:
  /// Folds in any order; one of a single line hides nothing and is kept only when it is a Block.
  void set(std::size_t lineCount, std::vector<Fold> folds);
  const std::vector<Fold>& folds() const { return folds_; }

  std::size_t rowCount() const { return visible_.empty() ? lineCount_ : visible_.size(); }
  std::uint32_t lineOfRow(std::size_t row) const;
  /// Of a hidden line: the row that stands for it.
  std::size_t rowOfLine(std::uint32_t line) const;
  bool isHidden(std::uint32_t line) const { return lineOfRow(rowOfLine(line)) != line; }
  /// The fold that a row's sign folds and unfolds: the folded one on show there, else a region's, else a block's; -1 for none.
  int foldAt(std::uint32_t line) const;
  /// The folded one that the row of this line shows; -1 when the line shows itself in full.
  int foldedAt(std::uint32_t line) const;

  void setFolded(int fold, bool folded);
  void setAllFolded(FoldKind kind, bool folded);
  /// Unfolds whatever hides the line; false when nothing did.
  bool reveal(std::uint32_t line);

 private:
  void recount();
  std::size_t lineCount_ = 0;
  std::vector<Fold> folds_;             ///< by first line, the longer before the shorter
  std::vector<std::uint32_t> visible_;  ///< lines on show; empty when all are
};

}  // namespace fxs::ui
