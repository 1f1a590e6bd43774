// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/wrapped_label.h"

#include <QTextDocument>
#include <QWheelEvent>
#include <cmath>

namespace fxs::ui {
namespace {

constexpr int kNarrow = 3 * kGrid, kUsual = 30 * kGrid;

}  // namespace

WrappedLabel::WrappedLabel(const Appearance& appearance, const QString& text, TextSize size,
                           const QString& ink, QWidget* parent)
    : QTextEdit(parent) {
  setProperty("label", true);
  if (!ink.isEmpty()) setProperty("ink", ink);
  setFont(appearance.sans(size));
  setReadOnly(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setFocusPolicy(Qt::ClickFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  document()->setDocumentMargin(0);
  viewport()->setAutoFillBackground(false);
  viewport()->setCursor(Qt::IBeamCursor);
  setPlainText(text);
  setAccessibleName(text);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

int WrappedLabel::heightForWidth(int width) const {
  QTextDocument* text = document();
  const QMargins margins = viewportMargins();
  const double before = text->textWidth();
  text->setTextWidth(std::max(1, width - margins.left() - margins.right()));
  const int height =
      static_cast<int>(std::ceil(text->size().height())) + margins.top() + margins.bottom();
  text->setTextWidth(before);
  return height;
}

QSize WrappedLabel::sizeHint() const { return {kUsual, heightForWidth(kUsual)}; }
QSize WrappedLabel::minimumSizeHint() const { return {kNarrow, QFontMetrics(font()).height()}; }

// Ignored, so that the enclosing pane scrolls.
void WrappedLabel::wheelEvent(QWheelEvent* event) { event->ignore(); }

void WrappedLabel::resizeEvent(QResizeEvent* event) {
  QTextEdit::resizeEvent(event);
  updateGeometry();
}

}  // namespace fxs::ui
