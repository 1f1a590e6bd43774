#include "presenters/problems_presenter.h"

#include <algorithm>

#include "presenters/words.h"

namespace fxs::ui {

ProblemsPresenter::ProblemsPresenter(SessionPresenter& session, QObject* parent) : QObject(parent), session_(session) {
  connect(&session, &SessionPresenter::snapshotChanged, this, &ProblemsPresenter::refresh);
  connect(&session, &SessionPresenter::stateChanged, this, &ProblemsPresenter::emptyTextChanged);
}

void ProblemsPresenter::refresh() {
  findings_.clear();
  standings_.clear();
  errors_ = 0;
  if (const fx::ProgramPtr program = session_.program()) {
    standings_.resize(program->nodes.size());
    findings_ = session_.snapshot()->findings();
  }
  for (const fx::Finding& finding : findings_) {
    errors_ += finding.severity == fx::Severity::Error;
    if (!finding.node.valid() || finding.node.index() >= standings_.size() || finding.severity == fx::Severity::Note) continue;
    Standing& standing = standings_[finding.node.index()];
    standing = std::max(standing, finding.severity == fx::Severity::Error ? Standing::Blocked : Standing::Suspicious);
  }
  emit changed();
  emit emptyTextChanged();
}

Standing ProblemsPresenter::standing(fx::NodeId node) const {
  return node.valid() && node.index() < standings_.size() ? standings_[node.index()] : Standing::Neutral;
}

QString ProblemsPresenter::reason(fx::NodeId node) const {
  for (const fx::Finding& finding : findings_)
    if (finding.node == node) return text(finding.message);
  return {};
}

std::vector<int> ProblemsPresenter::at(fx::NodeId node) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < findings_.size(); ++i)
    if (findings_[i].node == node) found.push_back(static_cast<int>(i));
  return found;
}

QString ProblemsPresenter::emptyText() const {
  if (!findings_.empty()) return {};
  if (!session_.hasProgram()) return "Open a program to see what is wrong with it";
  if (session_.state().activity != Activity::Idle) return "Nothing found so far; " + session_.state().what + " …";
  const session::SnapshotPtr& snapshot = session_.snapshot();
  if (!snapshot->lowering)
    return session_.state().cancelled ? "The run was cancelled before every stage was checked"
                                      : "Nothing found in reading, normalizing, rewriting and importing; no stage after that was run";
  return QString("No problems. Checked: reading, normalizing, rewriting, importing, and %1 up to %2")
      .arg(counted(snapshot->lowering->stages.size(), "stage"), text(lower::name(snapshot->lowering->target)));
}

int ProblemsPresenter::next(int problem) const { return findings_.empty() ? -1 : (problem + 1) % static_cast<int>(findings_.size()); }

}  // namespace fxs::ui
