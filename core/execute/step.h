// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// One program that an executor runs: its command, and what its end means.
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "execute/executor.h"

namespace fxs::execute {

struct Step {
  std::vector<std::string> argv;
  std::string input;               ///< on standard input
  std::vector<std::string> reads;  ///< files and folders besides the system's
  std::string folder;              ///< its working directory, in which it may write
  bool startsPrograms = false;
  std::chrono::milliseconds timeout{0};
  std::uint64_t memory = 0;
};
struct StepEnd {
  std::optional<Outcome> outcome;  ///< std::nullopt: it ended well
  std::string message;
  fx::NodeId node;
  std::string out, err;
  std::chrono::duration<double> seconds{0};
};
/// `failed`: what a non-zero exit code means. Cancelled on a stop request; a program that cannot be
/// started is NotSupported.
Result<StepEnd> runStep(const Step&, Outcome failed, CommandRunner&, const RunContext&);

/// The dialects of a module's operations ("linalg", "tm_tensor"), sorted, without builtin.
std::vector<std::string> dialectsOf(std::string_view text);
bool has(const std::vector<std::string>& dialects, std::string_view dialect);

}  // namespace fxs::execute
