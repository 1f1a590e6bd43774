// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/trace_plan.h"

#include <algorithm>

#include "base/byte_source.h"
#include "base/sha256.h"
#include "lower/engine_program.h"
#include "lower/tool_run.h"

namespace fxs::lower {
namespace {

constexpr std::chrono::milliseconds kSplitProbePatience{20'000};
constexpr std::uint64_t kSplitProbeOutput = std::uint64_t{4} << 20;
constexpr std::uint64_t kSplitProbeMemory = std::uint64_t{1} << 30;
constexpr std::uint64_t kSplitProbeCacheBytes = std::uint64_t{1} << 20;
/// Some passes require a function named main.
constexpr std::string_view kSmallModule = "module {\n  func.func @main() {\n    return\n  }\n}\n";
constexpr std::string_view kRestatable = "restatable\n";
constexpr std::string_view kNamed = "named\n";

Command dumping(const Engine& engine, const std::string& pipeline,
                std::chrono::milliseconds timeout) {
  Command command =
      engineProgram(engine, {"-", "--pass-pipeline=" + pipeline, "--dump-pass-pipeline"});
  command.stdinText = kSmallModule;
  command.timeout = timeout;
  command.outputLimit = kSplitProbeOutput;
  command.memoryLimit = kSplitProbeMemory;
  return command;
}

Result<std::vector<PipelinePass>> dumped(const Engine& engine, const std::string& pipeline,
                                         const Exit& exit) {
  const std::size_t at = exit.err.find("builtin.module(");
  if (!exit.ok() || at == std::string::npos)
    return fail(ErrorCode::EngineFailed, "engine " + engine.path +
                                             ": cannot print the pass pipeline of " + pipeline +
                                             ": " + exit.err.substr(0, exit.err.find('\n')));
  return parsePipeline(std::string_view(exit.err).substr(at));
}

std::string cacheFile(const Engine& engine, const std::string& cacheDir,
                      const std::string& pipeline) {
  if (cacheDir.empty() || engine.sha256.empty()) return {};
  return cacheDir + "/passes-" + sha256(engine.sha256 + "\n" + pipeline).substr(0, 32) + ".txt";
}

std::optional<FlatPipeline> cached(const std::string& file) {
  if (file.empty()) return std::nullopt;
  const auto bytes = readWholeFile(file, kSplitProbeCacheBytes);
  if (!bytes) return std::nullopt;
  FlatPipeline out;
  out.restatable = bytes->starts_with(kRestatable);
  if (!out.restatable && !bytes->starts_with(kNamed)) return std::nullopt;
  auto passes = parsePipeline(std::string_view(*bytes).substr(bytes->find('\n') + 1));
  if (!passes) return std::nullopt;
  out.passes = *std::move(passes);
  return out;
}

/// Which passes are assumed to change nothing. A canonicalization does nothing if only such passes
/// ran since the last one.
class Quiet {
 public:
  explicit Quiet(std::string_view raw) : raw_(raw) {}
  bool next(const StageSpec& stage, const std::string& pass) {
    const auto entry = std::find_if(stage.quiet.begin(), stage.quiet.end(),
                                    [&](const QuietPass& quiet) { return quiet.pass == pass; });
    const bool named =
        entry != stage.quiet.end() &&
        std::none_of(entry->unless.begin(), entry->unless.end(), [&](const std::string& text) {
          return raw_.find(text) != std::string_view::npos;
        });
    const bool canonicalizes = pass == "canonicalize";
    const bool quiet = named || (canonicalizes && canonical_);
    // The inliner canonicalizes every function.
    canonical_ = canonicalizes || pass == "inline" || (named && canonical_);
    return quiet;
  }

 private:
  std::string_view raw_;
  bool canonical_ = false;
};

}  // namespace

std::string restated(const std::vector<PipelinePass>& passes) {
  std::string out = "builtin.module(";
  for (const PipelinePass& pass : passes) out += (out.ends_with('(') ? "" : ",") + textOf(pass);
  return out + ")";
}

Result<FlatPipeline> flattened(const Engine& engine, const std::string& pipeline,
                               const Limits& limits, const std::string& cacheDir,
                               CommandRunner& runner, const RunContext& context) {
  const std::string file = cacheFile(engine, cacheDir, pipeline);
  if (auto known = cached(file)) return *std::move(known);
  const std::chrono::milliseconds timeout = grownWith(limits.timeout, kSplitProbePatience);
  FXS_TRY(const Exit dump, runToEnd(dumping(engine, pipeline, timeout), runner, context.stop));
  FlatPipeline out;
  FXS_TRY(out.passes, dumped(engine, pipeline, dump));
  // If a pass has no registered name, the engine rejects the flattened pipeline. Test it with a
  // snapshot pass.
  std::vector<PipelinePass> instrumented = out.passes;
  // --dump-pass-pipeline also runs the pipeline; without a file name, the pass writes to the
  // temporary folder.
  instrumented.push_back({{}, "snapshot-op-locations", "filename=/dev/null"});
  FXS_TRY(const Exit again,
          runToEnd(dumping(engine, restated(instrumented), timeout), runner, context.stop));
  if (again.reason != ExitReason::Exited)
    return fail(
        ErrorCode::EngineFailed,
        "engine " + engine.path + ": did not say whether it accepts the passes of " + pipeline);
  const auto same = dumped(engine, pipeline, again);
  out.restatable = same.has_value() && same->size() == instrumented.size() &&
                   std::equal(out.passes.begin(), out.passes.end(), same->begin(),
                              [](const PipelinePass& a, const PipelinePass& b) {
                                return a.pass == b.pass && a.anchors == b.anchors;
                              });
  if (!file.empty())
    writeCache(file,
               std::string(out.restatable ? kRestatable : kNamed) + restated(out.passes) + "\n");
  return out;
}

std::string concatenated(const std::vector<std::string>& pipelines) {
  constexpr std::string_view kOpen = "builtin.module(";
  std::string out;
  for (const std::string& pipeline : pipelines) {
    if (!pipeline.starts_with(kOpen) || !pipeline.ends_with(')')) continue;
    out += (out.empty() ? std::string(kOpen) : std::string(",")) +
           pipeline.substr(kOpen.size(), pipeline.size() - kOpen.size() - 1);
  }
  return out.empty() ? out : out + ")";
}

Result<std::vector<PassGroup>> planTrace(const std::vector<StageSpec>& stages, std::string_view raw,
                                         const Engine& engine, const Limits& limits,
                                         const std::string& cacheDir, CommandRunner& runner,
                                         const RunContext& context) {
  std::vector<PassGroup> groups;
  Quiet quiet(raw);
  for (const StageSpec& stage : stages) {
    if (stage.pipeline.empty()) continue;
    FXS_TRY(const Engine runs, engineOfStage(stage, engine));
    FXS_TRY(FlatPipeline flat, flattened(runs, stage.pipeline, limits, cacheDir, runner, context));
    if (groups.empty() || groups.back().instrumented != flat.restatable ||
        groups.back().engine.path != runs.path)
      groups.push_back({{}, flat.restatable, {}, runs});
    PassGroup& group = groups.back();
    for (PipelinePass& pass : flat.passes) {
      const bool isQuiet = quiet.next(stage, pass.pass);
      group.passes.push_back({stage.id, std::move(pass), isQuiet});
    }
    if (!flat.restatable) group.pipeline = concatenated({group.pipeline, stage.pipeline});
  }
  return groups;
}

}  // namespace fxs::lower
