// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Complex arithmetic as real arithmetic on both parts, for a whole program at once: what makes a
// complex tensor and what reads it meet as view_as_complex and view_as_real, which cancel. TOSA has
// no complex types, and StableHLO's and linalg's patterns are few.
#include <vector>

#include "base/run_context.h"
#include "rewrite/rule.h"

namespace fxs::rewrite {

/// One rule per target; each leaves calls without complex tensors unchanged. Complex inputs and
/// results of a program stay.
const std::vector<Rule>& complexPairRules();
/// The program with complex weights that only aten.view_as_real reads as real ones with a last
/// dimension of 2: the same bytes. `user`: Program::original of the result.
Result<fx::ProgramPtr> withRealWeights(const fx::ProgramPtr&, const fx::ProgramPtr& user,
                                       const RunContext&);

}  // namespace fxs::rewrite
