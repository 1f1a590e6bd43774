#pragma once
// Places edge labels next to their curve, near its beginning, so that they do not overlap boxes, stubs, captions, curves of other values
// or other labels. A label that does not fit is omitted; equal labels of edges from one box are shown once.
#include "layout/graph_layout.h"

namespace fxs::layout {

/// Fills in PlacedEdge::label of a layout whose boxes, frames, stubs and curves are placed.
void placeLabels(const GraphView&, GraphLayout&);

constexpr double kCaptionHeight = 26;  ///< of a frame, in points
constexpr double kLabelHeight = 12;

}  // namespace fxs::layout
