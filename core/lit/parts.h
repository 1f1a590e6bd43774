// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The parts of a text that a tool with -split-input-file reads one by one.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/text_range.h"
#include "lit/tools.h"

namespace fxs::lit {

struct Part {
  TextRange text;          ///< whole lines, without those of markers
  std::uint32_t line = 1;  ///< of the text, 1-based, in which the part begins
};

/// One part if there is no marker. A marker begins a line, after blanks, and the line is in no
/// part; a header of a printed pass (`// -----// IR Dump ..`) is no marker. Beyond kMaxParts, the
/// last part has the rest. Linear in the text.
std::vector<Part> partsOf(std::string_view text, std::string_view marker = kSplitMarker);

}  // namespace fxs::lit
