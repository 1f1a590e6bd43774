// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// lower::lowerBatch by the contract: a module that lowers to a text that breaks the contract of the
// output type (contract.h) counts as one that does not lower.
#include <string>
#include <vector>

#include "lower/batch.h"

namespace fxs::contract {

Result<std::vector<lower::BatchResult>> lowerKept(const std::vector<std::string>& modules,
                                                  const fx::Program& program, const lower::Engine&,
                                                  const lower::LowerOptions&, CommandRunner&,
                                                  const RunContext&);
/// Indexed by [target][module].
Result<std::vector<std::vector<lower::BatchResult>>> lowerKept(
    const std::vector<std::string>& modules, const std::vector<lower::OutputType>& targets,
    const fx::Program& program, const lower::Engine&, const lower::LowerOptions&, CommandRunner&,
    const RunContext&);
/// Whether the engine and the pipelines of the output type keep the contract of small programs that
/// lower; if not, what stops another program says nothing about it. EngineFailed says so. Asks
/// nothing of the engine and output types with which fxscope was checked.
Result<> ensureHonest(const lower::Engine&, const lower::LowerOptions&, CommandRunner&,
                      const RunContext&);
/// The breaches of the first text that has any, of the stages that ended well, errors only: later
/// texts have them too.
std::vector<fx::Finding> breachesOf(const std::vector<lower::StageResult>&,
                                    const lower::OutputType& target, const std::string& raw,
                                    const fx::Program& program);
std::vector<fx::Finding> breachesOf(const lower::Lowering&, const std::string& raw,
                                    const fx::Program& program);
/// Warnings about the texts of all stages that ended well. `asTorchMlir`: breaches too, because
/// torch-mlir does not check its texts.
std::vector<fx::Finding> warningsOf(const lower::Lowering&, const std::string& raw,
                                    const fx::Program& program, bool asTorchMlir);

}  // namespace fxs::contract
