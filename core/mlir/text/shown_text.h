// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Formats printed MLIR for display: removes locations and their aliases, and elides long strings,
// long constants and the data of `dialect_resources` to their sizes. Text that it does not
// recognize stays unchanged. Linear in the text.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// Keeps all operations in order; removes lines that define locations. The result ends with one
/// newline or is empty.
std::string shownText(std::string_view text);

}  // namespace fxs::mlir
