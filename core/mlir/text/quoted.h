#pragma once
// Text as an MLIR string literal.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// `text` between quotes: quotes, backslashes and everything not printable as \HH.
void appendQuoted(std::string& out, std::string_view text);
std::string quoted(std::string_view text);

}  // namespace fxs::mlir
