// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The same program on smaller tensors, if it is certain to stay valid: if every operation only
// passes sizes on, so that all equal sizes can be replaced together. If sizes are related by
// arithmetic (pooling windows, reshape, concatenation), the program is not changed.
#include <cstdint>
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

inline constexpr std::int64_t kSmallSize = 2;

/// Sizes above `small` that can be replaced by it, ascending, without sizes of weights; empty if
/// that is not certain to be valid.
std::vector<std::int64_t> sizesThatMayShrink(const fx::Program&, std::int64_t small = kSmallSize);
/// Replaces `sizes`, a subset of sizesThatMayShrink(), by `small`. Tensors become contiguous. Nodes
/// keep their origins; requires Program::original.
fx::ProgramPtr withSmallSizes(const fx::Program& program, const std::set<std::int64_t>& sizes,
                              std::int64_t small = kSmallSize);

}  // namespace fxs::diagnose
