// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/keys_overlay.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>

#include "widgets/accessible_roles.h"

namespace fxs::ui {
namespace {

constexpr int kColumnWidth = 43 * kGrid, kRow = 3 * kGrid,
              kLeastRow = 16;  ///< times the text scale
constexpr int kColumnsAtMost = 4;
constexpr int kSheetMargin = 4 * kGrid;
constexpr int kHead = 6 * kGrid;
constexpr int kThumb = 4, kLeastThumb = 4 * kGrid;  ///< width and length of the scroll bar
constexpr std::size_t kMaxRows = 1000;

struct PlacedRow {
  std::size_t group;
  int key;  ///< index in the group; -1 for its title
  int column;
  std::size_t row;
};

/// Places rows in columns of `perColumn` rows, with an empty row before each title and no title at
/// the end of a column.
std::vector<PlacedRow> placed(const std::vector<KeyGroup>& groups, std::size_t perColumn) {
  std::vector<PlacedRow> rows;
  int column = 0;
  std::size_t at = 0;
  const auto put = [&](std::size_t group, int key, std::size_t needed) {
    if (at + needed > perColumn && at > 0) {
      ++column;
      at = 0;
    }
    rows.push_back({group, key, column, at++});
  };
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (at > 0) ++at;
    put(g, -1, 3);
    for (std::size_t k = 0; k < groups[g].keys.size(); ++k) put(g, static_cast<int>(k), 1);
  }
  return rows;
}

}  // namespace

KeysOverlay::KeysOverlay(Appearance& appearance, QWidget* window)
    : QWidget(window), appearance_(appearance) {
  setAccessibleRole(this, QAccessible::HelpBalloon);
  setAccessibleName("All keys");
  setFocusPolicy(Qt::StrongFocus);
  window->installEventFilter(this);
  hide();
}

void KeysOverlay::showKeys(std::vector<KeyGroup> groups) {
  groups_ = std::move(groups);
  QStringList lines;
  for (const KeyGroup& group : groups_)
    for (const auto& [title, keys] : group.keys) lines << title + ": " + keys;
  setAccessibleDescription(lines.join('\n'));
  top_ = 0;
  setGeometry(parentWidget()->rect());
  setVisible(true);
  raise();
  setFocus();
}

void KeysOverlay::leave() {
  hide();
  parentWidget()->setFocus();
}

void KeysOverlay::scrollBy(int pixels) {
  top_ = std::clamp(top_ + pixels, 0, hidden_);
  update();
}

void KeysOverlay::keyPressEvent(QKeyEvent* event) {
  const int step = appearance_.scaled(kRow);
  switch (hidden_ > 0 ? event->key() : 0) {
    case Qt::Key_Down: return scrollBy(step);
    case Qt::Key_Up: return scrollBy(-step);
    case Qt::Key_PageDown: return scrollBy(height() / 2);
    case Qt::Key_PageUp: return scrollBy(-height() / 2);
    default: leave();
  }
}

void KeysOverlay::wheelEvent(QWheelEvent* event) { scrollBy(-event->angleDelta().y() / 2); }
void KeysOverlay::mousePressEvent(QMouseEvent*) { leave(); }

bool KeysOverlay::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
    setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

void KeysOverlay::paintEvent(QPaintEvent*) {
  if (groups_.empty()) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), QColor(0, 0, 0, appearance_.theme().dark ? 150 : 90));
  const int columnWidth = appearance_.scaled(kColumnWidth), row = appearance_.scaled(kRow);
  // As many columns as fit, as short as possible; a long group continues in the next column.
  const int columns = std::clamp((width() - 4 * kSheetMargin) / columnWidth, 1, kColumnsAtMost);
  std::size_t perColumn = 1;
  while (perColumn < kMaxRows && placed(groups_, perColumn).back().column >= columns) ++perColumn;
  const std::vector<PlacedRow> rows = placed(groups_, perColumn);
  const int used = rows.back().column + 1;
  const int available = height() - 4 * kGrid - kSheetMargin - kHead;
  const int rowHeight =
      std::clamp(available / static_cast<int>(perColumn), appearance_.scaled(kLeastRow), row);
  const int sheetWidth = used * columnWidth + 2 * kSheetMargin - 2 * kGrid;
  const int total = static_cast<int>(perColumn) * rowHeight + kHead + kSheetMargin,
            sheetHeight = std::min(total, height() - 2 * kGrid);
  hidden_ = total - sheetHeight;
  top_ = std::min(top_, hidden_);
  const QRect sheet((width() - sheetWidth) / 2, std::max(kGrid, (height() - sheetHeight) / 2),
                    sheetWidth, sheetHeight);
  painter.setPen(appearance_.color(Role::BorderStrong));
  painter.setBrush(appearance_.color(Role::Raised));
  painter.drawRoundedRect(sheet, 12, 12);
  painter.setFont(appearance_.sans(TextSize::Title, QFont::DemiBold));
  painter.setPen(appearance_.color(Role::Text));
  painter.setClipRect(sheet.adjusted(1, 1, -1, -1));
  if (hidden_ > 0) {
    const int track = sheetHeight - 2 * kGrid,
              thumb = std::max(kLeastThumb, track * sheetHeight / total);
    painter.fillRect(QRect(sheet.right() - kGrid,
                           sheet.y() + kGrid + (track - thumb) * top_ / hidden_, kThumb, thumb),
                     appearance_.color(Role::BorderStrong));
  }
  painter.translate(0, -top_);
  painter.drawText(QRect(sheet.x() + kSheetMargin, sheet.y() + 2 * kGrid, sheetWidth, row),
                   Qt::AlignVCenter, "Keys");
  for (const PlacedRow& placed : rows) {
    const QRect at(sheet.x() + kSheetMargin + placed.column * columnWidth,
                   sheet.y() + kHead + static_cast<int>(placed.row) * rowHeight,
                   columnWidth - 3 * kGrid, rowHeight);
    if (placed.key < 0) {
      painter.setFont(appearance_.sans(TextSize::Small, QFont::DemiBold));
      painter.setPen(appearance_.color(Role::Accent));
      painter.drawText(at, Qt::AlignVCenter, groups_[placed.group].title.toUpper());
      continue;
    }
    const auto& [title, keys] = groups_[placed.group].keys[static_cast<std::size_t>(placed.key)];
    painter.setFont(appearance_.mono(TextSize::Small));
    painter.setPen(appearance_.color(Role::TextMuted));
    painter.drawText(at, Qt::AlignVCenter | Qt::AlignRight, keys);
    const int left = at.width() - painter.fontMetrics().horizontalAdvance(keys) - kGrid;
    painter.setFont(appearance_.sans(TextSize::Body));
    painter.setPen(appearance_.color(Role::Text));
    painter.drawText(at, Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(title, Qt::ElideRight, left));
  }
}

}  // namespace fxs::ui
