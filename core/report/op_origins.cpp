// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/op_origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/joined.h"
#include "report/document.h"
#include "report/json_parts.h"

namespace fxs::report {
namespace {

constexpr std::size_t kTableOps = 200;
constexpr std::size_t kLongestOp = 140;  // characters

TracedOp tracedOp(const trace::OpenText& text, int snapshot, mlir::OpId id,
                  const trace::MadeIn& made) {
  TracedOp out{snapshot,
               text.origins->lineOf(id),
               std::string(text.module->nameOf(id)),
               lineOfOp(text.module->op(id).head.of(text.text)),
               {},
               made,
               {}};
  const auto nodes = text.origins->of(id).nodes;
  out.nodes.assign(nodes.begin(), nodes.end());
  return out;
}

std::vector<std::string> namesOf(const trace::Trace& trace, const std::vector<fx::NodeId>& nodes) {
  std::vector<std::string> out;
  for (const fx::NodeId node : nodes) out.push_back(trace.nodeNames()[node.index()]);
  return out;
}

/// The number of the pass that made a snapshot; "" of the import.
std::string passNumber(const lower::PassTrace& passes, int snapshot) {
  const int pass = passes.snapshots[static_cast<std::size_t>(snapshot)].pass;
  return pass < 0 ? "" : std::to_string(pass + 1);
}

Table opTable(const OpOriginsReport& report, const std::vector<TracedOp>& ops) {
  const lower::PassTrace& passes = report.trace.passes();
  Table out{{{"after", true}, {"line", true}, {"node"}, {"origin"}, {"operation"}}, {}};
  for (const TracedOp& op : ops) {
    if (out.rows.size() == kTableOps) break;
    out.rows.push_back({{passNumber(passes, op.snapshot), std::to_string(op.line),
                         joined(namesOf(report.trace, op.nodes)),
                         trace::madeInText(passes, op.made, op.pattern), op.text}});
  }
  if (ops.size() > kTableOps)
    out.rows.push_back({{"", "", "", "", fmt::format("and {} more", ops.size() - kTableOps)}});
  return out;
}

Table futureTable(const OpOriginsReport& report) {
  const lower::PassTrace& passes = report.trace.passes();
  Table out{{{"", true}, {}, {}, {}}, {}};
  for (const trace::HistoryEntry& entry : report.wentTo) {
    const lower::PassRun& pass = passes.passes[static_cast<std::size_t>(entry.pass)];
    out.rows.push_back({{std::to_string(entry.pass + 1), pass.stage, pass.pass, entry.message()}});
  }
  return out;
}

}  // namespace

std::string lineOfOp(std::string_view head) {
  std::string out;
  for (const char c : trimmed(head)) {
    if (!isSpace(c)) out += c;
    else if (out.back() != ' ') out += ' ';
  }
  if (out.size() <= kLongestOp) return out;
  out.resize(kLongestOp);
  while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) out.pop_back();
  if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0xC0) out.pop_back();
  return out + " ..";
}

Result<OpOriginsReport> opOrigins(std::string input, const trace::Trace& trace,
                                  std::size_t snapshot, const std::vector<mlir::OpId>& ops,
                                  const RunContext& context) {
  OpOriginsReport out{std::move(input), trace, {}, {}};
  FXS_TRY(const auto text, trace.open(snapshot));
  FXS_TRY(const auto made, trace::madeIn(trace, snapshot, ops, context));
  for (std::size_t i = 0; i < ops.size(); ++i)
    out.ops.push_back(tracedOp(*text, static_cast<int>(snapshot), ops[i], made[i]));
  if (ops.size() != 1) return out;
  FXS_TRY(const auto steps, trace::cameFrom(trace, snapshot, ops.front(), context));
  for (std::size_t i = 1; i < steps.size(); ++i) {
    FXS_TRY(const auto then, trace.open(static_cast<std::size_t>(steps[i].snapshot)));
    out.cameFrom.push_back(tracedOp(*then, steps[i].snapshot, steps[i].op, steps[i].made));
  }
  FXS_TRY(out.wentTo, trace::wentTo(trace, snapshot, ops.front(), context));
  return out;
}

std::string opOriginsText(const OpOriginsReport& report) {
  Document out{fmt::format("{}: {}", report.input, report.terms)};
  if (report.ops.empty()) out.blocks.push_back(Paragraph{"no operation of the module has them"});
  else out.blocks.push_back(opTable(report, report.ops));
  if (report.ops.size() == 1) {
    out.blocks.push_back(
        Paragraph{report.cameFrom.empty() ? "made of no other operation" : "comes from"});
    if (!report.cameFrom.empty()) out.blocks.push_back(opTable(report, report.cameFrom));
    out.blocks.push_back(Paragraph{report.wentTo.empty() ? "stays as it is" : "goes to"});
    if (!report.wentTo.empty()) out.blocks.push_back(futureTable(report));
  }
  return renderText(out);
}

namespace {

JsonAnswer<OpOriginsReport> opOriginsAnswer(const OpOriginsReport* report) {
  using R = OpOriginsReport;
  using Entry = trace::HistoryEntry;
  struct At {
    int snapshot = -1;
    std::optional<int> passIndex;
    std::string pass;
  };
  const auto at = [report](int snapshot) {
    const lower::PassTrace& passes = report->trace.passes();
    At out{snapshot, std::nullopt, {}};
    const int pass = passes.snapshots[static_cast<std::size_t>(snapshot)].pass;
    if (pass < 0) return out;
    out.passIndex = pass;
    out.pass = passes.passes[static_cast<std::size_t>(pass)].pass;
    return out;
  };
  const JsonForm<At> place = {{"snapshot", &At::snapshot, atLeast(0)},
                              {"pass_index", &At::passIndex, atLeast(0), "null: the import"},
                              {"pass", &At::pass, nullIfEmpty}};
  const JsonForm<TracedOp> op = {
      {"snapshot", &TracedOp::snapshot, atLeast(0), "that the line is of"},
      {"line", &TracedOp::line, atLeast(1), "in the snapshot's file"},
      {"name", &TracedOp::name},
      {"text", &TracedOp::text, "on one line, shortened, without its regions"},
      {"nodes", [report](const TracedOp& o) { return namesOf(report->trace, o.nodes); }},
      {"made", [at](const TracedOp& o) { return at(o.made.made); }, place,
       "the first module that has it, and the pass that made it"},
      {"last_changed", [at](const TracedOp& o) { return at(o.made.lastChanged); }, place,
       "the last module in which its text differs from the one before; as `made` if none"},
      {"pattern", &TracedOp::pattern, nullIfEmpty,
       "the rewrite pattern that made it; null where it is not known, or without --patterns"},
      {"message",
       [report](const TracedOp& o) {
         return trace::madeInText(report->trace.passes(), o.made, o.pattern);
       },
       "one line for people"}};
  const JsonForm<Entry> entry = {
      {"pass_index", &Entry::pass, atLeast(0)},
      {"snapshot", &Entry::snapshot, atLeast(0), "the module after the pass"},
      {"message", &Entry::message, "one line for people"},
      {"lines",
       [report](const Entry& e) {
         const auto origins = report->trace.origins(static_cast<std::size_t>(e.snapshot));
         std::vector<std::uint32_t> out;
         for (const mlir::OpId id : e.after) out.push_back(origins->lineOf(id));
         return out;
       },
       "of what it became, in the snapshot's file"}};
  return {"fxscope-trace-op/1",
          "fxscope-cli trace --op TERMS --json",
          {{"input", &R::input},
           {"terms", &R::terms, "that select the operations, as written"},
           {"operations", &R::ops, op, "in the order of the text"},
           {"came_from", &R::cameFrom, op,
            "of a single operation, what it was made of, and that in turn, back to the import; the "
            "last made first"},
           {"went_to", &R::wentTo, entry,
            "of a single operation, the passes that changed or replaced it, and then what it had "
            "become"}}};
}

}  // namespace

std::string opOriginsJson(const OpOriginsReport& report) {
  return opOriginsAnswer(&report).text(report);
}
std::string opOriginsSchema() { return opOriginsAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
