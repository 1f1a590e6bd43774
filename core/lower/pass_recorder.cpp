// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pass_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/byte_source.h"
#include "lower/engine_program.h"
#include "lower/pass_timing.h"
#include "lower/tool_run.h"
#include "mlir/compare/same_ir.h"
#include "mlir/logs/dump_log.h"
#include "mlir/logs/printed_ops.h"

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

std::string inTree(const PrintedPass& printed) { return std::string(kTree) + "/" + printed.file; }

/// The output of such a run is not read; bytecode is the fastest to write.
void discardOutput(Command& command) {
  command.argv.insert(command.argv.end(),
                      {"--verify-each=false", "--emit-bytecode", "-o", "/dev/null"});
}

}  // namespace

PassRecorder::PassRecorder(const Engine& engine, const TraceOptions& options, CommandRunner& runner,
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

PassRecorder::~PassRecorder() {
  std::error_code ignored;
  if (done_) return;
  for (const std::string& file : written_) fs::remove(fs::path(options_.directory) / file, ignored);
}

Result<> PassRecorder::open() {
  FXS_TRY(ScratchDirectory scratch,
          ScratchDirectory::make(options_.directory, "the snapshots of a trace"));
  scratch_.emplace(std::move(scratch));
  return {};
}

/// Reads what the engine wrote, and charges its size to the budget first.
Result<std::string> PassRecorder::readBytes(const std::string& file) const {
  // exists() refuses symbolic links and pipes: the engine is not trusted, and reading a pipe
  // might never end.
  if (!exists(file)) return fail(ErrorCode::Io, scratch_->file(file) + ": no such file");
  std::error_code error;
  if (const auto size = fs::file_size(scratch_->file(file), error); !error)
    context_.spend(Resource::Disk, size, "the trace: snapshot " + file);
  return readWholeFile(scratch_->file(file), kSnapshotBytes);
}

/// A module.
Result<std::string> PassRecorder::readFile(const std::string& file) const {
  FXS_TRY(std::string text, readBytes(file));
  if (!isCompleteSnapshot(text)) return notRecorded("it did not finish writing snapshot " + file);
  return text;
}

/// An operation that was printed by itself.
Result<std::string> PassRecorder::readPrintedOp(const std::string& file) const {
  FXS_TRY(const std::string text, readBytes(file));
  mlir::DumpLog log = mlir::readDumpLog(text);
  if (log.dumps.empty() || !log.dumps.front().complete)
    return notRecorded("it did not finish writing snapshot " + file);
  return std::move(log.dumps.front().ir);
}

/// The Error of a run that does not say what the passes did.
tl::unexpected<Error> PassRecorder::notRecorded(const std::string& reason) const {
  return fail(ErrorCode::EngineFailed,
              "engine " + engine_.path + ": " + reason +
                  ", so that what the passes did is not known; trace again");
}

bool PassRecorder::exists(const std::string& file) const {
  std::error_code ignored;
  return fs::symlink_status(scratch_->file(file), ignored).type() == fs::file_type::regular;
}

std::string PassRecorder::nextFile() { return fmt::format("{:02}", counter_++); }

Command PassRecorder::command(const Engine& engine, const std::string& pipeline,
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

int PassRecorder::firstPassOf(const PassGroup& group) const {
  int first = 0;
  if (group.passes.empty()) return first;
  while (first < static_cast<int>(trace_.passes.size()) &&
         trace_.passes[static_cast<std::size_t>(first)].stage != group.passes.front().stage)
    ++first;
  return first;
}

std::vector<PassRecorder::Point> PassRecorder::pointsOf(const PassGroup& group, Detail detail,
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

std::string PassRecorder::instrumentedPipeline(const PassGroup& group,
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

/// Whether texts are equal except for locations. One put together of the texts of operations has
/// fewer aliases.
bool PassRecorder::isSame(std::string_view a, std::string_view b) const {
  return mlir::sameButLocations(a, b) ||
         (isPutTogether_ &&
          mlir::sameButLocations(mlir::comparableText(a), mlir::comparableText(b)));
}

/// Adds a snapshot to the trace, unless it equals the last one except for locations; then only the
/// hop is recorded.
void PassRecorder::keep(IrSnapshot snapshot, const std::string& writtenAs, std::string text) {
  const bool first = trace_.snapshots.empty();
  const bool same = !first && isSame(text, *lastText_);
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

PassRecorder::Taking PassRecorder::taking(std::vector<Point> points) const {
  int from = points.empty() || points.front().lastPass < 0 ? -1 : points.front().lastPass - 1;
  if (!trace_.snapshots.empty()) {
    from = -1;
    for (std::size_t i = 0; i < trace_.passes.size(); ++i)
      if (trace_.passes[i].ran) from = static_cast<int>(i);
  }
  return {std::move(points), 0, from, true};
}

Result<bool> PassRecorder::takeNext(Taking& run, bool ended) {
  if (!run.clear || run.isComplete()) return false;
  const Point& point = run.points[run.next];
  const bool complete =
      ended ? exists(point.file)
            : run.next + 1 < run.points.size() && exists(run.points[run.next + 1].file);
  if (!complete) return false;
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
Result<> PassRecorder::takeAll(Taking& run) {
  for (;;) {
    FXS_TRY(const bool took, takeNext(run, true));
    if (!took) return {};
  }
}

PassRecorder::QuickRun PassRecorder::quickRunOf(const PassGroup& group, const PassGroup& last) {
  Mark start{trace_.snapshots.size(), trace_.hops.size(), trace_.passes, lastText_};
  return {std::move(start), taking(pointsOf(group, Detail::Quick, &last)), std::nullopt};
}

Command PassRecorder::quickCommand(const PassGroup& group, const QuickRun& run,
                                   const std::string& raw) const {
  Command out = command(group.engine, instrumentedPipeline(group, run.taking.points), raw);
  discardOutput(out);
  return out;
}

Result<> PassRecorder::takeRest(QuickRun& run) {
  FXS_CHECK(checkEnd(*run.exit, Expected::Success));
  FXS_CHECK(takeAll(run.taking));
  return checkTaken(run.taking);
}

/// Whether a run ended by itself, as the plain pipeline did. A program that was killed wrote what
/// it wrote until then, which shows nothing about the pass after it.
Result<> PassRecorder::checkEnd(const Exit& exit, Expected expected) const {
  if (exit.reason == ExitReason::TimedOut && expected == Expected::Success)
    return fail(
        ErrorCode::Timeout,
        fmt::format(
            "engine {}: it did not end within {:g} s while its passes were traced; raise --timeout",
            engine_.path, std::chrono::duration<double>(options_.lower.limits.timeout).count()));
  if (wasKilled(exit)) return notRecorded("it " + killMessage(exit));
  if (exit.reason == ExitReason::Signalled && expected == Expected::Success)
    return notRecorded(
        fmt::format("it was ended by signal {} while its passes were traced", exit.signal));
  if (!exit.ok() && expected == Expected::Success)
    return notRecorded("it failed while its passes were traced, and does not otherwise");
  return {};
}

/// A run that ended well wrote all its snapshots.
Result<> PassRecorder::checkTaken(const Taking& run) const {
  if (!run.clear || run.isComplete()) return {};
  const int pass = run.points[run.next].lastPass;
  return notRecorded("it wrote no snapshot " +
                     (pass < 0 ? "before the first pass"
                               : "after " + trace_.passes[static_cast<std::size_t>(pass)].pass));
}

/// Assigns times from the engine's report, which snapshot passes divide into sections of planned
/// passes and of passes that these run themselves. If the two cannot be distinguished, no time is
/// set.
void PassRecorder::noteTimes(const PassGroup& group, const std::vector<Point>& points,
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

Result<> PassRecorder::noteFailure(const PassGroup& group, const StageResult& stage) {
  const auto first = trace_.passes.begin() + firstPassOf(group);
  const auto reached =
      std::find_if(first, trace_.passes.end(), [](const PassRun& p) { return !p.ran; });
  auto failed = std::find_if(reached, trace_.passes.end(), [&](const PassRun& p) {
    return p.stage == stage.id && (p.pass == stage.failingPass || stage.failingPass.empty());
  });
  // A crash reports only the class of its pass; take the first pass that has no snapshot.
  if (failed == trace_.passes.end() && reached != trace_.passes.end() && reached->stage == stage.id)
    failed = reached;
  if (failed == trace_.passes.end()) return {};
  // A snapshot is written after every pass.
  if (group.instrumented && failed != reached)
    return notRecorded("it wrote no snapshot after " + reached->pass);
  failed->ran = failed->failed = true;
  std::string ir = stage.failureIr;
  for (const PrintedPass& printed : printedPasses(scratch_->file(std::string(kTree))))
    if (group.instrumented && printed.failed && printed.pass == failed->pass)
      if (auto text = readFile(std::string(kTree) + "/" + printed.file)) ir = *std::move(text);
  if (!failed_.ir.empty() && failed_.pass == failed->pass) ir = std::move(failed_.ir);
  if (ir.empty()) return {};
  const std::string file = nextFile() + "-" + failed->pass + ".failed.mlir";
  FXS_CHECK(writeWholeFile((fs::path(trace_.directory) / file).string(), ir));
  written_.push_back(file);
  failed->snapshot = static_cast<int>(trace_.snapshots.size());
  trace_.snapshots.push_back(
      {failed->stage, static_cast<int>(failed - trace_.passes.begin()), file, true});
  return {};
}

void PassRecorder::takeQuietEnd(Taking& run, std::string_view untraced) {
  const std::size_t first = static_cast<std::size_t>(run.from) + 1;
  if (run.next < run.points.size() || first == trace_.passes.size()) return;
  run.clear = mlir::sameButLocations(*lastText_, untraced);
  if (run.clear) trace_.untraced = Untraced::Same;
  for (std::size_t i = first; run.clear && i < trace_.passes.size(); ++i) {
    trace_.passes[i].ran = true;
    trace_.passes[i].snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
  }
}

void PassRecorder::goBack(const QuickRun& run) {
  std::error_code ignored;
  for (const Point& point : run.taking.points) fs::remove(scratch_->file(point.file), ignored);
  trace_.snapshots.resize(run.start.snapshots);
  trace_.hops.resize(run.start.hops);
  trace_.passes = run.start.passes;
  lastText_ = run.start.lastText;
  counter_ -= static_cast<int>(run.taking.points.size());
}

Result<> PassRecorder::runEveryPass(const PassGroup& group, const std::string& raw,
                                    Expected expected) {
  Taking run = taking(pointsOf(group, Detail::EveryPass));
  std::string input = raw;
  if (!trace_.snapshots.empty()) {
    FXS_TRY(input, readFile(trace_.snapshots.back().file));
  }
  Command every = command(group.engine, instrumentedPipeline(group, run.points), std::move(input));
  if (expected == Expected::Failure)
    every.argv.insert(
        every.argv.end(),
        {"--mlir-print-ir-after-failure", "--mlir-print-ir-tree-dir=" + std::string(kTree),
         "--mlir-print-debuginfo", "--mlir-disable-threading", "--mlir-print-ir-module-scope"});
  else discardOutput(every);
  trace_.runs.push_back(every.argv);
  FXS_TRY(const Exit exit, runToEnd(every, runner_, context_.stop));
  FXS_CHECK(checkEnd(exit, expected));
  FXS_CHECK(takeAll(run));
  if (expected == Expected::Success) FXS_CHECK(checkTaken(run));
  noteTimes(group, run.points, exit.err);
  return {};
}

/// Runs a group with IR printing.
Result<Exit> PassRecorder::print(const PassGroup& group, const std::string& text,
                                 const std::string& input, Scope scope, Expected expected) {
  std::error_code ignored;
  fs::remove_all(scratch_->file(std::string(kTree)), ignored);
  Command printing =
      command(group.engine,
              concatenated({"builtin.module(" + snapshotPass(input) + ")", group.pipeline}), text);
  printing.argv.insert(
      printing.argv.end(),
      {"--mlir-print-ir-after-all", "--mlir-disable-threading", "--mlir-print-debuginfo",
       "--mlir-print-ir-tree-dir=" + std::string(kTree), "-o", "/dev/null"});
  if (scope == Scope::Module) printing.argv.push_back("--mlir-print-ir-module-scope");
  trace_.runs.push_back(printing.argv);
  FXS_TRY(Exit exit, runToEnd(printing, runner_, context_.stop));
  FXS_CHECK(checkEnd(exit, expected));
  if (!exists(input) && expected == Expected::Success)
    return notRecorded("it wrote no snapshot " + input);
  return exit;
}

Result<> PassRecorder::runPrinted(const PassGroup& group, Expected expected) {
  const std::string input = nextFile();
  FXS_TRY(const std::string text, readFile(trace_.snapshots.back().file));
  std::vector<PipelinePass> pipeline;
  for (const PlannedPass& planned : group.passes) pipeline.push_back(planned.pass);
  const std::string tree = scratch_->file(std::string(kTree));
  Scope scope = mayRunOnSeveral(pipeline, text) ? Scope::Operation : Scope::Module;
  FXS_TRY(Exit exit, print(group, text, input, scope, expected));
  std::vector<PrintedStep> steps = stepsOf(printedPasses(tree), pipeline);
  // Passes may make operations that others run on.
  if (scope == Scope::Module && ranOnSeveral(steps)) {
    scope = Scope::Operation;
    trace_.runs.pop_back();
    FXS_TRY(exit, print(group, text, input, scope, expected));
    steps = stepsOf(printedPasses(tree), pipeline);
  }
  isPutTogether_ = isPutTogether_ || scope == Scope::Operation;
  if (exists(input)) {
    FXS_TRY(std::string before, readFile(input));
    keep({group.passes.front().stage, -1, input, false}, input, std::move(before));
  }
  FXS_CHECK(takePrinted(group, steps, scope));
  noteTimes(group, {{input, firstPassOf(group) - 1}}, exit.err);
  return {};
}

/// The module after a pass, from what was printed after it and the module before.
Result<std::string> PassRecorder::moduleAfter(const PrintedStep& step, std::string_view before,
                                              Scope scope) const {
  if (scope == Scope::Module || step.isOfModule()) return readFile(inTree(step.printed.back()));
  std::vector<mlir::PrintedOp> ops;
  for (const PrintedPass& printed : step.printed) {
    FXS_TRY(std::string text, readPrintedOp(inTree(printed)));
    ops.push_back({printed.path, std::move(text)});
  }
  Result<std::string> out = mlir::withPrintedOps(before, ops);
  if (!out) return notRecorded(out.error().message);
  return out;
}

/// Puts a module printed after a pass where snapshots are.
Result<> PassRecorder::store(const std::string& file, const PrintedStep& step, Scope scope,
                             const std::string& text) {
  if (scope == Scope::Operation && !step.isOfModule()) {
    context_.spend(Resource::Disk, text.size(), "the trace: snapshot " + file);
    return writeWholeFile(scratch_->file(file), text);
  }
  std::error_code error;
  fs::rename(scratch_->file(inTree(step.printed.back())), scratch_->file(file), error);
  if (!error) return {};
  return fail(ErrorCode::Io, scratch_->file(file) + ": cannot be written: " + error.message());
}

Result<> PassRecorder::takePrinted(const PassGroup& group, const std::vector<PrintedStep>& steps,
                                   Scope scope) {
  const auto first = static_cast<std::size_t>(firstPassOf(group));
  std::size_t at = first;
  for (const PrintedStep& step : steps) {
    Result<std::string> after = moduleAfter(step, *lastText_, scope);
    if (step.failed()) {
      if (after) failed_ = {group.passes[step.pass].pass.pass, *std::move(after)};
      break;
    }
    if (!after) return tl::unexpected<Error>(std::move(after).error());
    const std::string file = nextFile();
    FXS_CHECK(store(file, step, scope, *after));
    const std::size_t before = trace_.snapshots.size();
    const std::size_t pass = first + step.pass;
    keep({group.passes[step.pass].stage, static_cast<int>(pass), file, false}, file,
         *std::move(after));
    for (; at <= pass; ++at) {
      trace_.passes[at].ran = true;
      trace_.passes[at].snapshot = static_cast<int>(trace_.snapshots.size()) - 1;
    }
    trace_.passes[pass].changed = trace_.snapshots.size() > before;
  }
  return {};
}

Result<> PassRecorder::takeSteps(const std::vector<StageSpec>& steps, const Lowering& known) {
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
Result<> PassRecorder::takeFiles() {
  for (IrSnapshot& snapshot : trace_.snapshots) {
    if (snapshot.failure && !fs::exists(scratch_->file(snapshot.file)))
      continue;  // written to the trace's directory already
    const std::string title = snapshot.pass < 0
                                  ? snapshot.stage
                                  : trace_.passes[static_cast<std::size_t>(snapshot.pass)].pass;
    // Snapshots of passes are numbers; others have an ending.
    const std::size_t dot = std::min(snapshot.file.find('.'), snapshot.file.size());
    const std::string name = snapshot.file.substr(0, dot) + "-" + title +
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

Result<std::shared_ptr<const PassTrace>> PassRecorder::finish() {
  FXS_CHECK(takeFiles());
  done_ = true;
  return std::make_shared<const PassTrace>(std::move(trace_));
}

}  // namespace fxs::lower
