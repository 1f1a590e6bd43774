// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/pattern_presenter.h"

#include "node_lab/patterns.h"
#include "node_lab/rewrite_trace.h"
#include "text/words.h"

namespace fxs::ui {

PatternPresenter::PatternPresenter(Services& services)
    : environment_(services.environment),
      session_(services.get<SessionPresenter>()),
      asking_(services) {
  connect(&asking_, &Work::changed, this, &PatternPresenter::changed);
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, this,
          [this](const Selection& selected) { show(selected.inspected()); });
  connect(&session_, &SessionPresenter::programChanged, this, [this] { show({}); });
  // The target may have changed, and with it the patterns.
  connect(&session_, &SessionPresenter::runFinished, this, &PatternPresenter::forget);
}

void PatternPresenter::forget() {
  asked_ = false;
  rows_.clear();
  message_.clear();
  stops_.clear();
  found_.reset();
  rewrites_.reset();
  asking_.supersede();
}

void PatternPresenter::show(fx::NodeId node) {
  if (node_ == node) return;
  node_ = node;
  forget();
}

void PatternPresenter::ask() {
  if (asking() || !node_.valid() || !session_.snapshot()) return;
  forget();
  asking_.start(
      [snapshot = session_.snapshot(), node = node_,
       environment = environment_](const RunContext& context) -> Result<NodePatternsPtr> {
        FXS_TRY(node_lab::NodePatterns found,
                node_lab::patternsOf(snapshot, node, {}, environment, context));
        return std::make_shared<const node_lab::NodePatterns>(std::move(found));
      },
      [this](const Result<NodePatternsPtr>& found) {
        asked_ = true;
        if (found) take(*found);
        else message_ = asking_.state().message;
      });
}

void PatternPresenter::take(const NodePatternsPtr& found) {
  found_ = found;
  std::vector<std::string> names;
  for (const fx::Node& node : session_.program()->nodes) names.push_back(node.name);
  rewrites_ = node_lab::rewriteTrace(found, std::move(names), environment_,
                                     session_.snapshot()->request.lower.limits);
  message_ = text(found->message);
  for (const lower::PatternAttempt& attempt : found->trace.attempts) {
    const bool inPass =
        attempt.pass >= 0 && attempt.pass < static_cast<int>(found->trace.passes.size());
    const lower::PatternPass pass =
        inPass ? found->trace.passes[static_cast<std::size_t>(attempt.pass)] : lower::PatternPass{};
    QString effect = text(lower::name(attempt.effect));
    if (!attempt.message.empty()) effect += ": " + text(attempt.message);
    rows_.push_back({text(pass.stage), text(pass.pass), text(attempt.shortName),
                     text(attempt.opName), effect, listed(attempt.became),
                     attempt.effect == lower::Effect::TookEffect});
  }
  for (const lower::PatternStop& stop : found->trace.stops) {
    QString line =
        stop.tried.empty()
            ? QString("%1 has no pattern for %2").arg(text(stop.pass), text(stop.op))
            : QString("%1 tried %2 on %3").arg(text(stop.pass), listed(stop.tried), text(stop.op));
    if (!stop.refusedBefore.empty()) line += "; rejected before: " + listed(stop.refusedBefore);
    stops_ << line;
  }
}

QString PatternPresenter::patternOf(fx::NodeId node, const lower::PassTrace& passes, int pass,
                                    std::string_view opName,
                                    const std::vector<std::string>& sources) const {
  if (!found_ || node != node_) return {};
  return text(lower::patternOfOp(found_->trace, passes, pass, opName, sources));
}

lower::StepsOfPass PatternPresenter::rewritesOf(const lower::PassTrace& passes, int pass) const {
  return found_ ? lower::rewriteStepsOf(found_->trace, passes, pass) : lower::StepsOfPass{};
}

QStringList PatternPresenter::effective(const QString& stage, const QString& pass) const {
  QStringList names;
  for (const PatternRow& row : rows_)
    if (row.took && row.stage == stage && row.pass == pass && !names.contains(row.pattern))
      names << row.pattern;
  return names;
}

}  // namespace fxs::ui
