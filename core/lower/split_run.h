#pragma once
// One engine process for many modules: --split-input-file, each module's output and errors told apart. The engine prints one
// part per module in order; a module whose pipeline failed or crashed is printed as a crash reproducer, one that is not valid
// leaves its part empty.
#include <string>
#include <string_view>
#include <vector>

#include "lower/engine.h"
#include "lower/lower.h"

namespace fxs::lower {

struct SplitPart {
  enum class Outcome : std::uint8_t {
    Ok,
    Failed,      ///< `out` is the input module, `err` the engine's output about it
    Unclear,     ///< it failed, but its messages cannot be told apart from those of its neighbours, or there are none
    Unanswered,  ///< the process ended, or was ended, before it printed
  };
  Outcome outcome = Outcome::Unanswered;
  std::string out;
  std::string err;
};

struct SplitJob {
  std::string pipeline;
  std::vector<std::string_view> modules;
};

/// The parts of each job, in order. The jobs run at once, each in one process with `limits` of its own. EngineFailed when the engine
/// cannot be started, Cancelled on a stop.
Result<std::vector<std::vector<SplitPart>>> runSplit(const Engine&, const std::vector<SplitJob>& jobs, const Limits& limits, CommandRunner&,
                                                     const RunContext&);

/// What a process with --split-input-file printed, as parts: for runSplit and tests.
std::vector<SplitPart> splitParts(std::string_view out, std::string_view err, std::size_t modules);

}  // namespace fxs::lower
