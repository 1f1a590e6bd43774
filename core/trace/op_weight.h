// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which operations do the work of a node, and which only serve them, by name.
#include <cstdint>
#include <string_view>

namespace fxs::trace {

bool isConstant(std::string_view name);
/// Whether an operation ends a block, as `linalg.yield`.
bool isTerminator(std::string_view name);
/// Whether an operation takes no more of its operand than a size.
bool isSize(std::string_view name);

/// What an operation does for its node, most important first: it computes, moves elements, or is a
/// constant, cast, size, list or terminator.
enum class OpWeight : std::uint8_t { Computes, Moves, Serves };
OpWeight weightOf(std::string_view name);

}  // namespace fxs::trace
