#pragma once
// Rewriting a part of the user's program by itself: meanwhile its nodes have no origins in the user's program; afterwards every node is
// one of the user's program again.
#include "fx/program.h"

namespace fxs::fx {

/// The program with every node as its own origin. The program itself when it already is so.
ProgramPtr withOwnOrigins(const ProgramPtr& program);
/// `made` from withOwnOrigins(`part`), with the origins that `part` has in the user's program.
ProgramPtr inUsersTerms(const ProgramPtr& made, const ProgramPtr& part, const ProgramPtr& user);
/// A node of withOwnOrigins(`part`) in the user's program.
NodeId usersNode(NodeId node, const ProgramPtr& part);

}  // namespace fxs::fx
