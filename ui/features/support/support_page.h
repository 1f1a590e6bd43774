#pragma once
// The support table: which operators of the program each output type takes. A cell selects the nodes it is about.
#include <QCheckBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTreeView>

#include "features/problems/problems_presenter.h"
#include "features/support/support_model.h"
#include "session/selection_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {

class SupportPage final : public QWidget {
  Q_OBJECT
 public:
  SupportPage(Appearance& appearance, SessionPresenter& session, ProblemsPresenter& problems, DiagnosisPresenter& diagnosis,
              SelectionPresenter& selection, QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  const SupportModel& model() const { return model_; }
  QPushButton* surveyButton() const { return survey_; }
  QLineEdit* filter() const { return filter_; }
  /// What stands in the table's place; "" when the table is shown.
  QString message() const { return pages_->currentWidget() == view_ ? QString() : message_->text(); }
  QString sums() const { return sums_->fullText(); }

 Q_SIGNALS:
  void surveyRequested();

 private:
  void refresh();
  void refreshState();
  void select(const QModelIndex& index);
  SessionPresenter& session_;
  ProblemsPresenter& problems_;
  DiagnosisPresenter& diagnosis_;
  SelectionPresenter& selection_;
  SupportModel model_;
  QSortFilterProxyModel proxy_;
  QLineEdit* filter_;
  ElidedLabel* sums_;
  QToolButton* all_;
  QStackedWidget* pages_;
  QTreeView* view_;
  QWidget* empty_;
  QLabel* message_;
  QPushButton* survey_;
};

}  // namespace fxs::ui
