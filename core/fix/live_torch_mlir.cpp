// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/live_torch_mlir.h"

#include <map>

#include "base/json.h"
#include "base/python_program.h"
#include "base/scratch_directory.h"
#include "base/take_until.h"

namespace fxs::resource {
std::string_view lowerWithTorchMlir();
}

namespace fxs::fix {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kLivePatience{600'000};
constexpr std::uint64_t kLiveOutput = std::uint64_t{16} << 20;

struct LiveAnswers {
  std::string versions;                            ///< "" if the script ended before it said them
  std::map<std::string, std::string> errorByType;  ///< "" if it lowers
};

LiveAnswers liveAnswersIn(std::string_view out) {
  LiveAnswers answers;
  while (!out.empty()) {
    const auto document =
        JsonDocument::parse(std::string(takeUntil('\n', out)), "the answer of the Python script");
    if (!document) continue;
    const Json root = (*document)->root();
    const auto text = [&](std::string_view key) {
      const auto member = root.find(key);
      return member ? std::string(member->asString().value_or("")) : std::string();
    };
    if (const std::string version = text("torch_mlir"); !version.empty())
      answers.versions = "torch-mlir " + version + " with PyTorch " + text("torch") +
                         " and Python " + text("python");
    if (const std::string type = text("to"); !type.empty())
      answers.errorByType[type] = text("error");
  }
  return answers;
}

std::string lastLineIn(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const std::size_t begin = text.rfind('\n');
  return std::string(text.substr(begin == std::string_view::npos ? 0 : begin + 1));
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
  context.report({"asking torch-mlir", -1});
  Command command = pythonProgram(*program, std::string(resource::lowerWithTorchMlir()),
                                  std::move(arguments), {file}, directory.path());
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
    fixed.askedOf = "no answer of " + *program +
                    (exit->reason == ExitReason::TimedOut ? " in time; raise --timeout"
                                                          : ": " + lastLineIn(exit->err));
    return {};
  }
  fixed.askedOf = answers.versions;
  for (FixedTarget& target : fixed.targets) {
    const auto answer = answers.errorByType.find(std::string(lower::name(target.target)));
    if (answer == answers.errorByType.end()) continue;
    target.lowers = answer->second.empty();
    target.isKnown = true;
    target.why = target.lowers ? "" : "torch-mlir itself: " + answer->second;
  }
  return {};
}

}  // namespace fxs::fix
