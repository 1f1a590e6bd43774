// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/session_presenter.h"

#include <QFileInfo>

#include "diagnose/beyond_torch_mlir.h"
#include "lower/stopped.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kSessionJob = "session";
constexpr const char* kTraceJob = "trace";

/// Lowering includes the import, with the engine's table of operations.
std::optional<session::Phase> after(session::Phase phase) {
  if (phase < session::Phase::Rewrite) return session::Phase::Rewrite;
  if (phase == session::Phase::Rewrite) return session::Phase::Lower;
  return std::nullopt;
}

/// Why there is no lowering whose passes could be traced.
QString notLoweredReason(const SessionState& state) {
  if (state.cancelled) return "lowering was cancelled";
  if (!state.engineProblem.isEmpty()) return state.engineProblem;
  return state.stepProblem.isEmpty() ? QString("not lowered") : state.stepProblem;
}

}  // namespace

SessionPresenter::SessionPresenter(Services& services)
    : environment_(services.environment), jobs_(services.jobs), executor_(services.executor) {
  services.get<WorkList>().add(
      {WorkFor::View, [this] { return state_.activity != Activity::Idle; }});
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
    // Editors and exporters replace the file, which ends the watch.
    if (!watcher_.files().contains(path) && QFileInfo::exists(path)) watcher_.addPath(path);
    state_.changedOnDisk = true;
    Q_EMIT stateChanged();
  });
}

fx::ProgramPtr SessionPresenter::program() const {
  return snapshot_ && snapshot_->capture ? snapshot_->capture->program : nullptr;
}

QString SessionPresenter::noFailure() const {
  if (!hasProgram()) return "Open a program first";
  if (state_.activity != Activity::Idle) return "The stages are still running";
  if (asTorchMlir())
    return "Switch off \"Lower as torch-mlir does\" in the menu Run to export a bundle";
  const auto& lowering = snapshot_->lowering;
  const QString& engine = state_.engineProblem;
  if (!lowering || state_.cancelled)
    return engine.isEmpty() ? QString("Run the stages first (F5)") : "Not lowered: " + engine;
  if (snapshot_->lowersRight())
    return QString("The program lowers to %1: there is no failure")
        .arg(text(lower::name(lowering->target)));
  if (lowering->ok())
    return "No stage fails: fxscope itself rejects the program or its text, see Problems";
  return {};
}

void SessionPresenter::open(const QString& file) { read(file, false); }

void SessionPresenter::reload() {
  if (hasProgram()) read(exact(snapshot_->request.file), true);
}

void SessionPresenter::read(const QString& file, bool isReload) {
  session::Request request = request_;
  request.file = file.toStdString();
  ++run_;
  setActivity(Activity::Reading,
              (isReload ? "reading again " : "reading ") + QFileInfo(file).fileName());
  jobs_.submit<Result<session::SnapshotPtr>>(
      kSessionJob,
      [request, environment = environment_](const RunContext& context) {
        return session::advance(session::start(request), session::Phase::Read, environment,
                                context);
      },
      [this, file](Result<session::SnapshotPtr> result) {
        if (!result) {
          setActivity(Activity::Idle, {});
          if (result.error().code != ErrorCode::Cancelled)
            Q_EMIT openFailed(file, lines(toString(result.error())));
          // Reading superseded the run of the program that is still open: restart it.
          if (hasProgram() && !snapshot_->lowering && !state_.cancelled &&
              state_.engineProblem.isEmpty() && state_.stepProblem.isEmpty())
            advanceTo(session::Phase::Rewrite);
          return;
        }
        watch(file);
        state_.file = file;
        state_.changedOnDisk = false;
        forgetRun();
        snapshot_ = *std::move(result);
        Q_EMIT programChanged();
        Q_EMIT snapshotChanged();
        advanceTo(session::Phase::Rewrite);
      },
      [this](const Progress& now) { setActivity(state_.activity, text(now.what), now.fraction); });
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

void SessionPresenter::cancel() { jobs_.cancel(kSessionJob); }

void SessionPresenter::setTarget(const lower::OutputType& target) {
  if (request_.lower.target == target) return;
  request_.lower.target = target;
  Q_EMIT stateChanged();
  if (state_.activity != Activity::Reading) run();
}

void SessionPresenter::setAsTorchMlir(bool on) {
  if (asTorchMlir() == on) return;
  if (on) {
    request_ = diagnose::asTorchMlir(std::move(request_));
  } else {
    request_.rewrite = {};
    request_.import = {};
  }
  Q_EMIT stateChanged();
  if (state_.activity != Activity::Reading) run();
}

void SessionPresenter::advanceTo(session::Phase phase) {
  const std::uint64_t run = ++run_;
  auto from = std::make_shared<session::Snapshot>(*snapshot_);
  takeChoices(from->request);
  const auto onStage = [this, run,
                        alive = std::weak_ptr<bool>(alive_)](const lower::StageResult& stage) {
    executor_.post([this, run, alive, stage] {
      if (alive.expired() || run != run_) return;
      endedStages_.push_back(std::make_shared<const lower::StageResult>(stage));
      Q_EMIT stageEnded();
    });
  };
  QString what = phase == session::Phase::Import ? "importing" : "rewriting";
  if (phase == session::Phase::Lower)
    what = "lowering to " + text(lower::name(request_.lower.target));
  setActivity(Activity::Lowering, what);
  jobs_.submit<Result<session::SnapshotPtr>>(
      kSessionJob,
      [from, phase, onStage, environment = environment_](const RunContext& context) {
        return session::advance(from, phase, environment, context, onStage);
      },
      [this, phase](Result<session::SnapshotPtr> result) { published(phase, std::move(result)); },
      [this](const Progress& now) { setActivity(state_.activity, text(now.what), now.fraction); });
}

void SessionPresenter::published(session::Phase phase, Result<session::SnapshotPtr> result) {
  if (result) {
    snapshot_ = *std::move(result);
    state_.cancelled = snapshot_->lowering && lower::wasStopped(*snapshot_->lowering);
    Q_EMIT snapshotChanged();
    if (const auto next = after(phase)) return advanceTo(*next);
  } else if (result.error().code == ErrorCode::Cancelled) {
    state_.cancelled = true;
  } else if (phase == session::Phase::Lower) {
    // Without an engine the program can still be imported, with the pinned engine's table.
    state_.engineProblem = text(result.error().message);
    if (!snapshot_->imported) return advanceTo(session::Phase::Import);
  } else {
    state_.stepProblem = lines(toString(result.error()));
  }
  setActivity(Activity::Idle, {});
  Q_EMIT runFinished();
  // Last, so that graph and stages do not wait for it.
  trace();
}

void SessionPresenter::trace() {
  if (tracing_.running || !hasProgram() || state_.activity != Activity::Idle) return;
  if (!snapshot_->lowering || state_.cancelled)
    return setTracing({false, {}, -1, false, "No passes: " + notLoweredReason(state_)});
  if (snapshot_->trace) return setTracing({});
  setTracing({true, "tracing the passes"});
  jobs_.submit<Result<session::SnapshotPtr>>(
      kTraceJob,
      [from = snapshot_, environment = environment_](const RunContext& context) {
        return session::advance(from, session::Phase::Trace, environment, context);
      },
      [this](Result<session::SnapshotPtr> result) {
        if (!result) {
          const bool stopped = result.error().code == ErrorCode::Cancelled;
          return setTracing({false,
                             {},
                             -1,
                             false,
                             "No passes: " + (stopped ? QString("the trace was cancelled")
                                                      : lines(toString(result.error())))});
        }
        snapshot_ = *std::move(result);
        setTracing({});
        Q_EMIT snapshotChanged();
      },
      [this](const Progress& now) { setTracing({true, text(now.what), now.fraction}); });
}

void SessionPresenter::cancelTrace() { jobs_.cancel(kTraceJob); }

void SessionPresenter::setTracing(WorkState progress) {
  tracing_ = std::move(progress);
  Q_EMIT traceProgressed();
}

void SessionPresenter::forgetRun() {
  state_.cancelled = false;
  state_.engineProblem.clear();
  state_.stepProblem.clear();
  endedStages_.clear();
  jobs_.supersede(kTraceJob);
  setTracing({});
}

void SessionPresenter::setActivity(Activity activity, const QString& what, double fraction) {
  state_.activity = activity;
  state_.what = what;
  state_.fraction = fraction;
  Q_EMIT stateChanged();
}

void SessionPresenter::watch(const QString& file) {
  if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
  if (QFileInfo(file).isFile()) watcher_.addPath(file);
}

bool settled(Services& services) {
  return services.get<SessionPresenter>().hasProgram() &&
         !services.get<WorkList>().running(WorkFor::View);
}

}  // namespace fxs::ui
