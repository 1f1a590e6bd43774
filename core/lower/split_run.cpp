// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/split_run.h"

#include "lower/engine_run.h"

namespace fxs::lower {
namespace {

constexpr std::string_view kSeparator = "// -----\n";
constexpr std::string_view kReproducerMember = "mlir_reproducer: {";
/// The last message of the engine for a module whose pipeline failed.
constexpr std::string_view kLastWord = "Pipeline failed while executing ";

/// `text` at the lines that are a separator.
std::vector<std::string_view> splitAtSeparators(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(kSeparator); at != std::string_view::npos;
       at = text.find(kSeparator, at + kSeparator.size())) {
    if (at != 0 && text[at - 1] != '\n') continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + kSeparator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// `text` after each line that has `mark`.
std::vector<std::string_view> splitAfterLinesWith(std::string_view text, std::string_view mark) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find(mark); at != std::string_view::npos;
       at = text.find(mark, begin)) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    parts.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return parts;
}

}  // namespace

std::vector<SplitPart> splitParts(std::string_view out, std::string_view err, std::size_t modules) {
  std::vector<SplitPart> parts(modules);
  const std::vector<std::string_view> printed = splitAtSeparators(out);
  // The engine prints after the last module; if a part is missing, parts cannot be matched to
  // modules.
  if (printed.size() != modules || out.empty()) return parts;
  const std::vector<std::string_view> said = splitAfterLinesWith(err, kLastWord);
  std::size_t failed = 0;
  bool mixed = false;  // messages for a module without output may be mixed with those of the next
  for (std::size_t i = 0; i < modules; ++i) {
    SplitPart& part = parts[i];
    if (printed[i].find_first_not_of(" \n") == std::string_view::npos) {
      part.outcome = SplitPart::Outcome::Unclear;
      mixed = true;
      continue;
    }
    const std::size_t reproducer = printed[i].rfind("\n{-#");
    if (reproducer == std::string_view::npos ||
        printed[i].find(kReproducerMember, reproducer) == std::string_view::npos) {
      part.outcome = SplitPart::Outcome::Ok;
      part.out = std::string(printed[i]);
      continue;
    }
    part.out = std::string(printed[i].substr(0, reproducer + 1));
    part.outcome =
        mixed || failed >= said.size() ? SplitPart::Outcome::Unclear : SplitPart::Outcome::Failed;
    if (failed < said.size()) part.err = std::string(said[failed]);
    ++failed;
    mixed = false;
  }
  return parts;
}

Result<std::vector<std::vector<SplitPart>>> runSplit(const Engine& engine,
                                                     const std::vector<SplitJob>& jobs,
                                                     const Limits& limits, CommandRunner& runner,
                                                     const RunContext& context) {
  std::vector<Command> commands;
  for (const SplitJob& job : jobs) {
    std::string input;
    for (const std::string_view module : job.modules) {
      if (!input.empty()) input += "\n" + std::string(kSeparator);
      input += module;
    }
    Command& command = commands.emplace_back(engineCommand(
        job.engine != nullptr ? *job.engine : engine, job.pipeline, std::move(input), limits));
    // One thread, so that messages about different modules are not interleaved.
    command.argv.insert(command.argv.end(), {"--split-input-file", "--mlir-disable-threading"});
  }
  std::vector<Result<Exit>> exits = runToEnd(commands, runner, context.stop);
  std::vector<std::vector<SplitPart>> out;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!exits[i]) {
      if (endsAll(exits[i].error())) return tl::unexpected<Error>(exits[i].error());
      return fail(ErrorCode::EngineFailed, exits[i].error().message);
    }
    // Only what was printed to its end counts: an engine ends with 0, or with 1 after a module that
    // failed.
    const bool ended =
        exits[i]->reason == ExitReason::Exited && (exits[i]->status == 0 || exits[i]->status == 1);
    out.push_back(splitParts(ended ? std::string_view(exits[i]->out) : std::string_view(),
                             exits[i]->err, jobs[i].modules.size()));
  }
  return out;
}

}  // namespace fxs::lower
