#pragma once
// The list of passes, with a filter, the two handles whose snapshots are compared, and what differs between them. A click on a
// pass compares the modules before and after it; the letters A and B at the left can be dragged, Shift+click sets A alone and
// Ctrl+click B alone.
#include <QCheckBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>

#include "features/passes/passes_model.h"
#include "widgets/controls.h"

namespace fxs::ui {

class PassesPage final : public QWidget {
  Q_OBJECT
 public:
  PassesPage(Appearance& appearance, PassPresenter& passes, SessionPresenter& session, QWidget* parent = nullptr);
  QTreeView* view() const { return view_; }
  PassesModel& model() { return model_; }
  QLineEdit* filter() const { return filter_; }
  /// Back from the rewrites of a node.
  QToolButton* programButton() const { return program_; }
  QCheckBox* hideUnchanged() const { return hide_; }
  /// What stands in the list's place; "" when the list is shown.
  QString message() const { return pages_->currentWidget() == view_ ? QString() : message_->text(); }
  QString status() const { return status_->fullText(); }

 Q_SIGNALS:
  /// A pass was chosen here: panes should show the handles.
  void passActivated(int pass);

 protected:
  bool eventFilter(QObject*, QEvent*) override;
  void showEvent(QShowEvent*) override;

 private:
  void refresh();
  void refreshState();
  void refreshStatus();
  void follow();
  void bringIntoView();
  void choose(const QModelIndex& index, Qt::KeyboardModifiers modifiers);

  Appearance& appearance_;
  PassPresenter& passes_;
  PassesModel model_;
  QLineEdit* filter_;
  QCheckBox* hide_;
  ElidedLabel* status_;
  QStackedWidget* pages_;
  QTreeView* view_;
  QWidget* empty_;
  QLabel* message_;
  QProgressBar* progress_;
  QPushButton* button_;
  QToolButton* program_;
  int dragged_ = 0;  ///< the handle that is being moved: 1 for A, 2 for B
  bool quiet_ = false, pressed_ = false;
};

}  // namespace fxs::ui
