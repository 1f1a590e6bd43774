// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/selection_presenter.h"

#include <utility>

#include "session/session_presenter.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kMaxHistory = 200;

}  // namespace

SelectionPresenter::SelectionPresenter(Services& services)
    : session_(services.get<SessionPresenter>()) {
  connect(&session_, &SessionPresenter::programChanged, this, [this] {
    // A module or a problem of the one before may be another now.
    if (session_.isReadAgain() && program_ && !current_.group.valid())
      for (const fx::NodeId node : current_.nodes) wanted_.push_back(program_->node(node).name);
    program_ = session_.program();
    reset();
  });
  // Follows programChanged(), when every pane has the program.
  connect(&session_, &SessionPresenter::snapshotChanged, this, &SelectionPresenter::selectWanted);
}

void SelectionPresenter::selectWanted() {
  Selection selection;
  for (const std::string& name : std::exchange(wanted_, {}))
    if (const fx::Node* found = program_ ? program_->findNode(name) : nullptr)
      selection.nodes.push_back(found->id);
  if (!selection.nodes.empty()) select(selection);
}

bool SelectionPresenter::selectByName(const QString& name, Origin origin) {
  const fx::ProgramPtr program = session_.program();
  const fx::Node* found = program ? program->findNode(name.toStdString()) : nullptr;
  if (found) selectNode(found->id, origin);
  return found != nullptr;
}

void SelectionPresenter::select(const Selection& selection) {
  if (selection.sameAs(current_) && selection.stage == current_.stage &&
      selection.line == current_.line)
    return;
  if (!selection.empty() && !selection.sameAs(current_)) {
    if (!history_.empty()) history_.resize(at_ + 1);
    history_.push_back(selection);
    if (history_.size() > kMaxHistory) history_.erase(history_.begin());
    at_ = history_.size() - 1;
    Q_EMIT historyChanged();
  }
  show(selection);
}

void SelectionPresenter::selectNode(fx::NodeId node, Origin origin) {
  Selection selection;
  if (node.valid()) selection.nodes = {node};
  selection.origin = origin;
  select(selection);
}

void SelectionPresenter::selectGroup(layout::GroupId group, std::vector<fx::NodeId> nodes,
                                     Origin origin) {
  Selection selection;
  selection.group = group;
  selection.nodes = std::move(nodes);
  selection.origin = origin;
  select(selection);
}

void SelectionPresenter::clear() { select({}); }

void SelectionPresenter::reset() {
  history_.clear();
  at_ = 0;
  Q_EMIT historyChanged();
  show({});
}

void SelectionPresenter::back() {
  if (!canGoBack()) return;
  --at_;
  Q_EMIT historyChanged();
  Selection selection = history_[at_];
  selection.origin = Origin::Command;
  show(selection);
}

void SelectionPresenter::forward() {
  if (!canGoForward()) return;
  ++at_;
  Q_EMIT historyChanged();
  Selection selection = history_[at_];
  selection.origin = Origin::Command;
  show(selection);
}

void SelectionPresenter::show(const Selection& selection) {
  current_ = selection;
  Q_EMIT changed(current_);
}

}  // namespace fxs::ui
