// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What problems of both kinds have: of programs that do not lower, and of those that compute wrong.
#include <functional>
#include <string>
#include <vector>

#include "base/private_text.h"
#include "upstream/problem.h"

namespace fxs::upstream {

/// Stages as a command line for a shell, which lowers minimal.mlir. `wordsOf`: the program of a
/// stage, with the arguments of one that runs no passes.
std::string commandText(
    const std::vector<lower::StageSpec>&,
    const std::function<std::vector<std::string>(const lower::StageSpec&)>& wordsOf);
/// The versions of engine and PyTorch.
std::string versionsOf(const session::Snapshot&);
/// Removes private data.
void clean(Problem&, const Identity&);

/// What a program that lowers computes wrong, as values are compared (numbers/compare.h). Usage if
/// nothing is known to be wrong, and why.
Result<Problem> wrongProblemOf(const session::SnapshotPtr&, const ProblemOptions&,
                               const session::Environment&, const RunContext&);

}  // namespace fxs::upstream
