// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/lowered_input.h"

#include <algorithm>

#include "lower/output_types.h"

namespace fxs::execute {
namespace {

Result<Converted> converted(std::vector<std::string> argv, const std::string& text,
                            const std::string& folder, const Limits& limits, CommandRunner& runner,
                            const RunContext& context) {
  Step step;
  step.argv = std::move(argv);
  step.input = text;
  step.folder = folder;
  step.timeout = limits.compileTime;
  step.memory = limits.memory;
  Converted out;
  FXS_TRY(out.end, runStep(step, Outcome::NotSupported, runner, context));
  out.text = std::move(out.end.out);
  return out;
}

std::vector<std::string> conversion(const Tools& tools, std::string_view dialect) {
  const lower::Conversion& known = lower::OutputTypes::builtin().conversionOf(dialect);
  const std::string& program = known.tool.isEngine() ? tools.engine : tools.mlirOpt;
  return {program, "-", "--mlir-print-debuginfo", "--pass-pipeline=" + known.pipeline};
}

/// One-shot bufferization reads only memory that nothing else accesses, which the engine does not
/// say of the memory that it has allocated.
std::string withOwnedMemory(std::string_view text) {
  constexpr std::string_view kToTensor = "bufferization.to_tensor ";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = text.find(kToTensor); at != std::string_view::npos;
       at = text.find(kToTensor)) {
    const std::size_t end = std::min(text.find(' ', at + kToTensor.size()), text.size());
    out.append(text.substr(0, end)).append(" restrict");
    text.remove_prefix(end);
  }
  return out.append(text);
}

}  // namespace

Result<Converted> generic(const std::string& text, const Tools& tools, const std::string& folder,
                          const Limits& limits, CommandRunner& runner, const RunContext& context) {
  return converted({tools.engine, "-", "--mlir-print-op-generic", "--mlir-print-debuginfo"}, text,
                   folder, limits, runner, context);
}

Result<Converted> tosaToLinalg(const std::string& text, const Tools& tools,
                               const std::string& folder, const Limits& limits,
                               CommandRunner& runner, const RunContext& context) {
  return converted(conversion(tools, "tosa"), text, folder, limits, runner, context);
}

Result<Converted> tmTensorToLoops(const std::string& text, const Tools& tools,
                                  const std::string& folder, const Limits& limits,
                                  CommandRunner& runner, const RunContext& context) {
  FXS_TRY(Converted out,
          converted(conversion(tools, "tm_tensor"), text, folder, limits, runner, context));
  out.text = withOwnedMemory(out.text);
  return out;
}

Result<Converted> stablehloToLinalg(const std::string& text, const Tools& tools,
                                    const std::string& folder, const Limits& limits,
                                    CommandRunner& runner, const RunContext& context) {
  return converted(conversion(tools, "stablehlo"), text, folder, limits, runner, context);
}

}  // namespace fxs::execute
