#pragma once
// The engine stopped after a number of pattern attempts and of passes, by its debug counters: the module as it is then.
#include <cstddef>
#include <string>
#include <vector>

#include "lower/lower.h"

namespace fxs::lower {

struct StopAt {
  std::size_t attempts = 0;  ///< pattern attempts allowed; those after it are not made
  std::size_t passes = 0;    ///< pass executions allowed; those after it are left out, and nothing fails
};

struct StoppedRun {
  bool ok = false;
  std::string text;   ///< the module with locations when ok
  std::string error;  ///< the engine's first error otherwise
};

/// One run for each of `stops`, at the same time as far as the runner can. EngineFailed when the engine cannot be run, Timeout past
/// the limit.
Result<std::vector<StoppedRun>> runStopped(const std::string& module, const std::string& pipeline, const std::vector<StopAt>& stops,
                                           const Engine&, const Limits&, CommandRunner&, const RunContext&);

}  // namespace fxs::lower
