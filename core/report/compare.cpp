// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "report/diagnose_causes.h"
#include "report/diagnose_document.h"

namespace fxs::report {
namespace {

std::string sizesText(const compare::Sizes& sizes) {
  std::string out;
  for (const auto& [symbol, size] : sizes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", symbol, size);
  return out;
}

std::string targetOf(const fx::Program& program, fx::NodeId id) {
  return id.valid() && id.index() < program.nodes.size() ? program.node(id).target : std::string();
}

/// "llvm (exact)".
std::string inVariants(const compare::Run& run) {
  return run.executor + (run.variants.empty() ? std::string() : " (" + joined(run.variants) + ")");
}

/// Of the output types' stages, in which texts were compiled: "; compiled as llvm (exact)".
std::string variantsText(const compare::Comparison& c) {
  std::set<std::string> all;
  for (const compare::TargetComparison& target : c.targets)
    for (const compare::Run& run : target.runs)
      if (!run.variants.empty()) all.insert(inVariants(run));
  return all.empty() ? std::string()
                     : "; compiled as " + joined(std::vector(all.begin(), all.end()));
}

std::string seconds(std::chrono::duration<double> s) {
  return s.count() < 0.01 ? "<0.01 s" : fmt::format("{:.2f} s", s.count());
}

std::string rangeText(const tensor::Statistics& s) {
  std::string out = fmt::format("{:.4g} .. {:.4g}, mean {:.4g}", s.min, s.max, s.mean);
  if (s.elements == 0) return "no elements";
  if (s.nans > 0) out += fmt::format(", {} NaN", s.nans);
  if (s.infinities > 0) out += fmt::format(", {} infinite", s.infinities);
  return out;
}

/// "model.py:12: y = gelu(x)"; "" if not known.
std::string locationOf(const fx::Program& program, fx::NodeId node, const Paths& paths) {
  const SourceLocation location = sourceLocationOf(program, node);
  if (!location.line) return location.module;
  return fmt::format("{}:{}: {}", paths.of(location.line->file), location.line->line,
                     location.line->code);
}

std::string inputsText(const compare::Inputs& inputs) {
  std::vector<std::string> types;
  for (const tensor::Tensor& t : inputs.tensors) types.push_back(tensor::typeText(t));
  const std::string sizes = sizesText(inputs.sizes);
  return joined(types) + (sizes.empty() ? "" : " (" + sizes + ")");
}

/// The types of the inputs for each choice of sizes, and the sets that have them.
void addInputs(std::vector<Inline>& out, const std::vector<compare::Inputs>& inputs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> byTypes;
  for (const compare::Inputs& each : inputs) {
    const std::string types = inputsText(each);
    auto known = std::find_if(byTypes.begin(), byTypes.end(),
                              [&](const auto& other) { return other.first == types; });
    if (known == byTypes.end()) known = byTypes.insert(byTypes.end(), {types, {}});
    const std::string set(name(each.set));
    if (std::find(known->second.begin(), known->second.end(), set) == known->second.end())
      known->second.push_back(set);
  }
  for (const auto& [types, sets] : byTypes)
    out.emplace_back(fmt::format("inputs: {}: {}", types, joined(sets)));
}

/// What did not run, once each.
std::vector<std::string> notRun(const compare::TargetComparison& target) {
  std::vector<std::string> out;
  for (const compare::Run& run : target.runs) {
    if (run.outcome == execute::Outcome::Ran) continue;
    // What cannot be compiled cannot be for any sizes.
    const std::string sizes =
        run.outcome == execute::Outcome::NotSupported ? std::string() : sizesText(run.sizes);
    std::string text =
        fmt::format("{}{}: {}: {}", run.executor, sizes.empty() ? "" : " with " + sizes,
                    execute::name(run.outcome), run.message);
    if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
  }
  return out;
}

/// "same for 6 input sets, .."; a difference is one whatever else was not tried.
Inline verdictText(const compare::TargetComparison& target) {
  const bool isSame = target.verdict == compare::TargetVerdict::Same;
  const Inline out(compare::name(target.verdict), isSame ? Tone::Good : Tone::Bad);
  if (isSame) return out + " for " + target.scope.message();
  return target.message.empty() ? out : out + ": " + target.message;
}

/// "not compared: ..", or the difference and how large it is.
std::string differenceText(const compare::ResultComparison& result) {
  if (!result.compared) return "not compared: " + result.reason;
  if (!result.difference.message.empty()) return result.difference.message;
  return fmt::format("{} (error {:.1g} eps)", tensor::name(result.difference.verdict),
                     result.difference.units);
}

Item firstDifference(const compare::First& first, const fx::Program& program, const Paths& paths) {
  Item out{Inline("first difference: ") + nodeSpan(program, first.node) + " (" +
           targetOf(program, first.node) + "), stage " + first.stage +
           (first.pass.empty() ? "" : ", pass " + first.pass)};
  out.lines.emplace_back(first.message +
                         (first.byItself ? "; the same when it is lowered and run by itself" : ""));
  if (std::string location = locationOf(program, first.node, paths); !location.empty())
    out.lines.emplace_back(std::move(location));
  if (!first.operations.empty()) out.lines.emplace_back("lowered to " + joined(first.operations));
  return out;
}

/// Nodes whose value differs.
Table nodesTable(const compare::TargetComparison& target, const fx::Program& program) {
  constexpr std::size_t kMost = 200;
  Table out{{{"node"}, {"verdict"}, {"error"}, {"difference"}}, {}};
  for (const compare::NodeComparison& node : target.nodes) {
    const tensor::Difference& d = node.difference;
    if (d.verdict == tensor::Verdict::Same || out.rows.size() == kMost) continue;
    out.rows.push_back({{nodeSpan(program, node.node),
                         {tensor::name(d.verdict), Tone::Bad},
                         d.units > 0 ? fmt::format("{:.3g} eps", d.units) : std::string(),
                         d.message}});
  }
  return out;
}

List notesOf(const std::vector<std::string>& notes) {
  List out;
  for (const std::string& note : notes) out.items.push_back({"note: " + note});
  return out;
}

}  // namespace

std::vector<const compare::ResultComparison*> outputsOf(const compare::TargetComparison& target) {
  std::vector<const compare::ResultComparison*> out;
  for (const compare::Run& run : target.runs)
    for (std::size_t r = 0; r < run.results.size(); ++r) {
      if (r >= out.size()) out.push_back(&run.results[r]);
      else if (run.results[r].compared && (!out[r]->compared || run.results[r].difference.verdict >
                                                                    out[r]->difference.verdict))
        out[r] = &run.results[r];
    }
  return out;
}

Section comparisonSection(const compare::TargetComparison& target, const fx::Program& program,
                          const Paths& paths) {
  Section out{lower::name(target.to), verdictText(target)};
  if (target.verdict > compare::TargetVerdict::NotCompared)
    out.blocks.push_back(Paragraph{"compared for " + target.scope.message()});
  Table results{{{"result"}, {"type"}, {"difference"}}, {}};
  for (const compare::ResultComparison* result : outputsOf(target))
    results.rows.push_back({{result->name, result->type, differenceText(*result)}});
  List more;
  for (const std::string& text : notRun(target)) more.items.push_back({text});
  if (!target.fault.empty()) more.items.push_back({target.fault});
  if (target.first) more.items.push_back(firstDifference(*target.first, program, paths));
  out.blocks.insert(out.blocks.end(),
                    {std::move(results), std::move(more),
                     Details{"Nodes that differ", {nodesTable(target, program)}}});
  return out;
}

std::string compareText(const CompareReport& report, const TextLayout& layout) {
  const compare::Comparison& c = report.comparison;
  Document out{fmt::format("{}: compared with {}", report.input, c.reference),
               {"lowered via " + c.via, "executors: " + joined(c.executors) + variantsText(c)}};
  addInputs(out.head, c.inputs);
  for (const compare::TargetComparison& target : c.targets)
    out.blocks.push_back(comparisonSection(target, report.program, report.paths));
  out.blocks.push_back(notesOf(c.notes));
  return renderText(out, layout);
}

namespace {

std::chrono::duration<double> timeOf(const std::vector<compare::Dispatch>& dispatches) {
  std::chrono::duration<double> out{0};
  for (const compare::Dispatch& dispatch : dispatches) out += dispatch.measured.time;
  return out;
}

constexpr std::size_t kNodesOfDispatch = 6;

Section dispatchesSection(const std::vector<compare::Dispatch>& dispatches) {
  const auto all = timeOf(dispatches);
  Table table{{{}, {"", true}, {}, {}, {}}, {}};
  for (const auto& [measured, nodes] : dispatches)
    table.rows.push_back(
        {{fmt::format("{:>5.1f} %", all.count() > 0 ? 100 * (measured.time / all) : 0),
          fmt::format("{:.1f} us", measured.time.count() * 1e6),
          fmt::format("x {}", measured.calls), measured.name,
          nodes.empty() ? "of no node" : firstOf(nodes, kNodesOfDispatch)}});
  return {fmt::format("{} dispatches in {:.1f} us", dispatches.size(), all.count() * 1e6),
          {},
          {std::move(table)}};
}

}  // namespace

std::string runText(const RunReport& report) {
  Document out{
      fmt::format("{}: {}", report.input, inputsText(report.inputs)),
      {fmt::format("lowered via {}", report.via), "executors: " + joined(report.executors)}};
  for (const RunRow& row : report.rows) {
    Section section{fmt::format("{} with {}", row.stage, inVariants(row.run)),
                    execute::name(row.run.outcome)};
    if (row.run.outcome != execute::Outcome::Ran) {
      section.lead += Inline(": " + row.run.message);
    } else {
      section.lead += Inline(fmt::format(", compiled in {}, ran in {}",
                                         seconds(row.run.compileTime), seconds(row.run.runTime)));
      std::vector<Row> rows;
      for (std::size_t r = 0; r < row.run.results.size(); ++r) {
        const compare::ResultComparison& result = row.run.results[r];
        rows.push_back({{result.name, result.type, rangeText(result.found),
                         r < row.files.size() ? row.files[r] : ""}});
      }
      section.blocks.push_back(tableOf(std::move(rows)));
      if (!row.run.dispatches.empty())
        section.blocks.push_back(dispatchesSection(row.run.dispatches));
    }
    out.blocks.push_back(std::move(section));
  }
  out.blocks.push_back(notesOf(report.notes));
  return renderText(out);
}

}  // namespace fxs::report
