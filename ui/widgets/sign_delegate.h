#pragma once
// Rows of a table whose cells begin with a sign in a role's colour, and the tables that they stand in.
#include <QStyledItemDelegate>
#include <QTreeView>

#include "theme/appearance.h"

namespace fxs::ui {

class SignDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  SignDelegate(Appearance& appearance, QObject* parent);
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;

 protected:
  void sign(QStyleOptionViewItem* option, const QString& icon, Role role) const;
  void ink(QStyleOptionViewItem* option, Role role) const;
  Appearance& appearance_;
};

QTreeView* makeTable(const QString& name, QWidget* parent);

}  // namespace fxs::ui
