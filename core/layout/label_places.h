// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Places stubs beside their boxes, and edge labels next to their curve, near its beginning, so that
// they do not overlap boxes, stubs, captions, curves of other values or other labels. A label that
// does not fit is omitted; equal labels of edges from one box are shown once.
#include "layout/graph_layout.h"

namespace fxs::layout {

/// Fills in GraphLayout::stubs of a layout whose boxes are placed.
void placeStubs(const GraphView&, GraphLayout&);
/// Fills in PlacedEdge::label of a layout whose boxes, frames, stubs and curves are placed.
void placeLabels(const GraphView&, GraphLayout&);

constexpr double kCaptionHeight = 26;  ///< of a frame, in points
constexpr double kLabelHeight = 12;
constexpr double kStubGap = 12, kStubSpacing = 3;

}  // namespace fxs::layout
