// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/operation_alone.h"

namespace fxs::numbers {

bool isWrong(const tensor::Difference& difference) {
  return difference.verdict >= tensor::Verdict::DiffersAtNonfinite;
}

bool OperationAlone::isWrong() const {
  return executors > 1 && difference && numbers::isWrong(*difference);
}

std::optional<compare::Inputs> operandsOf(const fx::Program& cut, const compare::Sizes& sizes,
                                          const ValueByName& valueOf) {
  compare::Inputs out;
  out.sizes = sizes;
  for (const fx::InputSpec& spec : cut.inputs) {
    if (spec.kind != fx::InputKind::UserInput) continue;
    auto value = valueOf(cut.node(spec.node).name);
    if (!value) return std::nullopt;
    out.tensors.push_back(*std::move(value));
  }
  return out;
}

Result<OperationAlone> runTextAlone(
    const std::string& text, const compare::Inputs& operands,
    const std::function<tensor::Difference(const tensor::Tensor&)>& judge, Checks checks,
    TextRunner& runner, const RunContext& context) {
  OperationAlone out;
  for (const auto& executor : runner.executors()) {
    FXS_TRY(const Executed done, runner.run(*executor, text, operands, false, context));
    if (done.run.outcome != execute::Outcome::Ran || done.values.empty()) {
      out.message = done.run.message;
      continue;
    }
    ++out.executors;
    tensor::Difference difference = judge(done.values.front());
    const std::string name(executor->id());
    out.isWrongBy[name] = isWrong(difference);
    if (!out.difference || difference.verdict < out.difference->verdict)
      out.difference = std::move(difference);
    if (checks == Checks::No || !executor->hasChecks()) continue;
    FXS_TRY(const Executed checked, runner.run(*executor, text, operands, true, context));
    if (checked.run.outcome != execute::Outcome::Ran || checked.values.empty()) continue;
    out.isWrongBy[compare::unoptimized(name)] = isWrong(judge(checked.values.front()));
  }
  return out;
}

Result<OperationAlone> runAlone(
    const session::Snapshot& s, const fx::Program& cut, const lower::OutputType& to,
    const compare::Inputs& operands,
    const std::function<tensor::Difference(const tensor::Tensor&)>& judge, TextRunner& runner,
    const session::Environment& env, const RunContext& context) {
  FXS_TRY(const LoweredText lowered, lowerBy(*s.request.route, s, cut, to, env, context));
  if (!lowered.text.empty())
    return runTextAlone(lowered.text, operands, judge, Checks::No, runner, context);
  OperationAlone out;
  out.message = lowered.message;
  return out;
}

}  // namespace fxs::numbers
