// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What executors run, from the stages of output types (resources/output_types.json): what is shown
// is what runs, but for the variants that are named.
#include <string>
#include <string_view>
#include <vector>

namespace fxs::execute {

/// Names of the variants of stages in which a text was compiled; empty for the stages as they are.
using Variants = std::vector<std::string_view>;

/// From linalg to the LLVM dialect: "builtin.module(..)".
std::string llvmPipeline(const Variants&);
/// Of mlir-translate, for LLVM IR.
std::vector<std::string> translateArguments();
/// Of clang, for code of LLVM IR, without those that say what it reads and writes.
std::vector<std::string> clangArguments(const Variants&);
/// Of iree-compile, for the code of this machine.
std::vector<std::string> ireeArguments();
/// Of iree-compile, to write the dispatches instead.
std::string toDispatches();

}  // namespace fxs::execute
