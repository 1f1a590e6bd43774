// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/coverage/coverage_page.h"

#include <QActionGroup>
#include <QMenu>

#include "widgets/sign_delegate.h"

namespace fxs::ui {
namespace {

class CoverageDelegate final : public SignDelegate {
 public:
  using SignDelegate::SignDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool lowered = index.data(CoverageModel::kStatusRole).toInt() ==
                         static_cast<int>(CoverageRow::Status::Lowered);
    switch (index.column()) {
      case CoverageModel::Node:
      case CoverageModel::Target: option->textElideMode = Qt::ElideMiddle; return;
      case CoverageModel::Registry:
        sign(option, lowered ? "done" : "error", lowered ? Role::Success : Role::Error);
        return ink(option, lowered ? Role::TextMuted : Role::Error);
      case CoverageModel::Operations:
        option->displayAlignment = Qt::AlignRight | Qt::AlignVCenter;
        break;
      default: option->textElideMode = Qt::ElideRight; break;
    }
    ink(option, Role::TextMuted);
  }
};

}  // namespace

CoveragePage::CoveragePage(Appearance& appearance, SessionPresenter& session,
                           AlternativesPresenter& alternatives, SelectionPresenter& selection,
                           QWidget* parent)
    : TablePage(appearance, "Nodes and the registries that lower them",
                "Filter nodes, classes, registries", "Lower by registries", parent),
      session_(session),
      alternatives_(alternatives),
      selection_(selection) {
  filter()->setFixedWidth(appearance.scaled(16 * kGrid));
  text_ = addButton("Show text", "The MLIR emitted by the registries, next to the stages (7)");
  options_ = addButton("Options", "What the registries write: functions, and weights");
  options_->setPopupMode(QToolButton::InstantPopup);
  options_->setMenu(new QMenu(options_));
  using registry::Arguments, registry::GroupBy;
  addChoices({{"One function", GroupBy::None},
              {"One subgraph, which main calls", GroupBy::All},
              {"A subgraph for each module", GroupBy::Module},
              {"A subgraph for each node", GroupBy::Node}},
             &RegistryForm::groups);
  addChoices({{"Weights as constants", Arguments::Lowering},
              {"Weights as arguments", Arguments::Buddy},
              {"Weights packed in one argument for each type", Arguments::Packed}},
             &RegistryForm::arguments);
  setFilteredRows(model_, CoverageModel::Node, CoverageModel::kFilterRole, [this] { refresh(); });
  view()->setItemDelegate(new CoverageDelegate(appearance, view()));
  setWidths({{CoverageModel::Node, 28},
             {CoverageModel::Target, 34},
             {CoverageModel::OpClass, 24},
             {CoverageModel::Registry, 16},
             {CoverageModel::Operations, 10}});
  connect(&alternatives, &AlternativesPresenter::changed, this, [this](Alternative alternative) {
    if (alternative == Alternative::Registries) refresh();
  });
  connect(&session, &SessionPresenter::stateChanged, this, &CoveragePage::refresh);
  connect(&selection, &SelectionPresenter::changed, this, &CoveragePage::followSelection);
  connect(this, &TablePage::chosen, this, &CoveragePage::select);
  refresh();
}

void CoveragePage::refresh() {
  const AlternativeState& state = alternatives_.state(Alternative::Registries);
  model_.setLowering(state.lowering);
  const bool none = model_.rowCount() == 0;
  if (proxy_.rowCount() > 0) setMessage({});
  else if (!none) setMessage("No node, class or registry matches");
  else if (!session_.hasProgram())
    setMessage("Open a program to see which registry lowers which node");
  else if (state.running) setMessage(state.step + " …");
  else if (!state.message.isEmpty()) setMessage("No coverage: " + state.message);
  else if (state.lowering) setMessage("The program has no operation to lower");
  else setMessage("Looks up each node in the op registries: tosa, then linalg, math and func");
  messageButton()->setVisible(none && !state.running && !state.lowering);
  messageButton()->setEnabled(session_.hasProgram());
  text_->setVisible(!none);
  options_->setVisible(!none || state.running);
  setSummary((state.running ? state.step + " …  ·  " : QString()) + model_.sums().join("  ·  "));
  followSelection();
}

template <class Choice>
void CoveragePage::addChoices(std::initializer_list<std::pair<const char*, Choice>> choices,
                              Choice RegistryForm::* part) {
  QMenu* menu = options_->menu();
  menu->addSeparator();
  auto* group = new QActionGroup(menu);
  for (const auto& [name, choice] : choices) {
    QAction* action = menu->addAction(name);
    action->setCheckable(true);
    action->setChecked(alternatives_.registryForm().*part == choice);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, part, choice = choice] {
      RegistryForm form = alternatives_.registryForm();
      form.*part = choice;
      alternatives_.setRegistryForm(form);
    });
  }
}

void CoveragePage::select(const QModelIndex& shown) {
  const int node = shown.data(CoverageModel::kNodeRole).toInt();
  if (shown.isValid() && node >= 0)
    selection_.selectNode(fx::NodeId::of(static_cast<std::size_t>(node)), Origin::Problem);
}

void CoveragePage::followSelection() {
  const fx::NodeId node = selection_.current().inspected();
  if (!node.valid()) return showRow({}, false);
  showRow(proxy_.mapFromSource(model_.indexOf(node)), selection_.following());
}

}  // namespace fxs::ui
