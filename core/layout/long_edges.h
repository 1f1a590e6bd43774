#pragma once
// Which edges of a view are cut into stubs. An edge over many rows makes a picture unreadable and its layout explode: one rotary
// table that feeds every layer of a transformer is enough. Cut are edges over more rows than the limit, and, at shorter
// distances, those of values that go everywhere and say little: sizes, constants, whatever many boxes use. A box keeps its
// shortest edge from above where it can, so that the picture stays one piece.
#include <utility>
#include <vector>

#include "layout/graph_view.h"

namespace fxs::layout {

struct Cut {
  std::vector<bool> edge;                      ///< by edge of the view: cut
  std::vector<std::pair<BoxId, BoxId>> order;  ///< keeps the second below the first where every edge between is cut
};
/// `small`: by edge, the value is a symbolic scalar. Edges go from an earlier box to a later one.
Cut cutLongEdges(const GraphView&, const std::vector<bool>& small, std::size_t longEdge);

}  // namespace fxs::layout
