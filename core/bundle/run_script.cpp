// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "bundle/content.h"
#include "bundle/stages.h"
#include "lower/engine_run.h"

namespace fxs::bundle {
namespace {

/// Quotes one word for a POSIX shell.
std::string shellQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string arguments(const lower::StageSpec& stage) {
  lower::Engine engine;
  engine.path = commandName(stage.tool);
  const std::vector<std::string> argv = lower::engineCommand(engine, stage.pipeline, {}, {}).argv;
  std::string out;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const bool plain = argv[i].find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.") ==
                       std::string::npos;
    out += " " + (plain ? argv[i] : shellQuoted(argv[i]));
  }
  return out;
}

/// The part of the script that ends it with success if the engine fails in the same way.
std::string sameFailureTest(const FailureSignature& s) {
  if (s.kind == "timeout")
    return "if [ $status -gt 128 ]; then\n"
           "  printf '%s\\n' \"fails in the same way: $failure\"\n"
           "  exit 0\n"
           "fi\n";
  // After a crash there is neither an error about the operation nor a dump.
  const bool crash = s.kind == "crash" || s.kind == "memory" || s.kind == "output";
  // The engine names the pass in the header of its dump, or in a note if it crashed; the
  // operation is in the error or the dump.
  std::string out =
      "case $log in\n"
      "  *\" Failed: $pass\"* | *\" Failed ($pass\"* | *\"\\`$pass\\`\"*) found=yes ;;\n"
      "  *) found=no ;;\n"
      "esac\n"
      "[ -n \"$pass\" ] || found=yes\n"
      "case $log in\n"
      "  *\"$op\"*) ;;\n";
  out += std::string("  *) ") + (crash ? ":" : "found=no") + " ;;\nesac\n";
  if (crash) out += "case $log in *\" Failed: \"* | *\" Failed (\"*) found=no ;; esac\n";
  return out +
         "if [ $found = yes ]; then\n"
         "  printf '%s\\n' \"fails in the same way: $failure\"\n"
         "  exit 0\n"
         "fi\n";
}

}  // namespace

std::string commandName(const lower::StageTool& tool) {
  return tool.isEngine() ? kEngineName : tool.program;
}

std::optional<lower::OutputType> firstNotReplayed(const lower::OutputType& type, bool isModule) {
  if (!isModule) return lower::firstOfOtherTools(type);
  for (const lower::OutputType& each : lower::pathTo(type)) {
    const lower::StageTool& tool = each->stage.tool;
    const bool isKnown = tool.isEngine() || lower::runsPasses(tool.program);
    if (!isKnown || !each->stage.prepare.empty()) return each;
  }
  return std::nullopt;
}

Result<std::vector<lower::StageSpec>> stagesOf(const Manifest& m) {
  const auto wrong = [](const std::string& message) {
    return fail(ErrorCode::InvalidInput, "manifest.json: " + message);
  };
  if (const auto other = firstNotReplayed(m.target, m.module.has_value()))
    return wrong("the engine does not run " + std::string(lower::name(*other)));
  auto stages = lower::filledStages(lowerOptionsOf(m, std::string(kExtraLibraryFile)));
  if (!stages) return wrong(stages.error().message);
  if (!m.edited.empty()) {
    const auto edited =
        std::find_if(stages->begin(), stages->end(),
                     [&](const lower::StageSpec& stage) { return stage.id == m.edited; });
    if (edited == stages->end()) return wrong("'" + m.edited + "' is not a stage");
    edited->pipeline.clear();  // its text is parsed, and what follows runs
    stages->erase(stages->begin(), edited);
  }
  if (m.wrong) return *std::move(stages);
  const auto failing =
      std::find_if(stages->begin(), stages->end(),
                   [&](const lower::StageSpec& stage) { return stage.id == m.signature.stage; });
  if (failing == stages->end())
    return wrong("'" + m.signature.stage + "' is not a stage of the lowering to " +
                 std::string(lower::name(m.target)));
  stages->erase(failing + 1, stages->end());
  return *std::move(stages);
}

Result<std::string> commandsText(const Manifest& m) {
  FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(m));
  std::string out, input(m.edited.empty() ? kRawFile : kEditedFile);
  for (const lower::StageSpec& stage : stages) {
    const bool last = &stage == &stages.back() && !m.wrong;
    // The failing stage reads input.mlir of the bundle; the earlier stages show how it results from
    // raw.mlir.
    out += commandName(stage.tool) + arguments(stage) + " < " +
           (last ? std::string(kInputFile) : input);
    input = &stage == &stages.back() ? std::string(kLoweredFile) : "stage-" + stage.id + ".mlir";
    out += last ? "\n" : " > " + input + "\n";
  }
  return out;
}

Result<std::string> runScript(const Manifest& m) {
  FXS_TRY(const std::vector<lower::StageSpec> stages, stagesOf(m));
  const FailureSignature& s = m.signature;
  const std::string name = commandName(stages.back().tool);
  const auto seconds = std::max<std::int64_t>(1, m.timeoutMs / 1000);
  std::string out =
      "#!/bin/sh\n"
      "# Runs the failing stage again: ./run.sh [ENGINE]   (or ENGINE=.. ./run.sh; else " +
      name +
      " from PATH)\n"
      "# Exit status: 0 if it fails in the same way, 1 if it fails in another way or not at all, 4 "
      "without an engine.\n"
      "# Requires only a POSIX shell and the engine.\n"
      "engine=${1:-${ENGINE:-" +
      name +
      "}}\n"
      "case $engine in\n"
      "  /*) ;;\n"
      "  */*) engine=$PWD/$engine ;;\n"
      "esac\n"
      "case $0 in */*) cd \"${0%/*}\" || exit 4 ;; esac\n"
      "command -v \"$engine\" > /dev/null 2>&1 || { echo \"no engine: $engine cannot be run; pass "
      "a " +
      name +
      ": ./run.sh ENGINE\"; "
      "exit 4; }\n";
  out += "failure=" + shellQuoted(text(s)) + "\npass=" + shellQuoted(s.pass) +
         "\nop=" + shellQuoted(s.op) + "\n";
  out += "# CPU time; exceeding it counts as a timeout.\nulimit -t " + std::to_string(seconds) +
         " 2> /dev/null\n";
  if (s.kind == "memory") out += "ulimit -v " + std::to_string(m.memory / 1024) + " 2> /dev/null\n";
  out += "log=$(\"$engine\"" + arguments(stages.back()) + " < " + std::string(kInputFile) +
         " 2>&1 > /dev/null)\nstatus=$?\n";
  out +=
      "if [ $status -eq 0 ]; then\n"
      "  printf '%s\\n' \"no failure: the engine succeeds; expected: $failure\"\n"
      "  exit 1\n"
      "fi\n";
  out += sameFailureTest(s);
  out +=
      "printf '%s\\n' \"fails in another way (status $status); expected: $failure\"\n"
      "printf '%s\\n' \"$log\" | while IFS= read -r line; do\n"
      "  case $line in *error:*) printf '%s\\n' \"$line\"; break ;; esac\n"
      "done\n"
      "exit 1\n";
  return out;
}

}  // namespace fxs::bundle
