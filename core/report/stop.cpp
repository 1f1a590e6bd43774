// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/stop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/joined.h"
#include "base/json.h"
#include "lower/pattern_of_op.h"
#include "report/document.h"
#include "report/line.h"
#include "report/op_origins.h"
#include "report/patterns.h"
#include "trace/made_in.h"

namespace fxs::report {
namespace {

constexpr std::size_t kTextOps = 12, kJsonOps = 100;  // of each side

struct ShownOp {
  std::uint32_t line = 0;
  std::string name, text;
  std::vector<std::string> nodes;
  std::string origin;  ///< see trace::madeInText()
};

/// The module before or after the pass.
struct StopSide {
  int snapshot = -1;
  std::size_t matching = 0, total = 0;
  std::vector<ShownOp> ops;
};

Result<StopSide> sideOf(const trace::Trace& trace, int snapshot, std::vector<mlir::OpId> ops,
                        std::size_t limit, const RunContext& context) {
  StopSide out{snapshot, 0, ops.size(), {}};
  if (snapshot < 0) return out;
  const auto index = static_cast<std::size_t>(snapshot);
  ops.resize(std::min(ops.size(), limit));
  FXS_TRY(const auto text, trace.open(index));
  FXS_TRY(const auto made, trace::madeIn(trace, index, ops, context));
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ShownOp& op = out.ops.emplace_back();
    op.line = text->origins->lineOf(ops[i]);
    op.name = text->module->nameOf(ops[i]);
    op.text = lineOfOp(text->module->op(ops[i]).head.of(text->text));
    for (const fx::NodeId node : text->origins->of(ops[i]).nodes)
      op.nodes.push_back(trace.nodeNames()[node.index()]);
    op.origin = trace::madeInText(trace.passes(), made[i]);
  }
  return out;
}

/// Before and after.
Result<std::pair<StopSide, StopSide>> sidesOf(const trace::Trace& trace,
                                              const std::optional<trace::Stop>& found,
                                              std::size_t limit, const RunContext& context) {
  const trace::Stop stop = found.value_or(trace::Stop());
  FXS_TRY(StopSide before, sideOf(trace, stop.before, stop.opsBefore, limit, context));
  FXS_TRY(StopSide after, sideOf(trace, stop.snapshot, stop.opsAfter, limit, context));
  before.matching = stop.countBefore;
  after.matching = stop.countAfter;
  return std::pair(std::move(before), std::move(after));
}

void addRows(Table& table, const std::string& label, const StopSide& side) {
  for (const ShownOp& op : side.ops)
    table.rows.push_back({{&op == side.ops.data() ? label : "", std::to_string(op.line),
                           joined(op.nodes), op.origin, op.text}});
  if (side.total > side.ops.size())
    table.rows.push_back(
        {{"", "", "", "", fmt::format("and {} more", side.total - side.ops.size())}});
}

std::string positionText(const trace::Stop& stop, const lower::PassTrace& passes) {
  if (stop.pass < 0) return "holds for the module as imported";
  const lower::PassRun& pass = passes.passes[static_cast<std::size_t>(stop.pass)];
  return fmt::format("holds first at pass {}, {} ({})", stop.pass + 1, pass.pass, pass.stage);
}

/// Of the pass at which the condition holds.
std::string patternsPart(const StopReport& report) {
  const lower::PatternTrace& patterns = *report.patterns;
  const int pass = lower::patternPassOf(patterns, report.trace.passes(), report.stop->pass);
  const std::string text = pass < 0 ? std::string() : patternsText(patterns, pass);
  return line("\npatterns on {}\n", report.trace.nodeNames()[patterns.node.index()]) +
         (text.empty() ? "none is known of this pass\n"
                       : text.substr(text.find_first_not_of('\n')));
}

/// The name of the pattern of a rewrite, and its number among those of the pass.
struct RewriteName {
  std::string pattern;
  std::size_t number = 0, count = 0;
};
RewriteName rewriteNameOf(const StopReport& report) {
  const std::vector<lower::PassRun>& steps = report.rewrites->passes().passes;
  const auto all = lower::rewriteSteps(*report.patterns);
  const auto index = static_cast<std::size_t>(report.rewrite->pass);
  RewriteName out{steps[index].pass, 0, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].pass != all[index].pass) continue;
    ++out.count;
    if (i <= index) ++out.number;
  }
  return out;
}

/// Of the single rewrite of the pass; "" if there is none.
Result<std::string> rewritePart(const StopReport& report, const RunContext& context) {
  if (!report.rewrite || report.rewrite->pass < 0) return std::string();
  FXS_TRY(const auto sides, sidesOf(*report.rewrites, report.rewrite, kTextOps, context));
  const RewriteName name = rewriteNameOf(report);
  Table table{{{""}, {"operation"}}, {}};
  for (const auto& [label, side] : {std::pair("before", &sides.first), {"after", &sides.second}})
    for (const ShownOp& op : side->ops)
      table.rows.push_back({{&op == side->ops.data() ? label : "", op.text}});
  Document out{fmt::format("rewrite {} of {} of the pass, on {} by itself: {}", name.number,
                           name.count, report.trace.nodeNames()[report.patterns->node.index()],
                           name.pattern)};
  out.blocks.push_back(std::move(table));
  return "\n" + renderText(out);
}

Result<> writeRewrite(JsonWriter& json, const StopReport& report, const RunContext& context) {
  json.key("rewrite");
  if (!report.rewrite || report.rewrite->pass < 0) {
    json.null();
    return {};
  }
  FXS_TRY(const auto sides, sidesOf(*report.rewrites, report.rewrite, kJsonOps, context));
  const RewriteName name = rewriteNameOf(report);
  json.beginObject().member("pattern", name.pattern);
  json.member("number", name.number).member("count", name.count);
  for (const auto& [label, side] : {std::pair("before", &sides.first), {"after", &sides.second}}) {
    json.key(label).beginArray();
    for (const ShownOp& op : side->ops) json.value(op.text);
    json.endArray();
  }
  json.endObject();
  return {};
}

void writePatterns(JsonWriter& json, const StopReport& report) {
  json.key("patterns");
  if (report.patterns == nullptr || !report.stop) {
    json.null();
    return;
  }
  const lower::PatternTrace& patterns = *report.patterns;
  const int pass = lower::patternPassOf(patterns, report.trace.passes(), report.stop->pass);
  json.beginObject().member("node", report.trace.nodeNames()[patterns.node.index()]);
  json.key("attempts").beginArray();
  for (const lower::PatternAttempt& attempt : patterns.attempts)
    if (attempt.pass == pass && pass >= 0)
      json.beginObject()
          .member("pattern", attempt.pattern)
          .member("op", attempt.opName)
          .member("effect", lower::name(attempt.effect))
          .member("became", attempt.became)
          .endObject();
  json.endArray().endObject();
}

std::string neverText(const StopReport& report) {
  const lower::PassTrace& passes = report.trace.passes();
  const auto changed = std::count_if(passes.passes.begin(), passes.passes.end(),
                                     [](const lower::PassRun& pass) { return pass.changed; });
  return fmt::format(
      "{}: '{}' never holds in the modules of the trace: {}, from {} passes, of which {} changed "
      "it",
      report.input, report.condition.text, passes.snapshots.size(), passes.passes.size(), changed);
}

void writeSide(JsonWriter& json, const StopSide& side, const lower::PassTrace& passes) {
  json.beginObject().key("snapshot");
  if (side.snapshot < 0) json.null().key("file").null();
  else
    json.value(side.snapshot)
        .member("file", passes.snapshots[static_cast<std::size_t>(side.snapshot)].file);
  json.member("matching", side.matching).member("total", side.total);
  json.key("operations").beginArray();
  for (const ShownOp& op : side.ops)
    json.beginObject()
        .member("line", op.line)
        .member("name", op.name)
        .member("text", op.text)
        .member("nodes", op.nodes)
        .member("origin", op.origin)
        .endObject();
  json.endArray().endObject();
}

}  // namespace

fx::NodeId patternNodeOf(const trace::Trace& trace, const trace::Stop& stop) {
  const auto firstOf = [&](int snapshot, const std::vector<mlir::OpId>& ops) {
    for (const mlir::OpId op : ops) {
      const auto nodes = trace.origins(static_cast<std::size_t>(snapshot))->of(op).nodes;
      if (!nodes.empty()) return nodes.front();
    }
    return fx::NodeId();
  };
  const fx::NodeId node = firstOf(stop.before, stop.opsBefore);
  return node.valid() ? node : firstOf(stop.snapshot, stop.opsAfter);
}

Result<std::string> stopText(const StopReport& report, const RunContext& context) {
  const lower::PassTrace& passes = report.trace.passes();
  if (!report.stop) return renderText(Document{neverText(report)});
  FXS_TRY(const auto sides, sidesOf(report.trace, report.stop, kTextOps, context));
  Document out{fmt::format("{}{}: {}", report.input,
                           passes.madeElsewhere() ? "" : " to " + std::string(name(passes.target)),
                           report.condition.text)};
  out.head.push_back(positionText(*report.stop, passes));
  if (!report.stop->message.empty()) out.head.push_back(report.stop->message);
  if (sides.first.matching + sides.second.matching > 0)
    out.head.push_back(fmt::format("operations: {} before, {} after", sides.first.matching,
                                   sides.second.matching));
  Table table{{{""}, {"line", true}, {"node"}, {"origin"}, {"operation"}}, {}};
  addRows(table, "before", sides.first);
  addRows(table, "after", sides.second);
  out.blocks.push_back(std::move(table));
  if (report.patterns == nullptr) return renderText(out);
  FXS_TRY(const std::string rewrite, rewritePart(report, context));
  return renderText(out) + rewrite + patternsPart(report);
}

Result<std::string> stopJson(const StopReport& report, const RunContext& context) {
  const lower::PassTrace& passes = report.trace.passes();
  FXS_TRY(const auto sides, sidesOf(report.trace, report.stop, kJsonOps, context));
  const int at = report.stop ? report.stop->pass : -1;
  const lower::PassRun* pass = at < 0 ? nullptr : &passes.passes[static_cast<std::size_t>(at)];
  JsonWriter json;
  json.beginObject().member("schema", "fxscope-stop/1").member("input", report.input);
  json.key("target");
  if (passes.madeElsewhere()) json.null();
  else json.value(lower::name(passes.target));
  json.member("condition", report.condition.text).member("found", report.stop.has_value());
  json.member("modules", passes.snapshots.size()).member("passes", passes.passes.size());
  json.key("stage");
  if (pass == nullptr) json.null().key("pass").null().key("pass_index").null();
  else json.value(pass->stage).member("pass", pass->pass).member("pass_index", at);
  json.member("message", report.stop ? report.stop->message : std::string());
  json.key("before");
  writeSide(json, sides.first, passes);
  json.key("after");
  writeSide(json, sides.second, passes);
  writePatterns(json, report);
  FXS_CHECK(writeRewrite(json, report, context));
  json.endObject();
  return json.take();
}

}  // namespace fxs::report
