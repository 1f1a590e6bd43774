// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/graph_page.h"

#include <fmt/format.h>

#include "report/page_head.h"
#include "report/svg.h"

namespace fxs::resource {
std::string_view diagnosePageStyle();
std::string_view diagnosePageScript();
}  // namespace fxs::resource

namespace fxs::report {

std::string graphPageStyle() { return graphPalette() + std::string(resource::diagnosePageStyle()); }

std::string_view graphPageScript() { return resource::diagnosePageScript(); }

std::string graphPane(const std::string& svg, const Inline& legend) {
  Blocks shown;
  if (!legend.empty()) shown.push_back(Paragraph{legend});
  return fmt::format(
      "<section class=\"pane\" id=\"graph\" aria-labelledby=\"graph-title\">\n<div "
      "class=\"bar\"><h2 id=\"graph-title\">Graph</h2>{}"
      "<span class=\"tools\"><button type=\"button\" id=\"smaller\" aria-label=\"Zoom out\" "
      "title=\"Zoom out (-)\">&#8722;</button>"
      "<button type=\"button\" id=\"larger\" aria-label=\"Zoom in\" title=\"Zoom in "
      "(+)\">+</button>"
      "<button type=\"button\" id=\"fit\" title=\"The whole graph (0)\">Fit</button></span></div>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Graph of the program\">\n"
      "{}</div>\n</section>\n",
      renderHtml(shown), svg);
}

std::string graphHtml(const GraphPage& page) {
  const std::string_view script = graphPageScript();
  Document head;
  head.title = page.title;
  return fmt::format(
      "{}<body>\n<header>\n{}<p class=\"muted\" id=\"selection\" role=\"status\"></p></header>\n"
      "<main class=\"clean\">\n{}</main>\n{}<script>{}</script>\n</body>\n</html>\n",
      pageHead(page.title, graphPageStyle(), script), renderHtmlHead(head),
      graphPane(page.svg, page.legend), renderHtml(page.blocks), script);
}

}  // namespace fxs::report
