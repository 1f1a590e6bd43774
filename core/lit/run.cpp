// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lit/run.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/byte_source.h"
#include "base/safe_text.h"
#include "base/scratch_directory.h"
#include "lit/limits.h"

namespace fxs::lit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNullFile = "/dev/null";

/// The path of a file in the folder, through no symbolic link that a program may have left there.
Result<std::string> insideFolder(const std::string& folder, const std::string& file) {
  const fs::path path = fs::path(folder) / file;
  std::error_code error;
  const fs::path parent = fs::canonical(path.parent_path(), error);
  if (error) return fail(ErrorCode::NotFound, printableName(file) + ": there is no such folder");
  const std::string root = fs::canonical(folder, error).string();
  const std::string inside = parent.string();
  const bool isInside = inside == root || inside.starts_with(root + "/");
  const fs::file_type type = fs::symlink_status(path, error).type();
  if (!isInside || (type != fs::file_type::regular && type != fs::file_type::not_found))
    return fail(ErrorCode::InvalidInput,
                printableName(file) + ": not a file in the temporary folder");
  return (parent / path.filename()).string();
}

class PlanRun {
 public:
  PlanRun(const Plan& plan, std::string folder, CommandRunner& runner, const RunContext& context)
      : plan_(plan), folder_(std::move(folder)), runner_(runner), context_(context) {}

  Result<TestRun> run() {
    TestRun out;
    out.passed = plan_.skipped.empty() && !plan_.stages.empty();
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
      FXS_CHECK(stage(i, out.stages.emplace_back()));
      out.passed = out.passed && out.stages.back().isAsExpected;
    }
    return out;
  }

 private:
  Result<> stage(std::size_t index, StageRun& out) {
    const Stage& stage = plan_.stages[index];
    out.argv = stage.argv;
    begin(index);
    if (lineFailed_ && !pipelineFailed_) {
      out.message = "not run, since a command before it in its line failed";
      return {};
    }
    context_.report({"running " + stage.argv.front(),
                     static_cast<double>(index) / static_cast<double>(plan_.stages.size())});
    auto ended = runStage(stage, out);
    if (!ended) {
      if (endsAll(ended.error())) return ended;
      out.message = ended.error().message;
      out.isAsExpected = false;
    }
    pipelineFailed_ = pipelineFailed_ || !out.isAsExpected;
    lineFailed_ = lineFailed_ || pipelineFailed_;
    return {};
  }

  /// A line begins anew; so does a pipeline, in a line that may have failed.
  void begin(std::size_t index) {
    const Stage* before = index == 0 ? nullptr : &plan_.stages[index - 1];
    const Stage& stage = plan_.stages[index];
    const bool sameLine = before != nullptr && before->run == stage.run;
    if (!sameLine) lineFailed_ = false;
    if (!sameLine || before->pipeline != stage.pipeline) {
      pipelineFailed_ = false;
      piped_.clear();
    }
  }

  Result<> runStage(const Stage& stage, StageRun& out) {
    Command command = commandOf(stage);
    FXS_TRY(command.stdinText, inputOf(stage));
    FXS_TRY(Exit exit, runToEnd(command, runner_, context_.stop));
    context_.spend(Resource::Text, exit.out.size() + exit.err.size(), stage.argv.front());
    out.ran = true;
    out.reason = exit.reason;
    out.status = exit.reason == ExitReason::Signalled ? exit.signal : exit.status;
    out.wall = exit.wall;
    out.out = std::move(exit.out);
    out.err = std::move(exit.err);
    out.message = unexpected(stage.expect, out);
    out.isAsExpected = out.message.empty();
    return write(stage, out);
  }

  Command commandOf(const Stage& stage) const {
    const std::string& program = stage.argv.front();
    Command command;
    command.argv = stage.argv;
    command.environment = stage.environment;
    command.directory = folder_;
    command.errorsInOutput = stage.out == stage.err;
    Cage& cage = command.cage.emplace();
    cage.reads = plan_.reads;
    cage.reads.push_back(program);
    cage.reads.push_back(folder_);
    cage.writes = {folder_};
    if (isScript(program)) {
      cage.reading = Cage::Reading::Everything;
      cage.processes = Cage::Processes::Programs;
    }
    command.timeout = plan_.limits.timeout;
    command.memoryLimit = plan_.limits.memory;
    command.outputLimit = plan_.limits.output;
    return command;
  }

  Result<std::string> inputOf(const Stage& stage) {
    if (stage.input == Stage::Input::Previous) return std::exchange(piped_, {});
    if (stage.input == Stage::Input::None || stage.inputFile == kNullFile) return std::string();
    FXS_TRY(const std::string path, insideFolder(folder_, stage.inputFile));
    auto text = readWholeFile(path, kMaxFileBytes);
    if (!text)
      return fail(text.error().code,
                  printableName(stage.inputFile) + ": cannot be read; no command before wrote it");
    return text;
  }

  Result<> write(const Stage& stage, const StageRun& run) {
    std::string next;
    if (stage.out.kind == Sink::Kind::Output) next = run.out;
    if (stage.err.kind == Sink::Kind::Output && stage.out != stage.err) next += run.err;
    piped_ = stage.endsPipeline ? std::string() : std::move(next);
    FXS_CHECK(writeSink(stage.out, run.out));
    return stage.out == stage.err ? Result<>() : writeSink(stage.err, run.err);
  }
  Result<> writeSink(const Sink& sink, const std::string& text) const {
    if (sink.kind == Sink::Kind::Output || sink.kind == Sink::Kind::Errors) return {};
    if (sink.file == kNullFile) return {};
    FXS_TRY(const std::string path, insideFolder(folder_, sink.file));
    if (sink.kind == Sink::Kind::File) return writeWholeFile(path, text);
    std::error_code error;
    std::string all;
    if (fs::exists(path, error)) {
      FXS_TRY(all, readWholeFile(path, kMaxFileBytes));
    }
    return writeWholeFile(path, all + text);
  }

  static std::string unexpected(Expect expect, const StageRun& run) {
    switch (run.reason) {
      case ExitReason::TimedOut: return "did not end within the time limit";
      case ExitReason::OutputLimit: return "wrote more than the limit of output";
      case ExitReason::ProcessLimit: return "started too many processes";
      case ExitReason::Signalled:
        return expect == Expect::Crash ? std::string()
                                       : fmt::format("crashed (signal {})", run.status);
      case ExitReason::Exited: break;
    }
    if (expect == Expect::Crash)
      return fmt::format("ended with exit code {}, expected a crash", run.status);
    if (expect == Expect::Failure)
      return run.status != 0 ? std::string() : "ended with exit code 0, expected a failure";
    return run.status == 0 ? std::string()
                           : fmt::format("ended with exit code {}, expected 0", run.status);
  }

  const Plan& plan_;
  const std::string folder_;
  CommandRunner& runner_;
  const RunContext& context_;
  std::string piped_;  ///< what the stage before wrote to its pipe
  bool lineFailed_ = false, pipelineFailed_ = false;
};

}  // namespace

Result<TestRun> run(const Plan& plan, std::string_view text, CommandRunner& runner,
                    const RunContext& context) {
  FXS_TRY(const ScratchDirectory scratch,
          ScratchDirectory::make(plan.temporaryDir, "the files of a lit test"));
  FXS_CHECK(writeWholeFile(scratch.file(plan.testFile), std::string(text)));
  return PlanRun(plan, scratch.path(), runner, context).run();
}

std::optional<bool> passed(const Plan& plan, const TestRun& run, std::size_t index) {
  for (const SkippedRun& skipped : plan.skipped)
    if (skipped.run == index) return std::nullopt;
  bool out = true;
  for (std::size_t i = 0; i < plan.stages.size(); ++i)
    if (plan.stages[i].run == index) out = out && run.stages[i].isAsExpected;
  return out;
}

}  // namespace fxs::lit
