// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/json_form.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

using Outcome = sweep::Merged::Lines::value_type;
using SweptProgram = decltype(sweep::Merged::programs)::value_type;

JsonForm<sweep::TypeTotals> totalsForm() {
  using Totals = sweep::TypeTotals;
  JsonForm<Totals> out{{"type", &Totals::type}, {"programs", &Totals::all}};
  for (std::size_t i = 0; i < sweep::kStatuses; ++i)
    out = std::move(out).with({{sweep::name(static_cast<sweep::Status>(i)),
                                [i](const Totals& totals) { return totals.programs[i]; }}});
  return std::move(out).with({{"fixed_lowers", &Totals::fixed,
                               "programs that do not lower, and do with their verified fixes"}});
}

/// Of a row's cells, by index.
using CellOfType = std::pair<std::string, sweep::OperatorRow::Cell>;
JsonForm<CellOfType> operatorCellForm() {
  return {{"type", &CellOfType::first},
          {"blocked", [](const CellOfType& c) { return c.second.blocked; }},
          {"frees", [](const CellOfType& c) { return c.second.frees; }}};
}

JsonForm<sweep::OperatorRow> operatorRowForm(const SweepReport* report) {
  using Row = sweep::OperatorRow;
  const auto cells = [report](const Row& row) {
    std::vector<CellOfType> out;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      out.emplace_back(report->summary.types[i].type, row.cells[i]);
    return out;
  };
  return {
      {"operator", &Row::fxTarget},
      {"programs", &Row::programs, "that it blocks, for any output type"},
      {"frees", &Row::frees, "programs among them that nothing else blocks, for some output type"},
      {"types", cells, operatorCellForm()},
      {"classes", &Row::kinds},
      {"fix", &Row::fix, nullIfEmpty, "the change that is verified in most programs"},
      {"fixes", &Row::fixes, "programs in which some fix is verified"}};
}

JsonForm<sweep::Drift> driftForm() {
  using sweep::Changed, sweep::Drift, sweep::NewBlocker;
  const JsonForm<Changed> changed = {{"program", &Changed::program},
                                     {"type", &Changed::type},
                                     {"from", &Changed::from, "status in the earlier sweep"},
                                     {"to", &Changed::to, "status now; missing: no longer swept"}};
  const JsonForm<NewBlocker> blocker = {{"operator", &NewBlocker::fxTarget},
                                        {"type", &NewBlocker::type},
                                        {"programs", &NewBlocker::programs}};
  return {{"lost", &Drift::lost, changed},
          {"gained", &Drift::gained, changed},
          {"not_known", &Drift::unknown, changed,
           "the outcome of one of the sweeps is not known: timeout, abandoned"},
          {"newly_blocking", &Drift::blockers, blocker},
          {"added", &Drift::added, "programs"},
          {"not_compared", &Drift::uncompared, "output types that only one sweep has"}};
}

/// An engine by its index.
JsonForm<std::size_t> engineColumnForm(const SweepReport* report) {
  const auto of = [report](auto member) {
    return [report, member](std::size_t i) { return report->engines->drift.engines[i].*member; };
  };
  const auto lower = [report](std::size_t engine) {
    const sweep::EngineDrift& drift = report->engines->drift;
    std::vector<std::pair<std::string, std::size_t>> out;
    for (std::size_t t = 0; t < drift.types.size(); ++t)
      out.emplace_back(drift.types[t], drift.engines[engine].lower[t]);
    return out;
  };
  using sweep::EngineColumn;
  return {{"name", [report](std::size_t i) { return report->engines->names[i]; },
           "names of known engines with this checksum, else its beginning"},
          {"version", of(&EngineColumn::version)},
          {"sha256", of(&EngineColumn::sha256)},
          {"lower", lower, "programs that lower, by output type"},
          {"gained", of(&EngineColumn::gained), "outcomes against the engine before"},
          {"lost", of(&EngineColumn::lost)},
          {"otherwise", of(&EngineColumn::otherwise),
           "neither gained nor lost, with another status, stage or blocker"},
          {"not_known", of(&EngineColumn::unknown),
           "the outcome of one of the engines is not known: timeout, abandoned"}};
}

JsonForm<SweepEngines> sweepEnginesForm(const SweepReport* report) {
  using sweep::EngineRow;
  const JsonForm<EngineRow> row = {
      {"program", &EngineRow::program},
      {"type", &EngineRow::type},
      {"outcomes", &EngineRow::outcomes, "by engine: a status, where it stopped, or missing"},
      {"changes", &EngineRow::changes, "from each engine to the next; empty: none"}};
  const auto indices = [](const SweepEngines& all) {
    return std::views::iota(std::size_t{0}, all.drift.engines.size());
  };
  return {{"compared", [](const SweepEngines& all) { return all.drift.compared; },
           "programs and output types in all"},
          {"engines", indices, engineColumnForm(report), atLeast(1)},
          {"differ", [](const SweepEngines& all) -> auto& { return all.drift.rows; }, row}};
}

JsonForm<SweptProgram> sweptForm(const SweepReport* report) {
  const auto timed = [report](auto member) {
    return [report, member](const Outcome& outcome) {
      return report->timings ? std::optional(outcome.second.*member) : std::nullopt;
    };
  };
  using sweep::Line;
  const auto line = [](const Outcome& outcome) -> auto& { return outcome.second; };
  const auto first = [](const SweptProgram& p) -> auto& { return p.second.begin()->second; };
  const JsonForm<Outcome> outcome =
      JsonForm<Outcome>{}
          .with(line, sweep::outcomeForm("type", {}))
          .with({{"seconds", timed(&Line::seconds), absentIfEmpty, sweep::timesForm()},
                 {"peak_memory", timed(&Line::peakMemory), absentIfEmpty}});
  return JsonForm<SweptProgram>{{"program", &SweptProgram::first}}
      .with(first, JsonForm<Line>{{"nodes", &Line::nodes}, {"sha256", &Line::sha256, nullIfEmpty}})
      .with({{"outcomes", &SweptProgram::second, outcome,
              "as the lines of sweep.schema.json; seconds and peak_memory with --timings only"}});
}

JsonAnswer<SweepReport> sweepAnswer(const SweepReport* report) {
  using Engine = decltype(sweep::Merged::engines)::value_type;
  const auto summary = [](const SweepReport& r) -> auto& { return r.summary; };
  const auto merged = [](auto member) {
    return [member](const sweep::Summary& of) -> auto& { return of.merged.*member; };
  };
  using sweep::Merged, sweep::Summary;
  const JsonForm<Engine> engine = {{"version", &Engine::first}, {"sha256", &Engine::second}};
  return {
      "fxscope-sweep-report/1", "fxscope-cli sweep report --json",
      JsonForm<SweepReport>{}
          .with(
              summary,
              JsonForm<Summary>{
                  {"fxscope", merged(&Merged::fxscope), "versions"},
                  {"engines", merged(&Merged::engines), engine},
                  {"options", merged(&Merged::options)},
                  {"types", &Summary::types, totalsForm(),
                   "programs of each output type by status"},
                  {"operators", &Summary::operators, operatorRowForm(report),
                   "operators that block programs; those that free most come first"},
                  {"drift", &Summary::drift, driftForm(), "changes since the sweep of --against"}})
          .with({{"by_engine", &SweepReport::engines, sweepEnginesForm(report),
                  "engines side by side, with --by-engine; the other members are of the last one"}})
          .with(summary,
                JsonForm<Summary>{{"programs", merged(&Merged::programs), sweptForm(report)}})};
}

}  // namespace

std::string sweepJson(const SweepReport& report) { return sweepAnswer(&report).text(report); }
std::string sweepSchema() { return sweepAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
