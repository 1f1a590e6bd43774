// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_area.h"

#include <QMenu>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "text/words.h"
#include "widgets/op_menu.h"
#include "widgets/shade_swatch.h"

namespace fxs::ui {
namespace {

constexpr std::size_t kSteps = 2;
// Of the bar: below each, what can be done without is left out.
constexpr int kWideBar = 60 * kGrid, kNarrowBar = 30 * kGrid;

/// Of an operation that is only on one side, or not the same on both.
Emphasis emphasisOf(mlir::OpChange change) {
  if (change == mlir::OpChange::Added) return Emphasis::Added;
  return change == mlir::OpChange::Removed ? Emphasis::Removed : Emphasis::Changed;
}

}  // namespace

GraphArea::GraphArea(Appearance& appearance, GraphPresenter& graph, OpGraphPresenter& operations,
                     ColourPresenter& colours, Marks& marks, SelectionPresenter& selection,
                     const OpCommands& commands, QWidget* parent)
    : QWidget(parent),
      appearance_(appearance),
      graph_(graph),
      operations_(operations),
      colours_(colours),
      marks_(marks),
      selection_(selection),
      commands_(commands) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = new QWidget(this);
  bar->setProperty("surface", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  bar->setMinimumHeight(4 * kGrid);
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  row->setContentsMargins(kGrid, 0, kGrid / 2, 0);
  chooser_ = new FittedComboBox(bar);
  chooser_->setProperty("flat", true);
  chooser_->setAccessibleName("What the graph shows");
  chooser_->setToolTip("Show the program, or the operations of a stage, as a graph");
  row->addWidget(chooser_);
  path_ = new PathBar(appearance, bar);
  row->addWidget(path_, 1);
  row->addStretch();
  auto* closeAll = new IconButton(appearance, "collapse", "Collapse all groups (Ctrl+Alt+C)", bar);
  auto* openAll = new IconButton(appearance, "expand", "Expand all groups (Ctrl+Alt+E)", bar);
  auto* out = new IconButton(appearance, "minus", "Zoom out", bar);
  auto* in = new IconButton(appearance, "plus", "Zoom in", bar);
  auto* fit = new IconButton(appearance, "fit", "Fit the graph (Space)", bar);
  auto* maximize =
      new IconButton(appearance, "maximize", "Maximize or restore the graph (F11)", bar);
  zoom_ = makeLabel(appearance, "100 %", TextSize::Small, "muted", bar);
  zoom_->setMinimumWidth(40);
  zoom_->setAlignment(Qt::AlignCenter);
  zoomButtons_ = {out, zoom_, in};
  groupButtons_ = {closeAll, openAll};
  for (QWidget* widget :
       {static_cast<QWidget*>(closeAll), static_cast<QWidget*>(openAll), static_cast<QWidget*>(out),
        static_cast<QWidget*>(zoom_), static_cast<QWidget*>(in), static_cast<QWidget*>(fit),
        static_cast<QWidget*>(maximize)})
    row->addWidget(widget);
  bar->setLayout(row);
  pane_ = new GraphPane(this);
  pane_->setAccessibleName("Graph; every node is also in the node list");
  setFocusProxy(pane_);
  legend_ = new GraphLegend(appearance, colours, this);
  column->addWidget(bar);
  column->addWidget(legend_);
  column->addWidget(pane_, 1);
  setLayout(column);

  connect(closeAll, &QToolButton::clicked, this, [this] { shown().closeAll(); });
  connect(openAll, &QToolButton::clicked, this, [this] { shown().openAll(); });
  connect(out, &QToolButton::clicked, pane_, &GraphPane::zoomOut);
  connect(in, &QToolButton::clicked, pane_, &GraphPane::zoomIn);
  connect(fit, &QToolButton::clicked, pane_, &GraphPane::fit);
  connect(maximize, &QToolButton::clicked, this, &GraphArea::maximizeRequested);
  connect(pane_, &GraphPane::zoomChanged, this, [this](double factor) {
    zoom_->setText(QString("%1 %").arg(std::lround(factor * 100)));
  });
  connect(pane_, &GraphPane::nodeClicked, this, &GraphArea::selectNode);
  connect(pane_, &GraphPane::groupClicked, this,
          [this](layout::GroupId group) { selectGroup(group, Origin::Graph); });
  connect(pane_, &GraphPane::groupToggled, this,
          [this](layout::GroupId group) { shown().toggle(group); });
  connect(pane_, &GraphPane::backgroundClicked, &selection, &SelectionPresenter::clear);
  connect(pane_, &GraphPane::menuRequested, this, &GraphArea::showMenu);
  connect(legend_, &GraphLegend::stepRequested, this, &GraphArea::stepMatch);
  connect(legend_, &GraphLegend::showAllRequested, this, [this] { shown().showAll(); });
  connect(&colours, &ColourPresenter::changed, this,
          [this] { pane_->setShades(colours_.shades()); });
  connect(chooser_, &QComboBox::activated, this, [this](int index) {
    const QVariant chosen = chooser_->itemData(index);
    operations_.choose(chosen.isValid() ? std::optional(chosen.value<ShownText>()) : std::nullopt);
  });
  listen(graph);
  listen(operations.graph());
  connect(&operations, &OpGraphPresenter::choicesChanged, this, &GraphArea::refreshChooser);
  connect(&operations, &OpGraphPresenter::chosenChanged, this, [this] {
    refreshChooser();
    legend_->setPart(shown().partText());
    showPicture({});
    mark();
    rebuildPath();
  });
  connect(&operations, &OpGraphPresenter::changesChanged, this, &GraphArea::mark);
  connect(&operations, &OpGraphPresenter::messageChanged, this, [this](const QString& message) {
    if (operations_.chosen()) pane_->setMessage(message);
  });
  connect(&marks, &Marks::changed, this, &GraphArea::mark);
  connect(&selection, &SelectionPresenter::changed, this, &GraphArea::follow);
  connect(&appearance, &Appearance::changed, this, &GraphArea::restyle);
  restyle();
  refreshChooser();
}

void GraphArea::addToBar(const QString& icon, const QString& title,
                         const std::function<void()>& run) {
  auto* row = static_cast<QHBoxLayout*>(bar()->layout());
  auto* button = new IconButton(appearance_, icon, title, bar());
  row->insertWidget(row->count() - 1, button);
  connect(button, &QToolButton::clicked, this, run);
}

void GraphArea::listen(GraphPresenter& graph) {
  connect(&graph, &GraphPresenter::messageChanged, this, [this, &graph](const QString& message) {
    if (&graph == &shown()) pane_->setMessage(message);
  });
  connect(&graph, &GraphPresenter::graphChanged, this, [this, &graph](layout::GroupId anchor) {
    if (&graph != &shown()) return;
    showPicture(anchor);
    mark();
  });
  connect(&graph, &GraphPresenter::partChanged, this, [this, &graph] {
    if (&graph == &shown()) legend_->setPart(graph.partText());
  });
  connect(&graph, &GraphPresenter::treeChanged, this, [this, &graph] {
    if (&graph != &shown()) return;
    rebuildPath();
    // What was selected before there was a graph.
    if (&graph == &graph_ && selection_.following()) openSelection();
  });
}

void GraphArea::showPicture(layout::GroupId anchor) {
  const LaidOutGraph& made = shown().graph();
  const QString message = operations_.chosen() ? operations_.message() : QString();
  if (made.layout || !message.isEmpty()) pane_->setMessage(message);
  if (!made.layout) return;  // it is on its way
  GraphPicture picture{made.program, made.tree, made.view, made.layout, made.full};
  const Selection& selected = selection_.current();
  const std::vector<fx::NodeId> nodes = shownNodes(selected.nodes);
  const bool isNext =
      operations_.chosen() && picture_ == operations_.chosen() &&
      (pane_->picture().program != picture.program || (picture.full && !pane_->picture().full));
  picture_ = operations_.chosen();
  if (isNext) {
    const fx::NodeId before = marked_.empty() ? fx::NodeId{} : marked_.front();
    pane_->setNextPicture(std::move(picture), before, nodes.empty() ? fx::NodeId{} : nodes.front());
  } else {
    pane_->setPicture(std::move(picture), anchor);
  }
  marked_ = nodes;
  pane_->setSelection(nodes, shownGroup(selected.group));
  // A group that the user opens or closes keeps its place instead.
  if (!anchor.valid() && selection_.following()) pane_->revealSelection();
}

void GraphArea::reveal() {
  const std::vector<fx::NodeId> nodes = shownNodes(selection_.current().nodes);
  if (nodes.empty()) return;
  shown().reveal(nodes.front());
  pane_->centreOn(nodes.front());
}

void GraphArea::stepMatch(int direction) {
  const std::vector<fx::NodeId> selected = shownNodes(selection_.current().nodes);
  const bool isAtMatch =
      match_.valid() && std::find(selected.begin(), selected.end(), match_) != selected.end();
  fx::NodeId from = selected.empty() ? fx::NodeId{} : selected.front();
  if (isAtMatch) from = match_;
  const fx::NodeId node = colours_.next(from, direction);
  if (!node.valid()) return;
  match_ = node;
  selectNode(node);
  pane_->centreOn(node);
}

void GraphArea::showAround() {
  const std::vector<fx::NodeId> nodes = shownNodes(selection_.current().nodes);
  if (nodes.empty()) return Q_EMIT messageShown("Select a node first");
  steps_ = !shown().partText().isEmpty() && nodes == centre_ ? steps_ + 1 : kSteps;
  centre_ = nodes;
  shown().showAround(nodes, steps_);
}

void GraphArea::showBetween(const std::vector<fx::NodeId>& from) {
  const std::vector<fx::NodeId> a = shownNodes(from), b = shownNodes(selection_.current().nodes);
  if (a.empty() || b.empty() || a == b)
    return Q_EMIT messageShown(
        "Select one node, then another: the paths between the last two are shown");
  centre_.clear();
  if (!shown().showBetween(a, b)) Q_EMIT messageShown("No path leads from one node to the other");
}

void GraphArea::showMenu(fx::NodeId node, const QPoint& globalPosition) {
  const std::vector<fx::NodeId> before = selection_.current().nodes;
  if (node.valid()) selectNode(node);
  const std::vector<fx::NodeId> now = selection_.current().nodes;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& title, bool isEnabled, auto&& run) {
    QAction* action = menu->addAction(withoutMnemonic(title));
    action->setEnabled(isEnabled);
    connect(action, &QAction::triggered, this, run);
  };
  add("Show only the neighbourhood of the node", !now.empty(), [this] { showAround(); });
  const bool hasOther = before.size() == 1 && !now.empty() && before != now && graph_.program();
  add(hasOther
          ? "Show only the paths from or to " + text(graph_.program()->node(before.front()).name)
          : QString("Show only the paths between two nodes"),
      hasOther, [this, before] { showBetween(before); });
  add("Show all", !shown().partText().isEmpty(), [this] { shown().showAll(); });
  const auto line = operations_.chosen() && node.valid() ? operations_.lineOf(node) : std::nullopt;
  const layout::GroupId group = shownGroup(selection_.current().group);
  add("Expand or collapse the group", group.valid(), [this, group] { shown().toggle(group); });
  if (line) addOpCommands(*menu, commands_, {*operations_.chosen(), *line});
  addRowCommands(*menu, commands_, *this);
  menu->popup(globalPosition);
}

void GraphArea::refreshChooser() {
  const QSignalBlocker quiet(chooser_);
  chooser_->clear();
  chooser_->addItem("Program");
  for (const auto& [text, title] : operations_.choices())
    chooser_->addItem(title, QVariant::fromValue(text));
  const int index =
      operations_.chosen() ? chooser_->findData(QVariant::fromValue(*operations_.chosen())) : 0;
  chooser_->setCurrentIndex(index);
  chooser_->updateGeometry();
}

void GraphArea::selectNode(fx::NodeId node) {
  const QScopedValueRollback selecting(selecting_, true);
  if (!operations_.chosen()) return selection_.selectNode(node, Origin::Graph);
  Selection selected;
  selected.nodes = operations_.usersNodes(node);
  selected.origin = Origin::Graph;
  if (const auto line = operations_.lineOf(node)) {
    selected.stage = *operations_.chosen();
    selected.line = *line;
  }
  if (!selected.nodes.empty()) selection_.select(selected);
}

void GraphArea::selectGroup(layout::GroupId group, Origin origin) {
  const QScopedValueRollback selecting(selecting_, origin == Origin::Graph);
  if (!operations_.chosen()) return selection_.selectGroup(group, graph_.nodesIn(group), origin);
  const auto& tree = operations_.graph().tree();
  const layout::GroupId module =
      graph_.tree() && tree ? graph_.tree()->find(tree->group(group).path) : layout::GroupId{};
  if (module.valid()) selection_.selectGroup(module, graph_.nodesIn(module), origin);
}

std::vector<fx::NodeId> GraphArea::shownNodes(const std::vector<fx::NodeId>& nodes) const {
  return operations_.chosen() ? operations_.shownFor(nodes) : nodes;
}

layout::GroupId GraphArea::shownGroup(layout::GroupId group) const {
  if (!operations_.chosen() || !group.valid()) return group;
  const auto& tree = operations_.graph().tree();
  return tree && graph_.tree() ? tree->find(graph_.tree()->group(group).path) : layout::GroupId{};
}

void GraphArea::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitBar();
}

void GraphArea::setBeside(bool on) {
  beside_ = on;
  fitBar();
}

void GraphArea::fitBar() {
  // Where the bar is short, the wheel and + and - zoom, too; beside another graph, the chooser
  // needs the place most.
  const double available = width() / appearance_.textScale();
  path_->setVisible(!beside_ || available >= kWideBar);
  for (QWidget* each : zoomButtons_) each->setVisible(available >= kWideBar);
  for (QWidget* each : groupButtons_) each->setVisible(!beside_ || available >= kNarrowBar);
}

void GraphArea::mark() {
  const bool isProgram = !operations_.chosen() || !operations_.graph().program();
  pane_->setMarks(isProgram ? marks_.all() : marksOfOperations());
}

/// An operation is marked as the worst of the nodes that it comes from, else by how it differs.
MarksByNode GraphArea::marksOfOperations() const {
  const std::vector<fx::Node>& operations = operations_.graph().program()->nodes;
  MarksByNode marks(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i)
    for (const fx::NodeId node : operations_.usersNodes(fx::NodeId::of(i))) {
      const NodeMarks& of = marks_.at(node);
      const bool isWorse = of.status.emphasis > marks[i].status.emphasis;
      if (isWorse && operations[i].op == fx::NodeOp::CallFunction) marks[i].status = of.status;
      if (of.flag.emphasis > marks[i].flag.emphasis) marks[i].flag = of.flag;
    }
  const std::vector<mlir::OpChange> changes = operations_.changes();
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i] != mlir::OpChange::Same && marks[i].status.emphasis == Emphasis::None)
      marks[i].add({emphasisOf(changes[i]), {}, text(std::string(mlir::name(changes[i])))});
  return marks;
}

void GraphArea::restyle() {
  const Theme& theme = appearance_.theme();
  GraphStyle style;
  style.background = theme.color(Role::GraphBackground);
  style.node = theme.color(Role::GraphNode);
  style.nodeBorder = theme.color(Role::GraphNodeBorder);
  style.group = theme.color(Role::GraphGroup);
  style.groupBorder = theme.color(Role::GraphGroupBorder);
  style.frame = theme.color(Role::Accent);
  style.frame.setAlpha(theme.dark ? 14 : 10);
  style.frameBorder = theme.color(Role::Border);
  style.input = theme.color(Role::GraphInput);
  style.inputBorder = theme.color(Role::GraphNodeBorder);
  style.output = theme.color(Role::GraphOutput);
  style.outputBorder = theme.color(Role::GraphNodeBorder);
  style.chip = theme.color(Role::GraphChip);
  style.chipText = theme.color(Role::TextMuted);
  style.stub = theme.color(Role::GraphChip);
  style.stubText = theme.color(Role::GraphStub);
  style.text = theme.color(Role::Text);
  style.mutedText = theme.color(Role::TextMuted);
  style.edge = theme.color(Role::GraphEdge);
  style.edgeText = theme.color(Role::GraphEdgeLabel);
  style.accent = theme.color(Role::Accent);
  style.blocked = theme.color(Role::Error);
  style.suspicious = theme.color(Role::Warning);
  style.added = theme.color(Role::Success);
  style.levels = {theme.color(Role::GraphLevel1), theme.color(Role::GraphLevel2),
                  theme.color(Role::GraphLevel3), theme.color(Role::GraphLevel4),
                  theme.color(Role::GraphLevel5)};
  for (std::size_t i = 0; i < kClasses; ++i) style.classes[i] = theme.color(roleOf(classOf(i)));
  style.match = theme.color(Role::FindMatch);
  style.blockedSoft = theme.color(Role::ErrorSoft);
  style.suspiciousSoft = theme.color(Role::WarningSoft);
  style.onMark = theme.color(Role::OnAccent);
  style.textScale = appearance_.textScale();
  style.sansFamily = appearance_.sans(TextSize::Body).families().constFirst();
  style.monoFamily = appearance_.mono().families().constFirst();
  pane_->setGraphStyle(style);
  rebuildPath();
}

void GraphArea::follow(const Selection& selection) {
  const std::vector<fx::NodeId> nodes = marked_ = shownNodes(selection.nodes);
  const layout::GroupId group = shownGroup(selection.group);
  pane_->setSelection(nodes, group);
  rebuildPath();
  if (!selection_.following() || selecting_) return;
  openSelection();
  pane_->revealSelection();
}

void GraphArea::openSelection() {
  const Selection& selected = selection_.current();
  const std::vector<fx::NodeId> nodes = shownNodes(selected.nodes);
  if (const layout::GroupId group = shownGroup(selected.group); group.valid()) shown().open(group);
  else if (!nodes.empty()) shown().open(nodes.front());
}

void GraphArea::rebuildPath() {
  std::vector<PathStep> steps;
  const GraphPresenter& graph = shown();
  if (graph.tree()) {
    const Selection& selected = selection_.current();
    const std::vector<fx::NodeId> nodes = shownNodes(selected.nodes);
    const std::string& type = graph.tree()->group(layout::GroupId::of(0)).type;
    steps.push_back({type.empty() ? QString("model") : text(type), {}, [this] {
                       selection_.clear();
                       pane_->fit();
                     }});
    const layout::GroupId module = shownGroup(selected.group);
    const fx::NodeId node = nodes.empty() ? fx::NodeId{} : nodes.front();
    for (const layout::GroupId group : module.valid() ? graph.pathOf(module) : graph.pathOf(node)) {
      const layout::Group& step = graph.tree()->group(group);
      steps.push_back({text(step.label), text(step.path),
                       [this, group] { selectGroup(group, Origin::Command); }});
    }
  }
  path_->setSteps(std::move(steps));
}

QString GraphArea::pathText() const { return path_->labels().join(" › "); }

}  // namespace fxs::ui
