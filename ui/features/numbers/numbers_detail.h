// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a row of the numbers page stands for, in tabs: the results of its set of inputs with the
// worst elements of one of them, the inner nodes of its output type, and for what the verdict
// holds.
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>

#include "features/numbers/numbers_model.h"
#include "features/numbers/scope_model.h"
#include "features/numbers/set_results_model.h"
#include "widgets/controls.h"
#include "widgets/tab_row.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

class NumbersDetail final : public QWidget {
  Q_OBJECT
 public:
  enum Tab : std::uint8_t { Results, Nodes, Seen };
  NumbersDetail(Appearance& appearance, const NumbersPresenter& numbers, QWidget* parent);

  QTreeView* results() const { return results_; }
  QTreeView* elements() const { return elements_; }
  QTreeView* nodes() const { return nodes_; }
  QTreeView* seen() const { return seen_; }
  /// Above the elements: "Worst elements of add by iree: f32[4, 16]".
  QString elementsTitle() const { return elementsTitle_->fullText(); }

  /// `inputs`: an index in Comparison::inputs.
  void show(const ComparedTarget*, std::optional<std::size_t> inputs);
  void setTab(Tab);
  Tab tab() const { return static_cast<Tab>(pages_->currentIndex()); }
  void filterNodes(const QString& typed) { proxy_.setFilterFixedString(typed); }
  /// Marks the row of a node among the inner ones, unless the user is there.
  void followNode(fx::NodeId);

 Q_SIGNALS:
  /// A row of a result or of a node was clicked, or selected with the keyboard.
  void chosen(const QModelIndex& row);
  void tabChanged();

 protected:
  void resizeEvent(QResizeEvent*) override;

 private:
  QWidget* makeResults();
  void makeNodes();
  QWidget* makeScope();
  QTreeView* makeRows(const QString& name, QAbstractItemModel&,
                      std::initializer_list<std::pair<int, int>> widths);
  /// A table, and a message in its place while it has no rows.
  QStackedWidget* orMessage(QTreeView* table, const QString& message);
  void showElements(const QModelIndex& result);

  Appearance& appearance_;
  SetResultsModel resultsModel_;
  ElementsModel elementsModel_;
  ComparedNodesModel nodesModel_;
  ScopeModel scopeModel_;
  QSortFilterProxyModel proxy_;
  TabRow* tabs_;
  QStackedWidget* pages_;
  QSplitter* both_;
  QTreeView *results_, *elements_, *nodes_, *seen_;
  ElidedLabel* elementsTitle_;
  WrappedLabel* sentence_;
};

}  // namespace fxs::ui
