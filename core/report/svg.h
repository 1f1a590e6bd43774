#pragma once
// A laid-out graph as a self-contained SVG file: no script, style sheet or font. Browsers show full names as tool tips.
#include <string>
#include <vector>

#include "fx/finding.h"
#include "layout/graph_layout.h"

namespace fxs::report {

/// InPage: for the inside of an HTML page. Colours are its style sheet's (`--graph-node` ..), and each box names the nodes it shows:
/// class="box" data-n="3 4".
enum class SvgTheme { Light, Dark, InPage };

/// `findings` mark the nodes they are at, or the collapsed groups around them.
std::string graphSvg(const fx::Program&, const layout::GroupTree&, const layout::GraphView&, const layout::GraphLayout&,
                     const std::vector<fx::Finding>& findings, SvgTheme);

}  // namespace fxs::report
