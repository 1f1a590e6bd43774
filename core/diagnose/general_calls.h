// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A replacement of a call as one of calls of other sizes, too: the call is rewritten with symbols
// for its sizes.
#include <functional>

#include "base/run_context.h"
#include "rewrite/python_function.h"

namespace fxs::diagnose {

/// What rewriting makes of a program of one call.
using Rewriting = std::function<Result<fx::ProgramPtr>(const fx::ProgramPtr& alone)>;

/// `call` with symbols for as many sizes as the rewriting takes. With numbers for them it is `call`
/// again, operation by operation; and it is for any rank, and any floating-point type, where
/// rewriting the call with these writes the same. `call` itself if no size can be another.
/// Cancelled.
Result<rewrite::ReplacedCall> generalized(const rewrite::ReplacedCall& call, const Rewriting&,
                                          const RunContext&);

}  // namespace fxs::diagnose
