// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report on a sweep as a self-contained page, without a script.
#include <fmt/format.h>

#include "base/safe_text.h"
#include "report/page_head.h"
#include "report/sweep.h"

namespace fxs::resource {
std::string_view sweepPageStyle();
}  // namespace fxs::resource

namespace fxs::report {
namespace {

constexpr std::size_t kBarWidth = 1000;

/// Proportions of the outcomes as a bar for each output type; the numbers are in the table.
std::string bars(const sweep::Summary& summary) {
  std::string out = "<div class=\"bars\">\n";
  for (const sweep::TypeTotals& total : summary.types) {
    const std::size_t all = total.all(), ok = total.programs[0];
    out += fmt::format(
        "<figure><figcaption><b>{}</b> <span class=\"muted\">{} of {} lower</span></figcaption>",
        richText(total.type), ok, all);
    out += fmt::format(
        "<svg viewBox=\"0 0 {} 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", kBarWidth);
    std::size_t before = 0;
    for (std::size_t i = 0; i < sweep::kStatuses; ++i) {
      const std::size_t from = before * kBarWidth / all,
                        to = (before + total.programs[i]) * kBarWidth / all;
      before += total.programs[i];
      if (to > from)
        out += fmt::format("<rect class=\"{}\" x=\"{}\" width=\"{}\" height=\"10\"/>",
                           sweep::name(static_cast<sweep::Status>(i)), from, to - from);
    }
    out += "</svg></figure>\n";
  }
  return out + "</div>\n";
}

}  // namespace

std::string sweepHtml(const SweepReport& report) {
  const Document document = sweepDocument(report);
  return fmt::format("{}<body>\n<header>\n{}{}</header>\n<main>\n{}</main>\n</body>\n</html>\n",
                     pageHead("fxscope sweep", resource::sweepPageStyle(), ""),
                     renderHtmlHead(document), bars(report.summary), renderHtml(document.blocks));
}

}  // namespace fxs::report
