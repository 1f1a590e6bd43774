// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pipeline_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "base/joined.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "lower/engine_program.h"
#include "lower/engine_run.h"
#include "lower/pipeline_text.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

/// Some passes require a function named main.
constexpr std::string_view kEmptyProgram = "module {\n  func.func @main() {\n    return\n  }\n}\n";
constexpr std::uint64_t kHelpOutput = std::uint64_t{4} << 20;
constexpr std::size_t kSaid = 300;

/// The passes that a tool has, with the options of each, from its --help:
///       --cse   -   Eliminate ..
///         --max-iterations=<long>   - ..
std::map<std::string, std::vector<std::string>, std::less<>> passesAndOptions(
    const std::string& help) {
  std::map<std::string, std::vector<std::string>, std::less<>> out;
  std::vector<std::string>* options = nullptr;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find_first_not_of(' ');
    if (at == std::string::npos || line.compare(at, 2, "--") != 0) continue;
    std::string name = line.substr(at + 2, line.find_first_of(" =[", at + 2) - at - 2);
    if (name.ends_with('-')) name.pop_back();
    if (at == 6) options = &out[std::move(name)];
    else if (at > 6 && options != nullptr) options->push_back(std::move(name));
  }
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
std::string wrongWith(const StageSpec& stage, const std::string& help) {
  const auto passes = parsePipeline(stage.pipeline);
  if (!passes) return fmt::format("output type {}: {}", stage.id, passes.error().message);
  const auto known = passesAndOptions(help);
  if (known.empty()) return {};
  for (const PipelinePass& pass : *passes) {
    const auto entry = known.find(pass.pass);
    if (entry == known.end()) {
      std::vector<std::string> names;
      for (const auto& each : known) names.push_back(each.first);
      return unknownPass(pass.pass, stage, names);
    }
    for (const std::string& option : optionNames(pass.options))
      if (std::find(entry->second.begin(), entry->second.end(), option) == entry->second.end())
        return fmt::format("output type {}: pass '{}' of {} has no option '{}'{}", stage.id,
                           pass.pass, stage.tool.title(), printable(option),
                           didYouMean(option, entry->second));
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
  if (run.outcome == RunOutcome::Cancelled) return fail(ErrorCode::Cancelled, "stopped");
  if (run.outcome == RunOutcome::Killed)
    return fail(ErrorCode::EngineFailed,
                fmt::format("{} {}; run it again", stage.tool.title(), run.what));
  if (!stage.pipeline.empty() &&
      (run.outcome == RunOutcome::Failed || run.outcome == RunOutcome::Crashed)) {
    Command command = engineProgram(runs, {"--help"});
    command.timeout = limits.timeout;
    command.outputLimit = kHelpOutput;
    if (const auto help = runner.run(command, context.stop); help && help->ok())
      if (std::string wrong = wrongWith(stage, help->out); !wrong.empty())
        return fail(ErrorCode::EngineFailed, std::move(wrong));
  }
  const std::string said = firstSaidBy(run);
  std::vector<std::string> ways;
  if (!stage.pipeline.empty()) ways.emplace_back("correct its pipeline");
  if (stage.tool.isEngine()) ways.emplace_back("pass another engine with --engine");
  return fail(
      ErrorCode::EngineFailed,
      fmt::format("output type {}: {} {} on an empty module{}{}; {}", stage.id, stage.tool.title(),
                  run.what, said.empty() ? "" : ": ", said, joined(ways, ", or ")));
}

Result<> checkOutputType(const LowerOptions& options, const Engine& engine, CommandRunner& runner,
                         const RunContext& context) {
  FXS_TRY(const std::vector<StageSpec> stages, filledStages(options));
  FXS_CHECK(checkPasses(stages, engine));
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
