// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs the programs of a plan in the cage, in a temporary folder that is gone afterwards. As in
// lit, every program of a pipeline has to end as expected; other than in lit, lines after a failed
// one run as well, so that each has an outcome. The programs of a pipeline run one after the other.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lit/plan.h"

namespace fxs::lit {

struct StageRun {
  bool ran = false;  ///< not if a pipeline before in its line failed, or it could not start
  bool isAsExpected = false;
  std::vector<std::string> argv;
  ExitReason reason = ExitReason::Exited;
  int status = 0;   ///< exit code when Exited, signal when Signalled
  std::string out;  ///< all of its stdout, also what went on to another program or a file; stderr
                    ///< as well where the line joins them
  std::string err;
  std::chrono::milliseconds wall{0};
  std::string message;  ///< why it is not as expected: "exit code 1, expected 0"; "" if it is
};

struct TestRun {
  std::vector<StageRun> stages;  ///< by index in Plan::stages
  bool passed = false;           ///< every stage is as expected, and no line was skipped
};

/// `text`: the test. Errors: those that end all (Cancelled, DiskFull), and Io for the temporary
/// folder. Everything else is a StageRun with a message. Throws Abandoned if the budget of the
/// context is exceeded.
Result<TestRun> run(const Plan&, std::string_view text, CommandRunner&, const RunContext&);

/// Whether all stages of a RUN line, by its index in Test::runs, are as expected; std::nullopt if
/// it was skipped.
std::optional<bool> passed(const Plan&, const TestRun&, std::size_t run);

}  // namespace fxs::lit
