// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of the page: what the lowered program computes, and operators by output type.
#include <fmt/format.h>

#include <map>

#include "base/joined.h"
#include "report/diagnose_document.h"
#include "report/diagnose_words.h"

namespace fxs::report {
namespace {

Inline toned(tensor::Verdict verdict) {
  return {tensor::name(verdict), verdict == tensor::Verdict::Same ? Tone::Good : Tone::Bad};
}

Row rowOf(const Inline& node, const Inline& by, std::string_view type,
          const tensor::Difference& d) {
  return {{node, by, type, toned(d.verdict),
           d.units > 0 ? fmt::format("{:.3g} eps", d.units) : std::string(), d.words}};
}

void addRun(Table& table, const compare::Run& run, const fx::Program& program) {
  if (run.outcome != execute::Outcome::Ran)
    table.rows.push_back(
        {{"", run.executor, "", {execute::name(run.outcome), Tone::Bad}, "", run.why}});
  for (const compare::ResultComparison& result : run.results) {
    const Inline node = result.node.valid() ? Inline(nodeSpan(program, result.node)) : Inline();
    if (result.compared)
      table.rows.push_back(rowOf(node, run.executor, result.type, result.difference));
    else
      table.rows.push_back(
          {{node, run.executor, result.type, {"not compared", Tone::Muted}, "", result.whyNot}});
  }
}

Section sectionOf(const compare::TargetComparison& target, const fx::Program& program) {
  Section out{Inline(lower::name(target.to)) + " " +
              Inline(compare::name(target.verdict),
                     target.verdict == compare::TargetVerdict::Same ? Tone::Good : Tone::Bad)};
  if (!target.why.empty()) out.blocks.push_back(Paragraph{target.why});
  if (!target.scope.sets.empty())
    out.blocks.push_back(Paragraph{"compared for " + target.scope.words()});
  if (target.first && target.first->node.valid())
    out.blocks.push_back(Paragraph{
        Inline("first difference: ") + nodeSpan(program, target.first->node) + " in " +
        target.first->stage + (target.first->pass.empty() ? "" : ", pass " + target.first->pass) +
        ": " + target.first->how});
  Table table{{{"value"}, {"computed by"}, {"type"}, {"verdict"}, {"error"}, {"difference"}}, {}};
  for (const compare::Run& run : target.runs) addRun(table, run, program);
  std::size_t shown = 0;
  for (const compare::NodeComparison& node : target.nodes)
    if (node.difference.verdict != tensor::Verdict::Same && shown++ < kListedNodes)
      table.rows.push_back(rowOf(nodeSpan(program, node.node), "inner node", "", node.difference));
  out.blocks.push_back(std::move(table));
  if (shown > kListedNodes)
    out.blocks.push_back(
        Paragraph{{"and " + counted(shown - kListedNodes, "node") + " more", Tone::Muted}});
  return out;
}

Inline cellOf(const diagnose::SupportRow::Cell& cell) {
  const std::string_view status = statusOf(cell);
  if (status == "wrong") return {fmt::format("wrong {} of {}", cell.wrong, cell.count), Tone::Bad};
  if (status == "failed")
    return {fmt::format("fails {} of {}", cell.blocked, cell.count), Tone::Bad};
  if (status == "ok") return {fmt::format("ok {}", cell.count), Tone::Good};
  return {fmt::format("unknown {}", cell.count), Tone::Muted};
}

}  // namespace

Blocks comparisonBlocks(const DiagnoseReport& report) {
  if (!report.comparison) return {};
  const compare::Comparison& comparison = *report.comparison;
  Section out{"Numbers"};
  out.id = "numbers";
  out.blocks.push_back(Paragraph{{fmt::format("compared with {}; executed with {}",
                                              comparison.reference, joined(comparison.executors)),
                                  Tone::Muted}});
  for (const compare::TargetComparison& target : comparison.targets)
    out.blocks.push_back(sectionOf(target, report.program));
  return {std::move(out)};
}

Blocks supportBlocks(const DiagnoseReport& report) {
  const diagnose::Diagnosis& diagnosis = report.diagnosis;
  if (diagnosis.support.empty()) return {};
  Table table{{{"operator"}}, {}};
  for (const diagnose::TargetDiagnosis& target : diagnosis.targets)
    table.columns.push_back({std::string(lower::name(target.target))});
  std::map<std::string_view, std::vector<fx::NodeId>> byTarget;
  for (const fx::Node& node : report.program.nodes)
    if (node.op == fx::NodeOp::CallFunction) byTarget[node.target].push_back(node.id);
  for (const diagnose::SupportRow& row : diagnosis.support) {
    Row& made = table.rows.emplace_back(Row{{row.fxTarget}, byTarget[row.fxTarget]});
    for (const diagnose::SupportRow::Cell& cell : row.cells) made.cells.push_back(cellOf(cell));
  }
  Section out{counted(diagnosis.support.size(), "operator") + " by output type"};
  out.id = "support";
  out.folds = Folds::Closed;
  out.blocks.push_back(std::move(table));
  return {std::move(out)};
}

}  // namespace fxs::report
