// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is selected stays in sight: a view brings its current row or line back when it is shown or
// resized, or when its rows change. What the selection itself does is up to the view.
#include <QAbstractItemView>
#include <QObject>
#include <functional>

namespace fxs::ui {

/// Calls a function, once and from the event loop, after `view` was shown or resized.
class InView final : public QObject {
  Q_OBJECT
 public:
  /// `view` owns it. Of a scroll area, the viewport counts.
  InView(QWidget* view, std::function<void()> bring);

 public Q_SLOTS:
  /// Also what else moves what is in view calls.
  void later();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* view_;
  std::function<void()> bring_;
  bool pending_ = false;
};

/// Makes a row the current and the only selected one, and scrolls to it if asked; an invalid one
/// clears the selection.
void selectRow(QAbstractItemView& view, const QModelIndex& row, bool scroll);

/// Keeps the selected row in view; after the view has its model.
void keepSelectedInView(QAbstractItemView& view);

}  // namespace fxs::ui
