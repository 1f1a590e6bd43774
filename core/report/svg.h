#pragma once
// A laid-out graph as an SVG file that stands alone: no script, no style sheet, no font inside. Browsers show the full names on
// hover.
#include <string>
#include <vector>

#include "fx/finding.h"
#include "layout/graph_layout.h"

namespace fxs::report {

enum class SvgTheme { Light, Dark };

/// `findings` mark the nodes they are at, or the collapsed groups around them.
std::string graphSvg(const fx::Program&, const layout::GroupTree&, const layout::GraphView&, const layout::GraphLayout&,
                     const std::vector<fx::Finding>& findings, SvgTheme);

}  // namespace fxs::report
