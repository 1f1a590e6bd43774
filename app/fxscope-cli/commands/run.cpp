// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli run: executes every stage of a program and shows or writes the results.
#include <algorithm>
#include <filesystem>

#include "command.h"
#include "lower_request.h"
#include "report/compare.h"
#include "routes/routes.h"
#include "run_request.h"
#include "tensor/files.h"

namespace fxs::cli {
namespace {

/// The results of each stage as STAGE.EXECUTOR.safetensors in the directory; the file of each row.
Result<std::vector<std::string>> writeResults(const std::string& directory,
                                              const numbers::RunResult& result) {
  FXS_CHECK(makeOutputFolder(directory));
  std::vector<std::string> files;
  for (const numbers::StageRun& stage : result.stages) {
    files.emplace_back();
    const std::string file =
        directory + "/" + stage.stage + "." + stage.run.executor + ".safetensors";
    if (stage.run.outcome != execute::Outcome::Ran) {
      // That of an earlier run would stand beside the others as if it were of this one.
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
      continue;
    }
    std::vector<tensor::NamedTensor> tensors;
    for (std::size_t r = 0; r < stage.values.size(); ++r)
      tensors.push_back({stage.run.results[r].name, stage.values[r]});
    for (std::size_t r = 0; r < tensors.size(); ++r)
      for (std::size_t q = 0; q < r; ++q)
        if (tensors[q].name == tensors[r].name) tensors[r].name += "#" + std::to_string(r);
    FXS_TRY(const std::string bytes, tensor::safetensorsBytes(tensors));
    FXS_CHECK(writeOutput(file, bytes));
    files.back() = file;
  }
  std::vector<tensor::NamedTensor> inputs;
  for (std::size_t i = 0; i < result.inputs.tensors.size(); ++i)
    inputs.push_back({result.inputNames[i], result.inputs.tensors[i]});
  FXS_TRY(const std::string bytes, tensor::safetensorsBytes(inputs));
  FXS_CHECK(writeOutput(directory + "/inputs.safetensors", bytes));
  return files;
}

int runRun(const Arguments& arguments, Console& console) {
  auto request = lowerRequestForTargets("run", arguments, console);
  if (!request) return reportError(request.error(), console);
  auto& [base, targets] = *request;
  base.normalize = false;
  base.askEngine = true;
  numbers::RunOptions options;
  options.targets = targets;
  options.dispatches = arguments.has("--dispatches");
  if (const auto set = setRunOptions(options, arguments); !set)
    return reportError(set.error(), console);
  const auto imported = runTo(session::Phase::Import, base, arguments, console);
  if (!imported) return reportError(imported.error(), console);
  const auto result = numbers::runStages(*imported, options, console.environment, console.context);
  if (!result) return reportError(result.error(), console);
  const report::Paths paths = pathsOf(arguments, base.file);
  std::vector<std::string> files((*result)->stages.size());
  if (const auto directory = arguments.get("-o")) {
    auto written = writeResults(*directory, **result);
    if (!written) return reportError(written.error(), console);
    files = *std::move(written);
  }
  report::RunReport answer{
      paths.of(base.file), (*result)->via, (*result)->inputs, (*result)->executors, {},
      (*result)->notes};
  for (std::size_t i = 0; i < files.size(); ++i) {
    report::RunRow row{(*result)->stages[i].stage, (*result)->stages[i].run, {}};
    if (!files[i].empty()) row.files.assign(1, files[i]);
    answer.rows.push_back(std::move(row));
  }
  console.out << (arguments.has("--json") ? report::runJson(answer) : report::runText(answer));
  if (console.context.stop.stop_requested()) return kCancelled;
  const auto crashed = [](const numbers::StageRun& stage) {
    return stage.run.outcome == execute::Outcome::Crashed;
  };
  if (std::any_of((*result)->stages.begin(), (*result)->stages.end(), crashed)) return kFindings;
  if (!(*result)->isKnown) return kEngine;
  return (*result)->reached ? kDone : kFindings;
}

}  // namespace

void registerRun(Commands& commands);
void registerRun(Commands& commands) {
  commands.add({"run",
                "execute every stage of a program on this machine",
                {{"FILE", "a .pt2, an MLIR module, or - for standard input"}},
                withLoweringOptions(withRunOptions(
                    {{"--to", "TYPE,..", "output types: ${output-types}", true},
                     viaOption(routes::ofProgram()),
                     {"--decompose", "OP,..",
                      "decompose these operators first, where a decomposition exists", true},
                     {"--dispatches", "",
                      "measure what IREE runs as one, and name the nodes that it computes"},
                     {"--json", "", "print JSON (resources/schemas/run.schema.json)"},
                     {"-o", "DIR", "write inputs and results to DIR as safetensors"}})),
                runRun,
                Group::Numbers});
}

}  // namespace fxs::cli
