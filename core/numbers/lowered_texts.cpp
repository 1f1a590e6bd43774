// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/lowered_texts.h"

#include <algorithm>

#include "contract/lower_kept.h"
#include "registry/direct_lowering.h"
#include "session/importing.h"
#include "session/registry.h"

namespace fxs::numbers {
namespace {

/// The message of the first error; "" if there is none.
std::string errorIn(const std::vector<fx::Finding>& findings) {
  const auto found = std::find_if(findings.begin(), findings.end(), [](const fx::Finding& finding) {
    return finding.severity == fx::Severity::Error && !finding.message.empty();
  });
  return found == findings.end() ? std::string() : found->message;
}

std::string whyNotLowered(const std::vector<lower::StageResult>& stages) {
  const auto stage = std::find_if(stages.begin(), stages.end(), [](const lower::StageResult& each) {
    return each.status != lower::StageStatus::Ok;
  });
  if (stage == stages.end()) return {};
  return (lower::isKnown(stage->status) ? "does not lower: " : "not known whether it lowers: ") +
         (stage->findings.empty() ? stage->id + " " + std::string(lower::name(stage->status))
                                  : stage->findings.front().message);
}

/// Executors cannot call such texts.
void clearTextsWithoutFunction(const lower::OutputType& to,
                               std::vector<lower::StageResult>& stages) {
  for (const lower::OutputType& type : lower::pathTo(to))
    for (lower::StageResult& stage : stages)
      if (stage.id == lower::name(type) && !lower::keepsFunction(*type.operator->()))
        stage.text.clear();
}

}  // namespace

std::string LoweredText::label() const {
  return std::string(lower::name(to)) + (path == "registry" ? " by registries" : "");
}

Result<LoweredText> lowerByEngine(const session::Snapshot& s, const fx::Program& program,
                                  const lower::OutputType& to, const session::Environment& env,
                                  const RunContext& context) {
  LoweredText out{"torch-mlir", to, {}, {}, {}, {}};
  import::ImportOptions options = session::importOptionsOf(s, context);
  options.mode = import::Mode::Lowering;
  FXS_TRY(const auto imported, import::importProgram(program, options, context));
  out.why = errorIn(imported->findings);
  if (!out.why.empty()) return out;
  lower::LowerOptions how = s.request.lower;
  how.target = to;
  FXS_TRY(const auto lowering,
          lower::lower(imported->text, *s.capture->program, *s.engine, how, *env.runner, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*lowering));
  out.stages = lowering->stages;
  clearTextsWithoutFunction(to, out.stages);
  out.breaches = contract::breachesOf(out.stages, to, imported->text, *s.capture->program);
  if (!lowering->ok() || !out.breaches.empty())
    FXS_CHECK(contract::ensureHonest(*s.engine, how, *env.runner, context));
  if (!lowering->ok()) {
    out.why = whyNotLowered(lowering->stages);
    return out;
  }
  out.text = out.stages.back().text;
  if (out.text.empty())
    out.why =
        "its text has no function with the program's arguments and results; choose an output type "
        "before it";
  return out;
}

Result<LoweredText> lowerByRegistry(const session::Snapshot& s, const fx::ProgramPtr& program,
                                    const lower::OutputType& to, const RunContext& context) {
  LoweredText out{"registry", to, {}, {}, {}, {}};
  if (to->registries.empty()) {
    out.why = "no registry writes " + std::string(lower::name(to));
    return out;
  }
  registry::DirectOptions options;
  options.functionName = s.request.import.functionName;
  options.primary = to->registries.front();
  options.fallbacks.assign(to->registries.begin() + 1, to->registries.end());
  options.weights = session::importOptionsOf(s, context).weights;
  FXS_TRY(const auto lowering, session::lowerByRegistries(program, options, context));
  if (lowering->complete) out.text = lowering->text;
  else
    out.why = lowering->findings.empty() ? "the registries do not lower it"
                                         : lowering->findings.front().message;
  return out;
}

}  // namespace fxs::numbers
