// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decides which edges of a view are cut into stubs. Edges over many rows make a drawing unreadable
// and its layout slow; one rotary table that feeds every layer of a transformer is enough. Edges
// over more rows than the limit are cut, and also shorter ones whose values are used widely or
// carry little information: sizes, constants, values with many users. A box keeps its shortest
// incoming edge if possible, so that the drawing stays connected.
#include <utility>
#include <vector>

#include "layout/graph_view.h"

namespace fxs::layout {

struct Cut {
  std::vector<bool> edge;  ///< by edge of the view: whether it is cut
  std::vector<std::pair<BoxId, BoxId>>
      order;  ///< keeps the second box below the first where every edge between them is cut
};
/// `small`: by edge, whether the value is a symbolic scalar. `longEdge`: as in ViewOptions. Edges
/// must go to a later box.
Cut cutLongEdges(const GraphView&, const std::vector<bool>& small, std::size_t longEdge);

}  // namespace fxs::layout
