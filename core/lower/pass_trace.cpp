// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pass_trace.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/byte_source.h"
#include "base/scratch_directory.h"
#include "lower/engine_program.h"
#include "lower/no_answer.h"
#include "lower/pass_timing.h"
#include "lower/printed_passes.h"
#include "lower/tool_run.h"
#include "lower/trace_plan.h"
#include "mlir/compare/same_ir.h"

namespace fxs::lower {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSnapshotBytes = std::uint64_t{4} << 30;
/// Scratch subdirectory for --mlir-print-ir-tree-dir.
constexpr std::string_view kTree = "printed";

/// Whether the engine wrote a module to its end: the closing brace is the first character of a
/// line, and aliases of locations may follow.
bool isCompleteSnapshot(std::string_view text) {
  return text.ends_with('\n') && text.find("\n}") != std::string_view::npos;
}

std::string snapshotPass(const std::string& file) {
  return "snapshot-op-locations{filename=" + file + " print-debuginfo=true}";
}

/// Records a trace; used for one run().
class Tracer {
 public:
  Tracer(const Engine& engine, const TraceOptions& options, CommandRunner& runner,
         const RunContext& context, const TraceCallbacks& callbacks)
      : engine_(engine),
        options_(options),
        runner_(runner),
        context_(context),
        callbacks_(callbacks) {
    trace_.target = options.lower.target;
    trace_.engine = engine;
    trace_.directory = options.directory;
  }
  ~Tracer() {
    std::error_code ignored;
    if (done_) return;
    for (const std::string& file : written_)
      fs::remove(fs::path(options_.directory) / file, ignored);
  }
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  Result<std::shared_ptr<const PassTrace>> run(const std::string& raw, const fx::Program& program,
                                               const Lowering* known);

 private:
  /// A snapshot written by a run after the pass `lastPass` (index into trace_.passes; -1: before
  /// the first pass).
  struct Point {
    std::string file;
    int lastPass;
  };
  enum class Detail : std::uint8_t { Quick, EveryPass };
  /// Progress of reading the snapshots of a run while the engine writes them.
  struct Taking {
    std::vector<Point> points;
    std::size_t next = 0;  ///< index into points
    int from = -1;         ///< the last pass before points[next]
    bool clear = true;     ///< false: several passes ran between two snapshots that differ, so the
                           ///< pass that made the change is not known
  };
  /// The state of the trace before a run, to restore it if another run replaces that one.
  struct Mark {
    std::size_t snapshots, hops;
    std::vector<PassRun> passes;
    std::shared_ptr<const std::string> lastText;
  };

  Command command(const Engine& engine, const std::string& pipeline, std::string input) const;
  /// Reads a module written by the engine, and charges its size to the budget first.
  Result<std::string> readFile(const std::string& file) const {
    // exists() refuses symbolic links and pipes: the engine is not trusted, and reading a pipe
    // might never end.
    if (!exists(file)) return fail(ErrorCode::Io, scratch_->file(file) + ": no such file");
    std::error_code error;
    if (const auto size = fs::file_size(scratch_->file(file), error); !error)
      context_.spend(Resource::Disk, size, "the trace: snapshot " + file);
    FXS_TRY(std::string text, readWholeFile(scratch_->file(file), kSnapshotBytes));
    if (!isCompleteSnapshot(text)) return untold("it did not finish writing snapshot " + file);
    return text;
  }
  /// The Error of a run that does not say what the passes did.
  tl::unexpected<Error> untold(const std::string& why) const {
    return fail(ErrorCode::EngineFailed,
                "engine " + engine_.path + ": " + why +
                    ", so that what the passes did is not known; trace again");
  }
  bool exists(const std::string& file) const {
    std::error_code ignored;
    return fs::symlink_status(scratch_->file(file), ignored).type() == fs::file_type::regular;
  }
  std::string nextFile() { return fmt::format("{:02}", counter_++); }
  int firstPassOf(const PassGroup& group) const;
  std::vector<Point> pointsOf(const PassGroup& group, Detail detail,
                              const PassGroup* last = nullptr);
  std::string instrumentedPipeline(const PassGroup& group, const std::vector<Point>& points) const;
  Taking taking(std::vector<Point> points) const;
  Result<bool> takeNext(Taking& run, bool ended);
  Result<> takeRest(Taking& run);
  void takeQuietEnd(Taking& run, std::string_view untraced);
  void goBackTo(const Mark& mark, const std::vector<Point>& points);
  Mark mark() const {
    return {trace_.snapshots.size(), trace_.hops.size(), trace_.passes, lastText_};
  }
  void keep(IrSnapshot snapshot, const std::string& writtenAs, std::string text);
  Result<> runEveryPass(const PassGroup& group, const std::string& raw, bool expectFailure);
  Result<> runPrinted(const PassGroup& group, bool expectFailure);
  void noteTimes(const PassGroup& group, const std::vector<Point>& points, const std::string& err);
  Result<> checkEnd(const Exit& exit, bool expectFailure) const;
  Result<> checkTaken(const Taking& run) const;
  Result<> noteFailure(const PassGroup& group, const Lowering& known);
  Result<> takeSteps(const std::vector<StageSpec>& steps, const Lowering& known);
  Result<> takeFiles();

  const Engine& engine_;
  const TraceOptions& options_;
  CommandRunner& runner_;
  const RunContext& context_;
  const TraceCallbacks& callbacks_;
  /// The only directory that the engine may write to; options_.directory may contain other files of
  /// the user.
  std::optional<ScratchDirectory> scratch_;
  PassTrace trace_;
  std::shared_ptr<const std::string> lastText_;  ///< text of the last snapshot kept
  std::shared_ptr<const std::string>
      lastTraced_;  ///< likewise, before those of takeSteps(); null if there are none
  std::vector<std::string> written_;  ///< files in the trace's directory
  int counter_ = 0;
  bool done_ = false;
};

Command Tracer::command(const Engine& engine, const std::string& pipeline,
                        std::string input) const {
  Command command =
      engineProgram(engine, {"-", "--pass-pipeline=" + pipeline, "--mlir-timing",
                             "--mlir-timing-display=tree", "--mlir-output-format=json"});
  command.stdinText = std::move(input);
  command.directory = scratch_->path();
  command.cage->writes = {scratch_->path()};
  command.timeout = options_.lower.limits.timeout;
  command.memoryLimit = options_.lower.limits.memory;
  command.outputLimit = options_.lower.limits.output;
  return command;
}

int Tracer::firstPassOf(const PassGroup& group) const {
  int first = 0;
  while (first < static_cast<int>(trace_.passes.size()) &&
         trace_.passes[static_cast<std::size_t>(first)].stage != group.passes.front().stage)
    ++first;
  return first;
}

/// `last`: the final group, if its result is compared with that of the plain pipeline.
std::vector<Tracer::Point> Tracer::pointsOf(const PassGroup& group, Detail detail,
                                            const PassGroup* last) {
  std::vector<Point> points;
  const int first = firstPassOf(group);
  if (trace_.snapshots.empty()) points.push_back({nextFile(), -1});
  for (std::size_t i = 0; i < group.passes.size(); ++i) {
    // At the end of a pipeline its output serves as the last snapshot.
    const bool quietGoesOn =
        detail == Detail::Quick && group.passes[i].quiet &&
        (i + 1 < group.passes.size() ? group.passes[i + 1].quiet : &group == last);
    if (!quietGoesOn) points.push_back({nextFile(), first + static_cast<int>(i)});
  }
  return points;
}

std::string Tracer::instrumentedPipeline(const PassGroup& group,
                                         const std::vector<Point>& points) const {
  const int first = firstPassOf(group);
  std::string out = "builtin.module(";
  const auto add = [&](const std::string& pass) { out += (out.ends_with('(') ? "" : ",") + pass; };
  auto point = points.begin();
  if (point != points.end() && point->lastPass < 0) add(snapshotPass((point++)->file));
  for (std::size_t i = 0; i < group.passes.size(); ++i) {
    add(textOf(group.passes[i].pass));
    if (point != points.end() && point->lastPass == first + static_cast<int>(i))
      add(snapshotPass((point++)->file));
  }
  return out + ")";
}

/// Adds a snapshot to the trace, unless it equals the last one except for locations; then only the
/// hop is recorded.
void Tracer::keep(IrSnapshot snapshot, const std::string& writtenAs, std::string text) {
  const bool first = trace_.snapshots.empty();
  const bool same = !first && mlir::sameButLocations(text, *lastText_);
  if (same) {
    const auto shift = static_cast<std::int64_t>(mlir::bodyLine(*lastText_)) -
                       static_cast<std::int64_t>(mlir::bodyLine(text));
    trace_.hops.push_back({writtenAs, static_cast<int>(trace_.snapshots.size()) - 1, shift});
    std::error_code ignored;
    fs::remove(scratch_->file(snapshot.file), ignored);
  } else {
    trace_.hops.push_back({writtenAs, static_cast<int>(trace_.snapshots.size()), 0});
    lastText_ = std::make_shared<const std::string>(std::move(text));
    trace_.snapshots.push_back(std::move(snapshot));
    if (callbacks_.onSnapshot) callbacks_.onSnapshot(trace_, lastText_);
  }
}

Tracer::Taking Tracer::taking(std::vector<Point> points) const {
  int from = points.empty() || points.front().lastPass < 0 ? -1 : points.front().lastPass - 1;
  if (!trace_.snapshots.empty()) {
    from = -1;
    for (std::size_t i = 0; i < trace_.passes.size(); ++i)
      if (trace_.passes[i].ran) from = static_cast<int>(i);
  }
  return {std::move(points), 0, from, true};
}

/// Reads the next snapshot if it is completely written: the file after it exists, or the engine has
/// ended. Returns whether it was.
Result<bool> Tracer::takeNext(Taking& run, bool ended) {
  if (!run.clear || run.next == run.points.size()) return false;
  const Point& point = run.points[run.next];
  const bool whole =
      ended ? exists(point.file)
            : run.next + 1 < run.points.size() && exists(run.points[run.next + 1].file);
  if (!whole) return false;
  FXS_TRY(std::string text, readFile(point.file));
  ++run.next;
  const std::size_t before = trace_.snapshots.size();
  const std::string stage =
      point.lastPass < 0 ? "raw" : trace_.passes[static_cast<std::size_t>(point.lastPass)].stage;
  keep({stage, point.lastPass, point.file, false}, point.file, std::move(text));
  const bool changed = trace_.snapshots.size() > before && point.lastPass >= 0;
  if (changed && point.lastPass - run.from > 1) {
    run.clear = false;
    return true;
  }
  for (int i = run.from + 1; i <= point.lastPass; ++i) {
    PassRun& pass = trace_.passes[static_cast<std::size_t>(i)];
    pass.ran = true;
    pass.changed = changed;
    pass.snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
  }
  run.from = std::max(run.from, point.lastPass);
  return true;
}

/// Reads the remaining snapshots after the run has ended.
Result<> Tracer::takeRest(Taking& run) {
  for (;;) {
    FXS_TRY(const bool took, takeNext(run, true));
    if (!took) return {};
  }
}

/// Whether a run ended by itself, as the plain pipeline did. A program that was killed wrote what
/// it wrote until then, which shows nothing about the pass after it.
Result<> Tracer::checkEnd(const Exit& exit, bool expectFailure) const {
  if (exit.reason == ExitReason::TimedOut && !expectFailure)
    return fail(
        ErrorCode::Timeout,
        fmt::format(
            "engine {}: it did not end within {:g} s while its passes were traced; raise --timeout",
            engine_.path, std::chrono::duration<double>(options_.lower.limits.timeout).count()));
  if (wasKilled(exit)) return untold("it " + wordsOfKill(exit));
  if (exit.reason == ExitReason::Signalled && !expectFailure)
    return untold(
        fmt::format("it was ended by signal {} while its passes were traced", exit.signal));
  if (!exit.ok() && !expectFailure)
    return untold("it failed while its passes were traced, and does not otherwise");
  return {};
}

/// A run that ended well wrote all its snapshots.
Result<> Tracer::checkTaken(const Taking& run) const {
  if (!run.clear || run.next == run.points.size()) return {};
  const int pass = run.points[run.next].lastPass;
  return untold("it wrote no snapshot " +
                (pass < 0 ? "before the first pass"
                          : "after " + trace_.passes[static_cast<std::size_t>(pass)].pass));
}

/// Assigns times from the engine's report, which snapshot passes divide into sections of planned
/// passes and of passes that these run themselves. If the two cannot be distinguished, no time is
/// set.
void Tracer::noteTimes(const PassGroup& group, const std::vector<Point>& points,
                       const std::string& err) {
  const int first = firstPassOf(group);
  int from = first;
  std::vector<PassTime> stretch;
  const auto note = [&](int lastPass) {
    const auto planned = static_cast<std::size_t>(std::max(lastPass + 1 - from, 0));
    if (planned == 1 && !stretch.empty()) {
      auto& seconds = trace_.passes[static_cast<std::size_t>(from)].seconds;
      seconds = std::chrono::duration<double>(0);
      for (const PassTime& time : stretch) seconds += time.seconds;
    } else if (stretch.size() == planned) {
      for (std::size_t i = 0; i < planned; ++i)
        trace_.passes[static_cast<std::size_t>(from) + i].seconds = stretch[i].seconds;
    }
    stretch.clear();
    from = std::max(from, lastPass + 1);
  };
  auto point = points.begin();
  for (const PassTime& time : passTimes(err)) {
    if (!time.isSnapshot) stretch.push_back(time);
    else if (point != points.end()) note((point++)->lastPass);
  }
  // Times after the last snapshot: all passes of a group without snapshot passes, or those up to a
  // failing one.
  if (!stretch.empty())
    note(std::min(from + static_cast<int>(stretch.size()),
                  first + static_cast<int>(group.passes.size())) -
         1);
}

/// Records which pass stopped the group, according to the plain pipeline, and the IR there if the
/// engine printed it.
Result<> Tracer::noteFailure(const PassGroup& group, const Lowering& known) {
  const auto stage = std::find_if(known.stages.begin(), known.stages.end(),
                                  [](const StageResult& s) { return s.status != StageStatus::Ok; });
  if (stage == known.stages.end()) return {};
  const auto first = trace_.passes.begin() + firstPassOf(group);
  const auto reached =
      std::find_if(first, trace_.passes.end(), [](const PassRun& p) { return !p.ran; });
  auto failed = std::find_if(reached, trace_.passes.end(), [&](const PassRun& p) {
    return p.stage == stage->id && (p.pass == stage->failingPass || stage->failingPass.empty());
  });
  // A crash reports only the class of its pass; take the first pass that has no snapshot.
  if (failed == trace_.passes.end() && reached != trace_.passes.end() &&
      reached->stage == stage->id)
    failed = reached;
  if (failed == trace_.passes.end()) return {};
  // A snapshot is written after every pass.
  if (group.instrumented && failed != reached)
    return untold("it wrote no snapshot after " + reached->pass);
  failed->ran = failed->failed = true;
  std::string ir = stage->failureIr;
  for (const PrintedPass& printed : printedPasses(scratch_->file(std::string(kTree))))
    if (printed.failed && printed.pass == failed->pass)
      if (auto text = readFile(std::string(kTree) + "/" + printed.file)) ir = *std::move(text);
  if (ir.empty()) return {};
  const std::string file = nextFile() + "-" + failed->pass + ".failed.mlir";
  FXS_CHECK(writeWholeFile((fs::path(trace_.directory) / file).string(), ir));
  written_.push_back(file);
  failed->snapshot = static_cast<int>(trace_.snapshots.size());
  trace_.snapshots.push_back(
      {failed->stage, static_cast<int>(failed - trace_.passes.begin()), file, true});
  return {};
}

/// Handles quiet passes between the last snapshot and the end of the pipeline, whose result is
/// `untraced`.
void Tracer::takeQuietEnd(Taking& run, std::string_view untraced) {
  const std::size_t first = static_cast<std::size_t>(run.from) + 1;
  if (run.next < run.points.size() || first == trace_.passes.size()) return;
  run.clear = mlir::sameButLocations(*lastText_, untraced);
  if (run.clear) trace_.untraced = Untraced::Same;
  for (std::size_t i = first; run.clear && i < trace_.passes.size(); ++i) {
    trace_.passes[i].ran = true;
    trace_.passes[i].snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
  }
}

/// Restores the state before a run, and removes the run's files.
void Tracer::goBackTo(const Mark& mark, const std::vector<Point>& points) {
  std::error_code ignored;
  for (const Point& point : points) fs::remove(scratch_->file(point.file), ignored);
  trace_.snapshots.resize(mark.snapshots);
  trace_.hops.resize(mark.hops);
  trace_.passes = mark.passes;
  lastText_ = mark.lastText;
  counter_ -= static_cast<int>(points.size());
}

/// Runs the group with a snapshot after every pass.
Result<> Tracer::runEveryPass(const PassGroup& group, const std::string& raw, bool expectFailure) {
  Taking run = taking(pointsOf(group, Detail::EveryPass));
  std::string input = raw;
  if (!trace_.snapshots.empty()) {
    FXS_TRY(input, readFile(trace_.snapshots.back().file));
  }
  Command every = command(group.engine, instrumentedPipeline(group, run.points), std::move(input));
  if (expectFailure)
    every.argv.insert(
        every.argv.end(),
        {"--mlir-print-ir-after-failure", "--mlir-print-ir-tree-dir=" + std::string(kTree),
         "--mlir-print-debuginfo", "--mlir-disable-threading", "--mlir-print-ir-module-scope"});
  else
    every.argv.insert(every.argv.end(),
                      {"--verify-each=false", "--emit-bytecode", "-o", "/dev/null"});
  trace_.runs.push_back(every.argv);
  FXS_TRY(const Exit exit, runToEnd(every, runner_, context_.stop));
  FXS_CHECK(checkEnd(exit, expectFailure));
  FXS_CHECK(takeRest(run));
  if (!expectFailure) FXS_CHECK(checkTaken(run));
  noteTimes(group, run.points, exit.err);
  return {};
}

/// Runs the group with the engine's IR printing after every pass.
Result<> Tracer::runPrinted(const PassGroup& group, bool expectFailure) {
  const std::string input = nextFile();
  FXS_TRY(std::string text, readFile(trace_.snapshots.back().file));
  Command printing = command(
      group.engine, concatenated({"builtin.module(" + snapshotPass(input) + ")", group.pipeline}),
      std::move(text));
  printing.argv.insert(printing.argv.end(),
                       {"--mlir-print-ir-after-all", "--mlir-print-ir-module-scope",
                        "--mlir-disable-threading", "--mlir-print-debuginfo",
                        "--mlir-print-ir-tree-dir=" + std::string(kTree), "-o", "/dev/null"});
  trace_.runs.push_back(printing.argv);
  FXS_TRY(const Exit exit, runToEnd(printing, runner_, context_.stop));
  FXS_CHECK(checkEnd(exit, expectFailure));
  if (!exists(input) && !expectFailure) return untold("it wrote no snapshot " + input);
  if (exists(input)) {
    FXS_TRY(std::string before, readFile(input));
    keep({group.passes.front().stage, -1, input, false}, input, std::move(before));
  }
  const int first = firstPassOf(group);
  std::size_t at = 0;
  for (const PrintedPass& printed : printedPasses(scratch_->file(std::string(kTree)))) {
    if (printed.failed) break;
    // Every pass prints once, in pipeline order, preceded by the output of passes that it runs
    // itself.
    std::size_t found = at;
    while (found < group.passes.size() && group.passes[found].pass.pass != printed.pass) ++found;
    if (found == group.passes.size()) continue;
    FXS_TRY(std::string after, readFile(std::string(kTree) + "/" + printed.file));
    const std::string file = nextFile();
    std::error_code error;
    fs::rename(fs::path(scratch_->path()) / kTree / printed.file, scratch_->file(file), error);
    if (error)
      return fail(ErrorCode::Io, scratch_->file(file) + ": cannot be written: " + error.message());
    const std::size_t before = trace_.snapshots.size();
    const int pass = first + static_cast<int>(found);
    keep({group.passes[found].stage, pass, file, false}, file, std::move(after));
    for (std::size_t i = at; i <= found; ++i) {
      PassRun& run = trace_.passes[static_cast<std::size_t>(first) + i];
      run.ran = true;
      run.snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
    }
    trace_.passes[static_cast<std::size_t>(pass)].changed = trace_.snapshots.size() > before;
    at = found + 1;
  }
  noteTimes(group, {{input, first - 1}}, exit.err);
  return {};
}

/// Adds a snapshot for each stage whose tool shows no passes, with the text of the plain run. Its
/// locations are nodes, not earlier snapshots.
Result<> Tracer::takeSteps(const std::vector<StageSpec>& steps, const Lowering& known) {
  lastTraced_ = lastText_;
  std::size_t pass = trace_.passes.size() - steps.size();
  for (const StageSpec& step : steps) {
    const auto stage = std::find_if(known.stages.begin(), known.stages.end(),
                                    [&](const StageResult& each) { return each.id == step.id; });
    if (stage == known.stages.end() || stage->status == StageStatus::Skipped) break;
    PassRun& run = trace_.passes[pass];
    run.ran = true;
    run.failed = stage->status != StageStatus::Ok;
    run.seconds = stage->seconds;
    if (!stage->ir().empty()) {
      const std::string file = nextFile() + (run.failed ? ".failed" : "") +
                               std::string(mlir::extension(stage->irForm()));
      context_.spend(Resource::Disk, stage->ir().size(), "the trace: snapshot " + file);
      FXS_CHECK(writeWholeFile(scratch_->file(file), stage->ir()));
      run.changed = true;
      run.snapshot = static_cast<int>(trace_.snapshots.size());
      trace_.snapshots.push_back({step.id, static_cast<int>(pass), file, run.failed});
      lastText_ = std::make_shared<const std::string>(stage->ir());
      if (callbacks_.onSnapshot) callbacks_.onSnapshot(trace_, lastText_);
    }
    if (run.failed) break;
    ++pass;
  }
  return {};
}

/// Moves the files into the trace's directory under readable names: "12" becomes
/// "12-convert-torch-to-linalg.mlir".
Result<> Tracer::takeFiles() {
  for (IrSnapshot& snapshot : trace_.snapshots) {
    if (snapshot.failure && !fs::exists(scratch_->file(snapshot.file)))
      continue;  // written to the trace's directory already
    const std::string what = snapshot.pass < 0
                                 ? snapshot.stage
                                 : trace_.passes[static_cast<std::size_t>(snapshot.pass)].pass;
    // Snapshots of passes are numbers; others have an ending.
    const std::size_t dot = std::min(snapshot.file.find('.'), snapshot.file.size());
    const std::string name = snapshot.file.substr(0, dot) + "-" + what +
                             (dot < snapshot.file.size() ? snapshot.file.substr(dot) : ".mlir");
    std::error_code error;
    fs::rename(scratch_->file(snapshot.file), fs::path(trace_.directory) / name, error);
    if (error)
      return fail(ErrorCode::Io,
                  trace_.directory + "/" + name + ": cannot be written: " + error.message());
    written_.push_back(name);
    snapshot.file = name;
  }
  return {};
}

Result<std::shared_ptr<const PassTrace>> Tracer::run(const std::string& raw,
                                                     const fx::Program& program,
                                                     const Lowering* known) {
  FXS_TRY(const std::vector<StageSpec> all, filledStages(options_.lower));
  // A stage that runs no passes, and those after it, are one step each.
  const auto firstStep = std::find_if(all.begin(), all.end(), [](const StageSpec& spec) {
    return !spec.tool.runsPasses() || !spec.prepare.empty();
  });
  std::vector<StageSpec> specs(all.begin(), firstStep);
  const std::vector<StageSpec> steps(firstStep, all.end());
  const bool engineOnly = std::all_of(all.begin(), all.end(),
                                      [](const StageSpec& spec) { return spec.tool.isEngine(); }) &&
                          steps.empty();
  // The texts of stages of other tools come from a plain run, which also finds out which tool is
  // missing.
  std::shared_ptr<const Lowering> plainRun;
  if (!engineOnly && known == nullptr) {
    FXS_TRY(plainRun, lower(raw, program, engine_, options_.lower, runner_, context_,
                            {callbacks_.decomposable, {}, {}}));
    known = plainRun.get();
  }
  if (!engineOnly)
    while (!specs.empty() && !engineOfStage(specs.back(), engine_)) specs.pop_back();
  FXS_TRY(std::vector<PassGroup> groups, planTrace(specs, raw, engine_, options_.lower.limits,
                                                   options_.cacheDir, runner_, context_));
  for (const PassGroup& group : groups)
    for (const PlannedPass& planned : group.passes)
      trace_.passes.push_back({.stage = planned.stage,
                               .pass = planned.pass.pass,
                               .options = planned.pass.options,
                               .anchor = planned.pass.anchors.empty()
                                             ? "builtin.module"
                                             : planned.pass.anchors.back()});
  for (const StageSpec& step : steps)
    trace_.passes.push_back({.stage = step.id,
                             .pass = step.tool.title(),
                             .options = {},
                             .anchor = std::string(mlir::name(step.writes))});
  if (groups.empty() || !groups.front().instrumented)
    groups.insert(groups.begin(), PassGroup{{}, true, {}, engine_});

  FXS_TRY(ScratchDirectory scratch,
          ScratchDirectory::make(options_.directory, "the snapshots of a trace"));
  scratch_.emplace(std::move(scratch));

  // Run the plain pipeline concurrently, to check that the traced one gives the same result or
  // fails at the same pass.
  std::vector<std::string> pipelines;
  for (const StageSpec& spec : specs) pipelines.push_back(spec.pipeline);
  context_.report({"tracing the passes", -1});
  const PassGroup& head = groups.front();
  const Mark start = mark();
  Taking quick = taking(pointsOf(head, Detail::Quick, &groups.back()));
  std::optional<Exit> plain, traced;
  const bool knownToFail =
      known != nullptr &&
      std::any_of(known->stages.begin(),
                  known->stages.begin() + static_cast<std::ptrdiff_t>(specs.size()),
                  [](const StageResult& stage) { return stage.status != StageStatus::Ok; });
  if (!knownToFail) {
    std::vector<Command> commands;
    commands.push_back(command(engine_, instrumentedPipeline(head, quick.points), raw));
    // The output of this run is discarded; bytecode is the fastest to write.
    commands.back().argv.insert(commands.back().argv.end(),
                                {"--verify-each=false", "--emit-bytecode", "-o", "/dev/null"});
    trace_.runs.push_back(commands.back().argv);
    Result<> took;
    commands.back().whileRunning = [&] {
      if (const Result<bool> next = takeNext(quick, false); !next)
        took = tl::unexpected<Error>(next.error());
      return took && quick.clear && quick.next < quick.points.size();
    };
    if (known == nullptr) {
      commands.push_back(command(engine_, concatenated(pipelines), raw));
      commands.back().argv.resize(pipelines.size() > 1 ? 3 : 2);
    }
    std::vector<Result<Exit>> exits = runner_.runAll(commands, context_.stop);
    FXS_CHECK(std::move(took));
    if (!exits.front()) return tl::unexpected<Error>(exits.front().error());
    // Of one that did not end by itself, the last snapshot may be half.
    if (exits.front()->reason == ExitReason::Exited && !wasKilled(*exits.front()))
      traced = *std::move(exits.front());
    else goBackTo(start, quick.points);
    if (exits.size() > 1) {
      if (!exits.back()) return tl::unexpected<Error>(exits.back().error());
      plain = *std::move(exits.back());
    }
  }
  std::shared_ptr<const Lowering> failed;
  if (plain && (!plain->ok() || !noAnswer(specs.back(), raw, plain->out).empty())) {
    plain.reset();
    FXS_TRY(failed, lower(raw, program, engine_, options_.lower, runner_, context_,
                          {callbacks_.decomposable, {}, {}}));
    known = failed.get();
  }
  if (known != nullptr && known->stages.front().status == StageStatus::Failed)
    return fail(ErrorCode::EngineFailed,
                "the engine does not accept the imported module, so that no pass runs");
  // Where it stopped is not known, so no pass is to blame.
  for (const StageSpec& spec : specs)
    for (const StageResult& stage : known != nullptr ? known->stages : std::vector<StageResult>())
      if (stage.id == spec.id && spec.tool.isEngine() && stage.status == StageStatus::Unknown &&
          stage.findings.front().kind == "engine")
        return fail(ErrorCode::EngineFailed, stage.findings.front().message);
  const auto stopsAt = [&](std::string_view id) {
    return known != nullptr &&
           std::any_of(known->stages.begin(), known->stages.end(), [&](const StageResult& stage) {
             return stage.id == id && stage.status != StageStatus::Ok;
           });
  };
  const bool stops = std::any_of(specs.begin(), specs.end(),
                                 [&](const StageSpec& spec) { return stopsAt(spec.id); });
  const auto stopsIn = [&](const PassGroup& group) {
    if (!stops) return false;
    const auto stage =
        std::find_if(known->stages.begin(), known->stages.end(),
                     [](const StageResult& s) { return s.status != StageStatus::Ok; });
    return std::any_of(group.passes.begin(), group.passes.end(),
                       [&](const PlannedPass& p) { return p.stage == stage->id; });
  };
  std::string_view untraced;
  if (!stops) untraced = plain ? plain->out : known->stages[specs.size() - 1].text;
  if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");

  for (const PassGroup& group : groups) {
    const bool last = stopsIn(group);
    const bool ran = &group == &head && traced;
    if (ran && !last) {
      FXS_CHECK(checkEnd(*traced, false));
      FXS_CHECK(takeRest(quick));
      FXS_CHECK(checkTaken(quick));
    }
    if (ran && !stops && quick.clear && groups.size() == 1) takeQuietEnd(quick, untraced);
    if (ran && !last && quick.clear) {
      noteTimes(group, quick.points, traced->err);
    } else if (group.instrumented) {
      if (ran) goBackTo(start, quick.points);
      FXS_CHECK(runEveryPass(group, raw, last));
    } else {
      FXS_CHECK(runPrinted(group, last));
    }
    if (context_.stop.stop_requested()) return fail(ErrorCode::Cancelled, "stopped");
    if (last) FXS_CHECK(noteFailure(group, *known));
    if (last || trace_.snapshots.empty()) break;
  }
  if (trace_.snapshots.empty())
    return fail(
        ErrorCode::EngineFailed,
        "engine " + engine_.path + ": it wrote no snapshot of the module to " + trace_.directory);

  if (!stops && known != nullptr && !context_.stop.stop_requested())
    FXS_CHECK(takeSteps(steps, *known));
  if (known != nullptr) {
    trace_.stages = known->stages;
    for (StageResult& stage : trace_.stages) stage.text.clear();
  } else {
    for (const StageSpec& spec : specs) {
      trace_.stages.push_back({});
      trace_.stages.back().id = spec.id;
      trace_.stages.back().title = spec.title;
      trace_.stages.back().status = StageStatus::Ok;
    }
  }
  if (!stops && trace_.untraced == Untraced::NotCompared) {
    const std::string& tracedText = lastTraced_ ? *lastTraced_ : *lastText_;
    trace_.untraced =
        mlir::sameButLocations(tracedText, untraced) ? Untraced::Same : Untraced::Differs;
  }
  FXS_CHECK(takeFiles());
  done_ = true;
  return std::make_shared<const PassTrace>(std::move(trace_));
}

}  // namespace

std::string_view name(Untraced untraced) {
  if (untraced == Untraced::Same) return "same";
  return untraced == Untraced::Differs ? "differs" : "not compared";
}

bool PassTrace::ok() const {
  return std::all_of(stages.begin(), stages.end(),
                     [](const StageResult& s) { return s.status == StageStatus::Ok; });
}

int PassTrace::lastOf(std::string_view stage) const {
  if (stage == "raw") return snapshots.empty() ? -1 : 0;
  for (auto pass = passes.rbegin(); pass != passes.rend(); ++pass)
    if (pass->stage == stage && pass->snapshot >= 0) return pass->snapshot;
  return -1;
}

Result<std::shared_ptr<const PassTrace>> tracePasses(
    const std::string& raw, const fx::Program& program, const Engine& engine,
    const TraceOptions& options, const Lowering* known, CommandRunner& runner,
    const RunContext& context, const TraceCallbacks& callbacks) {
  return Tracer(engine, options, runner, context, callbacks).run(raw, program, known);
}

}  // namespace fxs::lower
