// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/engines.h"

#include <fmt/format.h>

#include "base/json.h"
#include "report/line.h"

namespace fxs::report {
namespace {

/// Nodes and bytes of a message that the text shows; JSON has all.
constexpr std::size_t kNodesOfStage = 8;
constexpr std::size_t kMessageInText = 200;
constexpr std::size_t kChecksumInText = 12;

std::string shownEngine(const lower::Engine& engine, const Paths& paths) {
  return engine.name.empty() ? paths.of(engine.path) : engine.name;
}

/// Each engine on a line: its label, version and checksum.
std::string engineLines(const std::vector<lower::Engine>& all,
                        const std::vector<std::optional<std::size_t>>& sameAs, const Paths& paths) {
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out += line("  {}  {}  sha256 {}", shownEngine(all[i], paths), all[i].version,
                all[i].sha256.substr(0, kChecksumInText));
    if (sameAs[i]) out += line("  the same program as {}", shownEngine(all[*sameAs[i]], paths));
    out += "\n";
  }
  return out;
}

std::string seconds(const engines::Outcome& outcome) {
  return fmt::format("{:.3f} s", outcome.seconds.count());
}

/// "sort (aten.sort.default)", or "x" for an input.
std::string nodeText(const std::string& name, std::string_view target) {
  return target.empty() || target == name ? line("{}", name) : line("{} ({})", name, target);
}

/// "failed at tosa, in convert-torch-to-tosa, at torch.aten.sort of sort (aten.sort.default): no
/// pattern .."
std::string whatOf(const engines::Outcome& outcome, const Paths& paths) {
  std::string out(sweep::name(outcome.status));
  if (outcome.lowers()) return out;
  if (!outcome.stage.empty()) out += line(" at {}", outcome.stage);
  if (!outcome.pass.empty()) out += line(", in {}", outcome.pass);
  if (!outcome.op.empty()) out += line(", at {}", outcome.op);
  if (!outcome.nodeName.empty())
    out += (outcome.op.empty() ? ", at " : " of ") + nodeText(outcome.nodeName, outcome.target);
  if (outcome.message.empty()) return out;
  std::string message = paths.in(outcome.message);
  if (message.size() > kMessageInText) message = message.substr(0, kMessageInText) + " ..";
  return out + line(": {}", message);
}

/// What changed between two outcomes in one phrase; "" if nothing did.
std::string_view turnOf(const engines::Outcome& from, const engines::Outcome& to) {
  if (!from.lowers() && to.lowers()) return "gained: it lowers now";
  if (from.lowers() && !to.lowers()) return "lost: it lowered before";
  return engines::sameOutcome(from, to) ? "" : "stopped otherwise";
}

std::string changeText(const engines::StageChange& change, const fx::Program& program) {
  if (!change.unread.empty()) return line("    {}: {}\n", change.stage, change.unread);
  std::string out = line("    {}: operations: {} added, {} removed, {} changed, {} moved\n",
                         change.stage, change.added, change.removed, change.changed, change.moved);
  if (!change.unplaced.empty()) out += line("      {}\n", change.unplaced);
  for (std::size_t i = 0; i < change.nodes.size(); ++i) {
    if (i == kNodesOfStage) {
      out += fmt::format("      and {}\n", counted(change.nodes.size() - i, "more node"));
      break;
    }
    const std::size_t node = change.nodes[i].node.index();
    const bool known = node < program.nodes.size();
    out += "      " +
           (known ? nodeText(program.nodes[node].name, program.nodes[node].target)
                  : fmt::format("node {}", node)) +
           line(": {}\n", change.nodes[i].ops.text());
  }
  return out;
}

void writeEngine(JsonWriter& json, const std::vector<lower::Engine>& all,
                 const std::vector<std::optional<std::size_t>>& sameAs, std::size_t i,
                 const Paths& paths) {
  json.beginObject().textOrNull("name", all[i].name);
  json.member("path", paths.of(all[i].path))
      .member("version", all[i].version)
      .member("sha256", all[i].sha256)
      .memberOrNull("same_as", sameAs[i])
      .endObject();
}

void writeEngines(JsonWriter& json, const std::vector<lower::Engine>& all,
                  const std::vector<std::optional<std::size_t>>& sameAs, const Paths& paths) {
  json.key("engines").beginArray();
  for (std::size_t i = 0; i < all.size(); ++i) writeEngine(json, all, sameAs, i, paths);
  json.endArray();
}

void writeOutcome(JsonWriter& json, const engines::Outcome& outcome, const Paths& paths) {
  json.beginObject().member("status", sweep::name(outcome.status));
  json.textOrNull("stage", outcome.stage).textOrNull("pass", outcome.pass);
  json.textOrNull("op", outcome.op).textOrNull("node", outcome.nodeName);
  json.textOrNull("target", outcome.target).textOrNull("message", paths.in(outcome.message));
  json.member("seconds", outcome.seconds.count()).key("stages").beginArray();
  for (const engines::StageOutcome& stage : outcome.stages)
    json.beginObject()
        .member("name", stage.id)
        .member("status", lower::name(stage.status))
        .member("seconds", stage.seconds.count())
        .endObject();
  json.endArray().endObject();
}

void writeChange(JsonWriter& json, const engines::StageChange& change, const fx::Program& program) {
  json.beginObject().member("stage", change.stage).textOrNull("unread", change.unread);
  json.member("added", change.added).member("removed", change.removed);
  json.member("changed", change.changed).member("moved", change.moved);
  json.textOrNull("unplaced", change.unplaced).key("nodes").beginArray();
  for (const engines::NodeChange& node : change.nodes) {
    const bool known = node.node.index() < program.nodes.size();
    json.beginObject().member("node", known ? program.nodes[node.node.index()].name
                                            : fmt::format("{}", node.node.index()));
    json.textOrNull("target",
                    known ? std::string(program.nodes[node.node.index()].target) : std::string());
    json.member("gone", node.ops.gone).member("made", node.ops.made);
    json.member("changed", node.ops.changed).endObject();
  }
  json.endArray().endObject();
}

}  // namespace

std::string enginesText(const EnginesReport& report) {
  const engines::SideBySide& sides = report.sides;
  std::string out = line("{} with {} engines\n", report.input, sides.engines.size()) +
                    engineLines(sides.engines, sides.sameAs, report.paths);
  for (const engines::TypeOutcomes& type : sides.types) {
    out += line("\n{}\n", lower::name(type.type));
    for (std::size_t i = 0; i < sides.engines.size(); ++i)
      out += line("  {}  {}  ", shownEngine(sides.engines[i], report.paths),
                  sides.sameAs[i] ? "-" : seconds(type.outcomes[i])) +
             whatOf(type.outcomes[i], report.paths) + "\n";
    for (const engines::Step& step : type.steps) {
      std::string_view turn = turnOf(type.outcomes[step.from], type.outcomes[step.to]);
      if (sides.engines[step.from].sha256 == sides.engines[step.to].sha256) continue;
      if (turn.empty())
        turn = step.stages.empty() ? "no difference" : "the same outcome by another text";
      out += line("  {} to {}: {}\n", shownEngine(sides.engines[step.from], report.paths),
                  shownEngine(sides.engines[step.to], report.paths), turn);
      for (const engines::StageChange& change : step.stages)
        out += changeText(change, report.program);
    }
  }
  return out;
}

std::string enginesJson(const EnginesReport& report) {
  const engines::SideBySide& sides = report.sides;
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-engine-compare/1")
      .member("input", report.input)
      .member("differs", sides.differs());
  writeEngines(json, sides.engines, sides.sameAs, report.paths);
  json.key("types").beginArray();
  for (const engines::TypeOutcomes& type : sides.types) {
    json.beginObject().member("type", lower::name(type.type)).key("outcomes").beginArray();
    for (const engines::Outcome& outcome : type.outcomes) writeOutcome(json, outcome, report.paths);
    json.endArray().key("steps").beginArray();
    for (const engines::Step& step : type.steps) {
      json.beginObject().member("from", step.from).member("to", step.to);
      json.member("same_outcome",
                  engines::sameOutcome(type.outcomes[step.from], type.outcomes[step.to]));
      json.key("stages").beginArray();
      for (const engines::StageChange& change : step.stages)
        writeChange(json, change, report.program);
      json.endArray().endObject();
    }
    json.endArray().endObject();
  }
  json.endArray().endObject();
  return json.take();
}

std::string bisectText(const BisectReport& report) {
  const auto shown = [&](std::size_t i) { return shownEngine(report.engines[i], report.paths); };
  std::string out = line("{} to {} with {} engines, in this order\n", report.input, report.type,
                         report.engines.size()) +
                    engineLines(report.engines, report.sameAs, report.paths) + "\n";
  for (const std::size_t i : report.ran)
    out += line("ran {}  {}  ", shown(i), seconds(*report.outcomes[i])) +
           whatOf(*report.outcomes[i], report.paths) + "\n";
  std::string unrun;
  for (std::size_t i = 0; i < report.engines.size(); ++i)
    if (!report.outcomes[i]) unrun += (unrun.empty() ? "" : ", ") + shown(i);
  if (!unrun.empty()) out += line("not run: {}\n", unrun);
  if (!report.first)
    return out + line("the first and the last engine agree: {}\n", report.outcomes.front()->lowers()
                                                                       ? "it lowers with both"
                                                                       : "it lowers with neither");
  out +=
      line("{} is the first with which it {}; with {} it {}\n", shown(*report.first),
           report.outcomes[*report.first]->lowers() ? "lowers" : "does not lower",
           shown(*report.first - 1), report.outcomes[*report.first]->lowers() ? "did not" : "did");
  return out;
}

std::string bisectJson(const BisectReport& report) {
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-engine-bisect/1")
      .member("input", report.input)
      .member("type", report.type);
  writeEngines(json, report.engines, report.sameAs, report.paths);
  json.key("outcomes").beginArray();
  for (const auto& outcome : report.outcomes) {
    if (outcome) writeOutcome(json, *outcome, report.paths);
    else json.null();
  }
  json.endArray().member("ran", report.ran).memberOrNull("first", report.first).endObject();
  return json.take();
}

}  // namespace fxs::report
