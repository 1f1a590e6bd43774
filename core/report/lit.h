// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The output of `fxscope-cli lit`: the outcome of each RUN line of lit tests, and what FileCheck
// says, as text and as JSON (resources/schemas/lit.schema.json).
#include <cstdint>
#include <string>
#include <vector>

#include "lit/outcome.h"
#include "lit/plan.h"
#include "lit/run.h"
#include "lit/test.h"
#include "report/source_location.h"

namespace fxs::report {

struct LitTest {
  std::string file;  ///< as output names it
  std::string text;
  lit::Test test;
  lit::Plan plan;
  lit::TestRun run;
  Paths paths;
};

/// Which directives of FileCheck are shown.
enum class ShownChecks : std::uint8_t { Failed, All };

/// A line for the test and one for each RUN line; below a failed one, what its programs say.
std::string litText(const LitTest&, ShownChecks);
/// The last line: how many tests and RUN lines passed, failed and were not run.
std::string litSummary(const std::vector<LitTest>&);
std::string litJson(const std::vector<LitTest>&, ShownChecks);

}  // namespace fxs::report
