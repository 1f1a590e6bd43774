// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Maps origins when a part of the user's program is rewritten on its own: withOwnOrigins() before
// the rewrite makes the part a program without an original, inUsersTerms() after it restores the
// origins in the user's program.
#include "fx/program.h"

namespace fxs::fx {

/// A copy in which every node is its own origin; `program` itself if it was not rewritten.
ProgramPtr withOwnOrigins(const ProgramPtr& program);
/// A copy of `made`, a rewrite of withOwnOrigins(`part`), with origins in `user` by way of `part`.
ProgramPtr inUsersTerms(const ProgramPtr& made, const ProgramPtr& part, const ProgramPtr& user);
/// The node of the user's program for a node of withOwnOrigins(`part`); invalid if `node` is.
NodeId usersNode(NodeId node, const ProgramPtr& part);

}  // namespace fxs::fx
