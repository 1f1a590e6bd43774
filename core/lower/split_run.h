// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Runs many modules in one engine process with --split-input-file, and splits the output and errors
// by module. The engine prints one part per module in order: a crash reproducer if the pipeline
// failed or crashed, and an empty part if the module does not parse or verify.
#include <string>
#include <string_view>
#include <vector>

#include "lower/engine.h"
#include "lower/lower.h"

namespace fxs::lower {

struct SplitPart {
  enum class Outcome : std::uint8_t {
    Ok,
    Failed,   ///< `out` is the input module, `err` the engine's messages about it
    Unclear,  ///< failed, but its messages are missing or cannot be separated from those of other
              ///< modules
    Unanswered,  ///< the process ended or was killed before it printed this part
  };
  Outcome outcome = Outcome::Unanswered;
  std::string out;
  std::string err;
};

struct SplitJob {
  std::string pipeline;
  std::vector<std::string_view> modules;
  const Engine* engine = nullptr;  ///< another one than the engine; see engineOfStage()
};

/// The parts of each job, in order. The jobs run concurrently, each in a process of its own with
/// these `limits`. EngineFailed if the engine cannot be started, Cancelled on a stop request.
Result<std::vector<std::vector<SplitPart>>> runSplit(const Engine&,
                                                     const std::vector<SplitJob>& jobs,
                                                     const Limits& limits, CommandRunner&,
                                                     const RunContext&);

/// Splits the output of a process with --split-input-file into parts; used by runSplit and tests.
std::vector<SplitPart> splitParts(std::string_view out, std::string_view err, std::size_t modules);

}  // namespace fxs::lower
