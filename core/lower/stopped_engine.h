// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The module after a given number of pattern attempts and passes: runs the engine with debug
// counters that suppress later ones.
#include <cstddef>
#include <string>
#include <vector>

#include "lower/lower.h"

namespace fxs::lower {

struct StopAt {
  std::size_t attempts = 0;  ///< maximum number of pattern attempts
  std::size_t passes =
      0;  ///< maximum number of pass executions; later passes are skipped without an error
};

struct StoppedRun {
  bool ok = false;
  std::string text;   ///< the module with locations if ok
  std::string error;  ///< the engine's first error otherwise
};

/// One run for each of `stops`, in parallel if the runner supports it. EngineFailed if the engine
/// cannot be run, Timeout if a run exceeds the limit.
Result<std::vector<StoppedRun>> runStopped(const std::string& module, const std::string& pipeline,
                                           const std::vector<StopAt>& stops, const Engine&,
                                           const Limits&, CommandRunner&, const RunContext&);

}  // namespace fxs::lower
