// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli diff` for two programs, the nodes that differ: as text and as JSON
// (resources/schemas/graph_diff.schema.json).
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "graph_diff/graph_diff.h"

namespace fxs::report {

/// An operator that blocks one program or both, and what the diff says of one of its nodes.
struct DifferenceBlocker {
  bool inB = false;  ///< whether it blocks `b`, else `a`
  std::string fxTarget;
  fx::NodeId node;  ///< of that program; invalid if none is known
  std::string why;  ///< one sentence
};

/// What both programs lower to: null if it is not known.
struct DifferenceInLowering {
  std::string to;
  std::optional<bool> a, b;
  std::string stageA, stageB;  ///< where they stop; "" if they lower
  std::vector<DifferenceBlocker> blockers;
};

struct GraphDiffReport {
  std::string inputA, inputB;  ///< paths as given by the user
  const fx::Program& a;
  const fx::Program& b;
  const graph_diff::GraphDiff& diff;
  std::vector<DifferenceInLowering> lowering = {};  ///< by output type; none: not asked for
};

/// A line for each node that differs, with its module and Python line: `-` removed, `+` added, `>`
/// moved, `~` changed, below which stands what changed. Nodes whose value alone changed, and like
/// that of a node before, are counted.
std::string graphDiffText(const GraphDiffReport&);
std::string graphDiffJson(const GraphDiffReport&);
std::string graphDiffSchema();

}  // namespace fxs::report
