// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A self-contained HTML page. Its Content-Security-Policy allows no requests, and only this style
// and script, by hash.
#include <algorithm>
#include <utility>

#include "base/safe_text.h"
#include "report/diagnose.h"
#include "report/diagnose_document.h"
#include "report/diagnose_page.h"
#include "report/diagnose_words.h"
#include "report/graph_page.h"
#include "report/layers.h"
#include "report/page_head.h"
#include "report/source_location.h"
#include "report/svg.h"

namespace fxs::report {

namespace {

constexpr std::size_t kUndrawnNodes = 2000, kPageLayerRows = 1000;

/// Lists the nodes of a program that was not laid out.
void undrawn(DiagnosePage& page) {
  std::size_t shown = 0, left = 0;
  for (const fx::Node& node : page.report.program.nodes) {
    if (node.op == fx::NodeOp::Output) continue;
    const bool blocked = page.blocked.contains(node.id);
    if (shown == kUndrawnNodes && !blocked) {
      ++left;
      continue;
    }
    if (shown < kUndrawnNodes) ++shown;
    page.print("<div class=\"line\" data-n=\"{}\">{}{} = {}</div>\n", node.id.index(),
               blocked ? "! " : "  ", richText(node.name), richText(node.target));
  }
  if (left > 0) page.print("<div class=\"elided\">{} omitted</div>\n", counted(left, "node"));
}

void graph(DiagnosePage& page) {
  const DiagnosePicture* picture = page.report.picture;
  if (picture == nullptr) {
    page.out +=
        "<section class=\"pane\" id=\"graph\" aria-labelledby=\"graph-title\">\n<div "
        "class=\"bar\"><h2 id=\"graph-title\">Nodes</h2></div>\n<div class=\"scroll text\" "
        "tabindex=\"0\">\n";
    undrawn(page);
    page.out += "</div>\n</section>\n";
    return;
  }
  std::vector<fx::Finding> marks = warningsOf(page.report.diagnosis);
  for (std::size_t i = 0; i < page.causes.size(); ++i) {
    const Cause& cause = page.causes[i];
    for (const fx::NodeId id : cause.nodes) {
      fx::Finding mark;
      mark.severity = blocks(cause) ? fx::Severity::Error : fx::Severity::Warning;
      mark.node = id;
      mark.message = fmt::format("finding {}", i + 1);
      marks.push_back(std::move(mark));
    }
  }
  const std::vector<ShownLayer>& layers = page.report.layers;
  page.out += graphPane(graphSvg(page.report.program, picture->tree, picture->view, picture->layout,
                                 marks, SvgTheme::InPage, {},
                                 layers.empty() ? std::nullopt : std::optional(shadesOf(layers))),
                        layers.empty() ? Inline() : legendOf(layers.front()));
}

}  // namespace

std::string diagnoseHtml(const DiagnoseReport& report) {
  DiagnosePage page{report, causesOf(report.diagnosis), {}, {}};
  for (const diagnose::Blocked& entry : report.diagnosis.blocked)
    page.blocked.insert(entry.nodes.begin(), entry.nodes.end());
  const std::string_view script = graphPageScript();
  const DiagnoseParts parts = diagnoseParts(report, page.causes);
  page.out =
      pageHead(fmt::format("{} to {}", fileNameOf(report.input), targetsOf(report.diagnosis)),
               graphPageStyle(), script);
  page.print("<body>\n<header>\n{}{}{}</header>\n<main{}>\n", renderHtmlHead(parts.opening),
             renderHtml(parts.opening.blocks), renderHtml(parts.closing),
             page.causes.empty() ? " class=\"clean\"" : "");
  page.print(
      "<section id=\"findings\" aria-labelledby=\"findings-title\">\n<div class=\"bar\"><h2 "
      "id=\"findings-title\">{}</h2><span class=\"muted\" id=\"selection\" "
      "role=\"status\"></span></div>\n{}</section>\n",
      page.causes.empty() ? "No findings" : counted(page.causes.size(), "finding"),
      renderHtml(parts.findings, 3));
  graph(page);
  writeStages(page);
  page.print("</main>\n{}<script>{}</script>\n</body>\n</html>\n",
             renderHtml(comparisonBlocks(report)) +
                 renderHtml(layerBlocks(report, kPageLayerRows)) +
                 renderHtml(supportBlocks(report)),
             script);
  return std::move(page.out);
}

}  // namespace fxs::report
