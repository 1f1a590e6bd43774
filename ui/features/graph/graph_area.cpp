#include "features/graph/graph_area.h"

#include <QVBoxLayout>
#include <cmath>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kWideBar = 50 * kGrid;

}  // namespace

GraphArea::GraphArea(Appearance& appearance, GraphPresenter& graph, ProblemsPresenter& problems, NumbersPresenter& numbers,
                     SelectionPresenter& selection, QWidget* parent)
    : QWidget(parent), appearance_(appearance), graph_(graph), problems_(problems), numbers_(numbers), selection_(selection) {
  auto* column = makeBox<QVBoxLayout>(0);
  auto* bar = new QWidget(this);
  bar->setProperty("surface", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  bar->setMinimumHeight(4 * kGrid);
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  row->setContentsMargins(kGrid, 0, kGrid / 2, 0);
  path_ = new PathBar(appearance, bar);
  row->addWidget(path_, 1);
  auto* closeAll = new IconButton(appearance, "collapse", "Collapse all groups (Ctrl+Alt+C)", bar);
  auto* openAll = new IconButton(appearance, "expand", "Expand all groups (Ctrl+Alt+E)", bar);
  auto* out = new IconButton(appearance, "minus", "Zoom out", bar);
  auto* in = new IconButton(appearance, "plus", "Zoom in", bar);
  auto* fit = new IconButton(appearance, "fit", "Fit the graph (Space)", bar);
  auto* maximize = new IconButton(appearance, "maximize", "Maximize or restore the graph (F11)", bar);
  zoom_ = makeLabel(appearance, "100 %", TextSize::Small, "muted", bar);
  zoom_->setMinimumWidth(40);
  zoom_->setAlignment(Qt::AlignCenter);
  zoomButtons_ = {out, zoom_, in};
  for (QWidget* widget :
       {static_cast<QWidget*>(closeAll), static_cast<QWidget*>(openAll), static_cast<QWidget*>(out), static_cast<QWidget*>(zoom_),
        static_cast<QWidget*>(in), static_cast<QWidget*>(fit), static_cast<QWidget*>(maximize)})
    row->addWidget(widget);
  bar->setLayout(row);
  pane_ = new GraphPane(this);
  pane_->setAccessibleName("Graph; every node is also in the node list");
  column->addWidget(bar);
  column->addWidget(pane_, 1);
  setLayout(column);

  connect(closeAll, &QToolButton::clicked, &graph, &GraphPresenter::closeAll);
  connect(openAll, &QToolButton::clicked, &graph, &GraphPresenter::openAll);
  connect(out, &QToolButton::clicked, pane_, &GraphPane::zoomOut);
  connect(in, &QToolButton::clicked, pane_, &GraphPane::zoomIn);
  connect(fit, &QToolButton::clicked, pane_, &GraphPane::fit);
  connect(maximize, &QToolButton::clicked, this, &GraphArea::maximizeRequested);
  connect(pane_, &GraphPane::zoomChanged, this, [this](double factor) { zoom_->setText(QString("%1 %").arg(std::lround(factor * 100))); });
  connect(pane_, &GraphPane::nodeClicked, this, [this](fx::NodeId node) { selection_.selectNode(node, Place::Graph); });
  connect(pane_, &GraphPane::groupClicked, this,
          [this](layout::GroupId group) { selection_.selectGroup(group, graph_.nodesIn(group), Place::Graph); });
  connect(pane_, &GraphPane::groupToggled, &graph, &GraphPresenter::toggle);
  connect(pane_, &GraphPane::backgroundClicked, &selection, &SelectionPresenter::clear);
  connect(&graph, &GraphPresenter::messageChanged, pane_, &GraphPane::setMessage);
  connect(&graph, &GraphPresenter::graphChanged, this, [this](layout::GroupId anchor) {
    const LaidOutGraph& made = graph_.graph();
    pane_->setPicture({made.program, made.tree, made.view, made.layout}, anchor);
    pane_->setSelection(selection_.current().nodes);
    const Selection& selected = selection_.current();
    if (!anchor.valid() && selected.nodes.size() == 1) pane_->centreOn(selected.node());
  });
  connect(&graph, &GraphPresenter::treeChanged, this, &GraphArea::rebuildPath);
  connect(&problems, &ProblemsPresenter::changed, this, &GraphArea::mark);
  connect(&numbers, &NumbersPresenter::changed, this, &GraphArea::mark);
  connect(&graph, &GraphPresenter::graphChanged, this, &GraphArea::mark);
  connect(&selection, &SelectionPresenter::changed, this, &GraphArea::follow);
  connect(&appearance, &Appearance::changed, this, &GraphArea::restyle);
  restyle();
}

void GraphArea::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Where the bar is short, the path needs the place more: the wheel and + and - zoom, too.
  for (QWidget* each : zoomButtons_) each->setVisible(width() >= kWideBar * appearance_.textScale());
}

void GraphArea::mark() {
  std::vector<NodeStatus> statuses;
  for (const Standing standing : problems_.standings())
    statuses.push_back(standing == Standing::Blocked      ? NodeStatus::Blocked
                       : standing == Standing::Suspicious ? NodeStatus::Suspicious
                                                          : NodeStatus::Neutral);
  std::vector<QString> reasons = problems_.reasons();
  // Where values begin to differ is marked as an error; what follows from it, as a warning.
  for (const NodeMark& wrong : numbers_.marks()) {
    const std::size_t at = wrong.node.index();
    if (statuses.size() <= at) statuses.resize(at + 1, NodeStatus::Neutral);
    if (reasons.size() <= at) reasons.resize(at + 1);
    if (statuses[at] == NodeStatus::Blocked) continue;
    statuses[at] = wrong.isFirst ? NodeStatus::Blocked : NodeStatus::Suspicious;
    reasons[at] = (reasons[at].isEmpty() ? QString() : reasons[at] + "\n") + wrong.reason;
  }
  pane_->setStatuses(std::move(statuses), std::move(reasons));
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
  style.onMark = theme.color(Role::OnAccent);
  style.sansFamily = appearance_.sans(TextSize::Body).families().constFirst();
  style.monoFamily = appearance_.mono().families().constFirst();
  pane_->setGraphStyle(style);
  rebuildPath();
}

void GraphArea::follow(const Selection& selection) {
  pane_->setSelection(selection.nodes);
  rebuildPath();
  if (!selection_.following() || selection.place == Place::Graph) return;
  if (selection.group.valid()) pane_->centreOnGroup(selection.group);
  else if (selection.node().valid()) pane_->centreOn(selection.node());
}

void GraphArea::rebuildPath() {
  std::vector<PathStep> steps;
  if (graph_.tree()) {
    const Selection& selected = selection_.current();
    const layout::GroupId root = layout::GroupId::of(0);
    const std::string& type = graph_.tree()->group(root).type;
    steps.push_back({type.empty() ? QString("model") : text(type), {}, [this] {
                       selection_.clear();
                       pane_->fit();
                     }});
    for (const layout::GroupId group : selected.group.valid() ? graph_.pathOf(selected.group) : graph_.pathOf(selected.node())) {
      const layout::Group& shown = graph_.tree()->group(group);
      steps.push_back(
          {text(shown.label), text(shown.path), [this, group] { selection_.selectGroup(group, graph_.nodesIn(group), Place::Command); }});
    }
  }
  path_->setSteps(std::move(steps));
}

QString GraphArea::pathText() const { return path_->labels().join(" › "); }

}  // namespace fxs::ui
