#pragma once
// What a pane marks in its text beside selection and matches: lines that differ from another text, the words of them that do.
#include <cstdint>
#include <vector>

#include "text/code_text.h"

namespace fxs::ui {

enum class LineMark : std::uint8_t { None, Added, Removed, Changed, Moved, MovedAndChanged };

struct LineMarks {
  std::vector<LineMark> lines;   ///< by line; shorter than the text: the rest is None
  std::vector<FindMatch> words;  ///< ascending
  LineMark at(std::size_t line) const { return line < lines.size() ? lines[line] : LineMark::None; }
};

}  // namespace fxs::ui
