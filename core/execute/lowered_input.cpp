#include "execute/lowered_input.h"

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

}  // namespace

Result<Converted> generic(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                          CommandRunner& runner, const RunContext& context) {
  return converted({tools.engine, "-", "--mlir-print-op-generic", "--mlir-print-debuginfo"}, text, folder, limits, runner, context);
}

Result<Converted> tosaToLinalg(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                               CommandRunner& runner, const RunContext& context) {
  return converted({tools.mlirOpt, "-", "--mlir-print-debuginfo", kTosaPipeline}, text, folder, limits, runner, context);
}

Result<Converted> stablehloToLinalg(const std::string& text, const Tools& tools, const std::string& folder, const Limits& limits,
                                    CommandRunner& runner, const RunContext& context) {
  return converted(
      {tools.engine, "-", "--mlir-print-debuginfo", "--pass-pipeline=builtin.module(stablehlo-legalize-to-linalg,canonicalize)"}, text,
      folder, limits, runner, context);
}

}  // namespace fxs::execute
