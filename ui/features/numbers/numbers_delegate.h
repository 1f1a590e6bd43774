// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Cells of the tables of numbers: a sign and an ink by verdict (kVerdictRole, kComparedRole), and a
// bar for the size of an error (kErrorRole).
#include "widgets/sign_delegate.h"

namespace fxs::ui {

class NumbersDelegate final : public SignDelegate {
  Q_OBJECT
 public:
  struct Columns {
    int verdict = -1;  ///< -1: every one that has a verdict
    int error = -1;    ///< -1: none
    int names = 1;     ///< as many at the left hold names, which are elided in the middle
  };
  NumbersDelegate(Appearance& appearance, Columns columns, QObject* parent)
      : SignDelegate(appearance, parent), columns_(columns) {}

  void paint(QPainter*, const QStyleOptionViewItem&, const QModelIndex&) const override;

 protected:
  void initStyleOption(QStyleOptionViewItem*, const QModelIndex&) const override;

 private:
  Columns columns_;
};

}  // namespace fxs::ui
