// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Parses the engine's action log (`--log-actions-to`, one thread): the passes that ran, and each
// attempt to apply a rewrite pattern, with its pass, iteration and enclosing attempt. The log does
// not say which attempts took effect (see pattern_effects.h). Lines that cannot be parsed are
// skipped, and a truncated log gives its beginning.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fx/argument.h"

namespace fxs::lower {

/// Column of a node's location that marks the operations of passes, so that one filter matches
/// both: the engine honours only the last location of `--log-mlir-actions-filter`.
inline constexpr int kPassColumn = 1;

inline constexpr std::size_t kNotEnded = static_cast<std::size_t>(-1);

struct LoggedPass {
  std::string
      passClass;  ///< "ConvertTorchToLinalg"; adaptors that only run other passes are omitted
  std::size_t ordinal =
      0;  ///< 1-based, among all `pass-execution` actions, as in the engine's debug counter
  std::size_t ended = kNotEnded;  ///< 0-based position in the order in which passes ended;
                                  ///< kNotEnded if it did not end
  bool conversion = false;        ///< a dialect conversion ran in it
};

struct LoggedAttempt {
  std::size_t ordinal = 0;  ///< 1-based, among the attempts in the log; equals the debug counter if
                            ///< the log is not filtered
  int pass = -1;            ///< index into PatternLog::passes; -1: outside any pass
  std::string pattern;      ///< as printed by the engine; "" for a pattern without a name
  std::string op;           ///< the operation's text before the attempt, with its location
  std::string opName;
  std::vector<fx::NodeId> nodes;  ///< in the operation's location
  bool inConversion = false;
  int greedyRun = 0;  ///< within the pass, 1-based; 0 in a conversion
  int iteration = 0;  ///< of the greedy driver, 1-based; 0 in a conversion
  int inside = -1;    ///< index of the enclosing attempt (a conversion legalizes operations that a
                      ///< pattern created); -1: none
  bool hasInner = false;  ///< it encloses other attempts
  bool completed = false;
};

struct PatternLog {
  std::vector<LoggedPass> passes;
  std::vector<LoggedAttempt> attempts;
  /// The last iteration of a greedy run of a pass, 1-based.
  int lastIteration(int pass, int greedyRun) const;
  std::vector<std::vector<int>> iterations;  ///< number of iterations, by pass and greedy run
};
PatternLog readPatternLog(std::string_view log);

/// The pattern's class and template arguments without namespaces: "ConvertAtenOp<AtenTanhOp>"; ""
/// for "".
std::string shortPatternName(std::string_view pattern);
/// An operation's text without value names and locations, to recognize the operation later in the
/// log.
std::string withoutNames(std::string_view op);

}  // namespace fxs::lower
