// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report on a sweep as a self-contained page, without a script.
#include <fmt/format.h>

#include <iterator>

#include "base/safe_text.h"
#include "report/page_head.h"
#include "report/sweep.h"

namespace fxs::resource {
std::string_view sweepPageStyle();
}  // namespace fxs::resource

namespace fxs::report {
namespace {

constexpr std::size_t kBarWidth = 1000;
constexpr std::size_t kRowsOpen = 200;  // longer tables are closed at first

std::string_view styleOf(Tone tone) {
  switch (tone) {
    case Tone::Plain: break;
    case Tone::Name: return "name";
    case Tone::Good: return "good";
    case Tone::Bad: return "bad";
    case Tone::Muted: return "muted";
  }
  return "";
}

/// Proportions of the outcomes as a bar for each output type; the numbers are in the table.
void bars(std::string& out, const sweep::Summary& summary) {
  out += "<div class=\"bars\">\n";
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
  out += "</div>\n";
}

void rows(std::string& out, const SweepTable& table) {
  out += "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t i = 0; i < table.head.size(); ++i)
    out += fmt::format("<th scope=\"col\"{}>{}</th>",
                       table.rows.front()[i].number ? " class=\"number\"" : "",
                       richText(table.head[i]));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (const SweepCell& cell : row)
      out += fmt::format("<td class=\"{}{}\">{}</td>", styleOf(cell.tone),
                         cell.number ? " number" : "", richText(cell.text));
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

}  // namespace

std::string sweepHtml(const SweepReport& report) {
  std::string out = pageHead("fxscope sweep", resource::sweepPageStyle(), "");
  out += "<body>\n<header>\n<h1>Sweep</h1>\n";
  for (const std::string& line : sweepHead(report))
    out += fmt::format("<p class=\"muted\">{}</p>\n", richText(line));
  bars(out, report.summary);
  out += "</header>\n<main>\n";
  for (const SweepTable& table : sweepTables(report)) {
    const bool open = table.rows.size() <= kRowsOpen || table.isDrift;
    out += fmt::format("<details{}>\n<summary><h2>{}</h2></summary>\n", open ? " open" : "",
                       richText(table.title));
    if (!table.note.empty())
      out += fmt::format("<p class=\"muted\">{}</p>\n", richText(table.note));
    if (!table.rows.empty()) rows(out, table);
    out += "</details>\n";
  }
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace fxs::report
