#pragma once
// Attributes operations whose location leads to no node. A constant gets the nodes of all constants with the same text in the previous
// snapshot, because passes merge equal constants and drop their locations. Operations in a region get the node of the enclosing operation;
// others those of their users. The last two are marked as inferred.
#include <utility>
#include <vector>

#include "trace/origins.h"

namespace fxs::trace {

/// An operation's origin while it is being found.
struct Origin {
  Link link = Link::None;
  std::vector<fx::NodeId> nodes;
  std::vector<std::pair<int, mlir::OpId>> from;  ///< snapshot and operation
};

/// Whether an operation is part of the frame around the program, not of the program.
bool isFrame(std::string_view opName);
/// A snapshot and its origins, for the one after it.
struct Before {
  int snapshot = -1;
  const mlir::Module& module;
  const SnapshotOrigins& origins;
};
/// By OpId of `module`, as those that follow.
void attributeToEqualConstants(const mlir::Module& module, std::vector<Origin>& origins, const Before& before, const RunContext&);
/// A new constant that only operations of certain nodes use, where nothing of another node can have been folded into it: all that
/// these operations came from, and all that vanished before them, belongs to those same nodes.
void attributeToRewritten(const mlir::Module& module, std::vector<Origin>& origins, const Before& before);
/// The same against the snapshot right before, where the locations of both lead to one earlier snapshot: an operation that both hold
/// under the same name, alone with what it came from, is the same one. Finer than against the earlier snapshot: what other operations
/// became may stand between.
void attributeToFolded(const mlir::Module& module, std::vector<Origin>& origins, const Before& before);
void attributeToParents(const mlir::Module& module, std::vector<Origin>& origins, const RunContext&);
void attributeToUsers(const mlir::Module& module, std::vector<Origin>& origins);
Counts countsOf(const mlir::Module& module, const std::vector<Origin>& origins);

}  // namespace fxs::trace
