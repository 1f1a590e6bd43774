// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/module_reference.h"

#include <fmt/format.h>

#include "base/joined.h"
#include "numbers/lowered_texts.h"
#include "tensor/held_tensors.h"

namespace fxs::numbers {
namespace {

/// "the module in IREE 3.13.0", "the module after torch in IREE 3.13.0"
std::string titleOf(const lower::StageResult& stage, bool isFirst,
                    const execute::Executor& executor) {
  return fmt::format("the module{} in {}", isFirst ? "" : " after " + stage.id, executor.version());
}

Reference referenceOf(const std::string& title, Executed executed) {
  auto values = std::make_shared<tensor::HeldTensors>();
  for (std::size_t r = 0; r < executed.values.size(); ++r)
    values->add(fmt::format("output#{}", r), std::move(executed.values[r]));
  Reference out = storedReference(title, std::move(values));
  if (executed.run.outcome != execute::Outcome::Ran)
    out.undefined =
        fmt::format("{}: {}: {}", title, execute::name(executed.run.outcome), executed.run.message);
  return out;
}

}  // namespace

Result<ModuleReference> moduleReference(const session::Snapshot& s, const lower::OutputType& to,
                                        const std::vector<compare::Inputs>& inputs,
                                        TextRunner& runner, const session::Environment& env,
                                        const RunContext& context) {
  FXS_TRY(const LoweredText lowered,
          lowerBy(session::kPipelines, s, *s.rewritten->program, to, env, context));
  std::vector<std::string> refusals;
  for (const lower::StageResult& stage : lowered.stages) {
    if (stage.text.empty()) continue;
    for (const auto& executor : runner.executors()) {
      const std::string title = titleOf(stage, &stage == &lowered.stages.front(), *executor);
      context.report({"running " + title, -1});
      FXS_TRY(Executed first, runner.run(*executor, stage.text, inputs.front(), false, context));
      if (first.run.outcome != execute::Outcome::Ran) {
        refusals.push_back(
            fmt::format("{} in {}: {}", stage.id, executor->version(), first.run.message));
        continue;
      }
      ModuleReference out{stage.text, std::string(executor->id()), {}};
      out.references.push_back(referenceOf(title, std::move(first)));
      for (std::size_t i = 1; i < inputs.size(); ++i) {
        FXS_TRY(Executed next, runner.run(*executor, stage.text, inputs[i], false, context));
        out.references.push_back(referenceOf(title, std::move(next)));
      }
      return out;
    }
  }
  return fail(ErrorCode::Unsupported,
              s.request.file + ": no executor runs the module: " + joined(refusals, "; "));
}

}  // namespace fxs::numbers
