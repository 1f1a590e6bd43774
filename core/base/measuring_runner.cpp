// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/measuring_runner.h"

#include <algorithm>
#include <utility>

namespace fxs {

Result<Exit> MeasuringRunner::run(const Command& command, std::stop_token stop) {
  return noted(runner_.run(command, std::move(stop)));
}

std::vector<Result<Exit>> MeasuringRunner::runAll(std::span<const Command> commands,
                                                  std::stop_token stop) {
  std::vector<Result<Exit>> out = runner_.runAll(commands, std::move(stop));
  for (Result<Exit>& exit : out) exit = noted(std::move(exit));
  return out;
}

Result<Exit> MeasuringRunner::noted(Result<Exit> exit) {
  if (exit) peak_ = std::max(peak_, exit->peakMemory);
  return exit;
}

}  // namespace fxs
