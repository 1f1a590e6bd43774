// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/summary.h"

#include <fmt/format.h>

#include "base/amounts.h"
#include "base/joined.h"
#include "report/document.h"

namespace fxs::report {
namespace {

using summary::FlopTotal, summary::Summary, summary::TensorTotal;

std::string countedText(std::size_t count, std::string_view thing) {
  return groupedText(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

/// "124,439,808 (124.4 M)"
std::string exactText(std::uint64_t count) {
  return groupedText(count) + (count < 1000 ? "" : " (" + amountText(count) + ")");
}

/// "float32", "float32 1.0 MiB, int64 16 bytes"
std::string dtypesText(const TensorTotal& total) {
  std::string out;
  for (const summary::DtypeTotal& each : total.dtypes) {
    out += (out.empty() ? "" : ", ") + std::string(facts(each.dtype).torchName);
    if (total.dtypes.size() > 1) out += " " + bytesText(each.bytes);
  }
  return out;
}

std::vector<std::string> storedLines(const TensorTotal& total, std::size_t otherNames = 0) {
  if (total.tensors == 0) return {};
  std::vector<std::string> out{fmt::format("{} in {}, {}: {}", exactText(total.elements),
                                           countedText(total.tensors, "tensor"),
                                           bytesText(total.bytes), dtypesText(total))};
  if (otherNames > 0)
    out.push_back(fmt::format("{} of these tensors {} not counted again",
                              countedText(otherNames, "other name"),
                              otherNames == 1 ? "is" : "are"));
  return out;
}

std::vector<std::string> flopLines(const Summary& summary) {
  if (!summary.flops)
    return {summary.dialects.empty() ? "not known: a kernel runs once for each tile"
                                     : "not known: operations of MLIR have no rule"};
  const FlopTotal& flops = *summary.flops;
  const std::size_t all = flops.counted + flops.unknown;
  if (all == 0) return {"0: no matrix product, convolution or attention"};
  const std::string calls = countedText(all, "call");
  std::vector<std::string> out;
  if (flops.unknown == 0) out.push_back(exactText(flops.flops) + " in " + calls);
  else
    out.push_back(
        fmt::format("{}, known of {} of {} ({:.0f} %)",
                    flops.counted == 0 ? "not known" : "at least " + exactText(flops.flops),
                    groupedText(flops.counted), calls,
                    100.0 * static_cast<double>(flops.counted) / static_cast<double>(all)));
  out.emplace_back(
      "counted: 2 for each multiply-add of matrix products, convolutions and attention; nothing "
      "else");
  for (const summary::UnknownFlops& each : summary.unknownFlops)
    out.push_back(fmt::format("not known: {}, {} ({})", each.target,
                              countedText(each.calls, "call"), summary::name(each.reason)));
  return out;
}

std::vector<std::string> activationLines(const summary::Activations& activations) {
  std::vector<std::string> out;
  const TensorTotal& values = activations.values;
  if (values.tensors > 0)
    out.push_back(fmt::format("{} in {}: {}", bytesText(values.bytes),
                              countedText(values.tensors, "tensor"), dtypesText(values)));
  if (activations.unknown > 0)
    out.push_back(countedText(activations.unknown, "value") + (out.empty() ? "" : " more") +
                  " of sizes known only at run time, or not recorded");
  if (activations.views > 0)
    out.push_back(countedText(activations.views, "view") + " without memory of " +
                  (activations.views == 1 ? "its" : "their") + " own");
  return out;
}

std::vector<std::string> peakLines(const Summary& summary) {
  const summary::Activations& activations = summary.activations;
  if (!activations.peakBytes) return {"not known"};
  return {bytesText(*activations.peakBytes) + " at a time, in program order" +
          (activations.peak.empty() ? "" : ", at " + activations.peak)};
}

std::string dialectsText(const std::vector<summary::DialectCount>& dialects) {
  std::string out;
  for (const summary::DialectCount& each : dialects)
    out += (out.empty() ? "" : ", ") + each.dialect + " " + groupedText(each.operations);
  return out;
}

std::string becameText(const summary::Became& became) {
  const bool isMlir = !became.dialects.empty();
  return fmt::format("{}{}: {}{}", became.stage, became.failed ? ", at the failure" : "",
                     countedText(became.operations, isMlir ? "operation" : "instruction"),
                     isMlir ? ", " + dialectsText(became.dialects) : "");
}

std::vector<std::string> linesUnlessEmpty(std::string text) {
  if (text.empty()) return {};
  return {std::move(text)};
}

std::vector<std::string> moduleLines(const Summary& summary) {
  const std::size_t inRoot = summary.modules.size() - 1;
  if (inRoot == 0) return {};
  return {countedText(inRoot, "module") + ", up to " + countedText(summary.moduleDepth, "level") +
          " deep"};
}

Table operatorTable(const Summary& summary) {
  Table out{{{"calls", true}, {"operator"}}, {}};
  if (summary.flops) out.columns.push_back({"FLOPs", true});
  for (const summary::OperatorTotal& each : summary.operators) {
    Row& row = out.rows.emplace_back();
    row.cells = {groupedText(each.nodes.size()), each.target};
    if (summary.flops) row.cells.emplace_back(flopsText(each.flops));
  }
  return out;
}

Table moduleTable(const Summary& summary) {
  Table out{{{"nodes", true},
             {"parameters", true},
             {"bytes", true},
             {"FLOPs", true},
             {"share", true},
             {"module"},
             {"class"}},
            {}};
  for (const summary::ModuleTotal& each : summary.modules)
    out.rows.push_back(
        {{groupedText(each.nodes.size()), amountText(each.parameters),
          bytesText(each.parameterBytes), flopsText(each.flops), shareText(each.flops, summary),
          each.path.empty() ? "(all)" : std::string(2 * (each.depth - 1), ' ') + each.path,
          each.type}});
  return out;
}

}  // namespace

std::string flopsText(const std::optional<FlopTotal>& flops) {
  if (!flops) return "not known";
  if (flops->counted + flops->unknown == 0) return "";
  if (flops->counted == 0) return "not known";
  return amountText(flops->flops) + (flops->unknown > 0 ? " +" : "");
}

std::string shareText(const std::optional<FlopTotal>& part, const Summary& all) {
  const bool isKnown = part && part->counted > 0 && all.flops && all.flops->flops > 0;
  if (!isKnown) return "";
  return fmt::format(
      "{:.1f} %", 100.0 * static_cast<double>(part->flops) / static_cast<double>(all.flops->flops));
}

std::vector<SummaryFact> summaryFacts(const SummaryReport& report) {
  const Summary& all = report.summary;
  std::size_t calls = 0;
  for (const summary::OperatorTotal& each : all.operators) calls += each.nodes.size();
  std::vector<std::string> became;
  for (const summary::Became& each : report.became) became.push_back(becameText(each));
  std::vector<SummaryFact> out{
      {"Parameters", storedLines(all.stored.parameters, all.stored.otherNames)},
      {"Buffers", storedLines(all.stored.buffers)},
      {"Constants", storedLines(all.stored.constants)},
      {"FLOPs", flopLines(all)},
      {"Activations", activationLines(all.activations)},
      {"Peak", peakLines(all)},
      {"Operators",
       {countedText(all.operators.size(), "operator") + " in " + countedText(calls, "call")}},
      {"Modules", moduleLines(all)},
      {"Dialects", linesUnlessEmpty(dialectsText(all.dialects))},
      {"Functions", linesUnlessEmpty(joined(all.functions))},
      {"Becomes", std::move(became)}};
  std::erase_if(out, [](const SummaryFact& fact) { return fact.lines.empty(); });
  return out;
}

std::string summaryText(const SummaryReport& report, const TextLayout& layout) {
  Document out{report.input + ": " + report.format};
  Facts facts;
  for (const SummaryFact& fact : summaryFacts(report))
    facts.add(fact.label, std::vector<Inline>(fact.lines.begin(), fact.lines.end()));
  const bool hasModules = report.summary.modules.size() > 1;
  out.blocks = {std::move(facts), Section{"operators", {}, {operatorTable(report.summary)}},
                Section{"modules", {}, {hasModules ? moduleTable(report.summary) : Table{}}}};
  return renderText(out, layout);
}

}  // namespace fxs::report
