#pragma once
// Where edge labels fit: next to their curve, near its beginning, touching no box, stub, caption, curve of another value or other
// label. A label that fits nowhere is left out; equal labels of edges from one box are shown once.
#include "layout/graph_layout.h"

namespace fxs::layout {

/// Fills in the label of every edge of a layout whose boxes, frames, stubs and curves are placed.
void placeLabels(const GraphView&, GraphLayout&);

constexpr double kCaptionHeight = 26;  ///< of a frame, at its top
constexpr double kLabelHeight = 12;

}  // namespace fxs::layout
