// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The last lines of an answer: what to do next, and the command that does it.
#include "command.h"
#include "diagnose/next_step.h"

namespace fxs::cli {

/// With the options that were given and that its command knows; nullopt if it would not know one
/// that changes the program.
std::optional<diagnose::NextStep> withOptions(std::optional<diagnose::NextStep>,
                                              const Arguments& given);
/// "next: compare what it computes\n  fxscope-cli compare .." after an empty line; "" without a
/// step.
std::string nextLines(const std::optional<diagnose::NextStep>&, const TextLayout&);

}  // namespace fxs::cli
