// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A popup with a line edit and a list of rows: the command palette, find everywhere, go to line.
#include <QFrame>
#include <QLineEdit>
#include <QListView>
#include <QPointer>
#include <QStandardItemModel>
#include <functional>

#include "widgets/controls.h"

namespace fxs::ui {

struct PopupRow {
  QString icon, title, detail, hint;  ///< hint: a key or a place, right-aligned
  std::function<void()> choose;
};

class SearchPopup final : public QFrame {
  Q_OBJECT
 public:
  SearchPopup(Appearance& appearance, QWidget* window);

  /// Shows the popup with `typed` in the line edit, selected. `changed` is called with the text, at
  /// once and after every edit.
  void start(const QString& placeholder, const QString& typed,
             std::function<void(const QString&)> changed);
  void setRows(std::vector<PopupRow> rows, const QString& status = {});
  void dismiss();
  QLineEdit* edit() const { return edit_; }
  int rowCount() const { return model_->rowCount(); }
  QString rowTitle(int row) const { return model_->item(row)->text(); }
  void choose(int row);

 protected:
  bool eventFilter(QObject*, QEvent*) override;

 private:
  void position();
  bool keyPressed(int key);
  void goToRow(int row);
  Appearance& appearance_;
  QLineEdit* edit_;
  QListView* list_;
  QStandardItemModel* model_;
  QLabel* status_;
  std::vector<PopupRow> rows_;
  std::function<void(const QString&)> changed_;
  QPointer<QWidget> focusBefore_;
};

}  // namespace fxs::ui
