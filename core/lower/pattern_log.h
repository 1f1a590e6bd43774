#pragma once
// The engine's action log (`--log-actions-to`, one thread) as data: the passes that ran, and each attempt to apply a rewrite
// pattern, with the pass, the iteration and the attempts around it. Says nothing about what took effect. Tolerant: a log that
// is cut off or holds other lines gives what can be read.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"

namespace fxs::lower {

/// Operations of passes are marked by this column of a node's location, so that one filter lets both through: the engine
/// honours only the last location of `--log-mlir-actions-filter`.
inline constexpr int kPassColumn = 1;

inline constexpr std::size_t kNotEnded = static_cast<std::size_t>(-1);

struct LoggedPass {
  std::string passClass;          ///< "ConvertTorchToLinalg"; passes that only run others are left out
  std::size_t ordinal = 0;        ///< 1-based, among all `pass-execution` actions: what the engine's debug counter counts
  std::size_t ended = kNotEnded;  ///< its place among the passes by when they ended, 0-based; kNotEnded when it did not
  bool conversion = false;        ///< a dialect conversion ran in it
  int greedyRuns = 0;             ///< greedy drivers started in it
};

struct LoggedAttempt {
  std::size_t ordinal = 0;  ///< 1-based, among the attempts in the log; what the debug counter counts, when the log is not filtered
  int pass = -1;            ///< of PatternLog::passes; -1: outside of all
  std::string pattern;      ///< as the engine spells it; "" for one without a name
  std::string op;           ///< the operation's text before the attempt, with its location
  std::string opName;
  std::vector<fx::NodeId> nodes;  ///< of its location
  bool inConversion = false;
  int greedyRun = 0;      ///< within the pass, 1-based; 0 in a conversion
  int iteration = 0;      ///< of the greedy driver, 1-based; 0 in a conversion
  int inside = -1;        ///< the attempt during which it was made (a conversion legalizes what a pattern made); -1: none
  bool hasInner = false;  ///< another attempt was made during it
  bool completed = false;
};

struct PatternLog {
  std::vector<LoggedPass> passes;
  std::vector<LoggedAttempt> attempts;
  /// Of a pass: the last iteration of a greedy run.
  int lastIteration(int pass, int greedyRun) const;
  std::vector<std::vector<int>> iterations;  ///< by pass, by greedy run
};
PatternLog readPatternLog(std::string_view log);

/// The pattern's class without namespaces, its template arguments kept: "ConvertAtenOp<AtenTanhOp>"; "" stays "".
std::string shortPatternName(std::string_view pattern);
/// An operation's text without names of values and locations: equal for the same operation at two times.
std::string withoutNames(std::string_view op);

}  // namespace fxs::lower
