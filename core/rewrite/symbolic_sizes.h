// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operations on tensors of symbolic sizes as those that output types without operations on sizes
// lower, such as TOSA: a program keeps a symbolic size where an export with static shapes would fix
// it.
#include <string_view>
#include <vector>

#include "rewrite/rule.h"

namespace fxs::rewrite {

/// Positions along a symbolic size are counted up to here where its range has no smaller limit.
inline constexpr std::int64_t kMostPositions = std::int64_t{64} * 64 * 64;
/// The id of the rules whose results are right for sizes up to kMostPositions only.
inline constexpr std::string_view kCounted = "symbolic-positions";

/// Rules that each leave calls without symbolic sizes unchanged. They read other nodes, as no
/// decomposition table can.
std::vector<Rule> symbolicSizeRules(const fx::Program&);

}  // namespace fxs::rewrite
