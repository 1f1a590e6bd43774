// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/engines.h"

#include <fmt/format.h>

#include "report/json_parts.h"
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
std::string outcomeText(const engines::Outcome& outcome, const Paths& paths) {
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

/// An engine and its index in `sameAs`.
using NumberedEngine = std::pair<lower::Engine, std::optional<std::size_t>>;

std::vector<NumberedEngine> numbered(const std::vector<lower::Engine>& all,
                                     const std::vector<std::optional<std::size_t>>& sameAs) {
  std::vector<NumberedEngine> out;
  for (std::size_t i = 0; i < all.size(); ++i) out.emplace_back(all[i], sameAs[i]);
  return out;
}

JsonForm<NumberedEngine> numberedForm(const Paths* paths) {
  const JsonForm<lower::Engine> name = {
      {"name", &lower::Engine::name, nullIfEmpty, "of a known engine"}};
  return JsonForm<NumberedEngine>{}
      .with(&NumberedEngine::first, name)
      .with(&NumberedEngine::first, engineForm(paths))
      .with({{"same_as", &NumberedEngine::second,
              "index of an engine before it that is the same program, and was not run again"}});
}

JsonForm<engines::Outcome> engineOutcomeForm(const Paths* paths) {
  using O = engines::Outcome;
  using Stage = engines::StageOutcome;
  const JsonForm<Stage> stage = {{"name", &Stage::id},
                                 {"status", &Stage::status, JsonNames(lower::StageStatus::Skipped)},
                                 {"seconds", &Stage::seconds}};
  return {
      {"status", &O::status, JsonNames(sweep::Status::Abandoned)},
      {"stage", &O::stage, nullIfEmpty, "where it stopped"},
      {"pass", &O::pass, nullIfEmpty, "that stopped it"},
      {"op", &O::op, nullIfEmpty, "the MLIR operation that stopped it"},
      {"node", &O::nodeName, nullIfEmpty},
      {"target", &O::target, nullIfEmpty},
      {"message", [paths](const O& outcome) { return paths->in(outcome.message); }, nullIfEmpty},
      {"seconds", &O::seconds},
      {"stages", &O::stages, stage}};
}

JsonForm<engines::StageChange> stageChangeForm(const EnginesReport* report) {
  using C = engines::StageChange;
  using Node = engines::NodeChange;
  const auto named = [report](auto member, bool number) {
    return [report, member, number](const Node& change) {
      const std::size_t node = change.node.index();
      if (node < report->program.nodes.size()) return report->program.nodes[node].*member;
      return number ? std::to_string(node) : std::string();
    };
  };
  const JsonForm<trace::OpsChange> ops = {
      {"gone", &trace::OpsChange::gone},
      {"made", &trace::OpsChange::made},
      {"changed", &trace::OpsChange::changed, "operations with the same name and another text"}};
  return {{"stage", &C::stage},
          {"unread", &C::unread, nullIfEmpty, "why the texts were not compared"},
          {"added", &C::added, "operations, as diff counts them"},
          {"removed", &C::removed},
          {"changed", &C::changed},
          {"moved", &C::moved},
          {"unplaced", &C::unplaced, nullIfEmpty, "why operations were not assigned to nodes"},
          {"nodes", &C::nodes,
           JsonForm<Node>{{"node", named(&fx::Node::name, true)},
                          {"target", named(&fx::Node::target, false), nullIfEmpty}}
               .with(&Node::ops, ops)}};
}

JsonForm<engines::TypeOutcomes> typeOutcomesForm(const EnginesReport* report) {
  using T = engines::TypeOutcomes;
  using Step = engines::Step;
  /// With whether the outcomes are the same.
  using Compared = std::pair<Step, bool>;
  const auto steps = [](const T& type) {
    std::vector<Compared> out;
    for (const Step& step : type.steps)
      out.emplace_back(step, sameOutcome(type.outcomes[step.from], type.outcomes[step.to]));
    return out;
  };
  const JsonForm<Compared> step =
      JsonForm<Compared>{}
          .with(&Compared::first, JsonForm<Step>{{"from", &Step::from}, {"to", &Step::to}})
          .with({{"same_outcome", &Compared::second}})
          .with(&Compared::first, JsonForm<Step>{{"stages", &Step::stages, stageChangeForm(report),
                                                  "that both reach, with texts that differ"}});
  return {{"type", [](const T& type) { return lower::name(type.type); }},
          {"outcomes", &T::outcomes, engineOutcomeForm(contextOf(report).paths), atLeast(2),
           "by engine"},
          {"steps", steps, step, "from each engine to the next"}};
}

JsonAnswer<EnginesReport> enginesAnswer(const EnginesReport* report) {
  using R = EnginesReport;
  return {
      "fxscope-engine-compare/1",
      "fxscope-cli compare --json with several engines",
      {{"input", &R::input},
       {"differs", [](const R& r) { return r.sides.differs(); },
        "whether any outcome or text differs"},
       {"engines", [](const R& r) { return numbered(r.sides.engines, r.sides.sameAs); },
        numberedForm(contextOf(report).paths), atLeast(2), "in the order given"},
       {"types", [](const R& r) { return r.sides.types; }, typeOutcomesForm(report), atLeast(1)}}};
}

JsonAnswer<BisectReport> bisectAnswer(const BisectReport* report) {
  using R = BisectReport;
  const Paths* paths = report == nullptr ? nullptr : &report->paths;
  return {
      "fxscope-engine-bisect/1",
      "fxscope-cli engine bisect --json",
      {{"input", &R::input},
       {"type", &R::type},
       {"engines", [](const R& r) { return numbered(r.engines, r.sameAs); }, numberedForm(paths),
        atLeast(2), "in the order given"},
       {"outcomes", [](const R& r) { return r.outcomes; }, engineOutcomeForm(paths),
        "by engine; null: not run"},
       {"ran", [](const R& r) { return r.ran; }, "indices of engines, in the order of the runs"},
       {"first", &R::first,
        "the first engine with which it lowers, or no longer does; null: the last agrees with "
        "the first"}}};
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
             outcomeText(type.outcomes[i], report.paths) + "\n";
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

std::string enginesJson(const EnginesReport& report) { return enginesAnswer(&report).text(report); }
std::string enginesSchema() { return enginesAnswer(nullptr).schemaText(); }

std::string bisectText(const BisectReport& report) {
  const auto shown = [&](std::size_t i) { return shownEngine(report.engines[i], report.paths); };
  std::string out = line("{} to {} with {} engines, in this order\n", report.input, report.type,
                         report.engines.size()) +
                    engineLines(report.engines, report.sameAs, report.paths) + "\n";
  for (const std::size_t i : report.ran)
    out += line("ran {}  {}  ", shown(i), seconds(*report.outcomes[i])) +
           outcomeText(*report.outcomes[i], report.paths) + "\n";
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

std::string bisectJson(const BisectReport& report) { return bisectAnswer(&report).text(report); }
std::string bisectSchema() { return bisectAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
