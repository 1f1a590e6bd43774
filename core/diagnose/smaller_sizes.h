#pragma once
// The same program on smaller tensors, where it is certain to be one: where every operation's sizes follow from those it takes by
// being equal, so that whatever a size becomes, the sizes that were equal to it become the same. Elsewhere (a window, a reshape, a
// concatenation) sizes are tied by arithmetic that is not known here, and nothing changes.
#include <cstdint>
#include <set>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

inline constexpr std::int64_t kSmallSize = 2;

/// Sizes that may become kSmallSize, ascending; none where it is not certain, and none that a weight has.
std::vector<std::int64_t> sizesThatMayShrink(const fx::Program&);
/// `sizes` are some of those. Tensors become contiguous. Every node keeps its origin; `program` has one (Program::original is set).
fx::ProgramPtr withSmallSizes(const fx::Program& program, const std::set<std::int64_t>& sizes);

}  // namespace fxs::diagnose
