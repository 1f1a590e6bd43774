#pragma once
// Lays out a nested picture level by level: each frame's inside is a flat graph of its own, placed first; then the frame is one
// box of fixed size on the level around it. Edges that cross a frame's border get a port there, so the parts meet. The cost is the
// sum over small graphs, where one graph with clusters explodes. Equal levels (the layers of a transformer) are placed once. A
// level of very many items is first split along its order into invisible frames.
#include "layout/flat_layout.h"
#include "layout/layout_problem.h"

namespace fxs::layout {

Result<LayoutAnswer> composeLayout(const LayoutProblem&, FlatEngine&);

}  // namespace fxs::layout
