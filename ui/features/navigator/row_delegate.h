// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Draws rows of nodes and modules: an icon by kind, and at the right end icons of problems,
// bookmarks and notes, and before these a badge with their number. What does not fit is elided in
// the middle of the name, which keeps its number.
#include "session/marks.h"
#include "widgets/sign_delegate.h"

namespace fxs::ui {

class RowDelegate final : public SignDelegate {
  Q_OBJECT
 public:
  using SignDelegate::SignDelegate;
  void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override;

 private:
  int widthOf(const QString& badge) const;
  void drawBadge(QPainter&, const QRect&, const QString& badge, Emphasis) const;

 protected:
  void initStyleOption(QStyleOptionViewItem*, const QModelIndex&) const override;
};

}  // namespace fxs::ui
