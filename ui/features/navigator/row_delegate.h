#pragma once
// A row of a list or tree of nodes and modules: an icon by kind, and at the right end a sign where something is wrong.
#include "widgets/sign_delegate.h"

namespace fxs::ui {

class RowDelegate final : public SignDelegate {
  Q_OBJECT
 public:
  using SignDelegate::SignDelegate;
  void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem*, const QModelIndex&) const override;
};

}  // namespace fxs::ui
