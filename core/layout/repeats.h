// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Identical blocks, such as the layers of a transformer: siblings one after the other that compute
// the same with other weights become the children of one group, "layers.0 … layers.31".
#include "layout/group_tree.h"

namespace fxs::layout {

/// At least this many identical siblings are folded.
inline constexpr std::size_t kFewestRepeats = 4;

/// Adds a group for each run of identical siblings, and says of siblings of the same class that are
/// not identical how they differ (Group::differs). `tree` has no labels yet.
void foldRepeats(const fx::Program&, GroupTree& tree);

}  // namespace fxs::layout
