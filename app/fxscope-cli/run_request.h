// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Options shared by the commands that run what a program was lowered to: --inputs, --size.
#include <vector>

#include "command.h"
#include "numbers/compare.h"

namespace fxs::cli {

std::vector<Option> withRunOptions(std::vector<Option> own);
/// The inputs and sizes of the arguments; else Usage naming the option.
Result<> setRunOptions(numbers::RunOptions&, const Arguments&);

}  // namespace fxs::cli
