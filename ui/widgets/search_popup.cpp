// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/search_popup.h"

#include <QEvent>
#include <QGraphicsDropShadowEffect>
#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace fxs::ui {
namespace {

constexpr int kPopupWidth = 80 * kGrid, kResultHeight = 4 * kGrid;  ///< times the text scale
constexpr int kMaxRowsShown = 12;
enum { kDetailRole = Qt::UserRole, kHintRole, kIconName };

class PopupDelegate final : public QStyledItemDelegate {
 public:
  PopupDelegate(Appearance& appearance, QObject* parent)
      : QStyledItemDelegate(parent), appearance_(appearance) {}
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {100, appearance_.scaled(kResultHeight)};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const bool on = option.state & (QStyle::State_Selected | QStyle::State_MouseOver);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (on) {
      painter->setPen(Qt::NoPen);
      painter->setBrush(appearance_.color(option.state & QStyle::State_Selected ? Role::AccentSoft
                                                                                : Role::Hover));
      painter->drawRoundedRect(option.rect, 6, 6);
    }
    QRect rect = option.rect.adjusted(kGrid, 0, -kGrid, 0);
    const QString icon = index.data(kIconName).toString();
    const int side = appearance_.scaled(kSign);
    if (!icon.isEmpty())
      appearance_.icon(icon).paint(painter,
                                   QRect(rect.x(), rect.center().y() - side / 2, side, side));
    rect.setLeft(rect.left() + side + kGrid + 2);
    painter->setFont(appearance_.sans(TextSize::Small));
    painter->setPen(appearance_.color(Role::TextMuted));
    const QString hint = index.data(kHintRole).toString();
    const int hintWidth =
        hint.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(hint) + 2 * kGrid;
    painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter, hint);
    rect.setRight(rect.right() - hintWidth);
    painter->setFont(appearance_.sans(TextSize::Body));
    painter->setPen(appearance_.color(Role::Text));
    const QString title =
        painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, rect.width());
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, title);
    rect.setLeft(rect.left() + painter->fontMetrics().horizontalAdvance(title) + kGrid + kGrid / 2);
    if (rect.width() > 4 * kGrid) {
      painter->setPen(appearance_.color(Role::TextMuted));
      painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(index.data(kDetailRole).toString(),
                                                          Qt::ElideRight, rect.width()));
    }
    painter->restore();
  }

 private:
  Appearance& appearance_;
};

}  // namespace

SearchPopup::SearchPopup(Appearance& appearance, QWidget* window)
    : QFrame(window), appearance_(appearance) {
  setProperty("popup", true);
  auto* shadow = new QGraphicsDropShadowEffect(this);
  shadow->setBlurRadius(32);
  shadow->setOffset(0, 8);
  shadow->setColor(QColor(0, 0, 0, 90));
  setGraphicsEffect(shadow);
  auto* column = makeBox<QVBoxLayout>(kGrid, kGrid);
  edit_ = new QLineEdit(this);
  edit_->setFont(appearance.sans(TextSize::Title));
  edit_->setMinimumHeight(4 * kGrid);
  list_ = new QListView(this);
  list_->setAccessibleName("Results");
  list_->setItemDelegate(new PopupDelegate(appearance, list_));
  list_->setUniformItemSizes(true);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setStyleSheet("background: transparent;");
  list_->setFocusPolicy(Qt::NoFocus);
  model_ = new QStandardItemModel(this);
  list_->setModel(model_);
  status_ = makeLabel(appearance, {}, TextSize::Small, "muted", this);
  status_->setContentsMargins(kGrid, 0, 0, 0);
  column->addWidget(edit_);
  column->addWidget(list_);
  column->addWidget(status_);
  setLayout(column);
  hide();
  edit_->installEventFilter(this);
  window->installEventFilter(this);
  connect(edit_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (changed_) changed_(text);
  });
  connect(list_, &QListView::clicked, this,
          [this](const QModelIndex& index) { choose(index.row()); });
}

void SearchPopup::start(const QString& placeholder, const QString& typed,
                        std::function<void(const QString&)> changed) {
  changed_ = nullptr;
  if (!isVisible()) focusBefore_ = window()->focusWidget();
  edit_->setPlaceholderText(placeholder);
  edit_->setAccessibleName(placeholder);
  edit_->setText(typed);
  edit_->selectAll();
  changed_ = std::move(changed);
  setRows({});
  setVisible(true);
  raise();
  edit_->setFocus();
  changed_(typed);
}

void SearchPopup::setRows(std::vector<PopupRow> rows, const QString& status) {
  rows_ = std::move(rows);
  model_->clear();
  for (const PopupRow& row : rows_) {
    auto* item = new QStandardItem(row.title);
    item->setData(row.detail, kDetailRole);
    item->setData(row.hint, kHintRole);
    item->setData(row.icon, kIconName);
    item->setEditable(false);
    model_->appendRow(item);
  }
  if (!rows_.empty()) list_->setCurrentIndex(model_->index(0, 0));
  status_->setText(status);
  status_->setVisible(!status.isEmpty());
  position();
}

void SearchPopup::position() {
  const QWidget* around = parentWidget();
  const int rowHeight = appearance_.scaled(kResultHeight),
            available = around->height() - 9 * kGrid - 2 * edit_->sizeHint().height();
  const int rows =
      std::clamp(model_->rowCount(), 0, std::clamp(available / rowHeight, 1, kMaxRowsShown));
  list_->setFixedHeight(rows * rowHeight);
  list_->setVisible(rows > 0);
  const int width = std::min(appearance_.scaled(kPopupWidth), around->width() - 4 * kGrid);
  setFixedWidth(width);
  adjustSize();
  move((around->width() - width) / 2, 9 * kGrid);
}

void SearchPopup::choose(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return;
  const auto action = rows_[static_cast<std::size_t>(row)].choose;
  dismiss();
  if (action) action();
}

void SearchPopup::dismiss() {
  if (!isVisible()) return;
  changed_ = nullptr;
  hide();
  if (focusBefore_) focusBefore_->setFocus();
  focusBefore_ = nullptr;
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible()) position();
  if (watched != edit_) return QFrame::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut && isVisible()) {
    const auto reason = static_cast<QFocusEvent*>(event)->reason();
    if (reason == Qt::MouseFocusReason || reason == Qt::TabFocusReason) {
      focusBefore_ = nullptr;
      dismiss();
    }
  }
  return event->type() == QEvent::KeyPress && keyPressed(static_cast<QKeyEvent*>(event)->key());
}

void SearchPopup::goToRow(int row) {
  const int last = model_->rowCount() - 1;
  list_->setCurrentIndex(model_->index(std::max(0, std::min(row, last)), 0));
}

bool SearchPopup::keyPressed(int key) {
  const int row = list_->currentIndex().row();
  switch (key) {
    case Qt::Key_Escape: dismiss(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(row); return true;
    case Qt::Key_Down: goToRow(row + 1); return true;
    case Qt::Key_Up: goToRow(row - 1); return true;
    case Qt::Key_PageDown: goToRow(row + kMaxRowsShown); return true;
    case Qt::Key_PageUp: goToRow(row - kMaxRowsShown); return true;
    default: return false;
  }
}

}  // namespace fxs::ui
