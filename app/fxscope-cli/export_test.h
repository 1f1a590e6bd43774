// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Option --export-test of `lower` and `trace`.
#include <string>
#include <string_view>

#include "command.h"
#include "lower/pass_trace.h"

namespace fxs::cli {

Option exportTestOption(std::string help);
/// Writes a lit test of a pipeline on a module, which `tool` runs, to the file of --export-test,
/// once it is verified. Usage if the tool runs no passes, else as
/// diagnose::writeReducedPassTest().
Result<> exportTest(std::string_view module, const lower::StageTool& tool,
                    const std::string& pipeline, const Arguments&, Console&);
/// The same for the pass of --pass in a trace; nothing without this option.
Result<> exportTestOfPass(const lower::PassTrace&, const Arguments&, Console&);

/// The same for the first pass after the edit of a lowering that changes its text. Usage if there
/// is none.
Result<> exportTestOfEdit(const session::Snapshot&, const Arguments&, Console&);

}  // namespace fxs::cli
