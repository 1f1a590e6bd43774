// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cut_text.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>

#include "widgets/sign_delegate.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {

QString described(const QWidget* widget, const QString& name) {
  QStringList path;
  for (const QWidget* up = widget->parentWidget(); up && path.size() < 3; up = up->parentWidget())
    if (!up->objectName().isEmpty() && !up->objectName().startsWith("qt_"))
      path << up->objectName();
  return QString("%1 in %2: %3").arg(widget->metaObject()->className(), path.join(" in "), name);
}

QString cutText(const QWidget* widget) {
  if (!widget->toolTip().isEmpty()) return {};
  const QSize wanted = widget->sizeHint() - QSize(1, 1);
  if (const auto* label = qobject_cast<const QLabel*>(widget)) {
    const bool fits = label->wordWrap()
                          ? label->heightForWidth(label->width()) <= label->height()
                          : wanted.width() <= label->width() && wanted.height() <= label->height();
    return fits ? QString() : label->text();
  }
  if (const auto* label = qobject_cast<const WrappedLabel*>(widget))
    return label->heightForWidth(label->width()) <= label->height() ? QString()
                                                                    : label->toPlainText();
  if (const auto* field = qobject_cast<const QLineEdit*>(widget))
    return field->fontMetrics().horizontalAdvance(field->placeholderText()) <=
                   field->width() - 2 * kGrid
               ? QString()
               : field->placeholderText();
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button && wanted.width() > button->width() ? button->text() : QString();
}

QStringList cutTitles(const QHeaderView* header) {
  QStringList cut;
  for (int i = 0; header->orientation() == Qt::Horizontal && i < header->count(); ++i) {
    const QString title = header->model()->headerData(i, Qt::Horizontal).toString();
    const bool fits = header->fontMetrics().horizontalAdvance(title) <= header->sectionSize(i) - 4;
    if (!fits &&
        header->model()->headerData(i, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty())
      cut << title;
  }
  return cut;
}

QStringList cutCells(const QAbstractItemView* view) {
  QStringList cut;
  if (qobject_cast<const SignDelegate*>(view->itemDelegate())) return cut;
  for (int row = 0; row < view->model()->rowCount(view->rootIndex()); ++row)
    for (int column = 0; column < view->model()->columnCount(view->rootIndex()); ++column) {
      const QModelIndex index = view->model()->index(row, column, view->rootIndex());
      const bool fits = view->sizeHintForIndex(index).width() <= view->visualRect(index).width();
      if (!fits && index.data(Qt::ToolTipRole).toString().isEmpty()) cut << index.data().toString();
    }
  return cut;
}

}  // namespace fxs::ui
