// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/fix/fix_presenter.h"

#include <QStringList>

#include "base/byte_source.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

/// Changes that the summary lists.
constexpr std::size_t kListedChanges = 8;

}  // namespace

Fixer sessionFixer(session::Environment environment) {
  return [environment = std::move(environment)](
             const session::SnapshotPtr& snapshot, const FixRequest& request,
             const RunContext& context) -> Result<fix::FixedProgramPtr> {
    fix::FixOptions options;
    options.targets = request.targets;
    options.script = !request.script.isEmpty();
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
      fixer_(services.chosen(sessionFixer(services.environment))),
      task_(services) {
  connect(&task_, &Work::changed, this, &FixPresenter::changed);
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
  if (task_.running() || !obstacle().isEmpty()) return;
  result_.reset();
  request_ = request;
  task_.start(
      "surveying operations",
      [snapshot = session_.snapshot(), request, fixer = fixer_](const RunContext& context) {
        return fixer(snapshot, request, context);
      },
      [this](Result<fix::FixedProgramPtr> result) {
        if (result) result_ = *std::move(result);
        logEnd();
      });
}

void FixPresenter::logEnd() {
  if (result_)
    log_.add(
        QString("fixed program %1: %2").arg(shown(request_.file), summary().replace('\n', "; ")));
  else if (task_.state().cancelled)
    log_.add("the export of a fixed program was cancelled; nothing was written");
  else log_.add("no fixed program: " + task_.state().message);
}

void FixPresenter::cancel() { task_.cancel("stopping"); }

void FixPresenter::forget() {
  if (!task_.running()) drop();
}

void FixPresenter::drop() {
  result_.reset();
  request_ = {};
  task_.supersede();
}

QString FixPresenter::summary() const {
  if (!result_) return {};
  QStringList out;
  const auto& targets = result_->targets;
  for (const fix::FixedTarget& target : targets)
    out << text(lower::name(target.target)) + ": " + text(target.text());
  const auto& changes = result_->changes;
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
  if (!request_.script.isEmpty() && result_->withStaticSizes)
    out << "In Python " + text(result_->pythonCost());
  else if (!request_.script.isEmpty() && !result_->pythonStop.empty())
    out << "No Python: " + text(result_->pythonStop);
  return out.join('\n');
}

}  // namespace fxs::ui
