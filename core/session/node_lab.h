#pragma once
// Nodes of a snapshot's program by themselves, for the front ends: one, with its minimal program, RAW, every stage up to an output type
// and the result inlined into a caller under fresh names; or all, put together to the whole program again.
#include <memory>
#include <string>
#include <vector>

#include "node_lab/node_program.h"
#include "session/session.h"

namespace fxs::session {

struct NodeLowering {
  fx::NodeId node;                                  ///< of the user's program
  node_lab::NodeProgram extracted;                  ///< as the user's program has it
  fx::ProgramPtr program;                           ///< as it is imported: rewritten where it had to be
  std::string raw;                                  ///< "" when it could not be imported
  std::shared_ptr<const lower::Lowering> lowering;  ///< up to the output type; null when there is no RAW
  std::vector<fx::Finding> findings;                ///< of rewriting and importing
  /// The last stage's text inlined into a function whose arguments are named as the node's operands are; "" when it did not get there.
  std::string inlined;
  /// Whether the engine takes the inlined module, and what it says when it does not.
  bool verified = false;
  std::string verifierSays;
  bool ok() const { return lowering && lowering->ok(); }
};

/// `snapshot` must have been read; an engine is probed where it has none yet. InvalidInput when the node cannot stand alone: the message
/// says why. EngineFailed when there is no engine. A lowering that fails is a result.
Result<std::shared_ptr<const NodeLowering>> lowerNode(const Snapshot& snapshot, fx::NodeId node, const lower::OutputType& target,
                                                      const Environment&, const RunContext&);

/// The program put together of its nodes, each lowered by itself (node_lab::compose), at RAW, torch backend IR and the output type: the
/// counterpart of Snapshot::lowering, and like it. A stage is Failed where a node does not lower by itself, with the findings at those
/// nodes, or where the engine does not take what was put together. The snapshot must have been rewritten: Usage otherwise.
Result<std::shared_ptr<const lower::Lowering>> composeByNodes(const Snapshot& snapshot, const lower::OutputType& target, const Environment&,
                                                              const RunContext&);

}  // namespace fxs::session
