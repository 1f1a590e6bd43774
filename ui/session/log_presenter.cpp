// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/log_presenter.h"

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kMaxLines = 5000;

}  // namespace

LogPresenter::LogPresenter(Services& services) : session_(services.get<SessionPresenter>()) {
  connect(&session_, &SessionPresenter::programChanged, this, &LogPresenter::addProgram);
  connect(&session_, &SessionPresenter::openFailed, this,
          [this](const QString&, const QString& message) { add("cannot open: " + message); });
  connect(&session_, &SessionPresenter::stageEnded, this, &LogPresenter::addStage);
  connect(&session_, &SessionPresenter::traceProgressed, this, &LogPresenter::addTrace);
  connect(&session_, &SessionPresenter::runFinished, this, &LogPresenter::addRun);
}

void LogPresenter::addProgram() {
  const read::Capture& capture = *session_.snapshot()->capture;
  add(QString("opened %1: %2, %3, weights %4 (not read)")
          .arg(text(capture.label), text(capture.format),
               counted(capture.program->nodes.size(), "node"), bytesText(capture.weightBytes)));
  for (const std::string& note : capture.notes) add("  " + text(note));
}

void LogPresenter::addStage() {
  const lower::StageResult& stage = *session_.endedStages().back();
  QString line = QString("%1: %2").arg(text(stage.id), text(lower::name(stage.status)));
  if (stage.status == lower::StageStatus::Skipped) return add(line + ", " + text(stage.message));
  add(line + ", " + text(stage.seconds));
  if (!stage.argv.empty()) add("  $ " + listed(stage.argv, " "));
  for (const std::string& warning : stage.warnings) add("  warning: " + text(warning));
  for (const QString& output : ui::lines(stage.stderrText).split('\n', Qt::SkipEmptyParts))
    add("  " + output);
}

void LogPresenter::addTrace() {
  const WorkState& tracing = session_.tracing();
  if (tracing.running) return;
  if (!tracing.message.isEmpty()) return add(tracing.message);
  const auto trace = session_.snapshot() ? session_.snapshot()->trace : nullptr;
  if (!trace || trace == traced_) return;
  traced_ = trace;
  const lower::PassTrace& passes = trace->passes();
  std::size_t changed = 0;
  for (const lower::PassRun& pass : passes.passes) changed += pass.changed;
  add(QString("traced %1, %2 with changes; compared with the untraced result: %3")
          .arg(counted(passes.passes.size(), "pass", "passes"))
          .arg(changed)
          .arg(text(lower::name(passes.untraced))));
  for (const std::vector<std::string>& argv : passes.runs) add("  $ " + listed(argv, " "));
}

void LogPresenter::addRun() {
  const SessionState& state = session_.state();
  if (state.cancelled) add("the run was cancelled");
  if (!state.engineProblem.isEmpty()) add("not lowered: " + state.engineProblem);
  if (!state.stepProblem.isEmpty()) add(state.stepProblem);
  if (session_.snapshot() && session_.snapshot()->engine) {
    const lower::Engine& engine = *session_.snapshot()->engine;
    add(QString("engine %1, %2").arg(text(engine.path), text(engine.version)));
  }
}

void LogPresenter::add(const QString& line) {
  lines_ << line;
  while (lines_.size() > kMaxLines) lines_.removeFirst();
  Q_EMIT changed();
}

}  // namespace fxs::ui
