// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers nodes of a snapshot's program separately, for the front ends: one node, with its minimal
// program, RAW, every stage up to an output type and the result inlined into a caller under fresh
// names; or all nodes, composed to the whole program.
#include <memory>
#include <string>
#include <vector>

#include "node_lab/node_program.h"
#include "session/session.h"

namespace fxs::node_lab {

struct NodeLowering {
  fx::NodeId node;         ///< of the user's program
  NodeProgram extracted;   ///< from the user's program
  fx::ProgramPtr program;  ///< the imported program, rewritten if necessary
  std::string raw;         ///< "" if it could not be imported
  std::shared_ptr<const lower::Lowering>
      lowering;                       ///< up to the output type; null if there is no RAW
  std::vector<fx::Finding> findings;  ///< of rewriting and importing
  /// The last stage's text inlined into a function whose arguments are named after the node's
  /// operands; "" if a stage failed.
  std::string inlined;
  /// Whether the engine accepts the inlined module, and its message if it does not.
  bool verified = false;
  std::string verifierSays;
  bool ok() const { return lowering && lowering->ok(); }
};

/// Probes an engine if the snapshot has none. Usage if the snapshot has not been read or the node
/// does not exist, InvalidInput if the node cannot be extracted, EngineFailed if there is no
/// engine. A failing stage is no Error.
Result<std::shared_ptr<const NodeLowering>> lowerNode(const session::Snapshot& snapshot,
                                                      fx::NodeId node,
                                                      const lower::OutputType& target,
                                                      const session::Environment&,
                                                      const RunContext&);

/// Lowers each node separately and composes the results (compose), at the stages up to the output
/// type. A stage is Failed if nodes do not lower separately (with findings at them), or if the
/// engine rejects the composed module.
extern const session::Route kNodes;

}  // namespace fxs::node_lab
