// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.h"

namespace fxs::report {
namespace {

std::string percent(std::size_t part, std::size_t total) {
  return total == 0 ? "-"
                    : fmt::format("{:.1f} %",
                                  100.0 * static_cast<double>(part) / static_cast<double>(total));
}

std::string seconds(const lower::PassRun& pass) {
  return pass.seconds.count() < 0 ? "-" : fmt::format("{:.4f} s", pass.seconds.count());
}

std::string_view stateOf(const lower::PassTrace& trace, const lower::PassRun& pass) {
  if (pass.skipped) return pass.snapshot < 0 ? "skipped" : "edited";
  if (!pass.ran) return "not run";
  if (pass.failed) {
    // Whether a pass that was stopped would fail is not known.
    for (const lower::StageResult& stage : trace.stages)
      if (stage.id == pass.stage && !lower::isKnown(stage.status)) return lower::name(stage.status);
    return "failed";
  }
  if (pass.changed) return "changed";
  return pass.snapshot < 0 ? "unknown" : "same";
}

const lower::PassRun* passOf(const trace::Trace& trace, int pass) {
  return pass < 0 ? nullptr : &trace.passes().passes[static_cast<std::size_t>(pass)];
}

/// The lowest coverage of all snapshots, in total and by exact links only.
std::string coverageLine(const trace::Trace& trace) {
  double weakest = 1;
  std::size_t counted = 0, exact = 0;
  for (std::size_t i = 0; i < trace.passes().snapshots.size(); ++i) {
    const trace::Counts& counts = trace.origins(i)->counts();
    weakest = std::min(weakest, counts.coverage());
    counted += counts.counted;
    exact += counts.exact;
  }
  return fmt::format(
      "operations with a node: {:.1f} % in the snapshot with fewest, {} of all exact",
      100 * weakest, percent(exact, counted));
}

/// One row for the imported text, and one for each pass.
Table passTable(const TraceReport& report) {
  const lower::PassTrace& trace = report.trace.passes();
  Table out{{{"#", true},
             {"stage"},
             {"pass"},
             {""},
             {"time", true},
             {"ops", true},
             {"+/-", true},
             {"exact", true},
             {report.files ? "file" : ""}},
            {}};
  std::size_t opsBefore = 0;
  const auto add = [&](std::vector<Inline> cells, int snapshot) {
    Row& row = out.rows.emplace_back(Row{std::move(cells)});
    if (snapshot < 0) {
      row.cells.insert(row.cells.end(), {"-", "", "", ""});
      return;
    }
    const auto index = static_cast<std::size_t>(snapshot);
    const trace::Counts& counts = report.trace.origins(index)->counts();
    const bool isOther = counts.ops != opsBefore && opsBefore > 0;
    const auto delta = static_cast<std::int64_t>(counts.ops) - static_cast<std::int64_t>(opsBefore);
    row.cells.insert(
        row.cells.end(),
        {std::to_string(counts.ops), isOther ? fmt::format("{:+}", delta) : "",
         percent(counts.exact, counts.counted), report.files ? trace.snapshots[index].file : ""});
    opsBefore = counts.ops;
  };
  const bool startsFromEdit =
      std::any_of(trace.passes.begin(), trace.passes.end(),
                  [](const lower::PassRun& pass) { return pass.skipped && pass.snapshot >= 0; });
  if (!startsFromEdit) add({"", "raw", "", "", ""}, trace.snapshots.empty() ? -1 : 0);
  for (std::size_t i = 0; i < trace.passes.size(); ++i) {
    const lower::PassRun& pass = trace.passes[i];
    add({std::to_string(i + 1), pass.stage, pass.pass, stateOf(trace, pass),
         pass.ran ? seconds(pass) : "-"},
        pass.changed || pass.failed || pass.skipped ? pass.snapshot : -1);
  }
  return out;
}

}  // namespace

std::string traceText(const TraceReport& report) {
  const lower::PassTrace& trace = report.trace.passes();
  Document out{trace.madeElsewhere()
                   ? report.input + ", recorded by another tool"
                   : fmt::format("{} to {}, engine {} ({})", report.input,
                                 lower::nameWithSettings(trace.target), trace.engine.version,
                                 report.paths.of(trace.engine.path))};
  List summary{{{coverageLine(report.trace)}}};
  if (trace.untraced == lower::Untraced::Same)
    summary.items.push_back({"the traced result equals the untraced result of the pipeline"});
  if (trace.untraced == lower::Untraced::Differs)
    summary.items.push_back(
        {"warning: the traced result differs from the untraced result of the pipeline"});
  out.blocks = {passTable(report), std::move(summary), report.findings};
  return renderText(out);
}

std::string nodeHistoryText(const NodeHistoryReport& report) {
  const lower::PassTrace& passes = report.trace.passes();
  Table table{{{"", true}, {}, {}, {}}, {}};
  for (const trace::HistoryEntry& entry : report.history) {
    const lower::PassRun* pass = passOf(report.trace, entry.pass);
    table.rows.push_back({{pass == nullptr ? "" : std::to_string(entry.pass + 1),
                           pass == nullptr ? "raw" : pass->stage, pass == nullptr ? "" : pass->pass,
                           entry.message()}});
  }
  Document out{
      fmt::format("{}: {}{}", report.input, report.trace.nodeNames()[report.node.index()],
                  passes.madeElsewhere() ? "" : " to " + lower::nameWithSettings(passes.target))};
  if (report.history.empty())
    out.blocks.push_back(Paragraph{"no operation of any snapshot comes from it"});
  out.blocks.push_back(std::move(table));
  return renderText(out);
}

namespace {

JsonAnswer<NodeHistoryReport> nodeHistoryAnswer(const NodeHistoryReport* report) {
  using R = NodeHistoryReport;
  using Entry = trace::HistoryEntry;
  const auto snapshot = [report](auto member) {
    return [report, member](const Entry& entry) {
      return report->trace.passes().snapshots[static_cast<std::size_t>(entry.snapshot)].*member;
    };
  };
  const auto pass = [report](const Entry& entry) {
    const lower::PassRun* run = passOf(report->trace, entry.pass);
    return run == nullptr ? nullptr : &run->pass;
  };
  const auto lines = [report](const Entry& entry) {
    const auto origins = report->trace.origins(static_cast<std::size_t>(entry.snapshot));
    std::vector<std::uint32_t> out;
    for (const mlir::OpId op : entry.after) out.push_back(origins->lineOf(op));
    return out;
  };
  const JsonForm<Entry> entry = {
      {"stage", snapshot(&lower::IrSnapshot::stage)},
      {"pass", pass},
      {"pass_index",
       [](const Entry& e) { return e.pass < 0 ? std::nullopt : std::optional(e.pass); },
       atLeast(0)},
      {"snapshot", &Entry::snapshot, atLeast(0)},
      {"file", snapshot(&lower::IrSnapshot::file)},
      {"message", &Entry::message, "one line for people"},
      {"gone", &Entry::gone,
       "names of operations that there were more of before: linalg.generic x4"},
      {"made", &Entry::made},
      {"changed", &Entry::changed, "operations whose name stayed and whose text did not"},
      {"lines", lines, "lines of its operations in the snapshot's file, from 1"}};
  const auto target = [](const R& r) {
    const lower::PassTrace& passes = r.trace.passes();
    return passes.madeElsewhere() ? std::string_view() : lower::name(passes.target);
  };
  return {"fxscope-trace-node/1",
          "fxscope-cli trace --node N --json",
          {{"input", &R::input},
           {"target", target, nullIfEmpty, isOutputType(), "the output type; null: made elsewhere"},
           {"node", [](const R& r) { return r.trace.nodeNames()[r.node.index()]; }},
           {"history", [](const R& r) { return r.history; }, entry,
            "one entry for each pass that did something to the node's operations; the first is the "
            "import"}}};
}

}  // namespace

std::string nodeHistoryJson(const NodeHistoryReport& report) {
  return nodeHistoryAnswer(&report).text(report);
}
std::string nodeHistorySchema() { return nodeHistoryAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
