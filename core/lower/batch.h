// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Lowers many small modules in as few engine processes as possible, each with its own result: with
// --split-input-file, the engine continues after a failing module and prints the outputs in order.
// A module that hangs or crashes the engine is isolated by bisection.
#include <memory>
#include <string>
#include <vector>

#include "lower/lower.h"

namespace fxs::lower {

struct BatchResult {
  StageStatus status =
      StageStatus::Skipped;  ///< Skipped: the time limit was reached, or the run was cancelled
  std::string stage;         ///< StageSpec::id of the last stage that ran
  std::string pass;          ///< the pass that failed; "" if none did
  std::string text;          ///< the last stage's module if Ok
  std::string lastGood;      ///< the input of the failing stage if not Ok
  std::string failureIr;     ///< IR at the failing pass; "" if the engine printed none
  std::string message;       ///< the engine's error messages about this module
  std::vector<fx::Finding> findings;  ///< errors at nodes of `program`; empty when Ok
  bool ok() const { return status == StageStatus::Ok; }
  bool isKnown() const { return lower::isKnown(status); }
};

/// Lowers `modules`, texts written by the importer, to `options.target`; results in the same order.
/// What a process did not print to its end is run again, and then by itself, with a share of
/// `options.limits.timeout` (see shareOf()). `program` resolves the nodes of locations.
/// EngineFailed if the engine cannot be started or cannot run a pipeline at all, Cancelled on a
/// stop request.
Result<std::vector<BatchResult>> lowerBatch(const std::vector<std::string>& modules,
                                            const fx::Program& program, const Engine&,
                                            const LowerOptions&, CommandRunner&, const RunContext&);

/// As above for several output types, whose common stages run once, with up to `processes` engines
/// at a time for each stage. Indexed by [target][module].
Result<std::vector<std::vector<BatchResult>>> lowerBatch(const std::vector<std::string>& modules,
                                                         const std::vector<OutputType>& targets,
                                                         const fx::Program& program, const Engine&,
                                                         const LowerOptions&, CommandRunner&,
                                                         const RunContext&,
                                                         std::size_t processes = 2);

/// A module, and the output types to lower it to.
struct ModuleFor {
  std::string text;
  std::vector<OutputType> targets;
};
/// Lowers modules, each to its own output types, in a few processes, for lower() to continue as its
/// `before`. A lowering has the stages that ended well, without times and command lines; later ones
/// are Skipped. Null if nothing after RAW ended well, or if another program than the engine runs a
/// stage. Indexed by [module][its target]. EngineFailed if the engine cannot be started, Cancelled
/// on a stop request.
Result<std::vector<std::vector<std::shared_ptr<const Lowering>>>> lowerTogether(
    const std::vector<ModuleFor>&, const Engine&, const LowerOptions&, CommandRunner&,
    const RunContext&);

}  // namespace fxs::lower
