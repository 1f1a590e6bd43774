// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bundle/recorded_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/safe_text.h"
#include "lower/edited_stages.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"

namespace fxs::bundle {
namespace {

constexpr std::string_view kLibraryPlaceholder = "${extra-library}";

/// Without what a user changed.
lower::LowerOptions unchanged(lower::LowerOptions options) {
  options.edit = nullptr;
  options.skipped.clear();
  options.pipelines.clear();
  return options;
}

Result<std::size_t> indexOf(const std::string& stage, const std::vector<lower::StageSpec>& specs) {
  const auto at = std::find_if(specs.begin(), specs.end(),
                               [&](const lower::StageSpec& spec) { return spec.id == stage; });
  if (at == specs.end())
    return fail(ErrorCode::Usage, fmt::format("'{}' is not a stage", printable(stage)));
  return static_cast<std::size_t>(at - specs.begin());
}

/// Whether `some` are among `all` in their order.
bool isPartOf(const std::vector<lower::PipelinePass>& some,
              const std::vector<lower::PipelinePass>& all) {
  auto next = all.begin();
  for (const lower::PipelinePass& pass : some) {
    next = std::find(next, all.end(), pass);
    if (next == all.end()) return false;
    ++next;
  }
  return true;
}

/// The path of the library differs where the bundle is run again.
std::string withoutLibrary(std::string pipeline, const std::string& library) {
  if (library.empty()) return pipeline;
  for (std::size_t at = pipeline.find(library); at != std::string::npos;
       at = pipeline.find(library, at + kLibraryPlaceholder.size()))
    pipeline.replace(at, library.size(), kLibraryPlaceholder);
  return pipeline;
}

}  // namespace

Result<lower::LowerOptions> recordedOptions(const lower::LowerOptions& options,
                                            const lower::Engine& engine, CommandRunner& runner,
                                            const RunContext& context) {
  FXS_TRY(const lower::EditedStages edited, lower::editedStages(options, engine, runner, context));
  lower::LowerOptions out = unchanged(options);
  FXS_TRY(const std::vector<lower::StageSpec> own, lower::filledStages(out));
  std::size_t first = 0;
  if (edited.edit) {
    // What a pass of a stage gives, the rest of the stage starts from.
    first = options.edit->pass ? *edited.edit : *edited.edit + 1;
    if (first == 0)
      return fail(ErrorCode::Usage, fmt::format("a bundle has no text before stage {}: edit the "
                                                "program instead",
                                                own.front().id));
    out.edit = std::make_shared<const lower::Edit>(
        lower::Edit{own[first - 1].id, std::nullopt, options.edit->text});
  }
  for (std::size_t i = first; i < own.size(); ++i)
    if (edited.specs[i].pipeline != own[i].pipeline)
      out.pipelines[own[i].id] = withoutLibrary(edited.specs[i].pipeline, options.extraLibrary);
  FXS_CHECK(checkOwnPasses(out, engine, runner, context));
  return out;
}

Result<> checkOwnPasses(const lower::LowerOptions& options, const lower::Engine& engine,
                        CommandRunner& runner, const RunContext& context) {
  FXS_TRY(const std::vector<lower::StageSpec> own, lower::filledStages(unchanged(options)));
  FXS_TRY(const std::vector<lower::StageSpec> changed, lower::filledStages(options));
  if (options.edit) FXS_CHECK(indexOf(options.edit->stage, own));
  for (const auto& [stage, unfilled] : options.pipelines) {
    FXS_TRY(const std::size_t i, indexOf(stage, own));
    const std::string& pipeline = changed[i].pipeline;
    if (pipeline.empty()) continue;
    FXS_TRY(const lower::Engine runs, lower::engineOfStage(own[i], engine));
    FXS_TRY(const lower::FlatPipeline all,
            lower::flattened(runs, own[i].pipeline, options.limits, "", runner, context));
    const auto some = lower::parsePipeline(pipeline);
    if (!some || lower::restated(*some) != pipeline || !isPartOf(*some, all.passes))
      return fail(ErrorCode::Usage,
                  fmt::format("stage {} runs passes that the output type does not have: a bundle "
                              "runs those of an output type only",
                              stage));
  }
  return {};
}

}  // namespace fxs::bundle
