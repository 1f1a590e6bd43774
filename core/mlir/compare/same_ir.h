#pragma once
// Two printed modules compared without their locations, character by character: what a pass that changed nothing leaves. For what
// differs beyond names, see diff.h.
#include <cstddef>
#include <string_view>

namespace fxs::mlir {

/// Whether the texts are equal once locations (`loc(..)`), their aliases and leading comments are taken out.
bool sameButLocations(std::string_view a, std::string_view b);
/// The 0-based line on which the module begins: after aliases and comments. Two texts that are the same but for locations have equal
/// lines from there on.
std::size_t bodyLine(std::string_view text);

}  // namespace fxs::mlir
