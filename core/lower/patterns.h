// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rewrite patterns that the engine tried on the operations of one FX node, pass by pass, which
// of them took effect, and the IR after each. Based on the engine's action log and debug counters.
// Each verdict states its evidence, and is Unknown if there is none.
//
// For a small module (the node extracted from its program) every action is logged, so that each
// attempt has an ordinal, with which the engine can be stopped right after it. For a large module
// only the node's own attempts are logged, because the size of a full log is quadratic in the
// module's; rewrites cannot be stepped through then.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"
#include "lower/lower.h"
#include "lower/pattern_effects.h"

namespace fxs::lower {

struct PatternPass {
  std::string stage;  ///< StageSpec::id
  std::string pass;   ///< "convert-torch-to-linalg", or the pass class if its name is not known
  std::string options;
  std::size_t ordinal = 0;  ///< 1-based, among the stage's `pass-execution` actions
  std::size_t attempts =
      0;  ///< ordinal of the last attempt before the end of the pass; 0 if not known
  bool conversion = false;  ///< a dialect conversion, which is rolled back as a whole if it fails
  bool failed = false;
  bool known = false;      ///< whether `before` and `after` are known
  OpCounts before, after;  ///< the node's operations
};

struct PatternAttempt {
  int pass = -1;            ///< index into PatternTrace::passes
  std::size_t ordinal = 0;  ///< 1-based, among all attempts of the stage; 0 if not known
  std::string pattern;      ///< as printed by the engine; "" for a pattern without a name
  std::string shortName;    ///< without namespaces, template arguments kept; "(unnamed)" for a
                            ///< pattern without a name
  std::string op;           ///< the operation before the attempt, with its location
  std::string opName;       ///< "torch.aten.softmax.int"
  Effect effect = Effect::Unknown;
  std::string message;  ///< evidence for `effect`, one phrase
  std::vector<std::string>
      became;  ///< names of the node's operations that are new after it; empty if none or not known
};

/// A failure of the engine at an operation of the node.
struct PatternStop {
  std::string stage, pass, op, message;
  bool leftOver =
      false;  ///< the pass runs after all conversions and found the operation unconverted
  /// shortName of the patterns that the pass tried on such operations; empty if there are none, and
  /// always if `leftOver`.
  std::vector<std::string> tried;
  std::vector<std::string>
      refusedBefore;  ///< in earlier passes: "DecomposeAtenTanhOp (torch-decompose-complex-ops)"
};

struct PatternTrace {
  fx::NodeId node;
  OutputType target;
  bool steppable = false;  ///< every attempt has an ordinal
  bool cutOff = false;     ///< the log ends at its time limit; later attempts are missing
  std::vector<PatternPass> passes;
  std::vector<PatternAttempt> attempts;  ///< on operations of the node, in the order of the engine
  std::vector<PatternStop> stops;
  std::string stoppedElsewhere;  ///< the pass in which the engine failed, if not at an operation of
                                 ///< the node; else ""
  fx::NodeId stoppedAt;          ///< the node at which it failed then; invalid if not known
  /// The input of each stage, to run it again up to a step.
  struct Stage {
    std::string id, pipeline, input;
  };
  std::vector<Stage> stages;  ///< empty unless steppable
};

/// The part of the time limit for a NodeOnly log, which can be very large for a node that becomes
/// many operations.
inline constexpr int kLogPart = 4;

enum class LogScope : std::uint8_t { EveryOperation, NodeOnly };

/// `raw` is text of the importer or the engine, with the node's location on its operations.
/// EngineFailed if the engine fails, Timeout if it exceeds `options.limits`, InvalidInput if `raw`
/// is other text. A failing pass is not an error, nor is a NodeOnly log truncated by its time
/// limit.
Result<PatternTrace> tracePatterns(const std::string& raw, fx::NodeId node, LogScope,
                                   const LowerOptions& options, const Engine&, CommandRunner&,
                                   const RunContext&);

/// A step finer than a pass: one pattern that took effect, or a whole conversion pass, which has no
/// intermediate IR.
struct RewriteStep {
  int stage = 0;              ///< index into PatternTrace::stages
  int pass = -1;              ///< index into PatternTrace::passes
  std::vector<int> attempts;  ///< indices into PatternTrace::attempts that took effect in this step
  std::size_t stopAfter = 0;  ///< maximum number of attempts in the stage
  std::size_t passes = 0;     ///< maximum number of pass executions in the stage
};
/// Empty unless the trace is steppable.
std::vector<RewriteStep> rewriteSteps(const PatternTrace&);

/// The module after `steps` steps, with locations; 0: as imported. The pass of the last step runs
/// to its end without further patterns, but still folds and erases dead operations. EngineFailed if
/// the engine prints none, Usage if there are fewer steps.
Result<std::string> irAfter(const PatternTrace&, const std::vector<RewriteStep>&, std::size_t steps,
                            const Engine&, const Limits&, CommandRunner&, const RunContext&);

}  // namespace fxs::lower
