// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/pass_docs_presenter.h"

#include "lower/tool_run.h"
#include "text/words.h"

namespace fxs::ui {

PassDocsPresenter::PassDocsPresenter(Services& services)
    : services_(services),
      session_(services.get<SessionPresenter>()),
      job_(services, WorkFor::View) {
  connect(&session_, &SessionPresenter::programChanged, this, &PassDocsPresenter::forget);
  connect(&session_, &SessionPresenter::runFinished, this, &PassDocsPresenter::forget);
}

void PassDocsPresenter::forget() {
  job_.supersede();
  known_.clear();
}

Result<PassDocsPresenter::Passes> PassDocsPresenter::passesOf(const session::Snapshot& lowering,
                                                              const std::string& stage,
                                                              CommandRunner& runner,
                                                              const RunContext& context) {
  const lower::LowerOptions& options = lowering.request.lower;
  FXS_TRY(const lower::ToolOfStage found, lower::toolOfStage(options, stage, *lowering.engine));
  return lower::passesOfTool(found.tool, options.limits, runner, context);
}

QString PassDocsPresenter::of(const QString& stage, const QString& pass) {
  if (const auto found = known_.find(stage); found != known_.end()) {
    const lower::ToolPass* known = lower::passNamed(found->second, pass.toStdString());
    return known ? text(known->summary) : QString();
  }
  const session::SnapshotPtr& lowering = session_.snapshot();
  if (!lowering || !lowering->engine || (job_.running() && asking_ == stage)) return {};
  asking_ = stage;
  job_.start([lowering, stage = stage.toStdString(), &runner = *services_.environment.runner](
                 const RunContext& context) { return passesOf(*lowering, stage, runner, context); },
             [this, stage](Result<Passes> passes) {
               // A tool that does not list its passes is not asked again.
               known_[stage] = passes ? *std::move(passes) : Passes{};
               Q_EMIT changed();
             });
  return {};
}

}  // namespace fxs::ui
