// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the runs of the RUN lines say of a test.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lit/plan.h"
#include "lit/run.h"
#include "lit/test.h"

namespace fxs::lit {

enum class TestOutcome : std::uint8_t {
  Passed,  ///< every line that ran
  Failed,
  ExpectedFailure,  ///< `XFAIL: *`, and a line failed
  UnexpectedPass,   ///< `XFAIL: *`, and all lines passed
  NotRun,           ///< no line ran, or those that ran do not say whether an `XFAIL: *` holds
};
std::string_view name(TestOutcome);  ///< "expected failure"
/// Whether it is one that ends a run of tests with an error.
bool isFailure(TestOutcome);

TestOutcome outcomeOf(const Test&, const Plan&, const TestRun&);

/// Whether a condition holds here: `*` does, `false` does not; of others only the reader knows.
std::optional<bool> holds(const Condition&);
std::string_view name(Condition::Kind);  ///< "XFAIL"

/// Leaves out the RUN lines, with a message, of a test that runs nowhere: `UNSUPPORTED: *`.
void skipUnsupported(Test&);

}  // namespace fxs::lit
