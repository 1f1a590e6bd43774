// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Marks of lines, and of words in them, that differ from another text.
#include <cstdint>
#include <vector>

#include "text/code_text.h"

namespace fxs::ui {

enum class LineMark : std::uint8_t {
  None,
  Added,
  Removed,
  Changed,
  Moved,
  MovedAndChanged,
  Renumbered,  ///< only names of values differ
};

struct LineMarks {
  std::vector<LineMark> lines;   ///< by line; None past the end
  std::vector<FindMatch> words;  ///< changed words, ascending
  LineMark at(std::size_t line) const { return line < lines.size() ? lines[line] : LineMark::None; }
};

}  // namespace fxs::ui
