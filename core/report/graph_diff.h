// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli diff` for two programs, the nodes that differ: as text and as JSON
// (resources/schemas/graph_diff.schema.json).
#include <cstddef>
#include <string>

#include "graph_diff/graph_diff.h"

namespace fxs::report {

struct GraphDiffReport {
  std::string inputA, inputB;  ///< paths as given by the user
  const fx::Program& a;
  const fx::Program& b;
  const graph_diff::GraphDiff& diff;
};

/// A line for each node that differs, with its module and Python line: `-` removed, `+` added, `>`
/// moved, `~` changed, below which stands what changed. Nodes whose value alone changed, and like
/// that of a node before, are counted.
std::string graphDiffText(const GraphDiffReport&);
std::string graphDiffJson(const GraphDiffReport&);
std::string graphDiffSchema();

}  // namespace fxs::report
