#include "panes/keys_overlay.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

namespace fxs::ui {
namespace {

constexpr int kColumnWidth = 38 * kGrid;
constexpr int kRow = 3 * kGrid;
constexpr int kMargin = 4 * kGrid;

}  // namespace

KeysOverlay::KeysOverlay(Appearance& appearance, QWidget* window) : QWidget(window), appearance_(appearance) {
  setAccessibleName("All keys");
  setFocusPolicy(Qt::StrongFocus);
  window->installEventFilter(this);
  hide();
}

void KeysOverlay::showKeys(std::vector<KeyGroup> groups) {
  groups_ = std::move(groups);
  setGeometry(parentWidget()->rect());
  setVisible(true);
  raise();
  setFocus();
}

void KeysOverlay::leave() {
  hide();
  parentWidget()->setFocus();
}

void KeysOverlay::keyPressEvent(QKeyEvent*) { leave(); }
void KeysOverlay::mousePressEvent(QMouseEvent*) { leave(); }

bool KeysOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void KeysOverlay::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), QColor(0, 0, 0, appearance_.theme().dark ? 150 : 90));
  // As many columns as fit, groups kept whole, filled top to bottom.
  const int columns = std::max(1, std::min(3, (width() - 4 * kMargin) / kColumnWidth));
  std::size_t rows = 0;
  for (const KeyGroup& group : groups_) rows += group.keys.size() + 2;
  const auto perColumn = static_cast<int>(rows / static_cast<std::size_t>(columns)) + 4;
  const int sheetWidth = columns * kColumnWidth + 2 * kMargin;
  const int sheetHeight = std::min(height() - 2 * kGrid, perColumn * kRow + 2 * kMargin + 2 * kGrid);
  const QRect sheet((width() - sheetWidth) / 2, (height() - sheetHeight) / 2, sheetWidth, sheetHeight);
  painter.setPen(appearance_.color(Role::BorderStrong));
  painter.setBrush(appearance_.color(Role::Raised));
  painter.drawRoundedRect(sheet, 12, 12);
  painter.setFont(appearance_.sans(TextSize::Title, QFont::DemiBold));
  painter.setPen(appearance_.color(Role::Text));
  painter.drawText(QRect(sheet.x() + kMargin, sheet.y() + 2 * kGrid, sheetWidth, kRow), Qt::AlignVCenter, "Keys");

  const int top = sheet.y() + kMargin + 2 * kGrid;
  int column = 0, y = top;
  for (const KeyGroup& group : groups_) {
    const int needed = static_cast<int>(group.keys.size() + 1) * kRow;
    if (y > top && column + 1 < columns && y + needed > sheet.bottom() - kMargin / 2) {
      ++column;
      y = top;
    }
    const int x = sheet.x() + kMargin + column * kColumnWidth;
    painter.setFont(appearance_.sans(TextSize::Small, QFont::DemiBold));
    painter.setPen(appearance_.color(Role::Accent));
    painter.drawText(QRect(x, y, kColumnWidth, kRow), Qt::AlignVCenter, group.title.toUpper());
    y += kRow;
    for (const auto& [what, keys] : group.keys) {
      painter.setFont(appearance_.sans(TextSize::Body));
      painter.setPen(appearance_.color(Role::Text));
      painter.drawText(QRect(x, y, kColumnWidth - 13 * kGrid, kRow), Qt::AlignVCenter,
                       painter.fontMetrics().elidedText(what, Qt::ElideRight, kColumnWidth - 13 * kGrid));
      painter.setFont(appearance_.mono(TextSize::Small));
      painter.setPen(appearance_.color(Role::TextMuted));
      painter.drawText(QRect(x, y, kColumnWidth - 2 * kGrid, kRow), Qt::AlignVCenter | Qt::AlignRight, keys);
      y += kRow;
    }
    y += kGrid;
  }
}

}  // namespace fxs::ui
