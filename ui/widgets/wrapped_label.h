// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A selectable, word-wrapped label. Unlike QLabel it also breaks inside a long name, which would
// otherwise widen the whole pane.
#include <QTextEdit>

#include "widgets/controls.h"

namespace fxs::ui {

class WrappedLabel final : public QTextEdit {
  Q_OBJECT
 public:
  WrappedLabel(const Appearance& appearance, const QString& text, TextSize size = TextSize::Body,
               const QString& ink = {}, QWidget* parent = nullptr);
  /// Margins at the left and below, in pixels.
  void setIndent(int left, int below = 0) { setViewportMargins(left, 0, 0, below); }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent*) override;
  void wheelEvent(QWheelEvent*) override;
};

}  // namespace fxs::ui
