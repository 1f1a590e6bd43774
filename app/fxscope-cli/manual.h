// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The manual pages of fxscope-cli and fxscope, made of what the commands and the window's options
// declare.
#include <string>
#include <string_view>

#include "command.h"

namespace fxs::cli {

/// fxscope-cli(1), in the macros of man(7).
std::string commandLineManual(const Commands&, const lower::OutputTypes&, std::string_view version);
/// fxscope(1).
std::string windowManual(const lower::OutputTypes&, std::string_view version);

}  // namespace fxs::cli
