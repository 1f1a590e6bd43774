// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The rewrite patterns of one FX node of a snapshot. The node is extracted from its program, which
// keeps the engine's log small and allows stopping the engine after each rewrite. The result is
// compared with the log of the whole program within a time limit, and states which of the two it
// shows, and why.
#include <chrono>
#include <string>

#include "lower/patterns.h"
#include "session/session.h"

namespace fxs::node_lab {

struct PatternOptions {
  /// Time limit for the log of the whole program, which takes several times as long as a plain
  /// lowering. Zero: do not compare.
  std::chrono::milliseconds wholeTimeout{20'000};
  bool cut = true;  ///< false: use only the whole program, without stepping
};

struct NodePatterns {
  lower::PatternTrace trace;
  bool fromCut = false;  ///< `trace` is of the extracted node
  std::string
      message;  ///< one sentence to display: what was run, and whether the whole program agrees
  lower::Engine engine;
};

/// `node`: of the user's program. Usage if the snapshot was not imported with an engine, or if the
/// node has no operation of its own (inputs, outputs, getitem).
Result<NodePatterns> patternsOf(const session::SnapshotPtr&, fx::NodeId node, const PatternOptions&,
                                const session::Environment&, const RunContext&);

}  // namespace fxs::node_lab
