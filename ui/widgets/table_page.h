#pragma once
// A table as a page: above it a bar with a filter, a summary and buttons; in its place, while it has nothing to show, words and what can be
// done about it. What stands in the table is the page's own.
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <functional>
#include <initializer_list>
#include <utility>

#include "widgets/controls.h"

namespace fxs::ui {

class TablePage : public QWidget {
  Q_OBJECT
 public:
  QTreeView* view() const { return view_; }
  /// Null where there is none.
  QLineEdit* filter() const { return filter_; }
  QString summary() const { return summary_->fullText(); }
  /// What stands in the table's place; "" when the table is shown.
  QString message() const { return stack_->currentWidget() == view_ ? QString() : message_->text(); }
  /// Under that message.
  QPushButton* messageButton() const { return messageButton_; }

 Q_SIGNALS:
  /// A row that was clicked, or gone to with the keys.
  void chosen(const QModelIndex& row);

 protected:
  /// `name`: of the table. `filter`: what its field says; "" for none. `button`: the one under a message.
  TablePage(Appearance& appearance, const QString& name, const QString& filter, const QString& button, QWidget* parent);
  void setRows(QAbstractItemModel& rows);
  /// Those that hold what is typed into the filter; `typed` is called when that changes.
  void setFilteredRows(QAbstractItemModel& rows, int column, int role, std::function<void()> typed);
  /// Of columns, in steps of the grid; the last column takes what is left.
  void setWidths(std::initializer_list<std::pair<int, int>> widths);
  QToolButton* addButton(const QString& text, const QString& tip);
  /// "" shows the table.
  void setMessage(const QString& words);

  QHBoxLayout* bar_;
  ElidedLabel* summary_;
  QVBoxLayout* middle_;  ///< of the message and its button
  QSortFilterProxyModel proxy_;

 private:
  QLineEdit* filter_ = nullptr;
  QStackedWidget* stack_;
  QTreeView* view_;
  QLabel* message_;
  QPushButton* messageButton_;
};

}  // namespace fxs::ui
