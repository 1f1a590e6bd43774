// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Layers (layer/layer.h) in pictures and reports: the first has the colours of the graph, and all
// of them have a legend and a column of a table with the nodes that have values.
#include <functional>
#include <string_view>
#include <vector>

#include "layer/layer.h"
#include "report/document.h"
#include "report/svg.h"

namespace fxs::report {

/// A layer, where it is on the program, and its colours.
struct ShownLayer {
  const layer::Layer* layer;
  layer::PlacedLayer placed;
  layer::Levels levels;
};
/// Points into the layer, which must outlive it.
ShownLayer shownLayer(const layer::Layer&, const fx::Program&);

/// Of layers on a program, at least one; the first has the colours.
SvgShades shadesOf(const std::vector<ShownLayer>&);

struct LayerReport {
  const fx::Program& program;
  const std::vector<ShownLayer>& layers;
  std::size_t mostRows = 1000;  ///< of the table
  /// By node of the program, what a row of the table selects; the node itself without it.
  std::function<std::vector<fx::NodeId>(fx::NodeId)> selected = {};
  std::string_view more = {};  ///< how to get all rows; "" says only how many are left out
};

/// A section with legends and a table, its id "layers"; nothing without layers. The nodes with the
/// largest numbers of the first layer are first, the others in their order.
Blocks layerBlocks(const LayerReport&);
/// The title of the layer that has the colours, with what they say; empty without colours.
Inline legendOf(const ShownLayer&);

}  // namespace fxs::report
