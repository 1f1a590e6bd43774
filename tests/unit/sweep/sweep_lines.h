// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lines for the tests of sweeps.
#include <string>
#include <utility>
#include <vector>

#include "sweep/line.h"

namespace fxs::sweep {

inline Line lineOf(std::string program, std::string to, Status status = Status::Ok,
                   std::vector<Blocker> blockers = {}) {
  Line line;
  line.program = std::move(program);
  line.to = std::move(to);
  line.status = status;
  if (status != Status::Ok) {
    line.stage = line.to;
    line.message = "it stops";
    line.complete = true;
  }
  line.blockers = std::move(blockers);
  line.nodes = 4;
  line.sha256 = "aa";
  line.options = "experiments";
  line.fxscope = "1.2.3";
  line.engine = "LLVM 99";
  line.engineSha256 = "0123456789abcdef";
  return line;
}

inline Blocker blockerOf(std::string fxTarget, std::optional<Fix> fix = std::nullopt) {
  return {std::move(fxTarget), "no-pattern", 2, 1, std::move(fix)};
}

}  // namespace fxs::sweep
