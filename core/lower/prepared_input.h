// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Changes a stage's input for a tool that cannot read it as it is. The text is changed in place of
// the constants and locations concerned, so nothing else of it is read or written.
#include <string>
#include <string_view>
#include <vector>

#include "lower/stage_tool.h"

namespace fxs::lower {

std::string preparedInput(std::string_view text, const std::vector<Preparation>&);

}  // namespace fxs::lower
