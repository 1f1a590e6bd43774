// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/live_torch_mlir.h"

#include <filesystem>
#include <map>

#include "base/new_file.h"
#include "base/python_program.h"
#include "base/scratch_directory.h"

namespace fxs::resource {
std::string_view lowerWithTorchMlir();
}

namespace fxs::fix {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kLivePatience{600'000};
constexpr std::uint64_t kLiveOutput = std::uint64_t{16} << 20;

struct LiveAnswers {
  std::string versions;  ///< "" if the script ended before it said them
  std::map<std::string, std::string> errorByType, errorByScript;  ///< "" if it lowers
};

LiveAnswers liveAnswersIn(std::string_view out) {
  LiveAnswers answers;
  forEachAnswer(out, [&](const Json& root) {
    if (const std::string version = root.textOrEmpty("torch_mlir"); !version.empty())
      answers.versions = "torch-mlir " + version + " with PyTorch " + root.textOrEmpty("torch") +
                         " and Python " + root.textOrEmpty("python");
    if (const std::string type = root.textOrEmpty("to"); !type.empty())
      answers.errorByType[type] = root.textOrEmpty("error");
    if (const std::string type = root.textOrEmpty("by_script"); !type.empty())
      answers.errorByScript[type] = root.textOrEmpty("error");
  });
  return answers;
}

}  // namespace

Result<> askTorchMlir(const std::string& python, FixedProgram& fixed,
                      const session::Environment& env, const RunContext& context) {
  const auto program = findProgram(python == "auto" ? "python3" : python, env.searchPath);
  if (!program) {
    fixed.askedOf = "not asked: " + program.error().message;
    return {};
  }
  FXS_TRY(const ScratchDirectory directory,
          ScratchDirectory::make(env.temporaryDir, "the program that torch-mlir lowers"));
  const std::string file = directory.file("fixed.pt2");
  FXS_CHECK(writeFixed(fixed, file, context));
  std::vector<std::string> arguments{file};
  for (const FixedTarget& target : fixed.targets)
    if (target.target->file.empty()) arguments.emplace_back(lower::name(target.target));
  std::vector<std::string> reads{file};
  std::error_code ignored;
  const std::string original =
      std::filesystem::absolute(fixed.snapshot->request.file, ignored).string();
  // What is not changed is asked of, too.
  const bool isUnchanged =
      fixed.pythonStop.empty() && !fixed.withStaticSizes && fixed.script().isEmpty();
  const std::string source = isUnchanged ? fixed.script().text() : fixed.python();
  if (!source.empty() && original.ends_with(".pt2")) {
    const std::string script = directory.file("script.py");
    FXS_CHECK(writeWholeFile(script, source));
    arguments.insert(arguments.end(), {script, original});
    reads.insert(reads.end(), {script, original});
  }
  context.report({"asking torch-mlir", -1});
  Command command = pythonProgram(*program, std::string(resource::lowerWithTorchMlir()),
                                  std::move(arguments), std::move(reads), directory.path());
  command.timeout = lower::grownWith(fixed.snapshot->request.lower.limits.timeout, kLivePatience);
  command.outputLimit = kLiveOutput;
  const auto exit = env.runner->run(command, context.stop);
  if (!exit) {
    if (endsAll(exit.error())) return tl::unexpected<Error>(exit.error());
    fixed.askedOf = "not asked: " + exit.error().message;
    return {};
  }
  const LiveAnswers answers = liveAnswersIn(exit->out);
  if (answers.versions.empty()) {
    fixed.askedOf =
        "no answer of " + *program +
        (exit->reason == ExitReason::TimedOut ? " in time; raise --timeout"
                                              : ": " + std::string(lastLineOf(exit->err)));
    return {};
  }
  fixed.askedOf = answers.versions;
  for (FixedTarget& target : fixed.targets) {
    const auto answer = answers.errorByType.find(std::string(lower::name(target.target)));
    if (answer == answers.errorByType.end()) continue;
    target.lowers = answer->second.empty();
    target.isKnown = true;
    target.message = target.lowers ? "" : "torch-mlir itself: " + answer->second;
    if (const auto script = answers.errorByScript.find(answer->first);
        script != answers.errorByScript.end())
      target.byPython = script->second.empty();
  }
  return {};
}

}  // namespace fxs::fix
