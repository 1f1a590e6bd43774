// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Base of pages with a table: a bar with a filter, a summary and buttons above it, and a message
// with a button in its place while it is empty.
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <functional>
#include <utility>
#include <vector>

#include "widgets/controls.h"
#include "widgets/flow_layout.h"

namespace fxs::ui {

class TablePage : public QWidget {
  Q_OBJECT
 public:
  QTreeView* view() const { return view_; }
  /// Makes a row the selected one, or none, without chosen().
  void showRow(const QModelIndex& row, bool scroll);
  /// Null if the page has none.
  QLineEdit* filter() const { return filter_; }
  QString summary() const { return summary_->fullText(); }
  /// The message shown instead of the table; "" if the table is shown.
  QString message() const { return stack_->currentIndex() == 0 ? QString() : message_->text(); }
  /// All rows, up to kMostRows, or the message.
  int heightForWidth(int width) const override;
  bool hasHeightForWidth() const override { return true; }
  /// Below the message.
  QPushButton* messageButton() const { return messageButton_; }
  /// The button is in a menu at the end where the bar would need another row; those that were made
  /// secondary last go first.
  void setSecondary(QToolButton* button);

 Q_SIGNALS:
  /// A row was clicked, or selected with the keyboard.
  void chosen(const QModelIndex& row);

 protected:
  /// `name`: accessible name of the table. `filter`: placeholder of the filter field; "" for no
  /// filter. `button`: text of the message's button.
  TablePage(Appearance& appearance, const QString& name, const QString& filter,
            const QString& button, QWidget* parent);
  void setRows(QAbstractItemModel& rows);
  /// Shows the rows whose `role` of `column` contains the filter text; `typed` is called when the
  /// filter changes.
  void setFilteredRows(QAbstractItemModel& rows, int column, int role, std::function<void()> typed);
  /// Pairs of column and width, in units of kGrid at a text scale of 1; the last column is
  /// stretched, and has `leastOfLast` units at least. The wide ones are narrower where the table
  /// is, until the user resizes one.
  void setWidths(std::vector<std::pair<int, int>> widths, int leastOfLast = 14);
  QToolButton* addButton(const QString& text, const QString& tip);
  void setSummary(const QString& text);
  /// Shows a message instead of the table; "" shows the table.
  void setMessage(const QString& text);
  /// Adds a widget at the right of the table, or below it where the page is high; the message
  /// replaces both.
  void addBeside(QWidget* widget);

  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

  bool quiet_ = false;  ///< what happens is not chosen by the user
  FlowLayout* bar_;
  ElidedLabel* summary_;
  int leastForSummary_ = 0;  ///< height of a page that leaves it out rather than rows
  QVBoxLayout* middle_;      ///< holds the message and its button
  QSortFilterProxyModel proxy_;

 private:
  void showSummary();
  void fitColumns();
  double unit() const { return kGrid * appearance_.textScale(); }
  const Appearance& appearance_;
  std::vector<std::pair<int, int>> widths_;
  int leastOfLast_ = 0;
  bool fitting_ = false;
  void fitBar();
  std::vector<QToolButton*> secondary_;
  QToolButton* more_ = nullptr;
  QLineEdit* filter_ = nullptr;
  QStackedWidget* stack_;
  QSplitter* both_ = nullptr;
  QTreeView* view_;
  QLabel* message_;
  QPushButton* messageButton_;
};

}  // namespace fxs::ui
