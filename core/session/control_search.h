#pragma once
// Looks for inputs with which the branches of conditions and the trips of loops run that did not run with the others.
#include <vector>

#include "session/compare.h"
#include "session/reference.h"

namespace fxs::session {

/// Draws inputs until every condition of the main graph took both branches and every loop made no, one and several trips, or a few dozen
/// were tried; those that reached more are appended, with PyTorch's values for them.
Result<> reachMore(const Snapshot&, const CompareOptions&, std::vector<compare::Inputs>& inputs, std::vector<Reference>& references,
                   const Environment&, const RunContext&);

}  // namespace fxs::session
