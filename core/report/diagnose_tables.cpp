// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of the page: what the lowered program computes, and operators by output type.
#include <fmt/format.h>

#include <map>

#include "base/joined.h"
#include "report/compare.h"
#include "report/diagnose_document.h"
#include "report/diagnose_words.h"
#include "report/layers.h"

namespace fxs::report {
namespace {

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
    out.blocks.push_back(comparisonSection(target, report.program, report.paths));
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

Blocks layerBlocks(const DiagnoseReport& report, std::size_t mostRows) {
  return layerBlocks({report.program,
                      report.layers,
                      report.layerRows.value_or(mostRows),
                      {},
                      "--layer-rows all lists all"});
}

}  // namespace fxs::report
