// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Two texts beside each other, whose rows face each other: which lines do, and how many empty rows
// (fillers) each text has above its lines, whatever is folded or wrapped.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "text/folded_lines.h"

namespace fxs::ui {

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

/// A line of each text, or of one of them.
struct FacingLines {
  std::uint32_t a = kNoLine, b = kNoLine;
  friend bool operator==(const FacingLines&, const FacingLines&) = default;
};

/// Every line of texts of `countA` and `countB` lines once, in order. `pairs` are lines that
/// correspond, in any order; those of them that keep their order face each other.
std::vector<FacingLines> facingLines(std::size_t countA, std::size_t countB,
                                     std::vector<FacingLines> pairs);

/// What one of the texts shows.
struct ShownLines {
  const FoldedLines& lines;
  std::vector<std::uint32_t> heights;  ///< by visible line, in rows
};
/// Rows to leave empty above each visible line of a text, and, last, below all of them.
using Fillers = std::vector<std::uint32_t>;
std::pair<Fillers, Fillers> fillersOf(std::span<const FacingLines> rows, const ShownLines& a,
                                      const ShownLines& b);

}  // namespace fxs::ui
