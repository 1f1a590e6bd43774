#pragma once
// The rewrite patterns that the engine tried on one FX node's operation and on what it became, pass by pass, and which took effect;
// and the IR after each of them. From the engine's action log and its debug counters. Every verdict says what it rests on; what
// cannot be known is Unknown.
//
// On a small module (the node cut out of its program) every action is logged: each attempt then has its number among all, with
// which the engine can be stopped right after it. On a large one only the node's own attempts are logged, because a full log
// is quadratic in the module; then rewrites cannot be stepped through.
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
  std::string pass;   ///< "convert-torch-to-linalg"; the class where the engine says no name
  std::string options;
  std::size_t ordinal = 0;   ///< 1-based, among the stage's `pass-execution` actions
  std::size_t attempts = 0;  ///< ordinal of the last attempt up to the end of the pass; 0 when not known
  bool conversion = false;   ///< a dialect conversion: the engine rolls it back as a whole when it cannot finish
  bool failed = false;
  bool known = false;      ///< `before` and `after` are
  OpCounts before, after;  ///< the node's operations
};

struct PatternAttempt {
  int pass = -1;            ///< of PatternTrace::passes
  std::size_t ordinal = 0;  ///< 1-based, among all attempts of the stage; 0 when not known
  std::string pattern;      ///< the engine's spelling; "" for a pattern without a name
  std::string shortName;    ///< without namespaces, template arguments kept; "(unnamed)" for a pattern without a name
  std::string op;           ///< the operation before the attempt, with its location
  std::string opName;       ///< "torch.aten.softmax.int"
  Effect effect = Effect::Unknown;
  std::string why;                  ///< what the verdict rests on, one phrase
  std::vector<std::string> became;  ///< operations of the node that were new after it, by name; empty when not known or none
};

/// Where the engine stopped at an operation of the node.
struct PatternStop {
  std::string stage, pass, op, message;
  bool leftOver = false;  ///< the pass ends the conversions, and found the operation that none of them took
  /// shortName of the patterns that the pass tried on such operations; empty: it has none for them. Of one left over always empty.
  std::vector<std::string> tried;
  std::vector<std::string> refusedBefore;  ///< by other passes: "DecomposeAtenTanhOp (torch-decompose-complex-ops)"
};

struct PatternTrace {
  fx::NodeId node;
  OutputType target;
  bool steppable = false;  ///< every attempt has its ordinal
  bool cutOff = false;     ///< the log exceeded its time limit: what was tried later is unknown
  std::vector<PatternPass> passes;
  std::vector<PatternAttempt> attempts;  ///< on operations of the node, in the order of the engine
  std::vector<PatternStop> stops;
  std::string stoppedElsewhere;  ///< the pass in which the engine stopped, at no operation of the node; or ""
  fx::NodeId stoppedAt;          ///< the node at which it stopped then, where it said so
  /// What each stage ran on: with it a step can be shown.
  struct Stage {
    std::string id, pipeline, input;
  };
  std::vector<Stage> stages;  ///< empty unless steppable
};

/// A node that becomes very many operations can have a log that is too large to wait for.
inline constexpr std::chrono::milliseconds kLogTimeout{30'000};

enum class LogScope : std::uint8_t { EveryOperation, NodeOnly };

/// `raw` is the importer's text, in which the node's operations have its location. EngineFailed if the engine fails, Timeout if it exceeds
/// `options.limits`, InvalidInput if `raw` is not from the importer. A failing pass is not an error, nor is a NodeOnly log truncated by
/// kLogTimeout.
Result<PatternTrace> tracePatterns(const std::string& raw, fx::NodeId node, LogScope, const LowerOptions& options, const Engine&,
                                   CommandRunner&, const RunContext&);

/// One step below the level of a pass: a pattern that took effect, or all of a conversion pass, which cannot be seen halfway.
struct RewriteStep {
  int stage = 0;              ///< of PatternTrace::stages
  int pass = -1;              ///< of PatternTrace::passes
  std::vector<int> attempts;  ///< of PatternTrace::attempts; what took effect in this step
  std::size_t stopAfter = 0;  ///< attempts that the engine may make in the stage
  std::size_t passes = 0;     ///< pass executions that it may start in the stage
};
/// Empty unless the trace is steppable.
std::vector<RewriteStep> rewriteSteps(const PatternTrace&);

/// The module after `steps` steps, with locations; 0: as imported. The pass of the last step runs to its end without further
/// patterns, so that it still folds and removes what is dead. EngineFailed when the engine gives none.
Result<std::string> irAfter(const PatternTrace&, const std::vector<RewriteStep>&, std::size_t steps, const Engine&, const Limits&,
                            CommandRunner&, const RunContext&);

}  // namespace fxs::lower
