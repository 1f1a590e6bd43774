// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Option --engine of the commands that take several engines.
#include <string>
#include <vector>

#include "command.h"
#include "engines/engines.h"

namespace fxs::cli {

inline Option enginesOption(std::string help) {
  return {"--engine", "ENGINE", std::move(help), true};
}
/// As given; a path may have commas.
inline std::vector<std::string> engineNames(const Arguments& arguments) {
  return arguments.raw("--engine");
}

}  // namespace fxs::cli
