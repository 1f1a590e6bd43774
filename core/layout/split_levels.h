#pragma once
// Cuts a level of very many items along its order into invisible frames, at the places where the fewest values cross. Runs of an
// order that respects the links cannot form a cycle.
#include <vector>

#include "layout/layout_problem.h"

namespace fxs::layout {

struct SplitProblem {
  LayoutProblem problem;
  std::vector<bool> invisible;        ///< by frame of `problem`: made by the split
  std::vector<std::size_t> frameNow;  ///< by frame of the original problem
};
SplitProblem splitLevels(const LayoutProblem&, std::size_t mostItems);

}  // namespace fxs::layout
