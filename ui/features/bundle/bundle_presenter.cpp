// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/bundle/bundle_presenter.h"

#include <QStringList>

#include "report/lower.h"
#include "session/work_list.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr const char* kBundleJob = "bundle";

std::pair<std::string, std::string> described(const session::Snapshot& snapshot) {
  const std::vector<fx::Finding> findings = snapshot.findings();
  return report::bundleWords({snapshot.request.file, *snapshot.lowering, snapshot.origins, findings,
                              *snapshot.capture->program, snapshot.request.route->name});
}

}  // namespace

Bundler sessionBundler(session::Environment environment) {
  return [environment = std::move(environment)](const session::SnapshotPtr& snapshot,
                                                const bundle::BundleOptions& options,
                                                const RunContext& context) {
    return bundle::exportBundle(snapshot, options, environment, context);
  };
}

BundlePresenter::BundlePresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      numbers_(services.get<NumbersPresenter>()),
      log_(services.get<LogPresenter>()),
      jobs_(services.jobs),
      bundler_(services.chosen(sessionBundler(services.environment))) {
  services.get<WorkList>().add({WorkFor::Answer, [this] { return state_.running; }});
  connect(this, &BundlePresenter::ended, this, &BundlePresenter::logEnd);
  connect(&session_, &SessionPresenter::programChanged, this, &BundlePresenter::drop);
  connect(&session_, &SessionPresenter::runStarted, this, &BundlePresenter::drop);
  connect(&session_, &SessionPresenter::stateChanged, this, &BundlePresenter::changed);
  connect(&numbers_, &NumbersPresenter::changed, this, &BundlePresenter::changed);
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

QString BundlePresenter::obstacle() const {
  return wrongResult() ? QString() : session_.noFailure();
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

void BundlePresenter::logEnd() {
  if (state_.cancelled) log_.add("the export of a bundle was cancelled; nothing was written");
  else if (!state_.result) log_.add("no bundle: " + state_.why);
  else
    log_.add(QString("bundle %1 (%2): %3")
                 .arg(text(state_.result->path), sizeText(*state_.result),
                      text(state_.result->statement)));
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
