// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Delegate for tables whose cells begin with an icon in the colour of a role; makeTable() creates
// such a table.
#include <QStyledItemDelegate>
#include <QTreeView>

#include "theme/appearance.h"

namespace fxs::ui {

class SignDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  SignDelegate(Appearance& appearance, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;

  /// Shows the whole text of a cell that is cut and has no tool tip.
  bool helpEvent(QHelpEvent*, QAbstractItemView*, const QStyleOptionViewItem&,
                 const QModelIndex&) override;

 protected:
  void sign(QStyleOptionViewItem* option, const QString& icon, Role role) const;
  void ink(QStyleOptionViewItem* option, Role role) const;
  Appearance& appearance_;
};

QTreeView* makeTable(const QString& name, QWidget* parent);

}  // namespace fxs::ui
