// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.h"
#include "report/line.h"

namespace fxs::report {
namespace {

std::string percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string seconds(const lower::PassRun& pass) {
  return pass.seconds.count() < 0 ? "-" : fmt::format("{:.4f} s", pass.seconds.count());
}

std::string_view stateOf(const lower::PassTrace& trace, const lower::PassRun& pass) {
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

void addLine(std::string& out, std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  out += line + "\n";
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
      "operations with a node: {:.1f} % in the snapshot with fewest, {} of all exact\n",
      100 * weakest, percent(exact, counted));
}

std::size_t stageWidthOf(const lower::PassTrace& trace) {
  std::size_t width = 18;
  for (const lower::PassRun& pass : trace.passes) width = std::max(width, pass.stage.size());
  return width;
}

std::size_t passWidthOf(const lower::PassTrace& trace) {
  std::size_t width = 4;
  for (const lower::PassRun& pass : trace.passes) width = std::max(width, pass.pass.size());
  return width;
}

/// One row for the imported text, and one for each pass.
class PassTable {
 public:
  explicit PassTable(const TraceReport& report)
      : report_(report),
        trace_(report.trace.passes()),
        stageWidth_(stageWidthOf(trace_)),
        passWidth_(passWidthOf(trace_)) {}

  std::string text() && {
    row({"#", "stage", "pass", "", "time"}, {"ops", "+/-", "exact", report_.files ? "file" : ""});
    row({"", "raw", "", "", ""}, cellsOf(trace_.snapshots.empty() ? -1 : 0));
    for (std::size_t i = 0; i < trace_.passes.size(); ++i) {
      const lower::PassRun& pass = trace_.passes[i];
      row({std::to_string(i + 1), pass.stage, pass.pass, stateOf(trace_, pass),
           pass.ran ? seconds(pass) : "-"},
          cellsOf(pass.changed || pass.failed ? pass.snapshot : -1));
    }
    return std::move(out_);
  }

 private:
  struct RunCells {
    std::string number, stage, pass;
    std::string_view state;
    std::string time;
  };
  struct SnapshotCells {
    std::string ops = "-", delta, exact, file;
  };

  SnapshotCells cellsOf(int snapshot) {
    if (snapshot < 0) return {};
    const auto index = static_cast<std::size_t>(snapshot);
    const trace::Counts& counts = report_.trace.origins(index)->counts();
    SnapshotCells out;
    out.ops = std::to_string(counts.ops);
    if (counts.ops != opsBefore_ && opsBefore_ > 0)
      out.delta = line(
          "{:+}", static_cast<std::int64_t>(counts.ops) - static_cast<std::int64_t>(opsBefore_));
    out.exact = percent(counts.exact, counts.counted);
    opsBefore_ = counts.ops;
    if (report_.files) out.file = trace_.snapshots[index].file;
    return out;
  }

  void row(const RunCells& run, const SnapshotCells& snapshot) {
    addLine(out_, line("{:>3}  {:<{}} {:<{}}  {:<8} {:>10} {:>7} {:>7} {:>8}  {}", run.number,
                       run.stage, stageWidth_, run.pass, passWidth_, run.state, run.time,
                       snapshot.ops, snapshot.delta, snapshot.exact, snapshot.file));
  }

  const TraceReport& report_;
  const lower::PassTrace& trace_;
  const std::size_t stageWidth_, passWidth_;
  std::size_t opsBefore_ = 0;
  std::string out_;
};

}  // namespace

std::string traceText(const TraceReport& report) {
  const lower::PassTrace& trace = report.trace.passes();
  std::string out = trace.madeElsewhere() ? line("{}, recorded by another tool\n\n", report.input)
                                          : line("{} to {}, engine {} ({})\n\n", report.input,
                                                 lower::name(trace.target), trace.engine.version,
                                                 report.paths.of(trace.engine.path));
  out += PassTable(report).text();
  out += "\n" + coverageLine(report.trace);
  if (trace.untraced == lower::Untraced::Same)
    out += "the traced result equals the untraced result of the pipeline\n";
  if (trace.untraced == lower::Untraced::Differs)
    out += "warning: the traced result differs from the untraced result of the pipeline\n";
  if (!report.findings.empty()) out += "\n" + report.findings;
  return out;
}

std::string nodeHistoryText(const NodeHistoryReport& report) {
  const lower::PassTrace& passes = report.trace.passes();
  std::string out =
      line("{}: {}{}\n\n", report.input, report.trace.nodeNames()[report.node.index()],
           passes.madeElsewhere() ? "" : " to " + std::string(lower::name(passes.target)));
  for (const trace::HistoryEntry& entry : report.history) {
    const lower::PassRun* pass = passOf(report.trace, entry.pass);
    addLine(out,
            line("{:>3}  {:<{}} {:<45}  {}", pass == nullptr ? "" : std::to_string(entry.pass + 1),
                 pass == nullptr ? "raw" : pass->stage, stageWidthOf(passes),
                 pass == nullptr ? "" : pass->pass, entry.message()));
  }
  if (report.history.empty()) out += "no operation of any snapshot comes from it\n";
  return out;
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
