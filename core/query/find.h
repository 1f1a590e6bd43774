// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The nodes of a graph for which a query holds: of the user's program, or of the operations of a
// stage or pass.
#include <span>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/finding.h"
#include "fx/program.h"
#include "query/query.h"

namespace fxs::query {

struct Graph {
  const fx::Program& program;  ///< the user's, or one of operations (trace::OpGraph)
  /// By node of `program`: the messages of its problems, "" for none. Nodes past the end have none.
  std::span<const std::string> problems;
  /// Of operations, the user's program, and by node of `program` its nodes that the operation comes
  /// from, which give it names and lines.
  const fx::Program* user = nullptr;
  std::span<const std::vector<fx::NodeId>> origins;
};

/// In the order of the program. Linear in the program's texts. Throws Abandoned on a stop request.
std::vector<fx::NodeId> find(const Query&, const Graph&, const RunContext& = {});

/// By node: the messages of the warnings and errors, for Graph::problems.
std::vector<std::string> problemsOf(const fx::Program&, const std::vector<fx::Finding>&);

}  // namespace fxs::query
