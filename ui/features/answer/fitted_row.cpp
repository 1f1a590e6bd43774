// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/answer/fitted_row.h"

#include <algorithm>

#include "widgets/accessible_roles.h"

namespace fxs::ui {

FittedRow::FittedRow(Appearance& appearance, const QString& name, Hide hide, QWidget* parent)
    : QWidget(parent), appearance_(appearance), hide_(hide) {
  setAccessibleRole(this, QAccessible::Grouping);
  setAccessibleName(name);
  connect(&appearance, &Appearance::changed, this, &FittedRow::rebuild);
}

void FittedRow::setEntries(std::vector<Entry> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  rebuild();
}

void FittedRow::rebuild() {
  // Deleted later, because the handler of one of them may be running.
  for (QToolButton* button : buttons_) {
    button->hide();
    button->deleteLater();
  }
  buttons_.clear();
  QStringList tips;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    auto* button = new QToolButton(this);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFont(appearance_.sans(TextSize::Small));
    button->setText(entry.text);
    button->setIcon(appearance_.icon(entry.icon, entry.role));
    button->setToolTip(entry.tip);
    button->setAccessibleName(entry.tip);
    connect(button, &QToolButton::clicked, this, [this, i] { Q_EMIT chosen(static_cast<int>(i)); });
    buttons_.push_back(button);
    tips << entry.tip;
  }
  setToolTip(tips.join('\n'));
  updateGeometry();
  arrange();
}

QSize FittedRow::sizeHint() const {
  QSize out(0, appearance_.scaled(kRowHeight));
  for (const QToolButton* button : buttons_) {
    const QSize each = button->sizeHint();
    out = {out.width() + each.width(), std::max(out.height(), each.height())};
  }
  return out;
}

QSize FittedRow::minimumSizeHint() const { return {3 * kGrid, sizeHint().height()}; }

void FittedRow::arrange() {
  const int count = static_cast<int>(buttons_.size());
  std::vector<int> widths;
  int used = 0;
  for (const QToolButton* button : buttons_) {
    widths.push_back(button->sizeHint().width());
    used += widths.back();
  }
  int first = 0, end = count;
  while (first < end && used > width())
    used -= widths[static_cast<std::size_t>(hide_ == Hide::First ? first++ : --end)];
  int left = 0;
  for (int i = 0; i < count; ++i) {
    QToolButton* button = buttons_[static_cast<std::size_t>(i)];
    const bool isShown = i >= first && i < end;
    button->setVisible(isShown);
    if (!isShown) continue;
    const int wide = widths[static_cast<std::size_t>(i)];
    button->setGeometry(left, 0, wide, height());
    left += wide;
  }
}

}  // namespace fxs::ui
