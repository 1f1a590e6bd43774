// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fxscope-cli passes: the passes that a tool registers, with their options and documentation.
#include "report/passes.h"

#include <ostream>

#include "base/nearest.h"
#include "base/safe_text.h"
#include "command.h"
#include "lower/tool_run.h"
#include "lower_request.h"

namespace fxs::cli {
namespace {

/// Those that are named, in full; or else those whose names contain the word.
Result<std::vector<lower::ToolPass>> chosen(const std::vector<lower::ToolPass>& all,
                                            const std::string& word) {
  if (const lower::ToolPass* pass = lower::passNamed(all, word)) return std::vector{*pass};
  std::vector<lower::ToolPass> out;
  std::vector<std::string_view> names;
  for (const lower::ToolPass& pass : all) {
    names.push_back(pass.name);
    if (pass.name.find(word) != std::string::npos) out.push_back(pass);
  }
  if (!out.empty()) return out;
  const std::vector<std::string> near = nearest(word, names, 1);
  return fail(ErrorCode::Usage,
              "no pass is named " + printableName(word) +
                  (near.empty() ? std::string() : "; did you mean '" + near.front() + "'?"));
}

Result<int> runPasses(const Arguments& arguments, Console& console) {
  FXS_TRY(const lower::StageTool tool, toolFrom(arguments));
  FXS_TRY(const lower::Engine engine, session::engineOf(console.environment, console.context));
  lower::StageSpec stage;
  stage.tool = tool;
  FXS_TRY(const lower::Engine program, lower::engineOfStage(stage, engine));
  FXS_TRY(std::vector<lower::ToolPass> passes,
          lower::passesOfTool(program, {}, *console.environment.runner, console.context));
  if (passes.empty())
    return fail(ErrorCode::EngineFailed, program.path + ": --help lists no passes");
  const auto word = arguments.get("PASS");
  if (word) {
    FXS_TRY(passes, chosen(passes, *word));
  }
  console.out << (arguments.has("--json") ? report::passesJson(tool.title(), passes)
                                          : report::passesText(passes, arguments.has("--options") ||
                                                                           passes.size() == 1));
  return kDone;
}

}  // namespace

void registerPasses(Commands& commands);
void registerPasses(Commands& commands) {
  commands.add({"passes",
                "list the passes of the engine or of another tool, with their options",
                {{"PASS", "pass, or a part of the names of passes", false}},
                {{"--tool", "TOOL", kToolHelp},
                 {"--options", "", "list the options of each pass too"},
                 {"--json", "", "print JSON"}},
                reporting<runPasses>,
                Group::Passes});
}

}  // namespace fxs::cli
