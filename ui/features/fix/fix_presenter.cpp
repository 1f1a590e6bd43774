// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/fix/fix_presenter.h"

#include <QStringList>

#include "base/byte_source.h"
#include "session/work_list.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kFixJob = "fix";
/// Changes that the summary lists.
constexpr std::size_t kListedChanges = 8;

}  // namespace

Fixer sessionFixer(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& snapshot, const FixRequest& request,
             const RunContext& context) -> Result<fix::FixedProgramPtr> {
    fix::FixOptions options;
    options.targets = request.targets;
    FXS_TRY(fix::FixedProgramPtr fixed, fix::fix(snapshot, options, environment, context));
    FXS_CHECK(fix::writeFixed(*fixed, request.file.toStdString(), context));
    if (const std::string python = fixed->python(); !request.script.isEmpty() && !python.empty())
      FXS_CHECK(writeWholeFile(request.script.toStdString(), python));
    return fixed;
  };
}

FixPresenter::FixPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      log_(services.get<LogPresenter>()),
      jobs_(services.jobs),
      fixer_(services.chosen(sessionFixer(services.environment))) {
  services.get<WorkList>().add({WorkFor::Answer, [this] { return state_.running; }});
  connect(this, &FixPresenter::ended, this, &FixPresenter::logEnd);
  connect(&session_, &SessionPresenter::programChanged, this, &FixPresenter::drop);
  connect(&session_, &SessionPresenter::stateChanged, this, &FixPresenter::changed);
}

QString FixPresenter::obstacle() const {
  if (!session_.hasProgram()) return "Open a program first";
  if (session_.state().activity != Activity::Idle) return "The stages are still running";
  const QString& engine = session_.state().engineProblem;
  if (!session_.snapshot()->lowering)
    return engine.isEmpty() ? QString("Run the stages first (F5)") : "Not lowered: " + engine;
  if (session_.asTorchMlir())
    return "Switch off \"Lower as torch-mlir does\" in the menu Run: fixes are more than it does";
  if (!session_.snapshot()->rewritten)
    return "This graph is imported as it is, and cannot be changed";
  return {};
}

void FixPresenter::start(const FixRequest& request) {
  if (state_.running || !obstacle().isEmpty()) return;
  state_ = {};
  state_.running = true;
  state_.what = "surveying operations";
  state_.request = request;
  Q_EMIT changed();
  jobs_.submit<Result<fix::FixedProgramPtr>>(
      kFixJob,
      [snapshot = session_.snapshot(), request, fixer = fixer_](const RunContext& context) {
        return fixer(snapshot, request, context);
      },
      [this, request](Result<fix::FixedProgramPtr> result) {
        state_ = {};
        state_.request = request;
        if (result) state_.result = *std::move(result);
        else state_.ended(result.error());
        Q_EMIT changed();
        Q_EMIT ended();
      },
      [this](const Progress& now) {
        state_.report(now);
        Q_EMIT changed();
      });
}

void FixPresenter::logEnd() {
  if (state_.cancelled)
    log_.add("the export of a fixed program was cancelled; nothing was written");
  else if (!state_.result) log_.add("no fixed program: " + state_.why);
  else
    log_.add(QString("fixed program %1: %2")
                 .arg(shown(state_.request.file), summary().replace('\n', "; ")));
}

void FixPresenter::cancel() {
  if (!state_.running) return;
  state_.what = "stopping";
  state_.fraction = -1;
  jobs_.cancel(kFixJob);
  Q_EMIT changed();
}

void FixPresenter::forget() {
  if (!state_.running) drop();
}

void FixPresenter::drop() {
  jobs_.supersede(kFixJob);
  state_ = {};
  Q_EMIT changed();
}

QString FixPresenter::summary() const {
  if (!state_.result) return {};
  QStringList out;
  const auto& targets = state_.result->targets;
  for (const fix::FixedTarget& target : targets)
    out << text(lower::name(target.target)) + ": " + text(target.text());
  const auto& changes = state_.result->changes;
  const bool all = std::all_of(targets.begin(), targets.end(),
                               [](const fix::FixedTarget& t) { return t.lowers; });
  if (changes.empty())
    out << (all ? "It lowers as it is: nothing was changed"
                : "No change that keeps the results makes it lower");
  for (std::size_t i = 0; i < std::min(changes.size(), kListedChanges); ++i)
    out << QString("%1  (%2)")
               .arg(text(changes[i].change), counted(changes[i].nodes.size(), "node"));
  if (changes.size() > kListedChanges)
    out << QString("and %1 more").arg(changes.size() - kListedChanges);
  if (!state_.request.script.isEmpty() && !state_.result->pythonStop.empty())
    out << "No Python: " + text(state_.result->pythonStop);
  return out.join('\n');
}

}  // namespace fxs::ui
