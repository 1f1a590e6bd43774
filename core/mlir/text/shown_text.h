// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats printed MLIR for display: removes locations and their aliases, and elides long strings,
// long constants and the data of `dialect_resources` to their sizes. Text that it does not
// recognize stays unchanged. Linear in the text.
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace fxs::mlir {

/// A string, a constant or a resource that is shown by its size.
struct Elision {
  TextRange shown;  ///< of the shown text
  TextRange full;   ///< of the original text
};
struct ShownText {
  std::string text;
  std::vector<Elision> elisions;  ///< in text order
};

/// Keeps all operations in order; removes lines that define locations. The result ends with one
/// newline or is empty.
ShownText shownWithElisions(std::string_view text);
inline std::string shownText(std::string_view text) { return shownWithElisions(text).text; }

}  // namespace fxs::mlir
