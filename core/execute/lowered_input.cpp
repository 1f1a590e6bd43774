#include "execute/lowered_input.h"

#include <algorithm>

namespace fxs::execute {
namespace {

constexpr const char* kTosaPipeline =
    "--pass-pipeline=builtin.module(func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable,tosa-to-linalg-named,"
    "canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,tosa-to-tensor,tosa-to-arith,tosa-to-scf),"
    "canonicalize,cse)";

Result<Converted> converted(std::vector<std::string> argv, const std::string& text, const std::string& folder, const Limits& limits,
                            CommandRunner& runner, const RunContext& context) {
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

/// One-shot bufferization reads only memory that nothing else accesses, which the engine does not say of the memory that it has allocated.
std::string withOwnedMemory(std::string_view text) {
  constexpr std::string_view kToTensor = "bufferization.to_tensor ";
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = text.find(kToTensor); at != std::string_view::npos; at = text.find(kToTensor)) {
    const std::size_t end = std::min(text.find(' ', at + kToTensor.size()), text.size());
    out.append(text.substr(0, end)).append(" restrict");
    text.remove_prefix(end);
  }
  return out.append(text);
}

}  // namespace

Result<Converted> generic(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                          CommandRunner& runner, const RunContext& context) {
  return converted({tools.engine, "-", "--mlir-print-op-generic", "--mlir-print-debuginfo"}, text, folder, limits, runner, context);
}

Result<Converted> tosaToLinalg(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                               CommandRunner& runner, const RunContext& context) {
  return converted({tools.mlirOpt, "-", "--mlir-print-debuginfo", kTosaPipeline}, text, folder, limits, runner, context);
}

Result<Converted> tmTensorToLoops(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                                  CommandRunner& runner, const RunContext& context) {
  FXS_TRY(Converted out, converted({tools.engine, "-", "--mlir-print-debuginfo",
                                    "--pass-pipeline=builtin.module(func.func(tm-tensor-bufferize,tm-tensor-to-loops))"},
                                   text, folder, limits, runner, context));
  out.text = withOwnedMemory(out.text);
  return out;
}

Result<Converted> stablehloToLinalg(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                                    CommandRunner& runner, const RunContext& context) {
  return converted(
      {tools.engine, "-", "--mlir-print-debuginfo", "--pass-pipeline=builtin.module(stablehlo-legalize-to-linalg,canonicalize)"}, text,
      folder, limits, runner, context);
}

}  // namespace fxs::execute
