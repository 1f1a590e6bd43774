#pragma once
// The rewrite patterns of one FX node, of a snapshot: the node is cut out of its program, which keeps the log of the engine small and
// lets the engine be stopped after each rewrite; and the answer is compared with what the engine tries in the whole program, where
// that takes no longer than it may. The result says which of the two it shows, and why.
#include <chrono>
#include <string>

#include "lower/patterns.h"
#include "session/session.h"

namespace fxs::session {

struct PatternOptions {
  /// For the whole program's log; it costs several times a plain lowering. Zero: do not compare.
  std::chrono::milliseconds wholeTimeout{20'000};
  bool cut = true;  ///< false: the whole program only, without stepping
};

struct NodePatterns {
  lower::PatternTrace trace;
  bool fromCut = false;  ///< the trace is of the node cut out of the program
  std::string how;       ///< one sentence, for people: what was run, and whether the whole program agrees
  lower::Engine engine;
};

/// `node` is of the user's program. The snapshot must have been imported with an engine: Usage otherwise, and for a node that
/// becomes no operation of its own (inputs, outputs, parts of a tuple).
Result<NodePatterns> patternsOf(const SnapshotPtr&, fx::NodeId node, const PatternOptions&, const Environment&, const RunContext&);

}  // namespace fxs::session
