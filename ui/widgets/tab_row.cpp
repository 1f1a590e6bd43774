// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/tab_row.h"

#include <QEvent>
#include <QMenu>

#include "widgets/controls.h"

namespace fxs::ui {

TabRow::TabRow(Appearance& appearance, QWidget* parent) : QWidget(parent) {
  row_ = makeBox<QHBoxLayout>(0);
  setLayout(row_);
  group_ = new QButtonGroup(this);
  more_ = new IconButton(appearance, "chevron-down", "More pages", this);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(new QMenu(more_));
  row_->addWidget(more_);
  row_->addStretch(1);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  connect(group_, &QButtonGroup::idClicked, this, &TabRow::chosen);
  connect(group_, &QButtonGroup::idToggled, this, &TabRow::fit);
}

void TabRow::addTab(const QString& text) {
  auto* tab = new QToolButton(this);
  tab->setText(text);
  tab->setCheckable(true);
  tab->setProperty("tab", true);
  tab->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  row_->insertWidget(count(), tab);
  group_->addButton(tab, count());
  tabs_.push_back(tab);
  if (count() == 1) tab->setChecked(true);
  fit();
}

void TabRow::setText(int tab, const QString& text) {
  tabs_.at(static_cast<std::size_t>(tab))->setText(text);
  fit();
}

void TabRow::setCurrent(int tab) { group_->button(tab)->setChecked(true); }

QSize TabRow::minimumSizeHint() const {
  int widest = 0;
  for (const QToolButton* tab : tabs_) widest = std::max(widest, tab->sizeHint().width());
  return {widest + (count() > 1 ? more_->sizeHint().width() : 0), row_->minimumSize().height()};
}

void TabRow::fit() {
  int needed = 0;
  for (const QToolButton* tab : tabs_) needed += tab->sizeHint().width();
  const bool all = needed <= width();
  int left = width() - (all ? 0 : more_->sizeHint().width());
  if (QAbstractButton* current = group_->checkedButton()) left -= current->sizeHint().width();
  more_->menu()->clear();
  for (int i = 0; i < count(); ++i) {
    QToolButton* tab = tabs_[static_cast<std::size_t>(i)];
    const int wide = tab->isChecked() ? 0 : tab->sizeHint().width();
    const bool shown = all || wide <= left;
    tab->setVisible(shown);
    // As QAbstractButton does at the first focus: Tab reaches the current one, arrows the others.
    tab->setFocusPolicy(tab->isChecked() ? Qt::TabFocus : Qt::NoFocus);
    left = shown ? left - wide : 0;
    if (!shown)
      connect(more_->menu()->addAction(tab->text()), &QAction::triggered, tab, &QToolButton::click);
  }
  more_->setVisible(!all);
  row_->activate();  // else those that were shown before keep their places until the next event
}

void TabRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

bool TabRow::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::FontChange) fit();
  return QWidget::event(event);
}

}  // namespace fxs::ui
