// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The passes as a timeline, and as a list with a filter and the handles A and B. Clicking a pass
// compares the modules before and after it; the handles can be dragged, Shift+click sets only A,
// and Ctrl+click only B.
#include <QCheckBox>

#include "features/passes/pass_timeline.h"
#include "features/passes/passes_model.h"
#include "features/passes/stops_presenter.h"
#include "widgets/table_page.h"

namespace fxs::ui {

class PassesPage final : public TablePage {
  Q_OBJECT
 public:
  PassesPage(Appearance& appearance, PassPresenter& passes, StopsPresenter& stops,
             SessionPresenter& session, QWidget* parent = nullptr);
  PassesModel& model() { return model_; }
  /// Returns from another trace to all passes of the program.
  QToolButton* programButton() const { return program_; }
  QCheckBox* hideUnchanged() const { return hide_; }
  /// The condition to stop at; Return goes to the next stop.
  QLineEdit* condition() const { return condition_; }
  PassTimeline* timeline() const { return timeline_; }
  /// Beside the name of the current pass: to the passes before and after it that changed the
  /// module.
  IconButton* previousButton() const { return previous_; }
  IconButton* nextButton() const { return next_; }
  int heightForWidth(int width) const override;

 Q_SIGNALS:
  /// A pass was chosen in the list: panes should show the handles.
  void passActivated(int pass);

 protected:
  bool eventFilter(QObject*, QEvent*) override;
  void resizeEvent(QResizeEvent*) override;

 private:
  QWidget* makeNavigator();
  void refresh();
  void refreshState();
  void refreshCurrent();
  void fitNavigator();
  void refreshStatus();
  void refreshStops();
  void follow();
  void choose(const QModelIndex& index, Qt::KeyboardModifiers modifiers);

  Appearance& appearance_;
  PassPresenter& passes_;
  StopsPresenter& stops_;
  PassesModel model_;
  QCheckBox* hide_;
  QLineEdit* condition_;
  QLabel* found_;  ///< how many stops there are
  QProgressBar* progress_;
  QWidget* navigator_;  ///< current pass and timeline
  IconButton *previous_, *next_;
  int heightOfNavigator_ = 0;  ///< with the names of stages
  ElidedLabel* current_;
  PassTimeline* timeline_;
  QToolButton* program_;
  int dragged_ = 0;  ///< the handle being dragged: 1 for A, 2 for B, 0 for none
  bool pressed_ = false;
};

}  // namespace fxs::ui
