#pragma once
// A row of a list or tree of nodes and modules: an icon by kind, and at the right end a sign where something is wrong.
#include <QStyledItemDelegate>

#include "theme/appearance.h"

namespace fxs::ui {

class RowDelegate final : public QStyledItemDelegate {
  Q_OBJECT
 public:
  RowDelegate(Appearance& appearance, QObject* parent);
  void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem*, const QModelIndex&) const override;

 private:
  Appearance& appearance_;
};

}  // namespace fxs::ui
