// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A page with the graph and the layers on it, as self-contained as that of a diagnosis, which has
// the same pane. Elements that show nodes of the drawn program list their indices in data-n.
#include <string>

#include "report/document.h"

namespace fxs::report {

struct GraphPage {
  std::string title;  ///< "gpt2.pt2"
  std::string svg;    ///< SvgTheme::InPage
  Inline legend;      ///< of its colours; may be empty
  Blocks blocks;      ///< below the graph
};
std::string graphHtml(const GraphPage&);

/// The pane that zooms and moves the picture. `legend` may be empty.
std::string graphPane(const std::string& svg, const Inline& legend);
/// The style sheet and the script of pages with a graph.
std::string graphPageStyle();
std::string_view graphPageScript();

}  // namespace fxs::report
