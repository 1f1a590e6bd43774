// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/summary/summary_presenter.h"

#include <algorithm>

#include "session/colourings.h"
#include "text/words.h"

namespace fxs::ui {
namespace {

bool hasNode(const std::vector<fx::NodeId>& sorted, fx::NodeId node) {
  return std::binary_search(sorted.begin(), sorted.end(), node);
}

QString flopsOfNode(double flops) {
  return text(report::flopsText(summary::FlopTotal{static_cast<std::uint64_t>(flops), 1, 0}));
}

}  // namespace

SummaryPresenter::SummaryPresenter(Services& services)
    : session_(services.get<SessionPresenter>()),
      selection_(services.get<SelectionPresenter>()),
      making_(services, WorkFor::View),
      counting_(services, WorkFor::View) {
  auto& colourings = services.get<Colourings>();
  colourings.add({80,
                  "flops",
                  "Floating-point operations",
                  {},
                  {},
                  [this] { return NodeColours{{}, Shade::None, {}, flops_, flopsOfNode}; },
                  [] { return QString("FLOPs, up to:"); }});
  connect(this, &SummaryPresenter::changed, &colourings, &Colourings::changed);
  connect(&session_, &SessionPresenter::programChanged, this, &SummaryPresenter::make);
  connect(&session_, &SessionPresenter::snapshotChanged, this, &SummaryPresenter::count);
  connect(&making_, &Work::changed, this, &SummaryPresenter::changed);
  make();
}

void SummaryPresenter::make() {
  report_.reset();
  tree_.reset();
  flops_.clear();
  counted_.reset();
  counting_.supersede();
  if (!session_.snapshot()) return making_.supersede();
  making_.start(
      "counting parameters and FLOPs",
      [capture = session_.snapshot()->capture](const RunContext& context) -> Result<Made> {
        Made made;
        made.report = std::make_shared<report::SummaryReport>(report::SummaryReport{
            capture->label, capture->format, summary::summarize(*capture, context)});
        for (const summary::Flops& each : summary::flopsOf(*capture->program))
          made.flops.push_back(static_cast<double>(each.count));
        made.tree = std::make_shared<const layout::GroupTree>(layout::groupTree(*capture->program));
        return made;
      },
      [this](Result<Made> made) {
        if (!made) return;
        report_ = made->report;
        tree_ = made->tree;
        flops_ = std::move(made->flops);
        count();
      });
  Q_EMIT changed();
}

void SummaryPresenter::count() {
  const auto lowering = session_.snapshot() ? session_.snapshot()->lowering : nullptr;
  if (!report_ || lowering == counted_) return;
  counted_ = lowering;
  const auto show = [this](std::vector<summary::Became> became) {
    report::SummaryReport with = *report_;
    with.became = std::move(became);
    report_ = std::make_shared<const report::SummaryReport>(std::move(with));
    Q_EMIT changed();
  };
  if (!lowering) {
    counting_.supersede();
    return show({});
  }
  counting_.start([lowering](const RunContext&) { return summary::becameOf(*lowering); }, show);
}

void SummaryPresenter::select(const summary::ModuleTotal& module) {
  if (module.nodes.empty() || module.path.empty()) return selection_.clear();
  const layout::GroupId group = tree_->find(module.path);
  if (group.valid()) return selection_.selectGroup(group, module.nodes, Origin::List);
  Selection nodes;
  nodes.nodes = module.nodes;
  nodes.origin = Origin::List;
  selection_.select(nodes);
}

void SummaryPresenter::select(const summary::OperatorTotal& op) {
  Selection nodes;
  nodes.nodes = op.nodes;
  nodes.origin = Origin::List;
  selection_.select(nodes);
}

int SummaryPresenter::selectedModule() const {
  const Selection& now = selection_.current();
  if (!report_ || now.empty()) return -1;
  const std::vector<summary::ModuleTotal>& modules = report_->summary.modules;
  const bool isGroup = now.group.valid() && now.group.index() < tree_->groups.size();
  const std::string path = isGroup ? tree_->group(now.group).path : std::string();
  int innermost = -1;
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const bool isIt = isGroup ? modules[i].path == path : hasNode(modules[i].nodes, now.node());
    const bool isDeeper =
        innermost < 0 || modules[i].depth >= modules[static_cast<std::size_t>(innermost)].depth;
    if (isIt && isDeeper) innermost = static_cast<int>(i);
  }
  return innermost;
}

int SummaryPresenter::selectedOperator() const {
  const fx::NodeId node = selection_.current().inspected();
  if (!report_ || !node.valid()) return -1;
  const std::vector<summary::OperatorTotal>& operators = report_->summary.operators;
  const auto at = std::find_if(operators.begin(), operators.end(),
                               [node](const auto& op) { return hasNode(op.nodes, node); });
  return at == operators.end() ? -1 : static_cast<int>(at - operators.begin());
}

}  // namespace fxs::ui
