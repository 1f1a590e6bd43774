// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/patterns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "report/line.h"

namespace fxs::report {
namespace {

using lower::Effect;
using lower::PatternAttempt;
using lower::PatternPass;

/// "linalg.generic x4, tensor.empty": each operation once, in order of appearance.
std::string withCounts(const std::vector<std::string>& ops) {
  std::string out;
  std::vector<std::string> seen;
  for (const std::string& op : ops) {
    if (std::find(seen.begin(), seen.end(), op) != seen.end()) continue;
    seen.push_back(op);
    const auto count = std::count(ops.begin(), ops.end(), op);
    out += (out.empty() ? "" : ", ") + op + (count > 1 ? fmt::format(" x{}", count) : "");
  }
  return out;
}

std::string withCounts(const lower::OpCounts& ops) {
  std::string out;
  for (const auto& [op, count] : ops)
    if (count > 0)
      out += (out.empty() ? "" : ", ") + op + (count > 1 ? fmt::format(" x{}", count) : "");
  return out.empty() ? "nothing" : out;
}

std::size_t effects(const lower::PatternTrace& trace, Effect effect) {
  return static_cast<std::size_t>(
      std::count_if(trace.attempts.begin(), trace.attempts.end(),
                    [&](const PatternAttempt& a) { return a.effect == effect; }));
}

/// One line for each operation and verdict: "  refused      A, B x2: torch.aten.exp".
struct Line {
  Effect effect;
  std::string op;
  std::vector<std::string> patterns;
  std::string became;
};

std::vector<Line> linesOf(const lower::PatternTrace& trace, int pass) {
  std::vector<Line> out;
  for (const PatternAttempt& attempt : trace.attempts) {
    if (attempt.pass != pass) continue;
    const std::string became = withCounts(attempt.became);
    // Merge refusals of one operation, and repeated events.
    const auto same = std::find_if(out.begin(), out.end(), [&](const Line& line) {
      return line.effect == attempt.effect && line.op == attempt.opName &&
             (attempt.effect == Effect::Refused ||
              (line.patterns.front() == attempt.shortName && line.became == became));
    });
    if (same != out.end()) same->patterns.push_back(attempt.shortName);
    else out.push_back({attempt.effect, attempt.opName, {attempt.shortName}, became});
  }
  return out;
}

/// Whether a line says what an operation became.
bool namesResults(const Line& line) { return !line.became.empty(); }

std::size_t refusalsIn(const std::vector<Line>& lines) {
  std::size_t count = 0;
  for (const Line& line : lines)
    if (line.effect == Effect::Refused) count += line.patterns.size();
  return count;
}

/// More refusals than this, as by general clean-up passes, are only counted. JSON lists each.
constexpr std::size_t kManyRefusals = 12;

std::string refusals(const std::vector<Line>& lines) {
  std::vector<std::string> patterns;
  for (const Line& line : lines)
    if (line.effect == Effect::Refused)
      patterns.insert(patterns.end(), line.patterns.begin(), line.patterns.end());
  const std::size_t attempts = patterns.size();
  std::sort(patterns.begin(), patterns.end());
  patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
  return attempts == 0 ? std::string()
                       : fmt::format("  {:<12} {} attempts of {} patterns\n", "refused", attempts,
                                     patterns.size());
}

bool changesOps(const PatternPass& pass) { return pass.known && pass.before != pass.after; }

/// "" for a pass that did nothing.
std::string passText(const PatternPass& pass, const std::vector<Line>& lines) {
  const bool changed = changesOps(pass);
  if (lines.empty() && !changed && !pass.failed) return "";
  std::string out = line("\n{}  {}{}\n", pass.stage, pass.pass, pass.failed ? "  failed" : "");
  const bool few = refusalsIn(lines) <= kManyRefusals || pass.conversion;
  for (const Line& each : lines) {
    if (each.effect == Effect::Refused && !few) continue;
    out += line("  {:<12} {}: {}", lower::name(each.effect), withCounts(each.patterns), each.op);
    if (namesResults(each)) out += line(" -> {}", each.became);
    out += "\n";
  }
  if (!few) out += refusals(lines);
  if (changed && !pass.failed &&
      (pass.conversion || std::none_of(lines.begin(), lines.end(), namesResults)))
    out += line("  {:<12} {} -> {}\n", "in all", withCounts(pass.before), withCounts(pass.after));
  return out;
}

/// The engine's message without the operation that it prints in full.
std::string shortMessage(const std::string& message) {
  return message.substr(0, message.find(": %"));
}

std::string stopText(const lower::PatternStop& stop) {
  std::string out;
  if (stop.leftOver) {
    out = line("\nstopped in {}: {} is left over, no conversion lowered it\n", stop.pass, stop.op);
    if (stop.refusedBefore.empty()) out += line("  no pattern was tried on {}\n", stop.op);
  } else {
    out = line("\nstopped in {}: {}\n", stop.pass, shortMessage(stop.message));
    out +=
        stop.tried.empty()
            ? line("  {} tried no pattern on {}: it has no matching pattern\n", stop.pass, stop.op)
            : line("  {} tried and refused: {}\n", stop.pass, withCounts(stop.tried));
  }
  for (const std::string& before : stop.refusedBefore)
    out += line("  refused before that: {}\n", before);
  return out;
}

void counts(JsonWriter& json, std::string_view key, const PatternPass& pass,
            const lower::OpCounts& ops) {
  json.key(key);
  if (!pass.known) {
    json.null();
    return;
  }
  json.beginObject();
  for (const auto& [op, count] : ops)
    if (count > 0) json.member(op, std::int64_t{count});
  json.endObject();
}

void writeAttempt(JsonWriter& json, const PatternAttempt& attempt) {
  json.beginObject().member("pass", std::int64_t{attempt.pass});
  if (attempt.ordinal > 0) json.member("ordinal", attempt.ordinal);
  else json.key("ordinal").null();
  json.textOrNull("pattern", attempt.pattern);
  json.member("name", attempt.shortName)
      .member("op", attempt.opName)
      .member("effect", lower::name(attempt.effect));
  json.member("evidence", attempt.why).member("became", attempt.became).endObject();
}

std::string elsewhere(const PatternsReport& report) {
  const fx::NodeId at = report.trace.stoppedAt;
  const bool known = at.valid() && at.index() < report.program.nodes.size();
  return report.trace.stoppedElsewhere +
         (known ? " at node '" + report.program.node(at).name + "'" : std::string());
}

}  // namespace

std::string patternsText(const lower::PatternTrace& trace, int pass) {
  return passText(trace.passes[static_cast<std::size_t>(pass)], linesOf(trace, pass));
}

std::string patternsText(const PatternsReport& report) {
  const lower::PatternTrace& trace = report.trace;
  const fx::Node& node = report.program.node(trace.node);
  std::string out = line("{} ({}) of {}, to {}, engine {}\n", node.name, node.target, report.input,
                         lower::name(trace.target), report.engine.version);
  out += line("{} attempts, {} took effect, {} refused", trace.attempts.size(),
              effects(trace, Effect::TookEffect), effects(trace, Effect::Refused));
  if (const std::size_t n = effects(trace, Effect::Undone); n > 0) out += line(", {} undone", n);
  if (const std::size_t n = effects(trace, Effect::Unknown); n > 0) out += line(", {} unknown", n);
  out += line("\n{}\n", report.how);
  for (std::size_t p = 0; p < trace.passes.size(); ++p)
    out += patternsText(trace, static_cast<int>(p));
  if (trace.cutOff)
    out +=
        "\nthe engine's log exceeded its time limit and was truncated here: what was tried later "
        "is unknown\n";
  for (const lower::PatternStop& stop : trace.stops) out += stopText(stop);
  if (!trace.stoppedElsewhere.empty())
    out += line("\nthe engine stopped in {}, not at this node\n", elsewhere(report));
  return out;
}

std::string patternsJson(const PatternsReport& report) {
  const lower::PatternTrace& trace = report.trace;
  const fx::Node& node = report.program.node(trace.node);
  JsonWriter json;
  json.beginObject()
      .member("schema", "fxscope-patterns/1")
      .member("input", report.input)
      .member("target", lower::name(trace.target));
  json.key("engine")
      .beginObject()
      .member("path", report.paths.of(report.engine.path))
      .member("version", report.engine.version)
      .endObject();
  json.key("node")
      .beginObject()
      .member("index", trace.node.index())
      .member("name", node.name)
      .member("target", node.target)
      .endObject();
  json.member("cut", report.fromCut)
      .member("message", report.how)
      .member("steppable", trace.steppable)
      .member("cut_off", trace.cutOff);
  json.key("passes").beginArray();
  for (const PatternPass& pass : trace.passes) {
    json.beginObject().member("stage", pass.stage).member("pass", pass.pass);
    json.textOrNull("options", pass.options);
    json.member("conversion", pass.conversion).member("failed", pass.failed);
    counts(json, "before", pass, pass.before);
    counts(json, "after", pass, pass.after);
    json.endObject();
  }
  json.endArray().key("attempts").beginArray();
  for (const PatternAttempt& attempt : trace.attempts) writeAttempt(json, attempt);
  json.endArray().key("stops").beginArray();
  for (const lower::PatternStop& stop : trace.stops) {
    json.beginObject()
        .member("stage", stop.stage)
        .member("pass", stop.pass)
        .member("op", stop.op)
        .member("message", stop.message);
    json.member("left_over", stop.leftOver).member("tried", stop.tried);
    json.member("refused_before", stop.refusedBefore).endObject();
  }
  json.endArray();
  json.textOrNull("stopped_elsewhere",
                  trace.stoppedElsewhere.empty() ? std::string() : elsewhere(report));
  json.endObject();
  return json.take();
}

}  // namespace fxs::report
