// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes of a tool, for `fxscope-cli passes`.
#include <string>
#include <vector>

#include "lower/tool_passes.h"

namespace fxs::report {

/// One line each: name and summary. With `options`, those of each pass below it.
std::string passesText(const std::vector<lower::ToolPass>&, bool options);
std::string passesJson(const std::string& tool, const std::vector<lower::ToolPass>&);
std::string passesSchema();

}  // namespace fxs::report
