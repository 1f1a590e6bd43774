// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, plans and runs lit tests with the programs of the settings.
#include <filesystem>

#include "base/byte_source.h"
#include "features/lit/lit_presenter.h"
#include "lit/limits.h"
#include "lit/opt_pipeline.h"
#include "lit/outcome.h"
#include "lit/reproducer.h"
#include "module/source_module.h"
#include "session/toolbox.h"

namespace fxs::ui {
namespace {

constexpr std::uint64_t kLitHead = std::uint64_t{64} << 10;

/// A module, whether or not it is valid.
Result<bool> mayHaveRunLines(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  FXS_TRY(const auto source, openFile(file));
  FXS_TRY(const std::string head, source->read(0, std::min(kLitHead, source->size())));
  return source->size() <= lit::kMaxFileBytes && module::isModule(head);
}

/// The program by which a stage of the window runs what a test runs.
lower::StageTool toolOf(const std::string& program, const session::Environment& environment) {
  lower::StageTool tool;
  if (program == session::engineGivenOrInstalled(environment)) return tool;
  const std::string name = program.substr(program.rfind('/') + 1);
  tool.program = name == "mlir-opt-22" ? name : program;
  tool.isOpt = tool.isPath();
  return tool;
}

}  // namespace

LitLoader litLoader() {
  return [](const QString& file, const session::Environment& environment,
            const RunContext& context) -> Result<LoadedTestPtr> {
    auto out = std::make_shared<LoadedTest>();
    out->file = file;
    const std::string path = file.toStdString();
    FXS_TRY(const bool isModule, mayHaveRunLines(path));
    if (!isModule) return LoadedTestPtr(std::move(out));
    FXS_TRY(out->text, readWholeFile(path, lit::kMaxFileBytes));
    if (const auto reproducer = lit::reproducerOf(out->text))
      out->reproduced = reproducer->pipeline;
    out->test = lit::parseTest(out->text);
    if (out->test.runs.empty()) return LoadedTestPtr(std::move(out));
    lit::skipUnsupported(out->test);
    FXS_TRY(lit::Settings settings, session::litSettings(environment, lower::Limits{}, context));
    std::error_code ignored;
    settings.file = std::filesystem::absolute(path, ignored).lexically_normal().string();
    out->plan = lit::plan(out->test, settings);
    return LoadedTestPtr(std::move(out));
  };
}

LitRunner litRunner() {
  return
      [](const lit::Plan& plan, const std::string& text, const session::Environment& environment,
         const RunContext& context) { return lit::run(plan, text, *environment.runner, context); };
}

PipelineReader pipelineReader() {
  return [](const lit::Plan& plan, std::size_t stage, const session::Environment& environment,
            const RunContext& context) -> Result<lower::OutputType> {
    FXS_TRY(const std::string pipeline, lit::pipelineOf(plan, stage, *environment.runner, context));
    return lower::pipelineType(pipeline, toolOf(plan.stages[stage].argv.front(), environment),
                               environment.outputTypes.all().front());
  };
}

}  // namespace fxs::ui
