// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/patterns.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/json_parts.h"
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
  out += line("\n{}\n", report.message);
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

namespace {

JsonForm<PatternPass> patternPassForm() {
  using P = PatternPass;
  const auto known = [](auto member) {
    return [member](const P& pass) {
      std::optional<lower::OpCounts> out;
      if (pass.known)
        std::erase_if(out.emplace(pass.*member), [](const auto& op) { return op.second <= 0; });
      return out;
    };
  };
  return {{"stage", &P::stage},
          {"pass", &P::pass},
          {"options", &P::options, nullIfEmpty},
          {"conversion", &P::conversion,
           "a dialect conversion, which is taken back as a whole when it cannot finish"},
          {"failed", &P::failed},
          {"before", known(&P::before),
           "the node's operations before the pass, by name; null when unknown"},
          {"after", known(&P::after)}};
}

JsonForm<PatternAttempt> patternAttemptForm() {
  using A = PatternAttempt;
  return {{"pass", &A::pass, "index of passes"},
          {"ordinal", &A::ordinal, nullIfEmpty,
           "1-based, among all attempts of the stage; null when unknown"},
          {"pattern", &A::pattern, nullIfEmpty,
           "as the engine spells it; null for a pattern without a name"},
          {"name", &A::shortName, "without namespaces"},
          {"op", &A::opName},
          {"effect", &A::effect, JsonNames(Effect::Unknown)},
          {"evidence", &A::message, "what the verdict rests on"},
          {"became", &A::became, "operations of the node that were new after it"}};
}

JsonForm<lower::PatternStop> patternStopForm() {
  using S = lower::PatternStop;
  return {{"stage", &S::stage},
          {"pass", &S::pass},
          {"op", &S::op},
          {"message", &S::message},
          {"left_over", &S::leftOver,
           "the pass follows all conversions, none of which lowered the operation"},
          {"tried", &S::tried},
          {"refused_before", &S::refusedBefore}};
}

JsonAnswer<PatternsReport> patternsAnswer(const PatternsReport* report) {
  using R = PatternsReport;
  using T = lower::PatternTrace;
  using lower::Engine;
  const JsonForm<Engine> engine = {
      {"path", [report](const Engine& e) { return report->paths.of(e.path); }},
      {"version", &Engine::version}};
  const JsonForm<fx::Node> node = {{"index", [](const fx::Node& n) { return n.id.index(); }},
                                   {"name", &fx::Node::name},
                                   {"target", &fx::Node::target}};
  const auto stopped = [](const R& r) {
    return r.trace.stoppedElsewhere.empty() ? std::string() : elsewhere(r);
  };
  const JsonForm<T> beginning = {
      {"steppable", &T::steppable,
       "every attempt has its ordinal, so that the engine can be stopped after it"},
      {"cut_off", &T::cutOff, "the log exceeded its time limit: what was tried later is unknown"},
      {"passes", &T::passes, patternPassForm()},
      {"attempts", &T::attempts, patternAttemptForm()},
      {"stops", &T::stops, patternStopForm(),
       "where the engine stopped at an operation of the node"}};
  return {"fxscope-patterns/1", "fxscope-cli trace --node N --patterns --json",
          JsonForm<R>{{"input", &R::input, kInputMessage},
                      {"target", [](const R& r) { return lower::name(r.trace.target); },
                       isOutputType(), kOutputTypeMessage},
                      {"engine", [](const R& r) { return r.engine; }, engine},
                      {"node", [](const R& r) { return r.program.node(r.trace.node); }, node},
                      {"cut", &R::fromCut,
                       "the node was cut out of the program; false: the whole program was run"},
                      {"message", &R::message,
                       "one sentence: what was run, and whether the whole program agrees"}}
              .with([](const R& r) -> auto& { return r.trace; }, beginning)
              .with({{"stopped_elsewhere", stopped, nullIfEmpty}})};
}

}  // namespace

std::string patternsJson(const PatternsReport& report) {
  return patternsAnswer(&report).text(report);
}
std::string patternsSchema() { return patternsAnswer(nullptr).schemaText(); }

}  // namespace fxs::report
