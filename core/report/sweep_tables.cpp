// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables of a report on a sweep, for every form but JSON.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/joined.h"
#include "base/sha256.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

using sweep::Status;

SweepCell number(std::size_t count, Tone tone = Tone::Plain) {
  return {count == 0 ? "-" : std::to_string(count), count == 0 ? Tone::Muted : tone, true};
}

/// Without the explanation after it.
std::string_view changeOf(std::string_view change) { return change.substr(0, change.find(": ")); }

SweepTable totals(const sweep::Summary& summary) {
  SweepTable out{"Output types", "", {"output type", "programs"}, {}};
  for (std::size_t i = 0; i < sweep::kStatuses; ++i)
    out.head.emplace_back(sweep::name(static_cast<Status>(i)));
  out.head.emplace_back("lowers with fixes");
  for (const sweep::TypeTotals& total : summary.types) {
    std::vector<SweepCell> row{{total.type, Tone::Name}, number(total.all())};
    for (std::size_t i = 0; i < sweep::kStatuses; ++i)
      row.push_back(number(total.programs[i], i == 0 ? Tone::Good : Tone::Bad));
    row.push_back(number(total.fixed, Tone::Good));
    out.rows.push_back(std::move(row));
  }
  return out;
}

SweepTable operators(const sweep::Summary& summary) {
  SweepTable out{"Operators that block",
                 "Programs that an operator blocks; in parentheses those that nothing else blocks, "
                 "so that supporting it is enough.",
                 {"operator", "programs", "frees"},
                 {}};
  for (const sweep::TypeTotals& total : summary.types) out.head.push_back(total.type);
  out.head.insert(out.head.end(), {"class", "verified fix"});
  for (const sweep::OperatorRow& row : summary.operators) {
    std::vector<SweepCell> cells{
        {row.fxTarget, Tone::Name}, number(row.programs, Tone::Bad), number(row.frees)};
    for (const sweep::OperatorRow::Cell& cell : row.cells) {
      SweepCell& made = cells.emplace_back(number(cell.blocked));
      if (cell.frees > 0) made.text += fmt::format(" ({})", cell.frees);
    }
    cells.push_back({joined(row.kinds), Tone::Muted});
    cells.push_back({row.fix.empty() ? "-"
                                     : fmt::format("{} (in {})", changeOf(row.fix),
                                                   counted(row.fixes, "program")),
                     row.fix.empty() ? Tone::Muted : Tone::Good});
    out.rows.push_back(std::move(cells));
  }
  return out;
}

SweepTable drift(const sweep::Drift& drift) {
  SweepTable out{
      "Against the earlier sweep",
      fmt::format("{} lost, {} gained, {}{} added.", counted(drift.lost.size(), "outcome"),
                  drift.gained.size(),
                  drift.unknown.empty() ? std::string()
                                        : fmt::format("{} not known, ", drift.unknown.size()),
                  counted(drift.added.size(), "program")),
      {"change", "subject", "output type", "detail"},
      {},
      true};
  const auto addChanged = [&](const SweepCell& how, const std::vector<sweep::Changed>& all) {
    for (const sweep::Changed& c : all)
      out.rows.push_back(
          {how, {c.program, Tone::Name}, {c.type}, {c.from + " before, " + c.to + " now"}});
  };
  addChanged({"lost", Tone::Bad}, drift.lost);
  for (const sweep::NewBlocker& b : drift.blockers)
    out.rows.push_back({{"newly blocks", Tone::Bad},
                        {b.fxTarget, Tone::Name},
                        {b.type},
                        {counted(b.programs, "program")}});
  addChanged({"gained", Tone::Good}, drift.gained);
  addChanged({"not known", Tone::Muted}, drift.unknown);
  for (const std::string& program : drift.added)
    out.rows.push_back({{"added", Tone::Muted}, {program, Tone::Name}, {""}, {""}});
  for (const std::string& type : drift.uncompared)
    out.rows.push_back(
        {{"not compared", Tone::Muted}, {""}, {type}, {"only one of the sweeps has it"}});
  return out;
}

SweepTable engineTotals(const SweepEngines& all) {
  SweepTable out{"Engines",
                 "Programs that lower, and outcomes that differ from those of the engine before: "
                 "gained, lost, or stopped otherwise; "
                 "or of which that is not known.",
                 {"engine", "version", "sha256"},
                 {}};
  for (const std::string& type : all.drift.types) out.head.push_back(type);
  out.head.insert(out.head.end(), {"gained", "lost", "otherwise", "not known"});
  for (std::size_t i = 0; i < all.drift.engines.size(); ++i) {
    const sweep::EngineColumn& engine = all.drift.engines[i];
    std::vector<SweepCell> row{
        {all.names[i], Tone::Name}, {engine.version}, {shortSha256(engine.sha256), Tone::Muted}};
    for (const std::size_t lower : engine.lower) row.push_back(number(lower));
    row.push_back(number(engine.gained, Tone::Good));
    row.push_back(number(engine.lost, Tone::Bad));
    row.push_back(number(engine.otherwise));
    row.push_back(number(engine.unknown));
    out.rows.push_back(std::move(row));
  }
  return out;
}

SweepTable engineDrift(const SweepEngines& all) {
  SweepTable out{"Between engines",
                 fmt::format("{} of {} differ between engines.", all.drift.rows.size(),
                             counted(all.drift.compared, "outcome")),
                 {"program", "output type"},
                 {},
                 true};
  for (const std::string& name : all.names) out.head.push_back(name);
  out.head.emplace_back("what changed");
  for (const sweep::EngineRow& each : all.drift.rows) {
    std::vector<SweepCell> row{{each.program, Tone::Name}, {each.type}};
    for (const std::string& outcome : each.outcomes)
      row.push_back({outcome, outcome == "ok" ? Tone::Good : Tone::Bad});
    std::string changes;
    for (std::size_t i = 0; i < each.changes.size(); ++i)
      if (!each.changes[i].empty())
        changes +=
            fmt::format("{}{}: {}", changes.empty() ? "" : "; ", all.names[i + 1], each.changes[i]);
    row.push_back({changes});
    out.rows.push_back(std::move(row));
  }
  return out;
}

SweepTable programs(const sweep::Summary& summary) {
  SweepTable out{"Programs", "", {"program", "nodes"}, {}};
  for (const sweep::TypeTotals& total : summary.types) out.head.push_back(total.type);
  for (const auto& [program, lines] : summary.merged.programs) {
    std::vector<SweepCell> row{{program, Tone::Name}, number(lines.begin()->second.nodes)};
    for (const sweep::TypeTotals& total : summary.types) {
      const auto at = lines.find(total.type);
      if (at == lines.end()) row.push_back({"-", Tone::Muted});
      else
        row.push_back({std::string(sweep::name(at->second.status)),
                       at->second.status == Status::Ok ? Tone::Good : Tone::Bad});
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// "aten.a (no-pattern, 2 nodes: decompose aten.a), aten.b (..)", else the message.
std::string reasonOf(const sweep::Line& line) {
  std::string out;
  for (const sweep::Blocker& b : line.blockers)
    out += fmt::format("{}{} ({}, {}{})", out.empty() ? "" : ", ", b.fxTarget, b.kind,
                       counted(b.nodes, "node"),
                       b.fix ? fmt::format(": {}", changeOf(b.fix->change)) : "");
  if (out.empty()) return line.message.empty() ? "no reason was given" : line.message;
  return out + (line.complete.value_or(true) ? "" : ", and more");
}

SweepTable reasons(const sweep::Summary& summary) {
  const bool isAnyUnknown =
      std::any_of(summary.types.begin(), summary.types.end(), [](const sweep::TypeTotals& total) {
        return total.programs[static_cast<std::size_t>(Status::Timeout)] +
                   total.programs[static_cast<std::size_t>(Status::Abandoned)] >
               0;
      });
  SweepTable out{
      isAnyUnknown ? "Why programs do not lower, or are not known to" : "Why programs do not lower",
      "",
      {"program", "output type", "status", "stage", "with fixes", "blocked by"},
      {}};
  for (const auto& [program, lines] : summary.merged.programs)
    for (const auto& [type, line] : lines) {
      if (line.status == Status::Ok) continue;
      SweepCell fixed{"-", Tone::Muted};
      if (line.fixedLowers)
        fixed = *line.fixedLowers ? SweepCell{"lowers", Tone::Good}
                                  : SweepCell{"does not lower", Tone::Bad};
      out.rows.push_back({{program, Tone::Name},
                          {type},
                          {std::string(sweep::name(line.status)), Tone::Bad},
                          {line.stage.empty() ? "-" : line.stage, Tone::Muted},
                          fixed,
                          {reasonOf(line)}});
    }
  return out;
}

SweepTable timings(const sweep::Summary& summary) {
  SweepTable out{"Times and memory", "", {"program", "read s", "diagnose s"}, {}};
  for (const sweep::TypeTotals& total : summary.types) out.head.push_back(total.type + " s");
  out.head.emplace_back("peak MiB");
  const auto cell = [](double value) {
    return SweepCell{fmt::format("{:.2f}", value), Tone::Plain, true};
  };
  for (const auto& [program, lines] : summary.merged.programs) {
    const sweep::Line& first = lines.begin()->second;
    std::vector<SweepCell> row{
        {program, Tone::Name}, cell(first.seconds.read), cell(first.seconds.diagnose)};
    for (const sweep::TypeTotals& total : summary.types) {
      const auto at = lines.find(total.type);
      row.push_back(at == lines.end() ? SweepCell{"-", Tone::Muted, true}
                                      : cell(at->second.seconds.lower));
    }
    row.push_back(number(static_cast<std::size_t>(first.peakMemory >> 20U)));
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// The options with long lists cut: "decompose=aten.a,aten.b,.. (107 in all)".
std::string shortOptions(std::string_view options) {
  constexpr std::size_t kShown = 3;
  std::string out;
  for (std::size_t at = 0; at <= options.size();) {
    const std::string_view word = options.substr(at, options.find(' ', at) - at);
    at += word.size() + 1;
    const auto all = static_cast<std::size_t>(std::count(word.begin(), word.end(), ',')) + 1;
    std::size_t end = 0;
    for (std::size_t shown = 0; shown < kShown && end != std::string_view::npos; ++shown)
      end = word.find(',', end + 1);
    out += out.empty() ? "" : " ";
    if (all <= 2 * kShown) out += word;
    else out += fmt::format("{},.. ({} in all)", word.substr(0, end), all);
  }
  return out;
}

}  // namespace

std::vector<std::string> sweepHead(const SweepReport& report) {
  const sweep::Merged& merged = report.summary.merged;
  std::vector<std::string> out{counted(merged.programs.size(), "program") + ", fxscope " +
                               joined(merged.fxscope)};
  for (const auto& [version, checksum] : merged.engines)
    out.push_back(fmt::format("engine {} (sha256 {}){}", version, shortSha256(checksum),
                              report.engines == nullptr
                                  ? ""
                                  : ", the last one, of which the tables after the first two are"));
  for (const std::string& options : merged.options)
    out.push_back("options " + shortOptions(options));
  if (merged.fxscope.size() + merged.engines.size() + merged.options.size() > 3)
    out.emplace_back(
        "the lines come from different versions or options; sweep again to compare like with like");
  return out;
}

std::vector<SweepTable> sweepTables(const SweepReport& report) {
  std::vector<SweepTable> out;
  if (report.engines != nullptr) {
    out.push_back(engineTotals(*report.engines));
    out.push_back(engineDrift(*report.engines));
  }
  out.push_back(totals(report.summary));
  if (report.summary.drift) out.push_back(drift(*report.summary.drift));
  for (SweepTable (*make)(const sweep::Summary&) : {operators, programs, reasons})
    if (SweepTable table = make(report.summary); !table.rows.empty())
      out.push_back(std::move(table));
  if (report.timings) out.push_back(timings(report.summary));
  return out;
}

}  // namespace fxs::report
