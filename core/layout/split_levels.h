// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Splits a level with very many items along its order into invisible frames, where the fewest links
// cross. Because the order is topological, the parts cannot form a cycle.
#include <vector>

#include "layout/layout_problem.h"

namespace fxs::layout {

struct SplitProblem {
  LayoutProblem problem;
  std::vector<bool> invisible;        ///< by frame of `problem`: whether it was added by the split
  std::vector<std::size_t> frameNow;  ///< by frame of the original problem: its index in `problem`
};
SplitProblem splitLevels(const LayoutProblem&, std::size_t mostItems);

}  // namespace fxs::layout
