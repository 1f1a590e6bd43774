// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of the page: what the lowered program computes, and operators by output type.
#include <map>

#include "base/joined.h"
#include "base/safe_text.h"
#include "report/diagnose_page.h"
#include "report/diagnose_words.h"

namespace fxs::report {
namespace {

struct Told {
  std::string_view words, tone;
};

void row(DiagnosePage& page, fx::NodeId node, std::string_view by, std::string_view type,
         Told verdict, std::string_view error, std::string_view words) {
  page.out += "<tr><td>";
  if (node.valid()) writeNodeButton(page, node);
  page.print("</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td></tr>\n",
             richText(by), richText(type), verdict.tone, verdict.words, error, richText(words));
}

void row(DiagnosePage& page, fx::NodeId node, std::string_view by, std::string_view type,
         const tensor::Difference& d) {
  row(page, node, by, type,
      {tensor::name(d.verdict), d.verdict == tensor::Verdict::Same ? "good" : "bad"},
      d.units > 0 ? fmt::format("{:.3g} eps", d.units) : std::string(), d.words);
}

void firstDifference(DiagnosePage& page, const compare::First& first) {
  page.out += "<p>first difference: ";
  writeNodeButton(page, first.node);
  page.print(" in {}{}: {}</p>\n", richText(first.stage),
             richText(first.pass.empty() ? std::string() : ", pass " + first.pass),
             richText(first.how));
}

void runRows(DiagnosePage& page, const compare::Run& run) {
  if (run.outcome != execute::Outcome::Ran)
    row(page, {}, run.executor, "", {execute::name(run.outcome), "bad"}, "", run.why);
  for (const compare::ResultComparison& result : run.results) {
    if (result.compared) row(page, result.node, run.executor, result.type, result.difference);
    else
      row(page, result.node, run.executor, result.type, {"not compared", "muted"}, "",
          result.whyNot);
  }
}

void numbersOf(DiagnosePage& page, const compare::TargetComparison& target) {
  page.print("<h3>{} <span class=\"status {}\">{}</span></h3>\n", lower::name(target.to),
             target.verdict == compare::TargetVerdict::Same ? "good" : "bad",
             compare::name(target.verdict));
  if (!target.why.empty()) page.print("<p>{}</p>\n", richText(target.why));
  if (!target.scope.sets.empty())
    page.print("<p>compared for {}</p>\n", richText(target.scope.words()));
  if (target.first && target.first->node.valid()) firstDifference(page, *target.first);
  page.out += "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>";
  for (const std::string_view title :
       {"value", "computed by", "type", "verdict", "error", "difference"})
    page.print("<th scope=\"col\">{}</th>", title);
  page.out += "</tr></thead>\n<tbody>\n";
  for (const compare::Run& run : target.runs) runRows(page, run);
  std::size_t left = 0, shown = 0;
  for (const compare::NodeComparison& node : target.nodes) {
    if (node.difference.verdict == tensor::Verdict::Same) continue;
    if (shown++ < kPageNodes) row(page, node.node, "inner node", "", node.difference);
    else ++left;
  }
  page.out += "</tbody>\n</table></div>\n";
  if (left > 0) page.print("<p class=\"muted\">and {} more</p>\n", counted(left, "node"));
}

}  // namespace

void writeNumbers(DiagnosePage& page) {
  if (!page.report.comparison) return;
  const compare::Comparison& comparison = *page.report.comparison;
  page.print(
      "<section id=\"numbers\">\n<h2>Numbers</h2>\n<p class=\"muted\">compared with {}; executed "
      "with {}</p>\n",
      richText(comparison.reference), richText(joined(comparison.executors)));
  for (const compare::TargetComparison& target : comparison.targets) numbersOf(page, target);
  page.out += "</section>\n";
}

void writeSupport(DiagnosePage& page) {
  const diagnose::Diagnosis& diagnosis = page.report.diagnosis;
  if (diagnosis.support.empty()) return;
  page.print(
      "<section id=\"support\">\n<details><summary><h2>{} by output type</h2></summary>\n<div "
      "class=\"scroll\" "
      "tabindex=\"0\"><table>\n<thead><tr><th "
      "scope=\"col\">operator</th>",
      counted(diagnosis.support.size(), "operator"));
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets)
    page.print("<th scope=\"col\">{}</th>", lower::name(target.target));
  page.out += "</tr></thead>\n<tbody>\n";
  std::map<std::string_view, std::vector<fx::NodeId>> byTarget;
  for (const fx::Node& node : page.report.program.nodes)
    if (node.op == fx::NodeOp::CallFunction) byTarget[node.target].push_back(node.id);
  for (const diagnose::SupportRow& row : diagnosis.support) {
    page.print("<tr data-n=\"{}\"><td>{}</td>", nodeIndices(byTarget[row.fxTarget]),
               richText(row.fxTarget));
    for (const diagnose::SupportRow::Cell& cell : row.cells) {
      const std::string_view status = statusOf(cell);
      if (status == "wrong")
        page.print("<td class=\"bad\">wrong {} of {}</td>", cell.wrong, cell.count);
      else if (status == "failed")
        page.print("<td class=\"bad\">fails {} of {}</td>", cell.blocked, cell.count);
      else if (status == "ok") page.print("<td class=\"good\">ok {}</td>", cell.count);
      else page.print("<td class=\"muted\">unknown {}</td>", cell.count);
    }
    page.out += "</tr>\n";
  }
  page.out += "</tbody>\n</table></div>\n</details>\n</section>\n";
}

}  // namespace fxs::report
