// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/report/report_presenter.h"

#include "base/byte_source.h"
#include "report/problem.h"
#include "text/words.h"

namespace fxs::ui {

Reporter sessionReporter(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& snapshot,
                                                const upstream::ProblemOptions& options,
                                                const RunContext& context) {
    return upstream::problemOf(snapshot, options, environment, context);
  };
}

ReportPresenter::ReportPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      numbers_(services.get<NumbersPresenter>()),
      log_(services.get<LogPresenter>()),
      reporter_(services.chosen(sessionReporter(services.environment))),
      task_(services) {
  connect(&task_, &Work::changed, this, &ReportPresenter::changed);
  connect(&session_, &SessionPresenter::programChanged, this, &ReportPresenter::drop);
  connect(&session_, &SessionPresenter::runStarted, this, &ReportPresenter::drop);
  connect(&session_, &SessionPresenter::stateChanged, this, &ReportPresenter::changed);
}

QString ReportPresenter::obstacle() const {
  if (!session_.hasProgram()) return "Open a program first";
  if (session_.state().activity != Activity::Idle) return "The stages are still running";
  const session::SnapshotPtr& snapshot = session_.snapshot();
  const QString& engine = session_.state().engineProblem;
  if (!snapshot->lowering || lower::wasStopped(*snapshot->lowering))
    return engine.isEmpty() ? QString("Run the stages first (F5)") : "Not lowered: " + engine;
  if (snapshot->capture->module)
    return "This is an MLIR module: export a bundle or a lit test of it";
  return {};
}

void ReportPresenter::start(fx::NodeId node) {
  if (task_.running() || !obstacle().isEmpty()) return;
  result_.reset();
  upstream::ProblemOptions options;
  options.node = node;
  options.python = numbers_.consent().request().path;
  task_.start(
      "looking for a failure or wrong values",
      [snapshot = session_.snapshot(), options, reporter = reporter_](const RunContext& context) {
        return reporter(snapshot, options, context);
      },
      [this](Result<ProblemReport> result) {
        if (result) result_ = *std::move(result);
        logEnd();
      });
}

void ReportPresenter::logEnd() {
  if (result_)
    log_.add(QString("report: %1; %2").arg(text(result_->title), text(result_->verified)));
  else if (task_.state().cancelled) log_.add("the report was cancelled");
  else log_.add("no report: " + task_.state().message);
}

void ReportPresenter::cancel() { task_.cancel("stopping"); }

void ReportPresenter::drop() {
  result_.reset();
  task_.supersede();
}

QString ReportPresenter::markdown() const {
  return result_ ? exact(report::problemMarkdown(*result_)) : QString();
}

QString ReportPresenter::saveTo(const QString& folder) const {
  if (!result_) return {};
  for (const auto& [name, bytes] : report::problemFiles(*result_))
    if (const auto written = writeWholeFile(folder.toStdString() + "/" + name, bytes); !written)
      return text(written.error().message);
  return {};
}

}  // namespace fxs::ui
