// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "text/facing_lines.h"

#include <algorithm>

#include "mlir/compare/subsequence.h"

namespace fxs::ui {
namespace {

/// The pairs that keep their order on both sides, as many as possible.
std::vector<FacingLines> inOrder(std::vector<FacingLines> pairs) {
  // Of the pairs of one line of b, the descending order lets only one be chosen.
  std::sort(pairs.begin(), pairs.end(), [](const FacingLines& x, const FacingLines& y) {
    return x.b != y.b ? x.b < y.b : x.a > y.a;
  });
  std::vector<std::uint32_t> lines;
  lines.reserve(pairs.size());
  for (const FacingLines& pair : pairs) lines.push_back(pair.a);
  std::vector<FacingLines> out;
  for (const std::uint32_t index : mlir::longestIncreasing(lines)) out.push_back(pairs[index]);
  return out;
}

/// The fillers of one text, row by row.
class FillerCount {
 public:
  explicit FillerCount(const ShownLines& shown) : shown_(shown) {}

  /// In rows; 0 for a line that is folded away, and for none.
  std::uint32_t heightOf(std::uint32_t line) const {
    const std::size_t next = fillers_.size();
    const bool isNext =
        line != kNoLine && next < shown_.lines.rowCount() && shown_.lines.lineOfRow(next) == line;
    return isNext ? shown_.heights[next] : 0;
  }
  /// `height`: of the row, of which `own` is what heightOf() returned.
  void add(std::uint32_t own, std::uint32_t height) {
    if (own > 0) {
      fillers_.push_back(pending_);
      pending_ = 0;
    }
    pending_ += height - own;
  }
  Fillers take() {
    fillers_.push_back(pending_);
    return std::move(fillers_);
  }

 private:
  const ShownLines& shown_;
  Fillers fillers_;
  std::uint32_t pending_ = 0;
};

}  // namespace

std::vector<FacingLines> facingLines(std::size_t countA, std::size_t countB,
                                     std::vector<FacingLines> pairs) {
  std::vector<FacingLines> rows;
  FacingLines next{0, 0};
  pairs = inOrder(std::move(pairs));
  pairs.push_back({static_cast<std::uint32_t>(countA), static_cast<std::uint32_t>(countB)});
  for (const FacingLines& pair : pairs) {
    // The lines up to the pair correspond to none.
    while (next.a < pair.a || next.b < pair.b)
      rows.push_back({next.a < pair.a ? next.a++ : kNoLine, next.b < pair.b ? next.b++ : kNoLine});
    if (next.a < countA && next.b < countB) rows.push_back({next.a++, next.b++});
  }
  return rows;
}

std::pair<Fillers, Fillers> fillersOf(std::span<const FacingLines> rows, const ShownLines& a,
                                      const ShownLines& b) {
  FillerCount inA(a), inB(b);
  for (const FacingLines& row : rows) {
    const std::uint32_t mine = inA.heightOf(row.a), theirs = inB.heightOf(row.b);
    const std::uint32_t height = std::max(mine, theirs);
    inA.add(mine, height);
    inB.add(theirs, height);
  }
  return {inA.take(), inB.take()};
}

}  // namespace fxs::ui
