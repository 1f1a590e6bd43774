// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Attributes operations whose location leads to no node. A constant gets the nodes of all constants
// with the same text in the previous snapshot, because passes merge equal constants and drop their
// locations. Operations in a region get the nodes of the enclosing operation, others those of their
// users; these two are marked as inferred.
#include <utility>
#include <vector>

#include "trace/origins.h"

namespace fxs::trace {

/// An operation's origin under construction; see OpOrigin.
struct Origin {
  Link link = Link::None;
  std::vector<fx::NodeId> nodes;
  std::vector<std::pair<int, mlir::OpId>> from;  ///< snapshot and operation
};

/// Whether an operation (a module or function) encloses the program rather than belonging to it.
bool isFrame(std::string_view opName);
/// An earlier snapshot and its origins.
struct Before {
  int snapshot = -1;
  const mlir::Module& module;
  const SnapshotOrigins& origins;
};
/// Constants, by their text in `before`. Here and below, `origins` is indexed by OpId of `module`,
/// and operations with an origin are kept.
void attributeToEqualConstants(const mlir::Module& module, std::vector<Origin>& origins,
                               const Before& before, const RunContext&);
/// New constants whose users belong to certain nodes, if no operation of another node can have been
/// folded into them: the operations that the users came from, and those erased before them, belong
/// to the same nodes.
void attributeToRewritten(const mlir::Module& module, std::vector<Origin>& origins,
                          const Before& before);
/// As above, but compares with the snapshot right before, if the locations of both lead to one
/// earlier snapshot. Operations of the same name that alone came from the same operation are
/// identified. More precise than comparing with the earlier snapshot, because fewer passes lie
/// between.
void attributeToFolded(const mlir::Module& module, std::vector<Origin>& origins,
                       const Before& before);
void attributeToParents(const mlir::Module& module, std::vector<Origin>& origins,
                        const RunContext&);
void attributeToUsers(const mlir::Module& module, std::vector<Origin>& origins);
/// Operations of a function of a dispatch, such as `@main_dispatch_3_matmul_4x8`, by the nodes of
/// the others in it: their location leads to none, but the dispatch computes these.
void attributeToDispatches(const mlir::Module& module, std::vector<Origin>& origins,
                           const RunContext&);
Counts countsOf(const mlir::Module& module, const std::vector<Origin>& origins);

}  // namespace fxs::trace
