// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Where the programs are that stages name and executors run. They are looked for at each call,
// because they may be installed meanwhile.
#include <memory>
#include <string>
#include <vector>

#include "execute/tools.h"
#include "lit/plan.h"
#include "lower/stage_tool.h"
#include "session/session.h"

namespace fxs::session {

/// Without `engine`.
execute::Tools toolsOf(const Environment&);
std::shared_ptr<const lower::Toolbox> toolboxOf(const Environment&);

/// A program by the name that lit tests use: "FileCheck".
struct TestProgram {
  std::string name;
  std::string path;     ///< "" if it was not found
  std::string message;  ///< how to get one that was not found
};
/// torch-mlir-opt, which is the environment's engine, mlir-opt and FileCheck. Cancelled, DiskFull.
Result<std::vector<TestProgram>> testPrograms(const Environment&, const RunContext&);
/// The settings of a lit test: testPrograms(), and `limits` for each program.
Result<lit::Settings> litSettings(const Environment&, const lower::Limits&, const RunContext&);

}  // namespace fxs::session
