// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reduces a module: erases operations of functions that are not needed, replaces computed tensors
// by arguments, one operand at a time, and drops results. It is the last step of a reduction, on
// the RAW module of the reduced program or on a module that was opened. A function that has several
// blocks, or is not printed as the engine does, is not changed.
#include <functional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "base/work_time.h"
#include "diagnose/reduce.h"
#include "module/function_parts.h"

namespace fxs::diagnose {

/// All known failures of each module. Cancelled on a stop request.
using ModuleProbe = std::function<Result<std::vector<std::vector<Failure>>>(
    const std::vector<std::string>&, const RunContext&)>;

/// `raw` must fail with that signature. Returns the smallest module found; `raw` itself if nothing
/// was removed before the end or a stop.
Result<std::string> reduceModule(const std::string& raw, const FailureSignature&,
                                 const ModuleProbe&, const TimeLimit& budget, const RunContext&);

/// What a smaller module must have.
struct ModuleGoal {
  /// Which of the modules have it. Cancelled on a stop request.
  std::function<Result<std::vector<bool>>(const std::vector<std::string>&)> test;
  /// Items of a function to begin with if they and what they require are enough, smallest first.
  std::function<std::vector<module::Kept>(const mlir::Module&, const module::FunctionParts&)> guess;
};
/// As above. Erases, too, what a module with several functions does not need.
Result<std::string> reduceModule(const std::string& module, const ModuleGoal&,
                                 const TimeLimit& budget, const RunContext&);

}  // namespace fxs::diagnose
