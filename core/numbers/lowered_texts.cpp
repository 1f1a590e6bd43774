// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/lowered_texts.h"

#include "contract/lower_kept.h"
#include "registry/direct_lowering.h"
#include "session/importing.h"

namespace fxs::numbers {

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
  for (const fx::Finding& finding : imported->findings)
    if (finding.severity == fx::Severity::Error && out.why.empty()) out.why = finding.message;
  if (!out.why.empty()) return out;
  lower::LowerOptions how = s.request.lower;
  how.target = to;
  FXS_TRY(const auto lowering,
          lower::lower(imported->text, *s.capture->program, *s.engine, how, *env.runner, context));
  if (context.stop.stop_requested()) return tl::unexpected<Error>(cancelled());
  FXS_CHECK(lower::ensureAnswered(*lowering));
  out.stages = lowering->stages;
  for (const lower::OutputType& type : lower::pathTo(to))
    for (lower::StageResult& stage : out.stages)
      if (stage.id == lower::name(type) && !lower::keepsFunction(*type.operator->()))
        stage.text.clear();
  out.breaches = contract::breachesOf(out.stages, to, imported->text, *s.capture->program);
  if (!lowering->ok() || !out.breaches.empty())
    FXS_CHECK(contract::ensureHonest(*s.engine, how, *env.runner, context));
  if (lowering->ok() && out.stages.back().text.empty()) {
    out.why =
        "its text has no function with the program's arguments and results; choose an output type "
        "before it";
    return out;
  }
  if (lowering->ok()) {
    out.text = lowering->stages.back().text;
    return out;
  }
  for (const lower::StageResult& stage : lowering->stages)
    if (stage.status != lower::StageStatus::Ok && out.why.empty())
      out.why =
          (lower::isKnown(stage.status) ? "does not lower: " : "not known whether it lowers: ") +
          (stage.findings.empty() ? stage.id + " " + std::string(lower::name(stage.status))
                                  : stage.findings.front().message);
  return out;
}

Result<LoweredText> lowerByRegistry(const session::Snapshot& s, const fx::Program& program,
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
  FXS_TRY(const auto lowering, registry::lowerByRegistries(program, options, context));
  if (lowering->complete) out.text = lowering->text;
  else
    out.why = lowering->findings.empty() ? "the registries do not lower it"
                                         : lowering->findings.front().message;
  return out;
}

}  // namespace fxs::numbers
