// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Compares printed modules character by character without their locations, to detect passes that
// changed nothing. For a structural diff, see diff.h.
#include <cstddef>
#include <string>
#include <string_view>

namespace fxs::mlir {

/// Whether the texts are equal apart from locations (`loc(..)`), their aliases and leading
/// comments.
bool sameButLocations(std::string_view a, std::string_view b);
/// The text without aliases of attributes and types and without resources, which are printed with a
/// module but not with a single function.
std::string comparableText(std::string_view text);
/// The 0-based line on which the module begins, after aliases and comments. Lines of texts that are
/// equal but for locations correspond from there on.
std::size_t bodyLine(std::string_view text);

}  // namespace fxs::mlir
