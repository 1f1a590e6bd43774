// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lays out a nested graph level by level, innermost first: the content of each frame is a flat
// graph, and the frame is a box of fixed size on the level around it. Edges that cross a frame's
// border get a port there, where their parts meet. This costs the sum over small graphs, whereas
// one graph with clusters is far slower. Equal levels (the layers of a transformer) are placed
// once. A level with very many items is first split along its order into invisible frames.
#include "layout/flat_layout.h"
#include "layout/layout_problem.h"

namespace fxs::layout {

Result<LayoutAnswer> composeLayout(const LayoutProblem&, FlatEngine&);

}  // namespace fxs::layout
