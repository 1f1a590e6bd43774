// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Writes MLIR string literals.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// `text` in quotes; quotes, backslashes and unprintable bytes are escaped as \HH.
void appendQuoted(std::string& out, std::string_view text);
std::string quoted(std::string_view text);

}  // namespace fxs::mlir
