// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "node_lab/patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "contract/lower_kept.h"
#include "fx/cut.h"
#include "lower/pattern_log.h"
#include "module/source_module.h"
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
Tried upTo(const Tried& tried, const lower::PatternTrace& full) {
  Tried out;
  for (const auto& entry : tried)
    for (const lower::PatternPass& pass : full.passes)
      if (pass.stage == std::get<0>(entry) && pass.pass == std::get<1>(entry) && !pass.failed) {
        out.insert(entry);
        break;
      }
  return out;
}

enum class CutAgreement : std::uint8_t { Same, Neighbours, StopsBefore, Differs };

CutAgreement compare(const lower::PatternTrace& cut, const lower::PatternTrace& full) {
  const Tried inCut = triedIn(cut, false), inFull = triedIn(full, false);
  if (!full.stoppedElsewhere.empty())
    return upTo(inCut, full) == upTo(inFull, full) ? CutAgreement::StopsBefore
                                                   : CutAgreement::Differs;
  if (inCut != inFull) return CutAgreement::Differs;
  return triedIn(cut, true) == triedIn(full, true) ? CutAgreement::Same : CutAgreement::Neighbours;
}

/// "DecomposeAtenTanhOp on torch.aten.tanh in torch-decompose-complex-ops": the first attempt made
/// in only one of the two traces.
std::string firstDifference(const lower::PatternTrace& cut, const lower::PatternTrace& full) {
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
  const Tried inCut = upTo(triedIn(cut, false), full), inFull = upTo(triedIn(full, false), full);
  if (const std::string there = only(inFull, inCut); !there.empty())
    return "only the whole program tries " + there;
  if (const std::string here = only(inCut, inFull); !here.empty())
    return "only the node by itself tries " + here;
  return "a pass ends differently";
}

std::string sentence(CutAgreement agreement, const lower::PatternTrace& cut,
                     const lower::PatternTrace& full, const fx::Program& program) {
  switch (agreement) {
    case CutAgreement::Same:
      return "the node was extracted from the program; in the whole program the same patterns are "
             "tried on its operations";
    case CutAgreement::Neighbours:
      return "the node was extracted from the program; in the whole program the same patterns are "
             "tried on its operations, except in "
             "canonicalization, which also sees the surrounding operations";
    case CutAgreement::StopsBefore: {
      const bool known = full.stoppedAt.valid() && full.stoppedAt.index() < program.nodes.size();
      return "the node was extracted from the program; the whole program tries the same patterns "
             "until it stops in " +
             full.stoppedElsewhere +
             (known ? " at node '" + program.node(full.stoppedAt).name + "'" : std::string());
    }
    case CutAgreement::Differs: break;
  }
  return "the whole program was run, because " + firstDifference(cut, full) +
         ", so the extracted node would not be representative; rewrites cannot be stepped through";
}

/// The nodes of the imported program that compute the user's node.
Result<std::vector<fx::NodeId>> callsFor(const session::Snapshot& s, const fx::Program& program,
                                         fx::NodeId node) {
  std::vector<fx::NodeId> nodes = fx::nodesFrom(program, node);
  std::erase_if(nodes, [&](fx::NodeId id) {
    const fx::Node& n = program.node(id);
    return n.op != fx::NodeOp::CallFunction || n.target == fx::kGetitem;
  });
  if (!nodes.empty()) return nodes;
  const fx::Node& named = user(s).node(node);
  return fail(
      ErrorCode::Usage,
      "node '" + named.name + "' (" +
          (named.op == fx::NodeOp::CallFunction ? named.target : std::string(fx::name(named.op))) +
          ") has no operation of its own, so no pattern is tried on it; choose a node "
          "that computes");
}

/// Runs the engine with its log of patterns. The snapshot was imported with an engine.
class PatternRuns {
 public:
  PatternRuns(const session::Snapshot& s, fx::NodeId node, CommandRunner& runner,
              const RunContext& context)
      : s_(s), node_(node), runner_(runner), context_(context) {}

  Result<NodePatterns> ofModule() {
    FXS_CHECK(contract::ensureHonest(*s_.engine, s_.request.lower, runner_, context_));
    return ofProgram("the whole module was run; rewrites cannot be stepped through");
  }

  Result<NodePatterns> list(const PatternOptions& options) {
    const fx::ProgramPtr program = imported(s_);
    FXS_TRY(const std::vector<fx::NodeId> nodes, callsFor(s_, *program, node_));
    FXS_CHECK(contract::ensureHonest(*s_.engine, s_.request.lower, runner_, context_));
    if (!options.cut)
      return ofProgram("the whole program was run; rewrites cannot be stepped through");
    Result<lower::PatternTrace> cut = extracted(program, nodes);
    if (cut) return compared(std::move(*cut), options.wholeTimeout);
    if (endsAll(cut.error())) return tl::unexpected<Error>(cut.error());
    return ofProgram("the whole program was run, because the node cannot be extracted: " +
                     cut.error().message + "; rewrites cannot be stepped through");
  }

 private:
  Result<lower::PatternTrace> extracted(const fx::ProgramPtr& program,
                                        const std::vector<fx::NodeId>& nodes) {
    FXS_TRY(const std::string text, cutText(s_, program, nodes, context_));
    return trace(text, lower::LogScope::EveryOperation, s_.request.lower);
  }

  Result<lower::PatternTrace> trace(const std::string& text, lower::LogScope scope,
                                    const lower::LowerOptions& lowering) {
    return lower::tracePatterns(text, node_, scope, lowering, *s_.engine, runner_, context_);
  }

  Result<NodePatterns> ofProgram(std::string message) {
    FXS_TRY(lower::PatternTrace all,
            trace(s_.imported->text, lower::LogScope::NodeOnly, s_.request.lower));
    return NodePatterns{std::move(all), false, std::move(message), *s_.engine};
  }

  /// `timeout`: of the comparison with the log of the program; zero for none.
  Result<NodePatterns> compared(lower::PatternTrace cut, std::chrono::milliseconds timeout) {
    NodePatterns out{std::move(cut), true,
                     "the node was extracted from the program; not compared with the whole program",
                     *s_.engine};
    if (timeout.count() == 0) return out;
    context_.report({"comparing with the whole program", -1});
    const auto limit =
        std::max(timeout, lower::shareOf(s_.request.lower.limits.timeout, kWholePart));
    lower::LowerOptions lowering = s_.request.lower;
    if (isShorter(limit, lowering.limits.timeout)) lowering.limits.timeout = limit;
    Result<lower::PatternTrace> full =
        trace(s_.imported->text, lower::LogScope::NodeOnly, lowering);
    if (!full && full.error().code != ErrorCode::Timeout)
      return tl::unexpected<Error>(full.error());
    if (!full || full->cutOff) {
      out.message += fmt::format(", whose log took more than {:g} s",
                                 std::chrono::duration<double>(limit).count());
      return out;
    }
    const CutAgreement agreement = compare(out.trace, *full);
    out.message = sentence(agreement, out.trace, *full, user(s_));
    if (agreement == CutAgreement::Differs) {
      out.trace = std::move(*full);
      out.fromCut = false;
    }
    return out;
  }

  /// A limit of zero is none.
  static bool isShorter(std::chrono::milliseconds a, std::chrono::milliseconds b) {
    return a.count() > 0 && (b.count() == 0 || a < b);
  }

  const session::Snapshot& s_;
  const fx::NodeId node_;
  CommandRunner& runner_;
  const RunContext& context_;
};

bool isImportedWithEngine(const session::Snapshot& s) {
  return s.imported && s.engine && (s.rewritten || s.request.parity);
}

}  // namespace

Result<NodePatterns> patternsOf(const session::SnapshotPtr& snapshot, fx::NodeId node,
                                const PatternOptions& options, const session::Environment& env,
                                const RunContext& context) {
  return guarded(snapshot->request.file, [&]() -> Result<NodePatterns> {
    if (!isImportedWithEngine(*snapshot) || env.runner == nullptr)
      return fail(ErrorCode::Usage,
                  "listing patterns requires a program that was imported with an engine");
    if (!node.valid() || node.index() >= user(*snapshot).nodes.size())
      return fail(ErrorCode::Usage, "the program has no such node");
    if (!snapshot->capture->module)
      return PatternRuns(*snapshot, node, *env.runner, context).list(options);
    session::Snapshot s = *snapshot;
    FXS_TRY(s.request.lower.target,
            module::startingFrom(*s.capture->module, s.request.lower.target, env.outputTypes));
    return PatternRuns(s, node, *env.runner, context).ofModule();
  });
}

}  // namespace fxs::node_lab
