// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/numbers/numbers_detail.h"

#include <QHeaderView>
#include <QResizeEvent>

#include "features/numbers/numbers_delegate.h"
#include "text/words.h"
#include "widgets/in_view.h"

namespace fxs::ui {
namespace {

QString sentenceOf(const compare::TargetComparison& target) {
  return title(target.verdict) +
         (target.verdict == compare::TargetVerdict::Same ? " for " : "; compared for ") +
         text(target.scope.message());
}

// What two tables take, one above the other or side by side, times the text scale.
constexpr int kHighForBoth = 24 * kGrid, kWideForBoth = 90 * kGrid;

}  // namespace

NumbersDetail::NumbersDetail(Appearance& appearance, const NumbersPresenter& numbers,
                             QWidget* parent)
    : QWidget(parent), appearance_(appearance), nodesModel_(numbers) {
  auto* column = makeBox<QVBoxLayout>(0);
  tabs_ = new TabRow(appearance, this);
  for (const char* tab : {"Results", "Nodes", "Values"}) tabs_->addTab(tab);
  column->addWidget(tabs_);
  pages_ = new QStackedWidget(this);
  pages_->addWidget(makeResults());
  makeNodes();
  pages_->addWidget(makeScope());
  column->addWidget(pages_, 1);
  setLayout(column);
  connect(tabs_, &TabRow::chosen, this, [this](int tab) { setTab(static_cast<Tab>(tab)); });
}

QWidget* NumbersDetail::makeResults() {
  both_ = new QSplitter(Qt::Vertical, this);
  both_->setChildrenCollapsible(false);
  results_ = makeRows("Results of the inputs", resultsModel_,
                      {{SetResultsModel::Name, 12},
                       {SetResultsModel::Executor, 9},
                       {SetResultsModel::Verdict, 16},
                       {SetResultsModel::Error, 16}});
  results_->setItemDelegate(new NumbersDelegate(
      appearance_, {SetResultsModel::Verdict, SetResultsModel::Error, 1}, results_));
  both_->addWidget(orMessage(results_, "Nothing ran with these inputs"));
  auto* below = new QWidget(both_);
  auto* column = makeBox<QVBoxLayout>(0);
  elementsTitle_ =
      makeElided({}, appearance_.sans(TextSize::Small), "muted", below, Qt::ElideRight);
  elements_ = makeRows(
      "Worst elements of the result", elementsModel_,
      {{ElementsModel::Index, 14}, {ElementsModel::Found, 16}, {ElementsModel::Expected, 16}});
  elements_->setFont(appearance_.mono(TextSize::Small));
  auto* title = makeBox<QHBoxLayout>(0);
  title->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  title->addWidget(elementsTitle_);
  column->addLayout(title);
  column->addWidget(elements_, 1);
  column->addStretch(0);
  below->setLayout(column);
  both_->addWidget(below);
  both_->setStretchFactor(0, 2);
  both_->setStretchFactor(1, 3);
  both_->setSizes({2000, 3000});
  connect(&appearance_, &Appearance::changed, elements_,
          [this] { elements_->setFont(appearance_.mono(TextSize::Small)); });
  connect(results_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &NumbersDetail::showElements);
  return both_;
}

QWidget* NumbersDetail::makeScope() {
  auto* both = new QWidget(this);
  auto* column = makeBox<QVBoxLayout>(0);
  auto* sentence = makeBox<QVBoxLayout>(0);
  sentence->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
  sentence_ = new WrappedLabel(appearance_, {}, TextSize::Body, {}, both);
  sentence->addWidget(sentence_);
  column->addLayout(sentence);
  seen_ = makeRows("For what the verdict holds", scopeModel_,
                   {{ScopeModel::Of, 14}, {ScopeModel::Seen, 20}, {ScopeModel::NotSeen, 16}});
  seen_->setItemDelegate(new NumbersDelegate(appearance_, {ScopeModel::Of, -1, 1}, seen_));
  column->addWidget(orMessage(seen_, "Nothing was compared"), 1);
  both->setLayout(column);
  return both;
}

void NumbersDetail::makeNodes() {
  proxy_.setSourceModel(&nodesModel_);
  proxy_.setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_.setFilterRole(kNumbersFilterRole);
  proxy_.setSortRole(kSortRole);
  nodes_ = makeRows("Nodes and the error of their values", proxy_,
                    {{ComparedNodesModel::Node, 18},
                     {ComparedNodesModel::Operator, 18},
                     {ComparedNodesModel::Verdict, 16},
                     {ComparedNodesModel::Error, 18},
                     {ComparedNodesModel::Operands, 11}});
  nodes_->setItemDelegate(new NumbersDelegate(
      appearance_, {ComparedNodesModel::Verdict, ComparedNodesModel::Error, 2}, nodes_));
  nodes_->setSortingEnabled(true);
  nodes_->sortByColumn(-1, Qt::AscendingOrder);
  nodes_->header()->setSortIndicatorClearable(true);
  pages_->addWidget(orMessage(nodes_, "Inner values are compared only where a result differs"));
}

QTreeView* NumbersDetail::makeRows(const QString& name, QAbstractItemModel& model,
                                   std::initializer_list<std::pair<int, int>> widths) {
  QTreeView* table = makeTable(name, this);
  table->setModel(&model);
  keepSelectedInView(*table);
  table->header()->setStretchLastSection(true);
  for (const auto& [column, width] : widths)
    table->header()->resizeSection(column, appearance_.scaled(width * kGrid));
  connect(table, &QTreeView::clicked, this, &NumbersDetail::chosen);
  connect(table->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this, table](const QModelIndex& now) {
            if (table->hasFocus() && table->selectionModel()->isSelected(now)) Q_EMIT chosen(now);
          });
  return table;
}

QStackedWidget* NumbersDetail::orMessage(QTreeView* table, const QString& message) {
  auto* stack = new QStackedWidget(this);
  stack->addWidget(table);
  auto* instead = makeLabel(appearance_, message, TextSize::Body, "muted", stack);
  instead->setAlignment(Qt::AlignCenter);
  instead->setWordWrap(true);
  instead->setMinimumHeight(1);
  stack->addWidget(instead);
  const auto refresh = [stack, table] {
    stack->setCurrentIndex(table->model()->rowCount() > 0 ? 0 : 1);
  };
  // A filter that nothing matches leaves the table there.
  const QAbstractItemModel* model = table->model() == &proxy_ ? &nodesModel_ : table->model();
  connect(model, &QAbstractItemModel::modelReset, stack, refresh);
  refresh();
  return stack;
}

void NumbersDetail::show(const ComparedTarget* target, std::optional<std::size_t> inputs) {
  nodesModel_.setTarget(target);
  scopeModel_.show(target);
  resultsModel_.show(target, inputs);
  if (const QModelIndex worst = resultsModel_.worst(); worst.isValid())
    results_->setCurrentIndex(worst);
  showElements(results_->currentIndex());
  const auto count = [](int rows) { return rows > 0 ? "  " + QString::number(rows) : QString(); };
  tabs_->setText(Nodes, "Nodes" + count(nodesModel_.rowCount()));
  tabs_->setText(Seen, scopeModel_.gaps() > 0
                           ? QString("Values  %1 not seen").arg(scopeModel_.gaps())
                           : QString("Values"));
  sentence_->setPlainText(
      target && !target->target->scope.sets.empty() ? sentenceOf(*target->target) : QString());
  sentence_->setVisible(!sentence_->toPlainText().isEmpty());
}

void NumbersDetail::showElements(const QModelIndex& row) {
  const compare::ResultComparison* result = resultsModel_.resultAt(row);
  const bool compared = result && result->compared;
  elementsModel_.show(compared ? result->difference.worst : std::vector<tensor::Element>());
  const QString of = resultsModel_.titleOf(row);
  if (of.isEmpty()) elementsTitle_->setFullText({});
  else
    elementsTitle_->setFullText(elementsModel_.rowCount() > 0
                                    ? "Worst elements of " + of
                                    : of + ": every element is as expected");
  if (result && !compared) elementsTitle_->setFullText(of + ": not compared");
  elements_->setVisible(elementsModel_.rowCount() > 0);
}

void NumbersDetail::setTab(Tab tab) {
  tabs_->setCurrent(tab);
  pages_->setCurrentIndex(tab);
  Q_EMIT tabChanged();
}

void NumbersDetail::followNode(fx::NodeId node) {
  const QVariant shown = nodes_->currentIndex().data(kNumbersNodeRole);
  if (shown.isValid() && shown.toInt() == static_cast<int>(node.index())) return;
  const QModelIndex row = proxy_.mapFromSource(nodesModel_.indexOf(node));
  if (!row.isValid()) return nodes_->selectionModel()->clear();
  nodes_->setCurrentIndex(row);
  nodes_->scrollTo(row);
}

void NumbersDetail::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool isHigh = height() > appearance_.scaled(kHighForBoth);
  both_->setOrientation(isHigh ? Qt::Vertical : Qt::Horizontal);
  both_->widget(1)->setVisible(isHigh || width() > appearance_.scaled(kWideForBoth));
}

}  // namespace fxs::ui
