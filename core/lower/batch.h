#pragma once
// Lowers many small modules in as few engine processes as possible, each with its own result: the engine splits its input, continues after
// a failing module, and prints the outputs in order. A module that hangs or crashes the engine is isolated by bisection.
#include <string>
#include <vector>

#include "lower/lower.h"

namespace fxs::lower {

struct BatchResult {
  StageStatus status = StageStatus::Skipped;  ///< Skipped: the time limit was reached, or the run was cancelled
  std::string stage;                          ///< StageSpec::id of the last stage that ran
  std::string pass;                           ///< the one that failed; "" when none did
  std::string text;                           ///< the last stage's module when Ok
  std::string lastGood;                       ///< the input of the failing stage, when not
  std::string failureIr;                      ///< IR at the failing pass; "" when the engine printed none
  std::string words;                          ///< the engine's errors about this module, its own words
  std::vector<fx::Finding> findings;          ///< errors at nodes of `program`; empty when Ok
  bool ok() const { return status == StageStatus::Ok; }
};

/// `modules` as the importer writes them; results in their order. A module that is run by itself
/// gets 10 s at most, or `options.limits.timeout`; `program` resolves nodes. EngineFailed when the engine cannot be started, Cancelled on a
/// stop.
Result<std::vector<BatchResult>> lowerBatch(const std::vector<std::string>& modules, const fx::Program& program, const Engine&,
                                            const LowerOptions&, CommandRunner&, const RunContext&);

/// The same for several output types: the stages that they share run once. [target][module]
Result<std::vector<std::vector<BatchResult>>> lowerBatch(const std::vector<std::string>& modules, const std::vector<OutputType>& targets,
                                                         const fx::Program& program, const Engine&, const LowerOptions&, CommandRunner&,
                                                         const RunContext&);

}  // namespace fxs::lower
