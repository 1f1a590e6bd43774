// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "widgets/banner_bar.h"

#include <QVBoxLayout>

namespace fxs::ui {
namespace {

/// What a kind of banner looks like.
struct BannerLook {
  const char* style;  ///< the property "banner"
  const char* icon;
  Role role;
};

BannerLook lookOf(BannerKind kind) {
  switch (kind) {
    case BannerKind::Error: return {"error", "error", Role::Error};
    case BannerKind::Warning: return {"warning", "warning", Role::Warning};
    case BannerKind::Info: break;
  }
  return {"info", "note", Role::Accent};
}

}  // namespace

BannerBar::BannerBar(Appearance& appearance, QWidget* parent)
    : QWidget(parent), appearance_(appearance) {
  column_ = makeBox<QVBoxLayout>(kGrid / 2);
  setLayout(column_);
  hide();
}

void BannerBar::show(const QString& key, BannerKind kind, const QString& text,
                     std::vector<BannerAction> actions) {
  if (const auto found = banners_.find(key); found != banners_.end() && found->second.text == text)
    return;
  if (const auto closed = closed_.find(key); closed != closed_.end()) {
    if (closed->second == text) return;
    closed_.erase(closed);
  }
  dismiss(key);
  if (text.isEmpty()) return;
  const BannerLook look = lookOf(kind);
  auto* banner = new QWidget(this);
  banner->setAttribute(Qt::WA_StyledBackground);
  banner->setProperty("banner", look.style);
  auto* row = makeBox<QHBoxLayout>(kGrid);
  row->setContentsMargins(kGrid + kGrid / 2, kGrid / 2, kGrid / 2, kGrid / 2);
  auto* icon = new QLabel(banner);
  icon->setPixmap(pixmap(appearance_, look.icon, look.role, 16, this));
  row->addWidget(icon);
  QLabel* label = makeLabel(appearance_, text, TextSize::Body, {}, banner);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  row->addWidget(label, 1);
  for (BannerAction& action : actions) {
    auto* button = new QPushButton(action.text, banner);
    connect(button, &QPushButton::clicked, this, [run = std::move(action.run)] { run(); });
    row->addWidget(button);
  }
  auto* close = new IconButton(appearance_, "close", "Dismiss", banner);
  connect(
      close, &QToolButton::clicked, this,
      [this, key, text] {
        closed_[key] = text;
        dismiss(key);
      },
      Qt::QueuedConnection);
  row->addWidget(close);
  banner->setLayout(row);
  column_->addWidget(banner);
  banners_[key] = {banner, text};
  setVisible(true);
}

void BannerBar::dismiss(const QString& key) {
  const auto found = banners_.find(key);
  if (found == banners_.end()) return;
  found->second.widget->hide();
  found->second.widget->deleteLater();
  banners_.erase(found);
  setVisible(!banners_.empty());
}

QString BannerBar::text(const QString& key) const {
  const auto found = banners_.find(key);
  return found == banners_.end() ? QString() : found->second.text;
}

}  // namespace fxs::ui
