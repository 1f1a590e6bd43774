#pragma once
// A text of several lines that can be selected, as tall as the width there is asks for. Unlike a QLabel it breaks a name of two
// hundred characters where it must instead of making the whole pane as wide as the name.
#include <QTextEdit>

#include "widgets/controls.h"

namespace fxs::ui {

class WrappedLabel final : public QTextEdit {
  Q_OBJECT
 public:
  WrappedLabel(const Appearance& appearance, const QString& text, TextSize size = TextSize::Body, const QString& ink = {},
               QWidget* parent = nullptr);
  /// Room at the left and below.
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
