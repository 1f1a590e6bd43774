// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/fix.h"

#include <algorithm>
#include <map>

#include "base/counted.h"
#include "base/joined.h"
#include "base/json.h"
#include "report/diagnose_words.h"
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
  for (auto& [what, nodes] : out) {
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
  if (!values.whyNot.empty()) return line("\n  values: not compared: {}\n", values.whyNot);
  if (values.by.empty()) return "";
  std::vector<std::string> kinds;
  for (const std::string& set : values.sets)
    if (const std::string kind = set.substr(0, set.find('.'));
        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  const std::string inputs = counted(values.sets.size(), "set") + " of inputs: " + joined(kinds);
  std::string what = counted(values.results, "result") + " as the original's";
  if (!values.differences.empty())
    what = values.isWrong() ? "not the original's" : "the original's but for NaN and infinities";
  std::string out = line("\n  values: {}, in {}, for {}\n", what, values.by, inputs);
  for (const fix::FixedValues::Difference& d : values.differences)
    out += line("    {}{} inputs: {}\n", d.result.empty() ? "" : d.result + ", ", d.set, d.message);
  return out;
}

void writeValues(JsonWriter& json, const fix::FixedValues& values) {
  json.key("compared");
  if (values.by.empty() && values.whyNot.empty()) {
    json.null();
    return;
  }
  json.beginObject().textOrNull("by", values.by).member("sets", values.sets);
  json.member("results", values.results).key("differences").beginArray();
  for (const fix::FixedValues::Difference& d : values.differences) {
    json.beginObject().textOrNull("result", d.result);
    json.member("set", d.set).member("message", d.message).member("wrong", d.isWrong).endObject();
  }
  json.endArray().textOrNull("not_compared", values.whyNot).endObject();
}

void writeNodes(JsonWriter& json, const std::vector<fx::NodeId>& nodes,
                const fx::Program& program) {
  json.member("nodes", namesOf(nodes, program));
}

void writeFixedChange(JsonWriter& json, const fix::FixedChange& change,
                      const fx::Program& program) {
  json.beginObject()
      .member("target", lower::name(change.target))
      .member("operator", change.fxTarget);
  writeNodes(json, change.nodes, program);
  json.member("change", change.change)
      .member("reason", change.reason)
      .member("verified", diagnose::title(change.verified));
  json.textOrNull("cost", change.cost).textOrNull("python", change.python).endObject();
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
  }
  return out;
}

std::string pythonText(const FixReport& report) {
  if (report.python.empty()) return "";
  std::vector<std::string> byFile;
  for (const fix::FixedTarget& target : report.targets)
    if (target.lowers && !target.byPython) byFile.emplace_back(lower::name(target.target));
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
    for (const auto& [what, nodes] : done)
      out += line("  {}: {} ({})\n", what.second, what.first, nodesText(nodes, report.user));
  }
  for (const fix::FixedTarget& target : report.targets) out += changesText(report, target);
  for (const fix::FixedTarget& target : report.targets) out += stillBlockedText(report, target);
  return out + pythonText(report);
}

std::string fixJson(const FixReport& report) {
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-fix/1")
      .member("input", report.input)
      .member("file", report.file);
  json.key("lowers").beginObject();
  for (const fix::FixedTarget& target : report.targets) {
    json.key(lower::name(target.target));
    if (target.isKnown) json.value(target.lowers);
    else json.null();
  }
  json.endObject().key("stops").beginObject();
  for (const fix::FixedTarget& target : report.targets)
    if (!target.lowers) json.member(lower::name(target.target), target.why);
  json.endObject().key("warnings").beginObject();
  for (const fix::FixedTarget& target : report.targets)
    if (target.lowers && !target.warnings.empty())
      json.member(lower::name(target.target), target.warnings);
  json.endObject().key("lowers_by_python").beginObject();
  for (const fix::FixedTarget& target : report.targets)
    if (target.lowers) json.member(lower::name(target.target), target.byPython);
  json.endObject().textOrNull("asked", report.askedOf);
  writeValues(json, report.values);
  json.key("rewritten").beginArray();
  for (const auto& [what, nodes] : rewritings(report)) {
    json.beginObject().member("operator", what.second);
    writeNodes(json, nodes, report.user);
    json.member("change", what.first);
    const diagnose::PythonScript script{report.targets.front().target,
                                        diagnose::decompositionsOf(report.decompositions, nodes)};
    json.textOrNull("python", script.isEmpty() ? "" : script.text()).endObject();
  }
  json.endArray().key("changes").beginArray();
  for (const fix::FixedChange& change : report.changes) writeFixedChange(json, change, report.user);
  json.endArray().key("blocked").beginArray();
  for (const diagnose::Blocked& blocked : report.blocked) {
    json.beginObject()
        .member("target", lower::name(blocked.target))
        .member("operator", operationOf(blocked));
    writeNodes(json, blocked.nodes, report.user);
    json.member("class", diagnose::name(blocked.kind))
        .member("message", blocked.message)
        .endObject();
  }
  json.endArray().endObject();
  return json.take();
}

}  // namespace fxs::report
