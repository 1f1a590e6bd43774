// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report on a sweep as a document.
#include <fmt/format.h>

#include <algorithm>

#include "base/counted.h"
#include "base/joined.h"
#include "base/sha256.h"
#include "report/sweep.h"

namespace fxs::report {
namespace {

using sweep::Status;

constexpr std::size_t kRowsOpen = 200;  // a page has longer tables closed at first

Inline number(std::size_t count, Tone tone = Tone::Plain) {
  return count == 0 ? Inline("-", Tone::Muted) : Inline(std::to_string(count), tone);
}

Section sectionOf(std::string title, std::string note, Table table) {
  Section out{std::move(title)};
  out.folds = table.rows.size() <= kRowsOpen ? Folds::Open : Folds::Closed;
  if (!note.empty()) out.blocks.push_back(Paragraph{{std::move(note), Tone::Muted}});
  if (!table.rows.empty()) out.blocks.push_back(std::move(table));
  return out;
}

/// Without the explanation after it.
std::string_view changeOf(std::string_view change) { return change.substr(0, change.find(": ")); }

Section totals(const sweep::Summary& summary) {
  Table out{{{"output type"}, {"programs", true}}, {}};
  for (std::size_t i = 0; i < sweep::kStatuses; ++i)
    out.columns.push_back({std::string(sweep::name(static_cast<Status>(i))), true});
  out.columns.push_back({"lowers with fixes", true});
  for (const sweep::TypeTotals& total : summary.types) {
    std::vector<Inline> row{{total.type, Tone::Code}, number(total.all())};
    for (std::size_t i = 0; i < sweep::kStatuses; ++i)
      row.push_back(number(total.programs[i], i == 0 ? Tone::Good : Tone::Bad));
    row.push_back(number(total.fixed, Tone::Good));
    out.rows.push_back({std::move(row)});
  }
  return sectionOf("Output types", "", std::move(out));
}

Section operators(const sweep::Summary& summary) {
  Table out{{{"operator"}, {"programs", true}, {"frees", true}}, {}};
  for (const sweep::TypeTotals& total : summary.types) out.columns.push_back({total.type, true});
  out.columns.insert(out.columns.end(), {{"class"}, {"verified fix"}});
  for (const sweep::OperatorRow& row : summary.operators) {
    std::vector<Inline> cells{
        {row.fxTarget, Tone::Code}, number(row.programs, Tone::Bad), number(row.frees)};
    for (const sweep::OperatorRow::Cell& cell : row.cells) {
      Inline& made = cells.emplace_back(number(cell.blocked));
      if (cell.frees > 0) made += Inline(fmt::format(" ({})", cell.frees));
    }
    cells.emplace_back(joined(row.kinds), Tone::Muted);
    if (row.fix.empty()) cells.emplace_back("-", Tone::Muted);
    else
      cells.emplace_back(
          fmt::format("{} (in {})", changeOf(row.fix), counted(row.fixes, "program")), Tone::Good);
    out.rows.push_back({std::move(cells)});
  }
  return sectionOf(
      "Operators that block",
      "Programs that an operator blocks; in parentheses those that nothing else blocks, "
      "so that supporting it is enough.",
      std::move(out));
}

Section drift(const sweep::Drift& drift) {
  Table out{{{"change"}, {"subject"}, {"output type"}, {"detail"}}, {}};
  const auto addChanged = [&](const Inline& how, const std::vector<sweep::Changed>& all) {
    for (const sweep::Changed& c : all)
      out.rows.push_back(
          {{how, {c.program, Tone::Code}, c.type, c.from + " before, " + c.to + " now"}});
  };
  addChanged({"lost", Tone::Bad}, drift.lost);
  for (const sweep::NewBlocker& b : drift.blockers)
    out.rows.push_back({{{"newly blocks", Tone::Bad},
                         {b.fxTarget, Tone::Code},
                         b.type,
                         counted(b.programs, "program")}});
  addChanged({"gained", Tone::Good}, drift.gained);
  addChanged({"not known", Tone::Muted}, drift.unknown);
  for (const std::string& program : drift.added)
    out.rows.push_back({{{"added", Tone::Muted}, {program, Tone::Code}, "", ""}});
  for (const std::string& type : drift.uncompared)
    out.rows.push_back(
        {{{"not compared", Tone::Muted}, "", type, "only one of the sweeps has it"}});
  return sectionOf(
      "Against the earlier sweep",
      fmt::format("{} lost, {} gained, {}{} added.", counted(drift.lost.size(), "outcome"),
                  drift.gained.size(),
                  drift.unknown.empty() ? std::string()
                                        : fmt::format("{} not known, ", drift.unknown.size()),
                  counted(drift.added.size(), "program")),
      std::move(out));
}

Section engineTotals(const SweepEngines& all) {
  Table out{{{"engine"}, {"version"}, {"sha256"}}, {}};
  for (const std::string& type : all.drift.types) out.columns.push_back({type, true});
  for (const char* each : {"gained", "lost", "otherwise", "not known"})
    out.columns.push_back({each, true});
  for (std::size_t i = 0; i < all.drift.engines.size(); ++i) {
    const sweep::EngineColumn& engine = all.drift.engines[i];
    std::vector<Inline> row{
        {all.names[i], Tone::Code}, engine.version, {shortSha256(engine.sha256), Tone::Muted}};
    for (const std::size_t lower : engine.lower) row.push_back(number(lower));
    row.push_back(number(engine.gained, Tone::Good));
    row.push_back(number(engine.lost, Tone::Bad));
    row.push_back(number(engine.otherwise));
    row.push_back(number(engine.unknown));
    out.rows.push_back({std::move(row)});
  }
  return sectionOf("Engines",
                   "Programs that lower, and outcomes that differ from those of the engine before: "
                   "gained, lost, or stopped otherwise; "
                   "or of which that is not known.",
                   std::move(out));
}

Section engineDrift(const SweepEngines& all) {
  Table out{{{"program"}, {"output type"}}, {}};
  for (const std::string& name : all.names) out.columns.push_back({name});
  out.columns.push_back({"what changed"});
  for (const sweep::EngineRow& each : all.drift.rows) {
    std::vector<Inline> row{{each.program, Tone::Code}, each.type};
    for (const std::string& outcome : each.outcomes)
      row.emplace_back(outcome, outcome == "ok" ? Tone::Good : Tone::Bad);
    std::string changes;
    for (std::size_t i = 0; i < each.changes.size(); ++i)
      if (!each.changes[i].empty())
        changes +=
            fmt::format("{}{}: {}", changes.empty() ? "" : "; ", all.names[i + 1], each.changes[i]);
    row.emplace_back(changes);
    out.rows.push_back({std::move(row)});
  }
  return sectionOf("Between engines",
                   fmt::format("{} of {} differ between engines.", all.drift.rows.size(),
                               counted(all.drift.compared, "outcome")),
                   std::move(out));
}

Section programs(const sweep::Summary& summary) {
  Table out{{{"program"}, {"nodes", true}}, {}};
  for (const sweep::TypeTotals& total : summary.types) out.columns.push_back({total.type});
  for (const auto& [program, lines] : summary.merged.programs) {
    std::vector<Inline> row{{program, Tone::Code}, number(lines.begin()->second.nodes)};
    for (const sweep::TypeTotals& total : summary.types) {
      const auto at = lines.find(total.type);
      if (at == lines.end()) row.emplace_back("-", Tone::Muted);
      else
        row.emplace_back(sweep::name(at->second.status),
                         at->second.status == Status::Ok ? Tone::Good : Tone::Bad);
    }
    out.rows.push_back({std::move(row)});
  }
  return sectionOf("Programs", "", std::move(out));
}

Section reasons(const sweep::Summary& summary) {
  const bool isAnyUnknown =
      std::any_of(summary.types.begin(), summary.types.end(), [](const sweep::TypeTotals& total) {
        return total.programs[static_cast<std::size_t>(Status::Timeout)] +
                   total.programs[static_cast<std::size_t>(Status::Abandoned)] >
               0;
      });
  Table out{{{"program"}, {"output type"}, {"status"}, {"stage"}, {"with fixes"}, {"blocked by"}},
            {}};
  for (const auto& [program, lines] : summary.merged.programs)
    for (const auto& [type, line] : lines) {
      if (line.status == Status::Ok) continue;
      Inline fixed("-", Tone::Muted);
      if (line.fixedLowers)
        fixed =
            *line.fixedLowers ? Inline("lowers", Tone::Good) : Inline("does not lower", Tone::Bad);
      out.rows.push_back({{{program, Tone::Code},
                           type,
                           {sweep::name(line.status), Tone::Bad},
                           {line.stage.empty() ? "-" : line.stage, Tone::Muted},
                           fixed,
                           reasonOf(line)}});
    }
  return sectionOf(
      isAnyUnknown ? "Why programs do not lower, or are not known to" : "Why programs do not lower",
      "", std::move(out));
}

Section timings(const sweep::Summary& summary) {
  Table out{{{"program"}, {"read s", true}, {"diagnose s", true}}, {}};
  for (const sweep::TypeTotals& total : summary.types)
    out.columns.push_back({total.type + " s", true});
  out.columns.push_back({"peak MiB", true});
  const auto cell = [](double value) { return Inline(fmt::format("{:.2f}", value)); };
  for (const auto& [program, lines] : summary.merged.programs) {
    const sweep::Line& first = lines.begin()->second;
    std::vector<Inline> row{
        {program, Tone::Code}, cell(first.seconds.read), cell(first.seconds.diagnose)};
    for (const sweep::TypeTotals& total : summary.types) {
      const auto at = lines.find(total.type);
      row.push_back(at == lines.end() ? Inline("-", Tone::Muted) : cell(at->second.seconds.lower));
    }
    row.push_back(number(static_cast<std::size_t>(first.peakMemory >> 20U)));
    out.rows.push_back({std::move(row)});
  }
  return sectionOf("Times and memory", "", std::move(out));
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

std::vector<Inline> headOf(const SweepReport& report) {
  const sweep::Merged& merged = report.summary.merged;
  std::vector<Inline> out;
  for (const auto& [version, checksum] : merged.engines)
    out.emplace_back(fmt::format(
        "engine {} (sha256 {}){}", version, shortSha256(checksum),
        report.engines == nullptr ? ""
                                  : ", the last one, of which the tables after the first two are"));
  for (const std::string& options : merged.options)
    out.emplace_back("options " + shortOptions(options));
  if (merged.fxscope.size() + merged.engines.size() + merged.options.size() > 3)
    out.emplace_back(
        "the lines come from different versions or options; sweep again to compare like with like");
  return out;
}

}  // namespace

// "aten.a (no-pattern, 2 nodes: decompose aten.a), aten.b (..)", else the message.
std::string reasonOf(const sweep::Line& line) {
  std::string out;
  for (const sweep::Blocker& b : line.blockers)
    out += fmt::format("{}{} ({}, {}{})", out.empty() ? "" : ", ", b.fxTarget, b.kind,
                       counted(b.nodes, "node"),
                       b.fix ? fmt::format(": {}", changeOf(b.fix->change)) : "");
  if (out.empty()) return line.message.empty() ? "no reason was given" : line.message;
  return out + (line.complete.value_or(true) ? "" : ", and more");
}

Document sweepDocument(const SweepReport& report) {
  const sweep::Merged& merged = report.summary.merged;
  Document out{counted(merged.programs.size(), "program") + ", fxscope " + joined(merged.fxscope),
               headOf(report)};
  if (report.engines != nullptr) {
    out.blocks.push_back(engineTotals(*report.engines));
    out.blocks.push_back(engineDrift(*report.engines));
  }
  out.blocks.push_back(totals(report.summary));
  if (report.summary.drift) out.blocks.push_back(drift(*report.summary.drift));
  for (Section (*make)(const sweep::Summary&) : {operators, programs, reasons})
    if (Section made = make(report.summary);
        !made.blocks.empty() && std::holds_alternative<Table>(made.blocks.back()))
      out.blocks.push_back(std::move(made));
  if (report.timings) out.blocks.push_back(timings(report.summary));
  return out;
}

std::string sweepText(const SweepReport& report) { return renderText(sweepDocument(report)); }
std::string sweepMarkdown(const SweepReport& report) {
  return renderMarkdown(sweepDocument(report));
}

}  // namespace fxs::report
