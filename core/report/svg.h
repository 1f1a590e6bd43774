// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A laid-out graph as a self-contained SVG file without script, style sheet or font. Browsers show
// full names as tool tips.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fx/finding.h"
#include "layer/layer.h"
#include "layout/graph_layout.h"

namespace fxs::report {

/// InPage: to embed in an HTML page, whose style sheet has graphPalette(). Each box lists the
/// indices of its nodes: class="box" data-n="3 4".
enum class SvgTheme { Light, Dark, InPage };
/// The colours of InPage as CSS: light, dark by prefers-color-scheme, light in print.
std::string graphPalette();

/// Colours of the boxes, with a legend below the graph; a page has a legend of its own.
struct SvgShades {
  std::string title;
  /// By node of the drawn program, as layer::Levels; a group has the highest of its nodes, of texts
  /// the most frequent.
  std::vector<std::optional<std::uint8_t>> levels;
  std::vector<std::string> legend;  ///< of the levels, from 0
  std::vector<std::string> tips;    ///< by node, lines of its tool tip; "" for none
  bool isScale = true;              ///< of numbers
};

/// Width and height of the picture: of the graph, and of the legend below it.
layout::Rect pictureBounds(const layout::GraphLayout&, const std::optional<SvgShades>&);

/// `findings` are shown as marks at their nodes, or at the collapsed groups that contain them.
/// `matches`: of a query; their boxes are filled, the others dimmed.
std::string graphSvg(const fx::Program&, const layout::GroupTree&, const layout::GraphView&,
                     const layout::GraphLayout&, const std::vector<fx::Finding>& findings, SvgTheme,
                     const std::optional<std::vector<fx::NodeId>>& matches = {},
                     const std::optional<SvgShades>& shades = {});

}  // namespace fxs::report
