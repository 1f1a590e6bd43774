// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/parts/part_tabs.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kMostTabs = 100;

}  // namespace

PartTabs::PartTabs(Appearance& appearance, PartsPresenter& parts, QWidget* parent)
    : QWidget(parent), parts_(parts) {
  auto* row = makeBox<QHBoxLayout>(kGrid);
  tabs_ = new QTabBar(this);
  tabs_->setExpanding(false);
  tabs_->setDrawBase(false);
  tabs_->setUsesScrollButtons(true);
  tabs_->setElideMode(Qt::ElideMiddle);
  tabs_->setFocusPolicy(Qt::TabFocus);
  tabs_->setAccessibleName("Parts of the file");
  position_ = makeLabel(appearance, {}, TextSize::Body, "muted", this);
  position_->setContentsMargins(0, 0, kGrid, 0);
  row->addWidget(tabs_, 1);
  row->addWidget(position_);
  setLayout(row);
  const auto setFont = [this, &appearance] { tabs_->setFont(appearance.sans(TextSize::Body)); };
  setFont();
  connect(&appearance, &Appearance::changed, tabs_, setFont);
  connect(tabs_, &QTabBar::currentChanged, this, [this](int tab) { parts_.choose(first_ + tab); });
  connect(&parts, &PartsPresenter::changed, this, &PartTabs::refresh);
  refresh();
}

void PartTabs::refresh() {
  const QSignalBlocker quiet(tabs_);
  const int count = static_cast<int>(parts_.models().size());
  while (tabs_->count()) tabs_->removeTab(0);
  first_ = std::clamp(parts_.current() - kMostTabs / 2, 0, std::max(0, count - kMostTabs));
  for (int model = first_; model < std::min(count, first_ + kMostTabs); ++model)
    tabs_->addTab(withoutMnemonic(parts_.titleOf(model)));
  tabs_->setCurrentIndex(parts_.current() - first_);
  position_->setText(parts_.positionText());
  setVisible(count > 0);
}

}  // namespace fxs::ui
