// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_presenter.h"

#include <algorithm>

#include "layout/dataflow.h"
#include "layout/part.h"
#include "text/words.h"

namespace fxs::ui {

/// A program to lay out itself, or as a part of a whole one.
struct GraphPresenter::Subject {
  fx::ProgramPtr program;
  layout::ViewOptions options;
  std::shared_ptr<const layout::GroupTree> tree;
  FullGraph full;
  std::vector<fx::NodeId> positionOf;
  std::set<std::string> openPaths;
  layout::LayoutWorker worker;
  CommandRunner& runner;

  Made layOut(const RunContext& context) const;
};

namespace {

std::set<layout::GroupId> groupsAt(const std::set<std::string>& paths,
                                   const layout::GroupTree& tree) {
  std::set<layout::GroupId> out;
  for (const layout::Group& group : tree.groups)
    if (group.parent.valid() && paths.contains(group.path)) out.insert(group.id);
  return out;
}

bool isLaidOut(const FullGraph& full, const layout::ViewOptions& view) {
  return full.layout && full.options.expanded == view.expanded &&
         full.options.everything == view.everything;
}

}  // namespace

GraphPresenter::GraphPresenter(Services& services)
    : runner_(*services.environment.runner),
      worker_(services.worker),
      layingOut_(services, WorkFor::View) {}

std::set<std::string> GraphPresenter::expandedPaths() const {
  std::set<std::string> out;
  if (!tree_) return out;
  for (const layout::Group& group : tree_->groups)
    if (open_.contains(group.id)) out.insert(group.path);
  return out;
}

void GraphPresenter::show(fx::ProgramPtr program, bool keepExpanded) {
  openPaths_ = keepExpanded ? expandedPaths() : std::set<std::string>();
  full_ = {};
  positionOf_.clear();
  open_.clear();
  everything_ = everything_ && keepExpanded;
  begin(std::move(program));
}

void GraphPresenter::showPart(fx::ProgramPtr full, fx::ProgramPtr part,
                              std::vector<fx::NodeId> positionOf) {
  if (full_.program != full) {
    openPaths_ = expandedPaths();
    full_ = {};
    full_.program = std::move(full);
    open_.clear();
  }
  positionOf_ = std::move(positionOf);
  begin(std::move(part));
}

void GraphPresenter::begin(fx::ProgramPtr program) {
  program_ = std::move(program);
  only_.clear();
  partText_.clear();
  Q_EMIT partChanged();
  tree_.reset();
  graph_ = {};
  Q_EMIT treeChanged();
  if (program_) return relayout({});
  layingOut_.supersede();
  Q_EMIT messageChanged({});
}

void GraphPresenter::toggle(layout::GroupId group) {
  if (!tree_ || !group.valid()) return;
  if (everything_) {
    everything_ = false;
    for (const layout::Group& each : tree_->groups) open_.insert(each.id);
  }
  if (!open_.erase(group)) open_.insert(group);
  relayout(group);
  Q_EMIT expandedChanged();
}

void GraphPresenter::expandAs(const GraphPresenter& other) {
  if (!tree_) return;
  std::set<layout::GroupId> open = groupsAt(other.expandedPaths(), *tree_);
  if (everything_ == other.everything_ && open == open_) return;
  everything_ = other.everything_;
  open_ = std::move(open);
  relayout({});
}

void GraphPresenter::openAll() {
  if (!tree_ || everything_) return;
  everything_ = true;
  relayout({});
  Q_EMIT expandedChanged();
}

void GraphPresenter::closeAll() {
  if (!tree_ || (!everything_ && open_.empty())) return;
  everything_ = false;
  open_.clear();
  relayout({});
  Q_EMIT expandedChanged();
}

QString GraphPresenter::nameOf(const std::vector<fx::NodeId>& nodes) const {
  return nodes.size() == 1 ? text(program_->node(nodes.front()).name)
                           : counted(nodes.size(), "node");
}

void GraphPresenter::showAround(const std::vector<fx::NodeId>& centre, std::size_t steps) {
  if (!tree_ || centre.empty()) return;
  showOnly(layout::Dataflow(*program_).around(centre, steps),
           counted(steps, "step") + " around " + nameOf(centre));
}

bool GraphPresenter::showBetween(const std::vector<fx::NodeId>& a,
                                 const std::vector<fx::NodeId>& b) {
  if (!tree_ || a.empty() || b.empty()) return false;
  const layout::Dataflow flow(*program_);
  std::vector<fx::NodeId> nodes = flow.between(a, b);
  const bool isDown = !nodes.empty();
  if (!isDown) nodes = flow.between(b, a);
  if (nodes.empty()) return false;
  showOnly(std::move(nodes),
           "on paths from " + nameOf(isDown ? a : b) + " to " + nameOf(isDown ? b : a));
  return true;
}

void GraphPresenter::showOnly(std::vector<fx::NodeId> nodes, const QString& title) {
  if (only_.empty()) {
    openOfAll_ = open_;
    everythingOfAll_ = everything_;
  }
  only_ = std::move(nodes);
  open_ = openOfAll_;
  everything_ = everythingOfAll_ || only_.size() <= layout::kExpandedPart;
  partText_ =
      QString("%1 of %2: %3").arg(only_.size()).arg(counted(program_->nodes.size(), "node"), title);
  Q_EMIT partChanged();
  relayout({});
}

void GraphPresenter::showAll() {
  if (only_.empty()) return;
  only_.clear();
  partText_.clear();
  open_ = openOfAll_;
  everything_ = everythingOfAll_;
  Q_EMIT partChanged();
  relayout({});
}

void GraphPresenter::reveal(fx::NodeId node) {
  if (!only_.empty() && !std::binary_search(only_.begin(), only_.end(), node)) showAll();
  open(node);
}

bool GraphPresenter::isDrawn(fx::NodeId node) const {
  if (!graph_.view || node.index() >= graph_.view->boxOf.size()) return false;
  const layout::BoxId box = graph_.view->boxOf[node.index()];
  return box.valid() && !graph_.view->boxes[box.index()].collapsed();
}

void GraphPresenter::open(fx::NodeId node) {
  if (!tree_ || !node.valid() || node.index() >= tree_->groupOf.size() || isDrawn(node)) return;
  layout::GroupId group = tree_->groupOf[node.index()];
  // A parameter is drawn on the box of its first user.
  const fx::NodeOp op = program_->node(node).op;
  if (op == fx::NodeOp::GetAttr || program_->inputOf(node))
    if (const auto users = fx::usersOf(*program_)[node.index()]; !users.empty())
      group = tree_->groupOf[users.front().index()];
  openPath(group);
}
void GraphPresenter::open(layout::GroupId group) {
  if (tree_ && group.valid()) openPath(tree_->group(group).parent);
}

void GraphPresenter::openPath(layout::GroupId innermost) {
  if (everything_) return;
  bool opened = false;
  for (const layout::GroupId group : pathOf(innermost))
    opened = open_.insert(group).second || opened;
  // No anchor, so that the view scrolls to what is selected.
  if (opened) relayout({});
}

std::vector<layout::GroupId> GraphPresenter::pathOf(layout::GroupId group) const {
  std::vector<layout::GroupId> path;
  if (tree_ && group.valid()) path = tree_->pathTo(group);
  return path;
}

std::vector<layout::GroupId> GraphPresenter::pathOf(fx::NodeId node) const {
  return tree_ && node.valid() && node.index() < tree_->groupOf.size()
             ? pathOf(tree_->groupOf[node.index()])
             : std::vector<layout::GroupId>{};
}

std::vector<fx::NodeId> GraphPresenter::nodesIn(layout::GroupId group) const {
  std::vector<fx::NodeId> nodes;
  if (!tree_ || !group.valid()) return nodes;
  std::vector<layout::GroupId> todo{group};
  while (!todo.empty()) {
    const layout::Group& each = tree_->groups[todo.back().index()];
    todo.pop_back();
    nodes.insert(nodes.end(), each.nodes.begin(), each.nodes.end());
    todo.insert(todo.end(), each.children.begin(), each.children.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

GraphPresenter::Made GraphPresenter::Subject::layOut(const RunContext& context) const {
  Made made;
  made.full = full;
  const fx::ProgramPtr& laidOut = full.program ? full.program : program;
  made.tree = full.program ? full.tree : tree;
  layout::ViewOptions view = options;
  if (!made.tree) {
    made.tree = std::make_shared<const layout::GroupTree>(layout::groupTree(*laidOut));
    // The first layout of a program chooses which groups to expand.
    view.expanded = openPaths.empty() ? layout::initiallyExpanded(*laidOut, *made.tree)
                                      : groupsAt(openPaths, *made.tree);
  }
  made.open = view.expanded;
  if (!isLaidOut(full, view)) {
    made.view =
        std::make_shared<const layout::GraphView>(layout::graphView(*laidOut, *made.tree, view));
    auto placed = layout::layoutGraph(*made.view, worker, runner, context);
    if (placed) made.layout = std::make_shared<const layout::GraphLayout>(*std::move(placed));
    else made.error = placed.error();
    if (!full.program) return made;
    made.full = {full.program, made.tree, made.view, made.layout, view};
  }
  made.tree = std::make_shared<const layout::GroupTree>(
      layout::partTree(*made.full.tree, *program, positionOf));
  if (made.error) return made;
  layout::Part part = layout::partOf({*made.full.tree, *made.full.view, *made.full.layout},
                                     *program, *made.tree, view, positionOf);
  made.view = std::make_shared<const layout::GraphView>(std::move(part.view));
  made.layout = std::make_shared<const layout::GraphLayout>(std::move(part.layout));
  return made;
}

void GraphPresenter::relayout(layout::GroupId anchor) {
  Q_EMIT messageChanged("Laying out " + counted(program_->nodes.size(), "node") + " …");
  layout::ViewOptions options;
  options.expanded = open_;
  options.everything = everything_;
  if (!only_.empty()) options.only.resize(program_->nodes.size());
  for (const fx::NodeId node : only_) options.only[node.index()] = true;
  const Subject subject{program_,    options,    tree_,   only_.empty() ? full_ : FullGraph{},
                        positionOf_, openPaths_, worker_, runner_};
  layingOut_.start([subject](const RunContext& context) { return subject.layOut(context); },
                   [this, anchor](const Result<Made>& made) {
                     if (made) publish(*made, anchor);
                     else sayFailed(made.error());
                   });
}

void GraphPresenter::sayFailed(const Error& error) {
  Q_EMIT messageChanged(error.code == ErrorCode::Cancelled
                            ? QString()
                            : "Cannot lay out the graph: " + text(error.message));
}

void GraphPresenter::publish(const Made& made, layout::GroupId anchor) {
  const bool newTree = !tree_;
  if (newTree || !made.full.program) tree_ = made.tree;
  if (newTree) open_ = made.open;
  if (newTree) Q_EMIT treeChanged();
  if (made.error) return sayFailed(*made.error);
  if (made.full.program) full_ = made.full;
  graph_ = {program_, tree_, made.view, made.layout, made.full.layout};
  Q_EMIT messageChanged({});
  Q_EMIT graphChanged(anchor);
}

}  // namespace fxs::ui
