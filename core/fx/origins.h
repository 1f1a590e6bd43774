#pragma once
// A part of the user's program that is rewritten by itself: it then knows nothing of where it came from, and afterwards every node is
// one of the user's program again.
#include "fx/program.h"

namespace fxs::fx {

/// The program as one that stands by itself: every node is its own origin. The program itself when it already is.
ProgramPtr standingAlone(const ProgramPtr& program);
/// `made` from standingAlone(`part`), with the origins that `part` has in the user's program.
ProgramPtr inUsersTerms(const ProgramPtr& made, const ProgramPtr& part, const ProgramPtr& user);
/// A node of standingAlone(`part`) in the user's program.
NodeId usersNode(NodeId node, const ProgramPtr& part);

}  // namespace fxs::fx
