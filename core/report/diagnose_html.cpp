// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A self-contained HTML page. Its Content-Security-Policy allows no requests, and only this style
// and script, by hash.
#include <algorithm>
#include <utility>

#include "base/safe_text.h"
#include "report/diagnose.h"
#include "report/diagnose_page.h"
#include "report/diagnose_words.h"
#include "report/page_head.h"
#include "report/source_location.h"
#include "report/svg.h"

namespace fxs::resource {
std::string_view diagnosePageStyle();
std::string_view diagnosePageScript();
}  // namespace fxs::resource

namespace fxs::report {

std::string nodeIndices(const std::vector<fx::NodeId>& nodes) {
  std::string out;
  for (const fx::NodeId id : nodes) out += fmt::format("{}{}", out.empty() ? "" : " ", id.index());
  return out;
}

void writeNodeButton(DiagnosePage& page, fx::NodeId id) {
  const fx::Node& node = page.report.program.node(id);
  page.print("<button type=\"button\" class=\"node\" data-n=\"{}\" title=\"{}\">{}</button>",
             id.index(), richText(node.target), richText(node.name));
}

void writeCardLinks(DiagnosePage& page, const std::vector<std::size_t>& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    page.print("{}<a href=\"#finding-{}\">{}</a>", i == 0 ? "" : ", ", numbers[i], numbers[i]);
}

namespace {

using diagnose::Blocked;

constexpr std::size_t kUndrawnNodes = 2000;

bool isGood(const diagnose::TargetDiagnosis& target) {
  return target.lowers && !(target.computed && target.computed->accused);
}

std::size_t goodTargets(const DiagnosePage& page) {
  const std::vector<diagnose::TargetDiagnosis>& targets = page.report.diagnosis.targets;
  return static_cast<std::size_t>(std::count_if(targets.begin(), targets.end(), isGood));
}

void headline(DiagnosePage& page) {
  const std::vector<diagnose::TargetDiagnosis>& targets = page.report.diagnosis.targets;
  const std::size_t all = targets.size(), good = goodTargets(page);
  page.print("<p class=\"verdict {}\">", good == all ? "good" : "bad");
  const bool isWrong = std::any_of(targets.begin(), targets.end(), [](const auto& target) {
    return target.lowers && !isGood(target);
  });
  const std::string_view lowers = isWrong ? "Lowers correctly" : "Lowers";
  const std::string_view failure = isWrong ? "Lowers incorrectly" : "Does not lower";
  if (all == 1)
    page.print("{} to {}", good == 1 ? "Lowers" : failure, lower::name(targets.front().target));
  else if (good == all) page.print("{} to all {} output types", lowers, all);
  else if (good == 0) page.print("{} to none of {} output types", lowers, all);
  else page.print("{} to {} of {} output types", lowers, good, all);
  page.out += "</p>\n";
}

/// The numbers of the cards with an entry for the target for which `holds`.
template <class Holds>
std::vector<std::size_t> cardsOf(const DiagnosePage& page, const lower::OutputType& target,
                                 Holds holds) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < page.causes.size(); ++i) {
    const auto& entries = page.causes[i].entries;
    if (std::any_of(entries.begin(), entries.end(),
                    [&](const Blocked* entry) { return entry->target == target && holds(*entry); }))
      out.push_back(i + 1);
  }
  return out;
}

void blockedCell(DiagnosePage& page, const diagnose::TargetDiagnosis& target,
                 const Verdict& verdict) {
  page.out += richText(verdict.why);
  const std::vector<std::size_t> cards =
      cardsOf(page, target.target, [](const Blocked& entry) { return stops(entry); });
  if (!cards.empty()) {
    page.print(" <span class=\"cards\">({} ", cards.size() == 1 ? "finding" : "findings");
    writeCardLinks(page, cards);
    page.out += ")</span>";
  }
  if (!verdict.also.empty()) page.print("<div class=\"muted\">{}</div>", richText(verdict.also));
  diagnose::TargetDiagnosis rest = target;
  rest.fixedLowers.reset();
  rest.changes.clear();
  for (const std::string& detail : verdictDetails(rest))
    page.print("<div class=\"muted\">{}</div>", richText(detail));
}

void fixCell(DiagnosePage& page, const diagnose::TargetDiagnosis& target) {
  if (const std::string words = fixedWords(target); !words.empty()) {
    page.print("<span class=\"{}\">{}</span> with ", *target.fixedLowers ? "good" : "bad",
               richText(words));
    const std::vector<std::size_t> numbers = fixNumbers(page.causes, target);
    if (!numbers.empty()) {
      page.out += numbers.size() == 1 ? "fix " : "fixes ";
      writeCardLinks(page, numbers);
    } else {
      for (std::size_t i = 0; i < target.changes.size(); ++i)
        page.print("{}{}", i == 0 ? "" : "; ", richText(target.changes[i]));
    }
    return;
  }
  if (target.lowers) return;
  const std::vector<std::size_t> some = cardsOf(page, target.target, [](const Blocked& entry) {
    const diagnose::Experiment* best = bestOf(entry);
    return best != nullptr && !isOtherType(*best);
  });
  if (some.empty()) {
    page.out += "<span class=\"muted\">none</span>";
    return;
  }
  page.print("only for {} ", some.size() == 1 ? "finding" : "findings");
  writeCardLinks(page, some);
}

/// Output types with the same cells share a row.
void summary(DiagnosePage& page) {
  struct Row {
    std::string names, cells;
  };
  std::vector<Row> rows;
  const bool clean =
      page.causes.empty() && goodTargets(page) == page.report.diagnosis.targets.size();
  for (const diagnose::TargetDiagnosis& target : page.report.diagnosis.targets) {
    const Verdict verdict = verdictPartsOf(page.report.diagnosis, target);
    std::string before = std::exchange(page.out, {});
    page.print("<td><span class=\"status {}\">{}</span></td>", isGood(target) ? "good" : "bad",
               richText(verdict.outcome));
    if (!clean) {
      page.out += "\n<td>";
      blockedCell(page, target, verdict);
      page.out += "</td>\n<td>";
      fixCell(page, target);
      page.out += "</td>";
    }
    std::string cells = std::exchange(page.out, std::move(before));
    const std::string name =
        fmt::format("<span class=\"type\">{}</span>", lower::name(target.target));
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.cells == cells; });
    if (same == rows.end()) rows.push_back({name, std::move(cells)});
    else same->names += ", " + name;
  }
  page.print(
      "<table class=\"summary\">\n<thead><tr><th scope=\"col\">output type</th><th "
      "scope=\"col\">status</th>{}</tr></thead>\n<tbody>\n",
      clean ? "" : "<th scope=\"col\">what blocks it</th><th scope=\"col\">verified fix</th>");
  for (const Row& row : rows)
    page.print("<tr><th scope=\"row\">{}</th>\n{}</tr>\n", row.names, row.cells);
  page.out += "</tbody>\n</table>\n";
}

void head(DiagnosePage& page) {
  const diagnose::Diagnosis& diagnosis = page.report.diagnosis;
  page.print(
      "<header>\n<div class=\"title\"><h1>{}</h1>\n<p class=\"muted\">engine <span "
      "title=\"{}\">{}</span>",
      richText(page.report.input), richText(page.report.paths.of(diagnosis.engine.path)),
      richText(diagnosis.engine.version));
  if (!page.report.program.torchVersion.empty())
    page.print(", PyTorch {}", richText(page.report.program.torchVersion));
  page.out += "</p></div>\n";
  headline(page);
  if (!diagnosis.complete)
    page.out +=
        "<p class=\"bad\">Incomplete: cancelled or out of time. There may be more findings.</p>\n";
  summary(page);
  const std::vector<fx::Finding> warnings = warningsOf(diagnosis);
  if (!warnings.empty()) {
    page.print("<details class=\"notes\" open><summary>{}</summary>\n",
               counted(warnings.size(), "warning"));
    for (const fx::Finding& warning : warnings) {
      page.out += "<p>";
      if (warning.node.valid()) {
        writeNodeButton(page, warning.node);
        page.out += ": ";
      }
      page.print("{}</p>\n", richText(warning.message));
    }
    page.out += "</details>\n";
  }
  if (!diagnosis.notes.empty()) {
    page.print("<details class=\"notes\"><summary>{}</summary>\n",
               counted(diagnosis.notes.size(), "note"));
    for (const std::string& note : diagnosis.notes) page.print("<p>{}</p>\n", richText(note));
    page.out += "</details>\n";
  }
  page.out += "</header>\n";
}

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
  page.print(
      "<section class=\"pane\" id=\"graph\" aria-labelledby=\"graph-title\">\n<div "
      "class=\"bar\"><h2 id=\"graph-title\">{}</h2>",
      picture != nullptr ? "Graph" : "Nodes");
  if (picture == nullptr) {
    page.out += "</div>\n<div class=\"scroll text\" tabindex=\"0\">\n";
    undrawn(page);
    page.out += "</div>\n</section>\n";
    return;
  }
  page.out +=
      "<span class=\"tools\"><button type=\"button\" id=\"smaller\" aria-label=\"Zoom out\" "
      "title=\"Zoom out (-)\">&#8722;</button>"
      "<button type=\"button\" id=\"larger\" aria-label=\"Zoom in\" title=\"Zoom in "
      "(+)\">+</button>"
      "<button type=\"button\" id=\"fit\" title=\"The whole graph (0)\">Fit</button></span></div>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Graph of the program\">\n";
  std::vector<fx::Finding> marks = warningsOf(page.report.diagnosis);
  for (std::size_t i = 0; i < page.causes.size(); ++i) {
    const Cause& cause = page.causes[i];
    for (const fx::NodeId id : cause.nodes) {
      const bool blocks = std::any_of(cause.entries.begin(), cause.entries.end(),
                                      [](const Blocked* entry) { return stops(*entry); });
      fx::Finding mark;
      mark.severity = blocks ? fx::Severity::Error : fx::Severity::Warning;
      mark.node = id;
      mark.message = fmt::format("finding {}", i + 1);
      marks.push_back(std::move(mark));
    }
  }
  page.out += graphSvg(page.report.program, picture->tree, picture->view, picture->layout, marks,
                       SvgTheme::InPage);
  page.out += "</div>\n</section>\n";
}

}  // namespace

std::string diagnoseHtml(const DiagnoseReport& report) {
  DiagnosePage page{report, causesOf(report.diagnosis), {}, {}};
  for (const Blocked& entry : report.diagnosis.blocked)
    page.blocked.insert(entry.nodes.begin(), entry.nodes.end());
  const std::string style = graphPalette() + std::string(resource::diagnosePageStyle());
  const std::string_view script = resource::diagnosePageScript();
  page.out =
      pageHead(fmt::format("{} to {}", fileNameOf(report.input), targetsOf(report.diagnosis)),
               style, script);
  page.out += "<body>\n";
  head(page);
  page.print("<main{}>\n", page.causes.empty() ? " class=\"clean\"" : "");
  writeFindings(page);
  graph(page);
  writeStages(page);
  page.out += "</main>\n";
  writeNumbers(page);
  writeSupport(page);
  page.print("<script>{}</script>\n</body>\n</html>\n", script);
  return std::move(page.out);
}

}  // namespace fxs::report
