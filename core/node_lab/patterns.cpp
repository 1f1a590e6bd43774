// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "contract/lower_kept.h"
#include "fx/cut.h"
#include "lower/pattern_log.h"
#include "session/importing.h"

namespace fxs::node_lab {
namespace {

/// The part of the time limit for the log of the whole program.
constexpr int kWholePart = 6;

/// The size of a full log is quadratic in the number of operations; with this many it takes about 3
/// s.
constexpr std::size_t kMaxOpsOfFullLog = 200;

const fx::Program& user(const session::Snapshot& s) { return *s.capture->program; }
fx::ProgramPtr imported(const session::Snapshot& s) {
  return s.request.parity ? s.capture->program : s.rewritten->program;
}

/// The RAW module of the extracted nodes. Unsupported if it has too many operations for a full log.
Result<std::string> cutText(const session::Snapshot& s, const fx::ProgramPtr& program,
                            const std::vector<fx::NodeId>& nodes, const RunContext& context) {
  FXS_TRY(const fx::ProgramPtr cut, fx::cutNodes(program, nodes));
  FXS_TRY(const auto text,
          import::importProgram(*cut, session::importOptionsOf(s, context), context));
  if (text->ops > kMaxOpsOfFullLog)
    return fail(ErrorCode::Unsupported,
                fmt::format("it has {} operations by itself, and the limit for a full log is {}",
                            text->ops, kMaxOpsOfFullLog));
  return text->text;
}

/// Pattern attempts on the node's operations: stage, pass, operation, pattern.
using Tried = std::set<std::tuple<std::string, std::string, std::string, std::string>>;

/// False for constants and lists, which passes merge and fold with those of other nodes, so that
/// the extracted node may differ.
bool isOwn(std::string_view op) {
  return op.starts_with("torch.") && !op.starts_with("torch.constant.") &&
         op != "torch.vtensor.literal" && op != "torch.prim.ListConstruct";
}

Tried triedIn(const lower::PatternTrace& trace, bool canonicalization) {
  Tried out;
  for (const lower::PatternAttempt& attempt : trace.attempts) {
    const lower::PatternPass& pass = trace.passes[static_cast<std::size_t>(attempt.pass)];
    if (!isOwn(attempt.opName) || (pass.pass == "canonicalize") != canonicalization) continue;
    out.emplace(pass.stage, pass.pass, attempt.opName, attempt.pattern);
  }
  return out;
}

/// The attempts in passes that the whole program completed before it failed at another node.
Tried upTo(const Tried& tried, const lower::PatternTrace& whole) {
  Tried out;
  for (const auto& entry : tried)
    for (const lower::PatternPass& pass : whole.passes)
      if (pass.stage == std::get<0>(entry) && pass.pass == std::get<1>(entry) && !pass.failed) {
        out.insert(entry);
        break;
      }
  return out;
}

enum class CutAgreement : std::uint8_t { Same, Neighbours, StopsBefore, Differs };

CutAgreement compare(const lower::PatternTrace& cut, const lower::PatternTrace& whole) {
  const Tried inCut = triedIn(cut, false), inWhole = triedIn(whole, false);
  if (!whole.stoppedElsewhere.empty())
    return upTo(inCut, whole) == upTo(inWhole, whole) ? CutAgreement::StopsBefore
                                                      : CutAgreement::Differs;
  if (inCut != inWhole) return CutAgreement::Differs;
  return triedIn(cut, true) == triedIn(whole, true) ? CutAgreement::Same : CutAgreement::Neighbours;
}

/// "DecomposeAtenTanhOp on torch.aten.tanh in torch-decompose-complex-ops": the first attempt made
/// in only one of the two traces.
std::string firstDifference(const lower::PatternTrace& cut, const lower::PatternTrace& whole) {
  const auto only = [](const Tried& a, const Tried& b) -> std::string {
    for (const auto& entry : a) {
      if (b.contains(entry)) continue;
      const auto& [stage, pass, op, pattern] = entry;
      return fmt::format("{} on {} in {}",
                         pattern.empty() ? "an unnamed pattern" : lower::shortPatternName(pattern),
                         op, pass);
    }
    return {};
  };
  const Tried inCut = upTo(triedIn(cut, false), whole),
              inWhole = upTo(triedIn(whole, false), whole);
  if (const std::string there = only(inWhole, inCut); !there.empty())
    return "only the whole program tries " + there;
  if (const std::string here = only(inCut, inWhole); !here.empty())
    return "only the node by itself tries " + here;
  return "a pass ends differently";
}

std::string sentence(CutAgreement agreement, const lower::PatternTrace& cut,
                     const lower::PatternTrace& whole, const fx::Program& program) {
  switch (agreement) {
    case CutAgreement::Same:
      return "the node was extracted from the program; in the whole program the same patterns are "
             "tried on its operations";
    case CutAgreement::Neighbours:
      return "the node was extracted from the program; in the whole program the same patterns are "
             "tried on its operations, except in "
             "canonicalization, which also sees the surrounding operations";
    case CutAgreement::StopsBefore: {
      const bool known = whole.stoppedAt.valid() && whole.stoppedAt.index() < program.nodes.size();
      return "the node was extracted from the program; the whole program tries the same patterns "
             "until it stops in " +
             whole.stoppedElsewhere +
             (known ? " at node '" + program.node(whole.stoppedAt).name + "'" : std::string());
    }
    case CutAgreement::Differs: break;
  }
  return "the whole program was run, because " + firstDifference(cut, whole) +
         ", so the extracted node would not be representative; rewrites cannot be stepped through";
}

}  // namespace

Result<NodePatterns> patternsOf(const session::SnapshotPtr& snapshot, fx::NodeId node,
                                const PatternOptions& options, const session::Environment& env,
                                const RunContext& context) try {
  const session::Snapshot& s = *snapshot;
  if (!s.imported || !s.engine || env.runner == nullptr || (!s.rewritten && !s.request.parity))
    return fail(ErrorCode::Usage,
                "listing patterns requires a program that was imported with an engine");
  if (!node.valid() || node.index() >= user(s).nodes.size())
    return fail(ErrorCode::Usage, "the program has no such node");
  const fx::ProgramPtr program = imported(s);
  std::vector<fx::NodeId> nodes = fx::nodesFrom(*program, node);
  std::erase_if(nodes, [&](fx::NodeId id) {
    const fx::Node& n = program->node(id);
    return n.op != fx::NodeOp::CallFunction || n.target == fx::kGetitem;
  });
  const fx::Node& named = user(s).node(node);
  if (nodes.empty())
    return fail(ErrorCode::Usage,
                "node '" + named.name + "' (" +
                    (named.op == fx::NodeOp::CallFunction ? named.target
                                                          : std::string(fx::name(named.op))) +
                    ") has no operation of its own, so no pattern is tried on it; choose a node "
                    "that computes");

  FXS_CHECK(contract::ensureHonest(*s.engine, s.request.lower, *env.runner, context));
  NodePatterns out;
  out.engine = *s.engine;
  const auto wholeTrace = [&](std::chrono::milliseconds timeout) {
    lower::LowerOptions lowering = s.request.lower;
    if (timeout.count() > 0 &&
        (lowering.limits.timeout.count() == 0 || timeout < lowering.limits.timeout))
      lowering.limits.timeout = timeout;
    return lower::tracePatterns(s.imported->text, node, lower::LogScope::NodeOnly, lowering,
                                *s.engine, *env.runner, context);
  };
  std::string whyWhole = "the whole program was run; rewrites cannot be stepped through";
  if (options.cut) {
    Result<lower::PatternTrace> cut = [&]() -> Result<lower::PatternTrace> {
      FXS_TRY(const std::string text, cutText(s, program, nodes, context));
      return lower::tracePatterns(text, node, lower::LogScope::EveryOperation, s.request.lower,
                                  *s.engine, *env.runner, context);
    }();
    if (!cut && endsAll(cut.error())) return tl::unexpected<Error>(cut.error());
    if (cut) {
      out.trace = std::move(*cut);
      out.fromCut = true;
      out.how = "the node was extracted from the program; not compared with the whole program";
      if (options.wholeTimeout.count() == 0) return out;
      context.report({"comparing with the whole program", -1});
      const auto limit = std::max(options.wholeTimeout,
                                  lower::shareOf(s.request.lower.limits.timeout, kWholePart));
      Result<lower::PatternTrace> whole = wholeTrace(limit);
      if (!whole || whole->cutOff) {
        if (!whole && whole.error().code != ErrorCode::Timeout)
          return tl::unexpected<Error>(whole.error());
        out.how += fmt::format(", whose log took more than {:g} s",
                               std::chrono::duration<double>(limit).count());
        return out;
      }
      const CutAgreement agreement = compare(out.trace, *whole);
      out.how = sentence(agreement, out.trace, *whole, user(s));
      if (agreement == CutAgreement::Differs) {
        out.trace = std::move(*whole);
        out.fromCut = false;
      }
      return out;
    }
    whyWhole =
        "the whole program was run, because the node cannot be extracted: " + cut.error().message +
        "; rewrites cannot be stepped through";
  }
  FXS_TRY(out.trace, wholeTrace(std::chrono::milliseconds(0)));
  out.how = whyWhole;
  return out;
} catch (...) {
  return abandoned(snapshot->request.file);
}

}  // namespace fxs::node_lab
