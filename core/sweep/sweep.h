// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The programs of a sweep: lowered to some output types and, where they do not lower, diagnosed.
// What becomes of a program is a value; only a stop request and an engine that is gone are errors.
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "session/session.h"
#include "sweep/line.h"
#include "sweep/programs.h"

namespace fxs::sweep {

struct SweepOptions {
  session::Request base;                   ///< its file and output type are replaced
  std::vector<lower::OutputType> targets;  ///< at least one, without duplicates
  bool experiments = true;                 ///< try fixes
  std::string version;                     ///< of fxscope
  std::string directory;                   ///< absolute: Python lines are named relative to it
};

/// What a line depends on besides the program, fxscope and the engine, as text: "experiments
/// mode=lowering timeout=120000ms ..", by name of the output type.
using OptionTexts = std::map<std::string, std::string>;
/// Io if a file that the options name cannot be read.
Result<OptionTexts> sweepOptionTexts(const SweepOptions&, const BudgetLimits&);

/// Calls `onProgram` with the lines of each program, in order: one for each output type, in the
/// order of the options. `described` is sweepOptionTexts(). Small programs are lowered several in
/// an engine process, and those that do not lower there by themselves. A program has a budget of
/// its own, with the limits of the context's. Cancelled after a stop request; EngineFailed if the
/// engine's file is no longer the one that was probed; an error of `onProgram`.
Result<> sweepPrograms(
    std::span<const ProgramFile>, const SweepOptions&, const OptionTexts& described,
    const lower::Engine&, const session::Environment&, const RunContext&,
    const std::function<Result<>(const ProgramFile&, const std::vector<Line>&)>& onProgram);

}  // namespace fxs::sweep
