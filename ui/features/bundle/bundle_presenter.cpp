// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/bundle/bundle_presenter.h"

#include <QStringList>

#include "report/lower.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kBundleJob = "bundle";

std::pair<std::string, std::string> described(const session::Snapshot& snapshot) {
  const std::vector<fx::Finding> findings = snapshot.findings();
  return report::bundleWords({snapshot.request.file, *snapshot.lowering, snapshot.origins, findings,
                              *snapshot.capture->program});
}

}  // namespace

Bundler sessionBundler(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& snapshot,
                                                const bundle::BundleOptions& options,
                                                const RunContext& context) {
    return bundle::exportBundle(snapshot, options, environment, context);
  };
}

BundlePresenter::BundlePresenter(SessionPresenter& session, NumbersPresenter& numbers,
                                 JobQueue& jobs, Bundler bundler, QObject* parent)
    : QObject(parent),
      session_(session),
      numbers_(numbers),
      jobs_(jobs),
      bundler_(std::move(bundler)) {
  connect(&session, &SessionPresenter::programChanged, this, &BundlePresenter::drop);
  connect(&session, &SessionPresenter::runStarted, this, &BundlePresenter::drop);
  connect(&session, &SessionPresenter::stateChanged, this, &BundlePresenter::changed);
  connect(&numbers, &NumbersPresenter::changed, this, &BundlePresenter::changed);
}

const ComparedTarget* BundlePresenter::wrongResult() const {
  const auto& snapshot = session_.snapshot();
  if (!snapshot || !snapshot->lowering || !snapshot->lowering->ok()) return nullptr;
  const ComparedTarget* now = numbers_.current();
  const bool isWrong = session_.state().activity == Activity::Idle && now &&
                       now->target->to == session_.target() &&
                       severity(now->target->verdict) > tensor::Verdict::Suspicious;
  return isWrong ? now : nullptr;
}

QString BundlePresenter::obstacle() const { return wrongResult() ? QString() : noFailure(); }

QString BundlePresenter::noFailure() const {
  if (!session_.hasProgram()) return "Open a program first";
  if (session_.state().activity != Activity::Idle) return "The stages are still running";
  if (session_.asTorchMlir())
    return "Switch off \"Lower as torch-mlir does\" in the menu Run to export a bundle";
  const auto& lowering = session_.snapshot()->lowering;
  const QString& engine = session_.state().engineProblem;
  if (!lowering || session_.state().cancelled)
    return engine.isEmpty() ? QString("Run the stages first (F5)") : "Not lowered: " + engine;
  if (session_.snapshot()->lowersRight())
    return QString("The program lowers to %1: there is no failure")
        .arg(text(lower::name(lowering->target)));
  if (lowering->ok())
    return "No stage fails: fxscope itself rejects the program or its text, see Problems";
  return {};
}

QString BundlePresenter::wrongNode() const {
  const ComparedTarget* wrong = wrongResult();
  return wrong && wrong->target->first ? numbers_.nameOf(wrong->target->first->node) : QString();
}

void BundlePresenter::start(const bundle::BundleOptions& options) {
  if (state_.running || !obstacle().isEmpty()) return;
  bundle::BundleOptions complete = options;
  complete.describe = described;
  if (wrongResult()) complete.wrong.emplace().python = numbers_.consent().request().path;
  state_ = {};
  state_.running = true;
  state_.what = "preparing the bundle";
  Q_EMIT changed();
  jobs_.submit<Result<bundle::BundleResult>>(
      kBundleJob,
      [snapshot = session_.snapshot(), complete, bundler = bundler_](const RunContext& context) {
        return bundler(snapshot, complete, context);
      },
      [this](Result<bundle::BundleResult> result) {
        state_ = {};
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

void BundlePresenter::cancel() {
  if (!state_.running) return;
  state_.what = "stopping";
  state_.fraction = -1;
  jobs_.cancel(kBundleJob);
  Q_EMIT changed();
}

void BundlePresenter::forget() {
  if (!state_.running) drop();
}

void BundlePresenter::drop() {
  jobs_.supersede(kBundleJob);
  state_ = {};
  Q_EMIT changed();
}

QString sizeText(const bundle::BundleResult& result) {
  return QString("%1, %2 of %3")
      .arg(bytesText(result.bytes), QString::number(result.callNodes),
           counted(result.originalCallNodes, "operation"));
}

QString removedText(const bundle::BundleResult& result) {
  return result.removed.empty() ? QString()
                                : "Removed as private or unneeded: " + listed(result.removed, "; ");
}

}  // namespace fxs::ui
