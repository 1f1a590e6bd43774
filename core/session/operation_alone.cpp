#include "session/operation_alone.h"

namespace fxs::session {

bool OperationAlone::isWrong() const { return executors > 1 && difference && difference->verdict >= tensor::Verdict::DiffersAtNonfinite; }

std::optional<compare::Inputs> operandsOf(const fx::Program& cut, const compare::Sizes& sizes, const ValueByName& valueOf) {
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

Result<OperationAlone> runAlone(const Snapshot& s, const fx::Program& cut, const lower::OutputType& to, const compare::Inputs& operands,
                                const std::function<tensor::Difference(const tensor::Tensor&)>& judge, TextRunner& runner,
                                const Environment& env, const RunContext& context) {
  OperationAlone out;
  FXS_TRY(const LoweredText lowered, lowerByEngine(s, cut, to, env, context));
  out.why = lowered.why;
  if (lowered.text.empty()) return out;
  for (const auto& executor : runner.executors()) {
    FXS_TRY(const Executed done, runner.run(*executor, lowered.text, operands, false, context));
    if (done.run.outcome != execute::Outcome::Ran || done.values.empty()) {
      out.why = done.run.why;
      continue;
    }
    ++out.executors;
    tensor::Difference difference = judge(done.values.front());
    if (!out.difference || difference.verdict < out.difference->verdict) out.difference = std::move(difference);
  }
  return out;
}

}  // namespace fxs::session
