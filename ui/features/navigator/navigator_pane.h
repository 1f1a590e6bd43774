// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The navigator: the module tree and the list of all nodes, each with a filter.
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>

#include "features/graph/graphs_presenter.h"
#include "features/navigator/module_tree_model.h"
#include "features/navigator/node_list_model.h"
#include "session/marks.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

/// A view with a filter field above it. Shows matching rows and their parents.
class FilteredView : public QWidget {
  Q_OBJECT
 public:
  FilteredView(Appearance& appearance, QAbstractItemModel& model, const QString& name,
               const QString& emptyText, QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  QLineEdit* filter() const { return filter_; }
  QSortFilterProxyModel* proxy() const { return proxy_; }
  /// Selects a row of the source model and scrolls to it if `scroll` is Checked. An invalid index
  /// clears the selection. Does not emit chosen().
  void show(const QModelIndex& source, Qt::CheckState scroll);

 Q_SIGNALS:
  void chosen(const QModelIndex& source);
  void activated(const QModelIndex& source);

 private:
  void refreshEmpty();
  QSortFilterProxyModel* proxy_;
  QLineEdit* filter_;
  QTreeView* view_;
  QLabel* empty_;
  QString emptyText_;
  bool quiet_ = false;
};

/// Keeps the module tree and the node list in sync with the selection.
class Navigator final : public QObject {
  Q_OBJECT
 public:
  Navigator(Appearance& appearance, SessionPresenter& session, GraphPresenter& graph,
            ColourPresenter& colours, Marks& marks, SelectionPresenter& selection, QWidget* parent);
  FilteredView* modules() const { return modules_; }
  FilteredView* nodes() const { return nodes_; }
  const ModuleTreeModel& treeModel() const { return tree_; }
  const NodeListModel& listModel() const { return list_; }

 private:
  void follow(const Selection& selection);
  GraphPresenter& graph_;
  SelectionPresenter& selection_;
  ModuleTreeModel tree_;
  NodeListModel list_;
  FilteredView* modules_;
  FilteredView* nodes_;
};

}  // namespace fxs::ui
