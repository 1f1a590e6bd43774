// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes that a tool such as mlir-opt registers, with their options and documentation, as its
// --help lists them.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/run_context.h"
#include "lower/engine.h"
#include "lower/lower.h"

namespace fxs::lower {

struct PassOption {
  std::string name;                  ///< "max-iterations"
  std::string value;                 ///< "long", "value"; "" for a flag
  std::string summary;               ///< "" if it has none
  std::vector<std::string> choices;  ///< the values that it can have, if they are listed
};
/// A pass, or a pipeline that has a name.
struct ToolPass {
  std::string name;     ///< "canonicalize"
  std::string summary;  ///< "" if it has none
  std::vector<PassOption> options;
};

/// Sorted by name. Of a text that is not such a --help, nothing.
std::vector<ToolPass> passesInHelp(std::string_view help);
/// The pass of that name, or null.
const ToolPass* passNamed(const std::vector<ToolPass>&, std::string_view name);
/// Runs `tool --help`. EngineFailed if it does not end well; Cancelled on a stop request.
Result<std::vector<ToolPass>> passesOfTool(const Engine& tool, const Limits&, CommandRunner&,
                                           const RunContext&);

}  // namespace fxs::lower
