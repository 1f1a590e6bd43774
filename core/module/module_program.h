// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The program of a printed module, and the module with every operation located at its node.
#include <string>
#include <string_view>

#include "base/run_context.h"
#include "fx/program.h"
#include "module/source_module.h"

namespace fxs::module {

/// The name of standard input in locations and diagnostics of MLIR's tools.
inline constexpr std::string_view kStdin = "<stdin>";

/// `printed`: the module of `part` as a tool prints it, with locations, in which <stdin> is the
/// part. Sets text, own, function, dialects and ops of `module`. A node is named after the result
/// of the operation in the part's text, and has that line as its stack_trace, in the file `label`;
/// one that has a location there is named after it, and has its lines. Null if the text is not one
/// that MLIR prints. Throws Abandoned if the budget is exceeded.
fx::ProgramPtr programOf(const std::string& printed, const Part& part, const std::string& label,
                         read::SourceModule& module, const RunContext&);

}  // namespace fxs::module
