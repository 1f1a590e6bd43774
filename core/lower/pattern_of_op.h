// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The pattern that made an operation in a pass of a trace, from the attempts on its node.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lower/pass_trace.h"
#include "lower/patterns.h"

namespace fxs::lower {

/// The index in PatternTrace::passes of a pass of the trace: the same run of the same pass in its
/// stage; -1 if there is none.
int patternPassOf(const PatternTrace& patterns, const PassTrace& passes, int pass);

/// The steps of a pass of the trace, as indices into rewriteSteps(): the first, and the one after
/// the last; the same if it has none.
struct StepsOfPass {
  std::size_t first = 0, end = 0;
};
StepsOfPass rewriteStepsOf(const PatternTrace& patterns, const PassTrace& passes, int pass);

/// shortName of the pattern that made an operation of the node in the pass, an index into
/// PassTrace::passes: the only one that took effect there and made operations of that name, or, as
/// in a conversion of several operations, that took effect on one of `sources`, names of what it
/// was made of. "" if it is not known, and for constants, which are shared.
std::string patternOfOp(const PatternTrace& patterns, const PassTrace& passes, int pass,
                        std::string_view opName, const std::vector<std::string>& sources);

}  // namespace fxs::lower
