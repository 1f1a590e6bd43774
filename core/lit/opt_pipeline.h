// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The pass pipeline of a command of a test, as text: that of -pass-pipeline, or what the program
// makes of its options, which only it knows.
#include <cstddef>
#include <string>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lit/plan.h"

namespace fxs::lit {

/// Whether it is a stage of a `*-opt`, which runs passes.
bool runsPasses(const Stage&);

/// "builtin.module(..)". Asks the program with --dump-pass-pipeline, on an empty
/// module. `stage`: index in Plan::stages. Usage if it runs no passes; InvalidInput, with the
/// program's error, if it refuses its options; else as run().
Result<std::string> pipelineOf(const Plan&, std::size_t stage, CommandRunner&, const RunContext&);

}  // namespace fxs::lit
