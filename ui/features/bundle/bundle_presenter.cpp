// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/bundle/bundle_presenter.h"

#include <QStringList>

#include "diagnose/signature.h"
#include "text/words.h"

namespace fxs::ui {
BundlePresenter::BundlePresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      numbers_(services.get<NumbersPresenter>()),
      log_(services.get<LogPresenter>()),
      bundler_(services.chosen(sessionBundler(services.environment))),
      task_(services) {
  connect(&task_, &Work::changed, this, &BundlePresenter::changed);
  connect(&session_, &SessionPresenter::programChanged, this, &BundlePresenter::drop);
  connect(&session_, &SessionPresenter::runStarted, this, &BundlePresenter::drop);
  connect(&session_, &SessionPresenter::stateChanged, this, &BundlePresenter::changed);
  connect(&numbers_, &NumbersPresenter::changed, this, &BundlePresenter::changed);
}

const ComparedTarget* BundlePresenter::wrongResult() const {
  const auto& snapshot = session_.snapshot();
  if (!snapshot || !snapshot->lowering || !snapshot->lowering->ok()) return nullptr;
  const ComparedTarget* now = numbers_.ofSession();
  const bool isWrong = session_.state().activity == Activity::Idle && now &&
                       severity(now->target->verdict) > tensor::Verdict::Suspicious;
  return isWrong ? now : nullptr;
}

QString BundlePresenter::obstacle() const {
  if (wrongResult()) return {};
  const ComparedTarget* now = numbers_.ofSession();
  const bool isSuspicious = now && compare::isAccused(*now->target);
  return isSuspicious ? QString(
                            "It is not certain that the result is wrong; choose a Python with "
                            "PyTorch, and compare again (F9)")
                      : session_.noFailure();
}

QString BundlePresenter::replayed() const {
  const auto& manifest = session_.bundleManifest();
  const auto& snapshot = session_.snapshot();
  if (!manifest || !snapshot || !snapshot->lowering || session_.state().cancelled ||
      session_.state().activity != Activity::Idle || snapshot->lowering->target != manifest->target)
    return {};
  const lower::Lowering& lowering = *snapshot->lowering;
  if (manifest->wrong && lowering.ok())
    return "Bundle: lowers as recorded; compare (F9) for the wrong result: " +
           text(manifest->wrong->message);
  if (diagnose::fails(lowering, manifest->signature)) return "Bundle: fails as recorded";
  return (snapshot->lowersRight() ? "Bundle: does not fail here; recorded: "
                                  : "Bundle: fails in another way; recorded: ") +
         text(diagnose::text(manifest->signature));
}

QString BundlePresenter::wrongNode() const {
  const ComparedTarget* wrong = wrongResult();
  return wrong && wrong->target->first ? numbers_.nameOf(wrong->target->first->node) : QString();
}

void BundlePresenter::start(const bundle::BundleOptions& options) {
  if (task_.running() || !obstacle().isEmpty()) return;
  bundle::BundleOptions complete = options;
  if (wrongResult()) complete.wrong.emplace().python = numbers_.consent().request().path;
  result_.reset();
  task_.start(
      "preparing the bundle",
      [snapshot = session_.snapshot(), complete, bundler = bundler_](const RunContext& context) {
        return bundler(snapshot, complete, context);
      },
      [this](Result<bundle::BundleResult> result) {
        if (result) result_ = *std::move(result);
        logEnd();
      });
}

void BundlePresenter::logEnd() {
  if (result_)
    log_.add(QString("bundle %1 (%2): %3")
                 .arg(text(result_->path), sizeText(*result_), text(result_->statement)));
  else if (task_.state().cancelled)
    log_.add("the export of a bundle was cancelled; nothing was written");
  else log_.add("no bundle: " + task_.state().message);
}

void BundlePresenter::cancel() { task_.cancel("stopping"); }

void BundlePresenter::forget() {
  if (!task_.running()) drop();
}

void BundlePresenter::drop() {
  result_.reset();
  task_.supersede();
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
