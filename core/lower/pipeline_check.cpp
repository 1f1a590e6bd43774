// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pipeline_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "lower/engine_run.h"
#include "lower/pipeline_text.h"
#include "lower/tool_passes.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

/// Some passes require a function named main.
constexpr std::string_view kEmptyProgram = "module {\n  func.func @main() {\n    return\n  }\n}\n";
constexpr std::size_t kSaid = 300;

std::vector<std::string> namesOf(const auto& all) {
  std::vector<std::string> out;
  for (const auto& each : all) out.push_back(each.name);
  return out;
}

std::string didYouMean(std::string_view wanted, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::vector<std::string> near = nearest(wanted, views, 1);
  return near.empty() ? std::string() : "; did you mean '" + near.front() + "'?";
}

std::string unknownPass(const std::string& pass, const StageSpec& stage,
                        const std::vector<std::string>& known) {
  return fmt::format("output type {}: {} has no pass '{}'{}", stage.id, stage.tool.title(),
                     printable(pass), didYouMean(pass, known));
}

/// The names in `options`: "a=1 b={x y}".
std::vector<std::string> optionNames(std::string_view options) {
  std::vector<std::string> out;
  int depth = 0;
  std::string name;
  bool inName = true;
  for (const char c : options) {
    if (c == '{') ++depth;
    else if (c == '}') --depth;
    if (depth != 0) continue;
    if (c == ' ' || c == ',') inName = c == ' ';
    if ((c == ' ' || c == '=') && !name.empty()) {
      out.push_back(name);
      name.clear();
      inName = inName && c == ' ';
    } else if (inName && c != ' ' && c != '}') {
      name += c;
    }
  }
  if (!name.empty()) out.push_back(name);
  return out;
}

/// What is wrong with the pipeline, as the tool's --help shows; "" if that shows nothing.
std::string wrongWith(const StageSpec& stage, const std::vector<ToolPass>& known) {
  const auto passes = parsePipeline(stage.pipeline);
  if (!passes) return fmt::format("output type {}: {}", stage.id, passes.error().message);
  if (known.empty()) return {};
  for (const PipelinePass& pass : *passes) {
    const ToolPass* entry = passNamed(known, pass.pass);
    if (entry == nullptr) return unknownPass(pass.pass, stage, namesOf(known));
    const std::vector<std::string> options = namesOf(entry->options);
    for (const std::string& option : optionNames(pass.options))
      if (std::find(options.begin(), options.end(), option) == options.end())
        return fmt::format("output type {}: pass '{}' of {} has no option '{}'{}", stage.id,
                           pass.pass, stage.tool.title(), printable(option),
                           didYouMean(option, options));
  }
  return {};
}

/// The first thing that it said, without where.
std::string firstSaidBy(const EngineRun& run) {
  std::istringstream lines(run.err);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kError = "error: ";
    if (const std::size_t at = line.rfind(kError); at != std::string::npos)
      line.erase(0, at + kError.size());
    if (line.find_first_not_of(" \t\r") != std::string::npos)
      return printable(line.substr(0, kSaid));
  }
  return {};
}

}  // namespace

Result<> checkPasses(const std::vector<StageSpec>& stages, const Engine& engine) {
  if (engine.passes.empty()) return {};
  for (const StageSpec& stage : stages) {
    if (!stage.tool.isEngine()) continue;
    for (const std::string& pass : passesOf(stage))
      if (!engine.passes.contains(pass))
        return fail(ErrorCode::EngineFailed,
                    unknownPass(pass, stage, {engine.passes.begin(), engine.passes.end()}));
  }
  return {};
}

Result<> checkPipeline(const StageSpec& stage, const Engine& runs, const Limits& limits,
                       CommandRunner& runner, const RunContext& context) {
  const EngineRun run = std::move(
      runEngine(runs, {stage.pipeline}, std::string(kEmptyProgram), limits, runner, context)
          .front());
  if (run.outcome == RunOutcome::Ok) return {};
  if (run.outcome == RunOutcome::Cancelled) return fail(ErrorCode::Cancelled, "cancelled");
  if (run.outcome == RunOutcome::Killed)
    return fail(ErrorCode::EngineFailed,
                fmt::format("{} {}; run it again", stage.tool.title(), run.message));
  if (!stage.pipeline.empty() &&
      (run.outcome == RunOutcome::Failed || run.outcome == RunOutcome::Crashed)) {
    if (const auto known = passesOfTool(runs, limits, runner, context))
      if (std::string wrong = wrongWith(stage, *known); !wrong.empty())
        return fail(ErrorCode::EngineFailed, std::move(wrong));
  }
  const std::string said = firstSaidBy(run);
  std::vector<std::string> ways;
  if (!stage.pipeline.empty()) ways.emplace_back("correct its pipeline");
  if (stage.tool.isEngine()) ways.emplace_back("pass another engine with --engine");
  return fail(
      ErrorCode::EngineFailed,
      fmt::format("output type {}: {} {} on an empty module{}{}; {}", stage.id, stage.tool.title(),
                  run.message, said.empty() ? "" : ": ", said, joined(ways, ", or ")));
}

namespace {

/// The other tools that run passes, in the order in which they are proposed.
constexpr std::array<std::string_view, 2> kOtherTools{"mlir-opt-22", "iree-opt"};

/// Of a pipeline that the engine cannot run: the tool that has all of its passes; "" if none has.
std::string toolFor(const StageSpec& stage, const Engine& engine, const Limits& limits,
                    CommandRunner& runner, const RunContext& context) {
  const std::vector<std::string> wanted = passesOf(stage);
  for (const std::string_view name : kOtherTools) {
    StageSpec other = stage;
    other.tool.program = name;
    const auto tool = engineOfStage(other, engine);
    if (!tool) continue;
    const auto known = passesOfTool(*tool, limits, runner, context);
    const auto isKnown = [&](const std::string& pass) {
      return passNamed(*known, pass) != nullptr;
    };
    if (known && std::all_of(wanted.begin(), wanted.end(), isKnown)) return std::string(name);
  }
  return {};
}

}  // namespace

Result<> checkOutputType(const LowerOptions& options, const Engine& engine, CommandRunner& runner,
                         const RunContext& context) {
  FXS_TRY(const std::vector<StageSpec> stages, filledStages(options));
  if (!options.extraLibrary.empty() && !std::filesystem::is_regular_file(options.extraLibrary))
    return fail(ErrorCode::NotFound,
                "extra library " + printableName(options.extraLibrary) + ": no such file");
  if (Result<> known = checkPasses(stages, engine); !known) {
    const StageSpec& last = stages.back();
    const std::string other = options.target->readsAny && last.tool.isEngine()
                                  ? toolFor(last, engine, options.limits, runner, context)
                                  : std::string();
    if (other.empty()) return known;
    return fail(ErrorCode::EngineFailed, fmt::format("{}; {} has all of its passes: add --tool {}",
                                                     known.error().message, other, other));
  }
  const std::vector<OutputType> path = pathTo(options.target);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const bool isUsers = !path[i]->file.empty() || path[i]->readsAny;
    if (!isUsers || !stages[i].tool.runsPasses()) continue;
    // A tool that is missing is told where its stage runs.
    if (const auto runs = engineOfStage(stages[i], engine))
      FXS_CHECK(checkPipeline(stages[i], *runs, options.limits, runner, context));
  }
  return {};
}

}  // namespace fxs::lower
