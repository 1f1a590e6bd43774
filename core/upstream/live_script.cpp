// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "upstream/live_script.h"

#include <algorithm>
#include <optional>

#include "base/new_file.h"
#include "base/python_program.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"

namespace fxs::resource {
std::string_view runRepro();
}

namespace fxs::upstream {
namespace {

/// It grows with the time limit of stages.
constexpr std::chrono::milliseconds kScriptPatience{300'000};
constexpr std::uint64_t kScriptOutput = std::uint64_t{16} << 20;

struct ScriptRun {
  std::string versions;              ///< "" if it ended before it said them
  std::optional<std::string> error;  ///< "" if it lowers; nullopt if Python ended before
  std::vector<std::string> files;    ///< that the exception came through
};

ScriptRun scriptRunIn(std::string_view out) {
  ScriptRun run;
  forEachAnswer(out, [&](const Json& root) {
    if (const std::string torch = root.textOrEmpty("torch"); !torch.empty())
      run.versions = "torch-mlir " + root.textOrEmpty("torch_mlir") + ", PyTorch " + torch +
                     " and Python " + root.textOrEmpty("python");
    if (const auto error = root.find("error")) run.error = root.textOrEmpty("error");
    if (const auto files = root.find("files"))
      for (const Json file : *files)
        if (const auto text = file.asString()) run.files.emplace_back(*text);
  });
  return run;
}

/// A message without the values that are printed after it.
std::string_view subject(std::string_view message) {
  return message.substr(0, std::min(message.find(": %"), message.find('\n')));
}

/// The begin of its first line, for people.
std::string beginOf(std::string_view text) {
  constexpr std::size_t kMost = 200;
  const std::string_view line = text.substr(0, text.find('\n'));
  return printable(line.substr(0, kMost)) + (line.size() > kMost ? " .." : "");
}

bool hasFile(const ScriptRun& run, std::string_view name) {
  return std::find(run.files.begin(), run.files.end(), name) != run.files.end();
}

/// Whether the exception is that of the problem.
bool isAlike(const ScriptRun& run, const Exit& exit, const std::string& pipeline,
             const Problem& problem) {
  const diagnose::FailureSignature& wanted = problem.signature;
  // It lowers and was executed, and torch.testing compared the results.
  if (problem.wrong)
    return run.error->starts_with("AssertionError") && hasFile(run, "_comparison.py");
  if (pipeline.empty()) {
    if (hasFile(run, "fx_importer.py")) return true;
    if (problem.error.starts_with("torch.export.load")) return hasFile(run, "serialize.py");
    // A module is exported first, and a program decomposed.
    const auto isEither = [](const std::string& file) {
      return file == "_trace.py" || file == "exported_program.py";
    };
    const auto first = std::find_if(run.files.begin(), run.files.end(), isEither);
    return hasFile(run, "fx.py") && (first == run.files.end() || *first != "_trace.py");
  }
  if (wanted.kind == "crash") return false;
  if (run.error->find(pipeline) == std::string::npos) return false;
  if (!wanted.op.empty() && exit.err.find(wanted.op) != std::string::npos) return true;
  const std::string wantedText = "error: " + std::string(subject(problem.error));
  if (!problem.error.empty() && exit.err.find(wantedText) != std::string::npos) return true;
  return wanted.op.empty() && problem.error.empty();
}

}  // namespace

Result<> runScript(const std::string& python, const std::string& pipeline,
                   std::chrono::milliseconds timeout, Problem& problem,
                   const session::Environment& env, const RunContext& context) {
  const auto program = findProgram(python == "auto" ? "python3" : python, env.searchPath);
  if (!program) {
    problem.verified = "The script was not run: " + program.error().message;
    return {};
  }
  FXS_TRY(const ScratchDirectory directory,
          ScratchDirectory::make(env.temporaryDir, "the script of a report"));
  const std::string file = directory.file("repro.py");
  FXS_CHECK(writeWholeFile(file, problem.script));
  context.report({"running the script with torch-mlir", -1});
  Command command =
      pythonProgram(*program, std::string(resource::runRepro()), {file}, {file}, directory.path());
  command.timeout = lower::grownWith(timeout, kScriptPatience);
  command.outputLimit = kScriptOutput;
  const auto exit = env.runner->run(command, context.stop);
  if (!exit) {
    if (endsAll(exit.error())) return tl::unexpected<Error>(exit.error());
    problem.verified = "The script was not run: " + exit.error().message;
    return {};
  }
  const ScriptRun run = scriptRunIn(exit->out);
  if (run.versions.empty()) {
    problem.verified = "The script was not run: " + printable(lastLineOf(exit->err));
    return {};
  }
  const std::string by = " when " + run.versions + " run it";
  if (exit->reason == ExitReason::TimedOut) {
    problem.verified = "Whether the script fails is not known: it did not end in time";
    return {};
  }
  const bool crashed = !run.error && exit->reason == ExitReason::Signalled;
  if (crashed ? problem.signature.kind == "crash"
              : run.error && !run.error->empty() && isAlike(run, *exit, pipeline, problem)) {
    problem.outcome = ScriptOutcome::FailsAlike;
    problem.verified = "The script fails in the same way" + by;
    if (pipeline.empty() && !crashed) problem.verified += ": " + beginOf(*run.error);
  } else if (run.error && run.error->empty()) {
    problem.outcome = ScriptOutcome::DoesNotFail;
    problem.verified = "The script does not fail" + by;
  } else {
    problem.outcome = ScriptOutcome::FailsOtherwise;
    const std::string text = run.error ? *run.error : "Python ended without an exception";
    problem.verified = "The script fails in another way" + by + ": " + beginOf(text);
  }
  return {};
}

}  // namespace fxs::upstream
