// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A lit test of a pass pipeline with no more of the module than what the pipeline changes: of
// operations that it changes alike, one is kept, and what they use becomes arguments.
#include <string>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lit/pass_test.h"

namespace fxs::diagnose {

struct ReducedPassTest {
  std::string text;
  std::string message;  ///< "reduced from 40 operations to 3", or "not reduced: .." with the reason
};
/// Verified as by lit::writePassTest(): of the module as it is, if a smaller one is not known.
/// Errors are those of lit::writePassTest().
Result<ReducedPassTest> writeReducedPassTest(const lit::PassTest&, const lit::Settings&,
                                             CommandRunner&, const RunContext&);

}  // namespace fxs::diagnose
