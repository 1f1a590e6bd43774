// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/compare.h"

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "report/line.h"

namespace fxs::report {
namespace {

std::string sizesText(const compare::Sizes& sizes) {
  std::string out;
  for (const auto& [symbol, size] : sizes)
    out += fmt::format("{}{}={}", out.empty() ? "" : ", ", symbol, size);
  return out;
}

const std::string& nameOf(const fx::Program& program, fx::NodeId id) {
  static const std::string kNone;
  return id.valid() && id.index() < program.nodes.size() ? program.node(id).name : kNone;
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
std::string placeOf(const fx::Program& program, fx::NodeId node, const Paths& paths) {
  const SourceLocation place = sourceLocationOf(program, node);
  if (!place.line) return place.module;
  return fmt::format("{}:{}: {}", paths.of(place.line->file), place.line->line, place.line->code);
}

std::string inputsText(const compare::Inputs& inputs) {
  std::vector<std::string> types;
  for (const tensor::Tensor& t : inputs.tensors) types.push_back(tensor::typeText(t));
  const std::string sizes = sizesText(inputs.sizes);
  return joined(types) + (sizes.empty() ? "" : " (" + sizes + ")");
}

/// The types of the inputs for each choice of sizes, and the sets that have them.
std::string inputSetsText(const std::vector<compare::Inputs>& inputs) {
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
  std::string out;
  for (const auto& [types, sets] : byTypes) out += line("  inputs: {}: {}\n", types, joined(sets));
  return out;
}

/// What did not run, once each.
std::string notRunText(const compare::TargetComparison& target) {
  std::vector<std::string> lines;
  for (const compare::Run& run : target.runs) {
    if (run.outcome == execute::Outcome::Ran) continue;
    // What cannot be compiled cannot be for any sizes.
    const std::string sizes =
        run.outcome == execute::Outcome::NotSupported ? std::string() : sizesText(run.sizes);
    const std::string text =
        line("  {}{}: {}: {}\n", run.executor, sizes.empty() ? "" : " with " + sizes,
             execute::name(run.outcome), run.why);
    if (std::find(lines.begin(), lines.end(), text) == lines.end()) lines.push_back(text);
  }
  return joined(lines, "");
}

/// "same for 6 input sets, .."; a difference is one whatever else was not tried.
std::string verdictText(const compare::TargetComparison& target) {
  std::string out(compare::name(target.verdict));
  if (target.verdict == compare::TargetVerdict::Same) return out + " for " + target.scope.words();
  if (!target.why.empty()) out += ": " + target.why;
  return out;
}

/// "not compared: ..", or the difference and how large it is.
std::string differenceText(const compare::ResultComparison& result) {
  if (!result.compared) return "not compared: " + result.whyNot;
  if (!result.difference.words.empty()) return result.difference.words;
  return fmt::format("{} (error {:.1g} eps)", tensor::name(result.difference.verdict),
                     result.difference.units);
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

std::string compareText(const CompareReport& report) {
  const compare::Comparison& c = report.comparison;
  std::string out = line("{}: compared with {}\n", report.input, c.reference);
  out += line("  executors: {}{}\n", joined(c.executors), variantsText(c));
  out += inputSetsText(c.inputs);
  for (const compare::TargetComparison& target : c.targets) {
    out += line("\n{}: {}\n", lower::name(target.to), verdictText(target));
    if (target.verdict > compare::TargetVerdict::NotCompared)
      out += line("  compared for {}\n", target.scope.words());
    for (const compare::ResultComparison* result : outputsOf(target))
      out += line("  {:<24} {:<18} {}\n", result->name, result->type, differenceText(*result));
    out += notRunText(target);
    if (!target.fault.empty()) out += line("  {}\n", target.fault);
    if (!target.first) continue;
    const compare::First& first = *target.first;
    out += line("  first difference: {} ({}), stage {}{}\n", nameOf(report.program, first.node),
                targetOf(report.program, first.node), first.stage,
                first.pass.empty() ? "" : ", pass " + first.pass);
    out += line("    {}{}\n", first.how,
                first.byItself ? "; the same when it is lowered and run by itself" : "");
    const std::string place = placeOf(report.program, first.node, report.paths);
    if (!place.empty()) out += line("    {}\n", place);
    if (!first.operations.empty()) out += line("    lowered to {}\n", joined(first.operations));
  }
  for (const std::string& note : c.notes) out += line("\nnote: {}", note);
  if (!c.notes.empty()) out += "\n";
  return out;
}

namespace {

std::chrono::duration<double> timeOf(const std::vector<compare::Dispatch>& dispatches) {
  std::chrono::duration<double> out{0};
  for (const compare::Dispatch& dispatch : dispatches) out += dispatch.measured.time;
  return out;
}

/// "linear, relu, add and 3 more"
std::string namesText(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 6;
  if (names.size() <= kShown + 1) return joined(names);
  return joined(std::vector<std::string>(names.begin(), names.begin() + kShown)) +
         fmt::format(" and {} more", names.size() - kShown);
}

std::string dispatchesText(const std::vector<compare::Dispatch>& dispatches) {
  const auto all = timeOf(dispatches);
  std::size_t width = 0;
  for (const compare::Dispatch& dispatch : dispatches)
    width = std::max(width, dispatch.measured.name.size());
  std::string out = line("  {} dispatches in {:.1f} us\n", dispatches.size(), all.count() * 1e6);
  for (const auto& [measured, nodes] : dispatches)
    out +=
        line("  {:>5.1f} % {:>10.1f} us  x {:<4} {:<{}}  {}\n",
             all.count() > 0 ? 100 * (measured.time / all) : 0, measured.time.count() * 1e6,
             measured.calls, measured.name, width, nodes.empty() ? "of no node" : namesText(nodes));
  return out;
}

}  // namespace

std::string runText(const RunReport& report) {
  std::string out = line("{}: {}\n", report.input, inputsText(report.inputs));
  out += line("  executors: {}\n", joined(report.executors));
  for (const RunRow& row : report.rows) {
    out += line("\n{} with {}: {}", row.stage, inVariants(row.run), execute::name(row.run.outcome));
    if (row.run.outcome != execute::Outcome::Ran) {
      out += line(": {}\n", row.run.why);
      continue;
    }
    out += line(", compiled in {}, ran in {}\n", seconds(row.run.compileTime),
                seconds(row.run.runTime));
    for (std::size_t r = 0; r < row.run.results.size(); ++r) {
      const compare::ResultComparison& result = row.run.results[r];
      out += line("  {:<24} {:<18} {}{}\n", result.name, result.type, rangeText(result.found),
                  r < row.files.size() ? "  " + row.files[r] : "");
    }
    if (!row.run.dispatches.empty()) out += dispatchesText(row.run.dispatches);
  }
  for (const std::string& note : report.notes) out += line("\nnote: {}", note);
  if (!report.notes.empty()) out += "\n";
  return out;
}

}  // namespace fxs::report
