// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/stage_tool.h"

namespace fxs::lower {

const std::vector<std::string_view>& knownTools() {
  static const std::vector<std::string_view> names{
      kEngineTool, "mlir-opt-22", "mlir-translate-22", "clang-22",
      "llc-22",    "iree-opt",    "iree-compile"};
  return names;
}

bool runsPasses(std::string_view tool) {
  return tool == kEngineTool || tool == "mlir-opt-22" || tool == "iree-opt";
}

bool StageTool::runsPasses() const {
  return arguments.empty() && (isOpt || lower::runsPasses(program));
}

std::string StageTool::title() const {
  return isEngine() ? "the engine" : program.substr(program.rfind('/') + 1);
}

std::string_view name(Preparation preparation) {
  switch (preparation) {
    case Preparation::ExternalWeights: return "external-weights";
    case Preparation::ParameterWeights: return "parameter-weights";
    case Preparation::NodeLocations: break;
  }
  return "node-locations";
}

}  // namespace fxs::lower
