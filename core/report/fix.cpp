// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/fix.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "diagnose/python_decompositions.h"
#include "report/diagnose_words.h"
#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::report {
namespace {

/// Nodes that the text names of one change.
constexpr std::size_t kNamedNodes = 4;

/// What the rewriting did, in the words of the other changes.
std::string rewritingOf(const std::string& rule) {
  constexpr std::string_view kDecompose = "decompose:";
  return rule.starts_with(kDecompose) ? "decompose " + rule.substr(kDecompose.size()) : rule;
}

/// Nodes by operator and by what the rewriting did to them.
std::map<std::pair<std::string, std::string>, std::vector<fx::NodeId>> rewritings(
    const FixReport& report) {
  std::map<std::pair<std::string, std::string>, std::vector<fx::NodeId>> out;
  for (const rewrite::Applied& applied : report.rewritten)
    if (applied.origin.valid())
      out[{rewritingOf(applied.rule), report.user.node(applied.origin).target}].push_back(
          applied.origin);
  for (auto& [change, nodes] : out) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return out;
}

std::vector<std::string> namesOf(const std::vector<fx::NodeId>& nodes, const fx::Program& program) {
  std::vector<std::string> out;
  for (const fx::NodeId id : nodes) out.push_back(program.node(id).name);
  return out;
}

/// "gelu", "3 nodes: gelu, gelu_1 .."
std::string nodesText(const std::vector<fx::NodeId>& nodes, const fx::Program& program) {
  std::vector<std::string> names = namesOf(nodes, program);
  if (names.empty()) return "not named by the engine";
  if (names.size() == 1) return names.front();
  const bool all = names.size() <= kNamedNodes;
  if (!all) names.resize(kNamedNodes);
  return counted(nodes.size(), "node") + ": " + joined(names) + (all ? "" : " ..");
}

/// What the fixed program computes.
std::string valuesText(const fix::FixedValues& values) {
  if (!values.reason.empty()) return line("\n  values: not compared: {}\n", values.reason);
  if (values.by.empty()) return "";
  std::vector<std::string> kinds;
  for (const std::string& set : values.sets)
    if (const std::string kind = set.substr(0, set.find('.'));
        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  const std::string inputs = counted(values.sets.size(), "set") + " of inputs: " + joined(kinds);
  std::string change = counted(values.results, "result") + " as the original's";
  if (!values.differences.empty())
    change = values.isWrong() ? "not the original's" : "the original's but for NaN and infinities";
  std::string out = line("\n  values: {}, in {}, for {}\n", change, values.by, inputs);
  for (const fix::FixedValues::Difference& d : values.differences)
    out += line("    {}{} inputs: {}\n", d.result.empty() ? "" : d.result + ", ", d.set, d.message);
  return out;
}

std::string changesText(const FixReport& report, const fix::FixedTarget& target) {
  std::string out;
  std::size_t number = 0;
  for (const fix::FixedChange& change : report.changes) {
    if (change.target != target.target) continue;
    if (number++ == 0) out += line("\nchanged for {}\n", lower::name(target.target));
    out += line("  {}. {}: {}\n", number, change.fxTarget, change.change);
    out += line("     nodes     {}\n", nodesText(change.nodes, report.user));
    out += line("     reason    {}\n", change.reason);
    if (!change.cost.empty()) out += line("     cost      {}\n", change.cost);
    out += line("     verified  {}\n", diagnose::title(change.verified));
  }
  return out;
}

std::string stillBlockedText(const FixReport& report, const fix::FixedTarget& target) {
  if (target.lowers) return "";
  std::string out;
  for (const diagnose::Blocked& blocked : report.blocked) {
    if (blocked.target != target.target) continue;
    if (out.empty()) out = line("\nstill blocks {}\n", lower::name(target.target));
    out += line("  {} ({})\n     {}\n", operationOf(blocked), nodesText(blocked.nodes, report.user),
                blocked.message);
    if (diagnose::isLeftToPython(blocked))
      out += line("     {}; diagnose --python auto tries it\n", kLeftToPython);
  }
  return out;
}

std::string pythonText(const FixReport& report) {
  if (report.python.empty()) return "";
  std::vector<std::string> byFile;
  for (const fix::FixedTarget& target : report.targets)
    if (target.lowers && !target.byPython) byFile.emplace_back(lower::name(target.target));
  if (!report.pythonCost.empty() && byFile.empty())
    return line("\n{}: for your own script, lower(program) with torch-mlir, where {}\n",
                report.python, report.pythonCost);
  if (byFile.empty())
    return line("\n{}: the same for your own script, lower(program) with torch-mlir\n",
                report.python);
  return line("\n{}: for your own script, lower(program) with torch-mlir; to {} only {} lowers\n",
              report.python, joined(byFile, " and "), report.file);
}

}  // namespace

std::string fixText(const FixReport& report) {
  std::string out = line("{} -> {}\n\n", report.input, report.file);
  std::size_t width = 0;
  for (const fix::FixedTarget& target : report.targets)
    width = std::max(width, lower::name(target.target).size());
  for (const fix::FixedTarget& target : report.targets)
    out += line("  {:<{}}  {}\n", lower::name(target.target), width, target.text());
  if (!report.askedOf.empty()) out += line("\n  asked: {}\n", report.askedOf);
  out += valuesText(report.values);
  if (const auto done = rewritings(report); !done.empty()) {
    out += "\nrewritten for every output type\n";
    for (const auto& [change, nodes] : done)
      out += line("  {}: {} ({})\n", change.second, change.first, nodesText(nodes, report.user));
  }
  for (const fix::FixedTarget& target : report.targets) out += changesText(report, target);
  for (const fix::FixedTarget& target : report.targets) out += stillBlockedText(report, target);
  return out + pythonText(report);
}

namespace {

constexpr const char* kNodes = "of the user's program";
constexpr const char* kPython = "the same for the user's own script: a module with lower(program)";

JsonForm<fix::FixedValues> fixedValuesForm() {
  using V = fix::FixedValues;
  using D = V::Difference;
  const JsonForm<D> difference = {
      {"result", &D::result, nullIfEmpty, "node of the user's program; null for all results"},
      {"set", &D::set},
      {"message", &D::message},
      {"wrong", &D::isWrong, "false if only NaN and infinities are others"}};
  return {{"by", &V::by, nullIfEmpty, "versions"},
          {"sets", &V::sets, "sets of inputs for which results were compared"},
          {"results", &V::results, "results that were compared, of all sets"},
          {"differences", &V::differences, difference},
          {"not_compared", &V::reason, nullIfEmpty, "why nothing was compared"}};
}

/// What of targets that `are` so, by name.
template <class Is, class Get>
auto byTarget(Is is, Get get) {
  return [is, get](const FixReport& report) {
    using V = std::remove_cvref_t<std::invoke_result_t<Get, const fix::FixedTarget&>>;
    std::vector<std::pair<std::string, V>> out;
    for (const fix::FixedTarget& target : report.targets)
      if (is(target)) out.emplace_back(lower::name(target.target), std::invoke(get, target));
    return out;
  };
}

JsonAnswer<FixReport> fixAnswer(const FixReport* report) {
  using R = FixReport;
  using Target = fix::FixedTarget;
  using Change = fix::FixedChange;
  using Rewriting = decltype(rewritings(*report))::value_type;
  using diagnose::Blocked;
  const auto lowers = [](const Target& target) {
    return target.isKnown ? std::optional(target.lowers) : std::nullopt;
  };
  const auto values = [](const R& r) {
    return r.values.by.empty() && r.values.reason.empty() ? nullptr : &r.values;
  };
  const auto nodes = [report](const auto& of) { return namesOf(of.nodes, report->user); };
  const auto script = [report](const Rewriting& done) {
    const diagnose::PythonScript out{
        report->targets.front().target,
        diagnose::decompositionsOf(report->decompositions, done.second)};
    return out.isEmpty() ? std::string() : out.text();
  };
  const JsonForm<Rewriting> rewriting = {
      {"operator", [](const Rewriting& done) { return done.first.second; }},
      {"nodes", [report](const Rewriting& done) { return namesOf(done.second, report->user); },
       kNodes},
      {"change", [](const Rewriting& done) { return done.first.first; }},
      {"python", script, nullIfEmpty, kPython}};
  using Size = fix::InputSize;
  const JsonForm<Size::Dimension> dimension = {
      {"input", &Size::Dimension::input, "node of the user's program"},
      {"dimension", &Size::Dimension::dim}};
  const JsonForm<Size> size = {
      {"symbol", &Size::symbol},
      {"fixed", &Size::fixed, "the number that it became; null if it is kept symbolic"},
      {"most", &Size::most, "of one that is kept, if the change limits it"},
      {"dimensions", &Size::dimensions, dimension, "of inputs that have this size"}};
  const JsonForm<Change> change = {
      {"target", [](const Change& c) { return lower::name(c.target); },
       "the output type that requires it"},
      {"operator", &Change::fxTarget},
      {"nodes", nodes, kNodes},
      {"change", &Change::change, "decompose aten.gelu.default"},
      {"reason", &Change::reason, "why the operation does not lower without"},
      {"verified", [](const Change& c) { return diagnose::title(c.verified); },
       JsonNames{"lowers by itself", "whole program lowers with it"}},
      {"cost", &Change::cost, nullIfEmpty, "its drawback"},
      {"sizes", &Change::sizes, size,
       "symbolic sizes of inputs that it fixes or keeps; empty for other changes"},
      {"python", &Change::python, nullIfEmpty, kPython}};
  const JsonForm<Blocked> blocked = {
      {"target", [](const Blocked& b) { return lower::name(b.target); }},
      {"operator", &operationOf},
      {"nodes", nodes, kNodes},
      {"class", &Blocked::kind, JsonNames(diagnose::Kind::IllegalOp)},
      {"message", &Blocked::message}};
  const auto always = [](const Target&) { return true; };
  const auto isLowered = [](const Target& target) { return target.lowers; };
  const auto isStopped = [](const Target& target) { return !target.lowers; };
  const auto isWarned = [](const Target& t) { return t.lowers && !t.warnings.empty(); };
  return {"fxscope-fix/1",
          "fxscope-cli fix --json",
          {{"input", &R::input, kInputMessage},
           {"file", &R::file, "the fixed program"},
           {"lowers", byTarget(always, lowers),
            "whether the fixed program lowers, by output type; null if that is not known"},
           {"stops", byTarget(isStopped, &Target::message), "why not, by output type"},
           {"warnings", byTarget(isWarned, &Target::warnings),
            "what torch-mlir's text has that other tools may not read, by output type to which the "
            "fixed program lowers"},
           {"lowers_by_python", byTarget(isLowered, &Target::byPython),
            "whether the user's own program lowers, too, with the written Python; by output type "
            "to which the fixed program lowers"},
           {"python_cost", &R::pythonCost, nullIfEmpty,
            "what the written Python loses and the fixed program does not"},
           {"asked", &R::askedOf, nullIfEmpty,
            "what torch-mlir was asked (--python), or why it gave no answer"},
           {"compared", values, fixedValuesForm(),
            "what PyTorch computes with the fixed program and with the original (--python); null "
            "if it was not asked"},
           {"rewritten", &rewritings, rewriting, "what was done for every output type"},
           {"changes", [](const R& r) -> auto& { return r.changes; }, change},
           {"blocked", [](const R& r) -> auto& { return r.blocked; }, blocked,
            "what no change helps"}}};
}

}  // namespace

std::string fixJson(const FixReport& report) { return fixAnswer(&report).text(report); }
std::string fixSchema() { return fixAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
