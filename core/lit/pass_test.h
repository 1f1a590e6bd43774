// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A lit test of a pass pipeline on a module, verified: it passes, and it fails where the pipeline
// is left out.
#include <string>
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "base/subprocess.h"
#include "lit/plan.h"

namespace fxs::lit {

struct PassTest {
  std::string_view module;
  std::string program;   ///< by the name that tests use: "mlir-opt"
  std::string pipeline;  ///< "builtin.module(canonicalize)"
};
/// What the program prints for each module, without locations; "" if it or the pipeline fails. No
/// pipeline prints the modules as they are. Their number is bounded by kMaxParts. EngineFailed if
/// the settings lack the program; else as run().
Result<std::vector<std::string>> outputsOf(const std::string& program, const std::string& pipeline,
                                           const std::vector<std::string>& modules, const Settings&,
                                           CommandRunner&, const RunContext&);
/// The input of the test is the module as the program prints it, without locations. EngineFailed if
/// the settings lack a program; InvalidInput if the pipeline fails; Usage if the test would pass
/// without the pipeline; Unsupported if it does not pass; else as run().
Result<std::string> writePassTest(const PassTest&, const Settings&, CommandRunner&,
                                  const RunContext&);

}  // namespace fxs::lit
