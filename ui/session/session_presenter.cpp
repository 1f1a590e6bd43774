// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/session_presenter.h"

#include <QFileInfo>
#include <utility>

#include "base/byte_source.h"
#include "bundle/archive.h"
#include "diagnose/beyond_torch_mlir.h"
#include "lower/stopped.h"
#include "module/source_module.h"
#include "text/words.h"
#include "traced/trace_file.h"

namespace fxs::ui {
namespace {

/// A file that does not change for so long is complete.
constexpr std::chrono::milliseconds kSettled{500};
/// Where an update is waited for: one that is read too early is read again when it is complete.
constexpr std::chrono::milliseconds kSettledWatching{150};

/// Lowering includes the import, with the engine's table of operations.
std::optional<session::Phase> after(session::Phase phase) {
  if (phase < session::Phase::Rewrite) return session::Phase::Rewrite;
  if (phase == session::Phase::Rewrite) return session::Phase::Lower;
  return std::nullopt;
}

/// Why there is no lowering whose passes could be traced.
QString notLoweredReason(const SessionState& state) {
  if (state.cancelled) return "the run was cancelled";
  if (!state.engineProblem.isEmpty()) return state.engineProblem;
  return state.stepProblem.isEmpty() ? QString("not lowered") : state.stepProblem;
}

using BundlePtr = std::shared_ptr<const bundle::Manifest>;

/// Reads a file, and of a bundle the manifest.
Result<session::SnapshotPtr> readFile(const session::Request& request,
                                      const session::Environment& environment,
                                      const RunContext& context, BundlePtr& manifest) {
  if (traced::isTrace(request.file)) return traced::openTrace(request, environment, context);
  if (request.file.ends_with(".zip")) {
    FXS_TRY(const auto source, openFile(request.file));
    if (auto opened = bundle::open(source, request.file, environment.outputTypes))
      manifest = std::make_shared<const bundle::Manifest>(std::move(opened->manifest));
  }
  return session::advance(session::start(request), session::Phase::Read, environment, context);
}

}  // namespace

SessionPresenter::SessionPresenter(Services& services)
    : environment_(services.environment),
      listed_(request_.lower.target),
      advancing_(services, WorkFor::View),
      tracing_(services, WorkFor::View, CancelBy::Button) {
  connect(&advancing_, &Work::changed, this, [this] {
    if (!advancing_.running()) return;
    state_.step = advancing_.state().step;
    state_.fraction = advancing_.state().fraction;
    Q_EMIT stateChanged();
  });
  connect(&tracing_, &Work::changed, this, &SessionPresenter::traceProgressed);
  settling_.setSingleShot(true);
  settling_.setInterval(kSettled);
  connect(&settling_, &QTimer::timeout, this, &SessionPresenter::lookAtDisk);
  // Editors and exporters replace the file, which ends its watch: its folder says when it is back.
  for (const auto signal :
       {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
    connect(&watcher_, signal, &settling_, qOverload<>(&QTimer::start));
}

fx::ProgramPtr SessionPresenter::program() const {
  return snapshot_ && snapshot_->capture ? snapshot_->capture->program : nullptr;
}

lower::OutputType SessionPresenter::target() const {
  const auto module = snapshot_ && snapshot_->capture ? snapshot_->capture->module : nullptr;
  if (!module) return request_.lower.target;
  return module::startingFrom(*module, request_.lower.target, outputTypes())
      .value_or(request_.lower.target);
}

bool SessionPresenter::showsTraceFile() const {
  return snapshot_ && snapshot_->trace && !snapshot_->lowering;
}

QString SessionPresenter::noFailure() const {
  if (!hasProgram()) return "Open a program first";
  if (state_.activity != Activity::Idle) return "The stages are still running";
  if (asTorchMlir())
    return "Switch off \"Lower as torch-mlir does\" in the menu Run to export a bundle";
  const auto& lowering = snapshot_->lowering;
  const QString& engine = state_.engineProblem;
  if (!lowering || lower::wasStopped(*lowering))
    return engine.isEmpty() ? QString("Run the stages first (F5)") : "Not lowered: " + engine;
  if (snapshot_->lowersRight())
    return QString("The program lowers to %1: there is no failure")
        .arg(text(lower::name(lowering->target)));
  if (lowering->ok())
    return "No stage fails: fxscope itself rejects the program or its text, see Problems";
  return {};
}

void SessionPresenter::open(const QString& file, const QString& model) {
  if (!hasProgram() || exact(snapshot_->request.file) != file) request_.lower.target = listed_;
  read(file, model.toStdString(), false);
}

void SessionPresenter::openModel(const QString& model) {
  if (hasProgram()) read(exact(snapshot_->request.file), model.toStdString(), false);
}

void SessionPresenter::reload() {
  if (hasProgram()) read(exact(snapshot_->request.file), snapshot_->request.read.model, true);
}

void SessionPresenter::read(const QString& file, const std::string& model, bool isReload) {
  session::Request request = request_;
  request.file = file.toStdString();
  request.read.model = model;
  state_.activity = Activity::Reading;
  const auto manifest = std::make_shared<BundlePtr>();
  advancing_.start(
      (isReload ? "reading again " : "reading ") + QFileInfo(file).fileName(),
      [request, manifest, environment = environment_](const RunContext& context) {
        return readFile(request, environment, context, *manifest);
      },
      [this, file, isReload, manifest, stamp = stampOf(file)](Result<session::SnapshotPtr> result) {
        if (!result) return readFailed(file, result.error());
        state_.file = file;
        state_.changedOnDisk = false;
        read_ = seenOnDisk_ = stamp;
        watch(file);
        forgetRun();
        take(*result);
        bundle_ = *manifest;
        if (bundle_ && !isReload) request_.lower.target = bundle_->target;
        // Cancelled when it was read already.
        state_.cancelled = advancing_.state().cancelled && !showsTraceFile();
        Q_EMIT programChanged();
        Q_EMIT snapshotChanged();
        if (showsTraceFile()) becomeIdle();
        else if (state_.cancelled) endRun();
        else advanceTo(session::Phase::Rewrite);
      });
}

void SessionPresenter::take(const session::SnapshotPtr& snapshot) {
  isReadAgain_ = hasProgram() && snapshot_->request.file == snapshot->request.file &&
                 snapshot_->request.read.model == snapshot->request.read.model;
  snapshot_ = snapshot;
}

void SessionPresenter::readFailed(const QString& file, const Error& error) {
  const bool wasCancelled = error.code == ErrorCode::Cancelled;
  // Reading superseded the run of the program that is still open.
  const bool isInterrupted = hasProgram() && !snapshot_->lowering && !snapshot_->trace &&
                             !state_.cancelled && state_.engineProblem.isEmpty() &&
                             state_.stepProblem.isEmpty();
  if (isInterrupted && wasCancelled) {
    state_.cancelled = true;
    return endRun();
  }
  becomeIdle();
  if (!wasCancelled) Q_EMIT openFailed(file, lines(toString(error)));
  if (isInterrupted) advanceTo(session::Phase::Rewrite);
}

void SessionPresenter::takeChoices(session::Request& request) const {
  request.lower = request_.lower;
  request.rewrite = request_.rewrite;
  request.import = request_.import;
  request.decomposeForTarget = true;
}

void SessionPresenter::run() {
  if (!hasProgram()) return;
  session::Request request = snapshot_->request;
  takeChoices(request);
  auto fresh = std::make_shared<session::Snapshot>(*session::retarget(snapshot_, request));
  // Run the engine again even if nothing changed.
  fresh->lowering.reset();
  fresh->origins.clear();
  fresh->trace.reset();
  std::erase_if(fresh->timings,
                [](const session::Timing& t) { return t.phase == session::Phase::Lower; });
  forgetRun();
  snapshot_ = fresh;
  Q_EMIT runStarted();
  Q_EMIT snapshotChanged();
  advanceTo(session::Phase::Rewrite);
}

void SessionPresenter::cancel() { advancing_.cancel(); }

void SessionPresenter::setTarget(const lower::OutputType& target) {
  if (!target->readsAny) listed_ = target;
  if (request_.lower.target == target) return;
  request_.lower.target = target;
  Q_EMIT stateChanged();
  if (state_.activity != Activity::Reading) run();
}

void SessionPresenter::setChoices(LoweringChoices choices) {
  choices_ = std::move(choices);
  choose(asTorchMlir());
}

void SessionPresenter::choose(bool asTorchMlir) {
  request_.rewrite = {};
  request_.rewrite.decompose = choices_.decompose;
  request_.import = choices_.import;
  request_.lower.extraLibrary = choices_.extraLibrary;
  request_.lower.backendLegalOps = choices_.backendLegalOps;
  request_.lower.allowNonFinites = choices_.allowNonFinites;
  request_.lower.limits = choices_.limits;
  if (asTorchMlir) request_ = diagnose::asTorchMlir(std::move(request_));
}

void SessionPresenter::setAsTorchMlir(bool on) {
  if (asTorchMlir() == on) return;
  choose(on);
  Q_EMIT stateChanged();
  if (state_.activity != Activity::Reading) run();
}

void SessionPresenter::advanceTo(session::Phase phase) {
  auto from = std::make_shared<session::Snapshot>(*snapshot_);
  takeChoices(from->request);
  QString step = phase == session::Phase::Import ? "importing" : "rewriting";
  if (phase == session::Phase::Lower)
    step = "lowering to " + text(lower::name(request_.lower.target));
  state_.activity = Activity::Lowering;
  advancing_.start(
      step,
      [this, from, phase, environment = environment_](const RunContext& context,
                                                      const Work::Post& post) {
        const auto onStage = [this, &post](const lower::StageResult& stage) {
          post([this, ended = std::make_shared<const lower::StageResult>(stage)] {
            endedStages_.push_back(ended);
            Q_EMIT stageEnded();
          });
        };
        return session::advance(from, phase, environment, context, onStage);
      },
      [this, phase](Result<session::SnapshotPtr> result) { published(phase, std::move(result)); });
}

void SessionPresenter::published(session::Phase phase, Result<session::SnapshotPtr> result) {
  if (result) {
    snapshot_ = *std::move(result);
    // Also if all of the step was done when it was cancelled: nothing follows by itself.
    state_.cancelled = advancing_.state().cancelled;
    const auto next = after(phase);
    Q_EMIT snapshotChanged();
    if (next && !state_.cancelled) return advanceTo(*next);
  } else if (result.error().code == ErrorCode::Cancelled) {
    state_.cancelled = true;
  } else if (phase == session::Phase::Lower) {
    // Without an engine the program can still be imported, with the pinned engine's table.
    state_.engineProblem = text(result.error().message);
    if (!snapshot_->imported) return advanceTo(session::Phase::Import);
  } else {
    state_.stepProblem = lines(toString(result.error()));
  }
  endRun();
}

void SessionPresenter::endRun() {
  becomeIdle();
  Q_EMIT runFinished();
  // Last, so that graph and stages do not wait for it.
  if (state_.cancelled) tracing_.supersede("No passes: " + notLoweredReason(state_));
  else trace();
}

void SessionPresenter::trace() {
  if (tracing_.running() || !hasProgram() || state_.activity != Activity::Idle) return;
  if (!snapshot_->lowering || lower::wasStopped(*snapshot_->lowering))
    return tracing_.supersede("No passes: " + notLoweredReason(state_));
  if (snapshot_->trace) return tracing_.supersede();
  tracing_.start(
      "tracing the passes",
      [from = snapshot_, environment = environment_](const RunContext& context) {
        return session::advance(from, session::Phase::Trace, environment, context);
      },
      [this](Result<session::SnapshotPtr> result) {
        if (!result) {
          const WorkState& ended = tracing_.state();
          return tracing_.setMessage("No passes: " + (ended.cancelled
                                                          ? QString("the trace was cancelled")
                                                          : ended.message));
        }
        snapshot_ = *std::move(result);
        Q_EMIT snapshotChanged();
      });
}

void SessionPresenter::cancelTrace() { tracing_.cancel(); }

void SessionPresenter::forgetRun() {
  state_.cancelled = false;
  state_.engineProblem.clear();
  state_.stepProblem.clear();
  endedStages_.clear();
  tracing_.supersede();
}

void SessionPresenter::becomeIdle() {
  state_.activity = Activity::Idle;
  state_.step.clear();
  state_.fraction = -1;
  Q_EMIT stateChanged();
}

SessionPresenter::FileStamp SessionPresenter::stampOf(const QString& file) {
  const QFileInfo now(file);
  return now.isFile() ? FileStamp{now.size(), now.lastModified()} : FileStamp();
}

void SessionPresenter::watch(const QString& file) {
  for (const QStringList& paths : {watcher_.files(), watcher_.directories()})
    if (!paths.isEmpty()) watcher_.removePaths(paths);
  const QFileInfo now(file);
  if (!now.isFile()) return settling_.stop();
  watcher_.addPaths({file, now.path()});
  settling_.start();  // it may have changed while it was read
}

void SessionPresenter::lookAtDisk() {
  const FileStamp now = stampOf(state_.file);
  if (now != seenOnDisk_) {
    seenOnDisk_ = now;
    setChangedOnDisk(false);  // until it is complete
    return settling_.start();
  }
  if (now == FileStamp()) return;  // its folder says when it is back
  // Of the new one: while the old one is open, its end is not told.
  watcher_.removePath(state_.file);
  watcher_.addPath(state_.file);
  setChangedOnDisk(now != read_);
}

void SessionPresenter::setChangedOnDisk(bool isChanged) {
  if (std::exchange(state_.changedOnDisk, isChanged) == isChanged) return;
  reloadWatched();  // first: nobody is asked about what is read already
  Q_EMIT stateChanged();
}

void SessionPresenter::reloadWatched() {
  if (isWatching_ && !isEdited_ && state_.changedOnDisk) reload();
}

void SessionPresenter::setWatching(bool isWatching) {
  isWatching_ = isWatching;
  settling_.setInterval(isWatching ? kSettledWatching : kSettled);
  reloadWatched();
}

void SessionPresenter::setEdited(bool isEdited) {
  if (std::exchange(isEdited_, isEdited) && !isEdited) reloadWatched();
}

void SessionPresenter::ignoreChange() {
  read_ = seenOnDisk_;
  setChangedOnDisk(false);
}

bool settled(Services& services) {
  return services.get<SessionPresenter>().hasProgram() &&
         !services.get<WorkList>().running(WorkFor::View);
}

}  // namespace fxs::ui
