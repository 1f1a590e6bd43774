// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Upper bounds in place of sizes that are known only at run time: x[mask] keeps every row, and what
// reduces, multiplies or writes rows takes those that x[mask] does not have for neutral ones. What
// the program returns does not change, unless it returns such rows.
#include "base/run_context.h"
#include "diagnose/size_bounds.h"

namespace fxs::diagnose {

/// What becomes of results with such sizes.
enum class BoundedResults : std::uint8_t {
  Refused,
  Padded  ///< they have the upper bound: their own rows first, then zeros
};

/// A functional program with numbers in place of all such sizes. `user`: Program::original of the
/// result. Unsupported if a size has no bound, or an operation is not known to leave rows apart.
Result<fx::ProgramPtr> withUpperBounds(const fx::ProgramPtr&, BoundedResults,
                                       const fx::ProgramPtr& user, const RunContext&);

}  // namespace fxs::diagnose
