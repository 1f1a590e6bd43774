// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The program of a printed module, and the module with every operation located at its node.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/run_context.h"
#include "fx/program.h"
#include "mlir/text/module.h"
#include "module/source_module.h"

namespace fxs::module {

/// The name of standard input in locations and diagnostics of MLIR's tools.
inline constexpr std::string_view kStdin = "<stdin>";

/// How the operations and arguments of a printed module are found in the text that was read.
enum class Locating : std::uint8_t {
  ByLocations,  ///< that the tool printed, in which <stdin> is the text
  ByOrder,      ///< both have the same ones; a tool prints faster without locations
};

/// Whether the module has no locations, and those of its arguments can be written: of a function of
/// `func`, or after the label of a block. Other operations print them in their own way, or not.
bool isLocatedByOrder(const mlir::Module&);

/// `printed`: the module of `part` as a tool prints it. `source`: the part's text. Sets text, own,
/// function, dialects and ops of `module`. A node is named after the result of the operation in the
/// part's text, and has that line as its stack_trace, in the file `label`; one that has a location
/// there is named after it, and has its lines. Null if the text is not one that MLIR prints, or if
/// ByOrder it differs from the source in more than its form. Throws Abandoned if the budget is
/// exceeded.
fx::ProgramPtr programOf(const std::string& printed, const Part& part, const mlir::Module& source,
                         Locating, const std::string& label, read::SourceModule& module,
                         const RunContext&);

}  // namespace fxs::module
