#pragma once
// The coverage table: which registry lowers which node, and why the others are not lowered. A row selects its node.
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTreeView>

#include "features/coverage/coverage_model.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class CoveragePage final : public QWidget {
  Q_OBJECT
 public:
  CoveragePage(Appearance& appearance, SessionPresenter& session, WaysPresenter& ways, SelectionPresenter& selection,
               QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  const CoverageModel& model() const { return model_; }
  QLineEdit* filter() const { return filter_; }
  QPushButton* runButton() const { return run_; }
  /// What stands in the table's place; "" when the table is shown.
  QString message() const { return pages_->currentWidget() == view_ ? QString() : message_->text(); }
  QString sums() const { return sums_->fullText(); }

 Q_SIGNALS:
  /// The text that was lowered, beside the stages.
  void textRequested();

 private:
  void refresh();
  void select(const QModelIndex& index);
  void followSelection();
  SessionPresenter& session_;
  WaysPresenter& ways_;
  SelectionPresenter& selection_;
  CoverageModel model_;
  QSortFilterProxyModel proxy_;
  QLineEdit* filter_;
  ElidedLabel* sums_;
  QToolButton* text_;
  QStackedWidget* pages_;
  QTreeView* view_;
  QWidget* empty_;
  QLabel* message_;
  QPushButton* run_;
};

}  // namespace fxs::ui
