// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/navigator/navigator_pane.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "features/navigator/row_delegate.h"
#include "widgets/in_view.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {

FilteredView::FilteredView(Appearance& appearance, QAbstractItemModel& model, const QString& name,
                           const QString& emptyText, QWidget* parent)
    : QWidget(parent), emptyText_(emptyText) {
  auto* column = makeBox<QVBoxLayout>(kGrid / 2);
  column->setContentsMargins(kGrid, kGrid / 2, 0, 0);
  auto* top = makeBox<QHBoxLayout>(0);
  top->setContentsMargins(0, 0, kGrid, 0);
  filter_ = makeFilter("Filter " + name.toLower(), this);
  top->addWidget(filter_);
  column->addLayout(top);
  proxy_ = new QSortFilterProxyModel(this);
  proxy_->setSourceModel(&model);
  proxy_->setFilterRole(kFilterRole);
  proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  proxy_->setRecursiveFilteringEnabled(true);
  proxy_->setAutoAcceptChildRows(true);
  view_ = makeTable(name, this);
  view_->setModel(proxy_);
  keepSelectedInView(*view_);
  view_->setRootIsDecorated(true);
  view_->setItemDelegate(new RowDelegate(appearance, view_));
  view_->setExpandsOnDoubleClick(false);
  view_->setIndentation(appearance.scaled(2 * kGrid));
  column->addWidget(view_, 1);
  setFocusProxy(view_);
  empty_ = makeLabel(appearance, emptyText, TextSize::Body, "muted", this);
  empty_->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  empty_->setWordWrap(true);
  empty_->setMargin(2 * kGrid);
  column->addWidget(empty_, 1);
  setLayout(column);

  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    proxy_->setFilterFixedString(text.trimmed());
    if (!text.trimmed().isEmpty()) view_->expandAll();
    refreshEmpty();
  });
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& current) {
            if (!quiet_ && current.isValid()) Q_EMIT chosen(proxy_->mapToSource(current));
          });
  connect(view_, &QTreeView::clicked, this,
          [this](const QModelIndex& index) { Q_EMIT chosen(proxy_->mapToSource(index)); });
  connect(view_, &QTreeView::activated, this,
          [this](const QModelIndex& index) { Q_EMIT activated(proxy_->mapToSource(index)); });
  connect(proxy_, &QAbstractItemModel::modelReset, this, &FilteredView::refreshEmpty);
  refreshEmpty();
}

void FilteredView::refreshEmpty() {
  const bool none = proxy_->rowCount() == 0;
  empty_->setText(proxy_->sourceModel()->rowCount() == 0
                      ? emptyText_
                      : QString("No matches for “%1”").arg(filter_->text().trimmed()));
  empty_->setVisible(none);
  view_->setVisible(!none);
}

void FilteredView::show(const QModelIndex& source, Qt::CheckState scroll) {
  const QModelIndex index = proxy_->mapFromSource(source);
  quiet_ = true;
  if (scroll == Qt::Checked)
    for (QModelIndex up = index.parent(); up.isValid(); up = up.parent()) view_->expand(up);
  selectRow(*view_, index, scroll == Qt::Checked);
  quiet_ = false;
}

Navigator::Navigator(Appearance& appearance, SessionPresenter& session, GraphPresenter& graph,
                     ColourPresenter& colours, Marks& marks, SelectionPresenter& selection,
                     QWidget* parent)
    : QObject(parent), graph_(graph), selection_(selection) {
  modules_ = new FilteredView(appearance, tree_, "Modules",
                              "The modules of the program appear here", parent);
  modules_->view()->setHeaderHidden(true);
  nodes_ =
      new FilteredView(appearance, list_, "Nodes", "The nodes of the program appear here", parent);
  nodes_->view()->setRootIsDecorated(false);
  nodes_->view()->header()->setStretchLastSection(true);
  nodes_->view()->header()->resizeSection(NodeListModel::Name, appearance.scaled(120));
  nodes_->view()->header()->resizeSection(NodeListModel::Target, appearance.scaled(110));

  connect(&session, &SessionPresenter::programChanged, this, [this, &session, &marks] {
    list_.setProgram(session.program());
    list_.setMarks(marks.all());
  });
  connect(&graph, &GraphPresenter::treeChanged, this, [this, &session, &marks, &colours] {
    tree_.setTree(graph_.tree() ? session.program() : nullptr, graph_.tree());
    tree_.setMarks(marks.all());
    tree_.setMatches(colours.matchesOfProgram());
    follow(selection_.current());
  });
  connect(&marks, &Marks::changed, this, [this, &marks] {
    list_.setMarks(marks.all());
    tree_.setMarks(marks.all());
  });
  connect(&colours, &ColourPresenter::changed, this, [this, &colours] {
    list_.setMatches(colours.matchesOfProgram());
    tree_.setMatches(colours.matchesOfProgram());
  });
  connect(&selection, &SelectionPresenter::changed, this, &Navigator::follow);
  connect(modules_, &FilteredView::chosen, this, [this](const QModelIndex& index) {
    const QVariant node = index.data(kNodeIdRole), group = index.data(kGroupIdRole);
    if (node.isValid()) selection_.selectNode(fx::NodeId{node.toUInt()}, Origin::Tree);
    else if (group.isValid())
      selection_.selectGroup(layout::GroupId{group.toUInt()},
                             graph_.nodesIn(layout::GroupId{group.toUInt()}), Origin::Tree);
  });
  connect(modules_, &FilteredView::activated, this, [this](const QModelIndex& index) {
    if (const QVariant group = index.data(kGroupIdRole); group.isValid())
      graph_.toggle(layout::GroupId{group.toUInt()});
    else if (const QVariant node = index.data(kNodeIdRole); node.isValid())
      graph_.reveal(fx::NodeId{node.toUInt()});
  });
  connect(nodes_, &FilteredView::chosen, this, [this](const QModelIndex& index) {
    selection_.selectNode(fx::NodeId{index.data(kNodeIdRole).toUInt()}, Origin::List);
  });
  connect(nodes_, &FilteredView::activated, this, [this](const QModelIndex& index) {
    graph_.reveal(fx::NodeId{index.data(kNodeIdRole).toUInt()});
  });
}

void Navigator::follow(const Selection& selection) {
  const Qt::CheckState scroll = selection_.following() ? Qt::Checked : Qt::Unchecked;
  modules_->show(
      selection.group.valid() ? tree_.indexOf(selection.group) : tree_.indexOf(selection.node()),
      scroll);
  nodes_->show(selection.group.valid() ? QModelIndex() : list_.indexOf(selection.node()), scroll);
}

}  // namespace fxs::ui
