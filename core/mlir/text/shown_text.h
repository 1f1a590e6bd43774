#pragma once
// Printed MLIR as a person wants to read it: without locations and their aliases, with long strings, long constants and the data
// of `dialect_resources` elided to their sizes. Tolerant: a text that it does not understand stays as it is. Linear in the text.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// The operations stay the same, in the same order; lines that define locations go. Ends in one newline, or is empty.
std::string shownText(std::string_view text);

}  // namespace fxs::mlir
