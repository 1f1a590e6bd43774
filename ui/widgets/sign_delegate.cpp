// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/sign_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

namespace fxs::ui {

SignDelegate::SignDelegate(Appearance& appearance, QObject* parent)
    : QStyledItemDelegate(parent), appearance_(appearance) {}

QSize SignDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QSize text = QStyledItemDelegate::sizeHint(option, index);
  return {text.width(), std::max(kRowHeight, text.height())};
}

bool SignDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                             const QStyleOptionViewItem& option, const QModelIndex& index) {
  if (QStyledItemDelegate::helpEvent(event, view, option, index)) return true;
  const bool cut =
      event->type() == QEvent::ToolTip && sizeHint(option, index).width() > option.rect.width();
  if (!cut) return false;
  QToolTip::showText(event->globalPos(), index.data().toString(), view);
  return true;
}

void SignDelegate::sign(QStyleOptionViewItem* option, const QString& icon, Role role) const {
  option->features |= QStyleOptionViewItem::HasDecoration;
  option->icon = appearance_.icon(icon, role);
  option->decorationSize = QSize(appearance_.scaled(kSign), appearance_.scaled(kSign));
}

void SignDelegate::ink(QStyleOptionViewItem* option, Role role) const {
  option->palette.setColor(QPalette::Text, appearance_.color(role));
  option->palette.setColor(QPalette::HighlightedText, appearance_.color(role));
}

QTreeView* makeTable(const QString& name, QWidget* parent) {
  auto* view = new QTreeView(parent);
  view->setAccessibleName(name);
  view->setRootIsDecorated(false);
  view->setUniformRowHeights(true);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  return view;
}

}  // namespace fxs::ui
