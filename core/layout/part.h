// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A graph drawn as a part of one that is laid out: what both have is in the same place, with the
// texts of the part.
#include <vector>

#include "layout/graph_layout.h"

namespace fxs::layout {

/// The whole graph, laid out with some groups expanded.
struct Full {
  const GroupTree& tree;
  const GraphView& view;
  const GraphLayout& layout;
};
/// The groups of the whole with the nodes of the part. `positionOf`: by node of `part`, its node in
/// the whole; invalid for constants.
GroupTree partTree(const GroupTree& full, const fx::Program& part,
                   const std::vector<fx::NodeId>& positionOf);

struct Part {
  GraphView view;
  GraphLayout layout;  ///< with the bounds of the whole
};
/// `tree`: of partTree(). `options`: those of the whole's view. Boxes are as wide as their texts,
/// in the middle of their place. Edges that the whole cuts, or that it lacks, are cut.
Part partOf(const Full& full, const fx::Program& part, const GroupTree& tree, ViewOptions options,
            const std::vector<fx::NodeId>& positionOf);

}  // namespace fxs::layout
