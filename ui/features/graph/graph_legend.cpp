// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_legend.h"

#include <QPainter>
#include <array>

namespace fxs::ui {
namespace {

constexpr int kSwatchWidth = 3 * kGrid,
              kSwatchHeight = kGrid + kGrid / 2;  ///< times the text scale

/// What a box of this shade looks like: its fill, and its border.
QPixmap swatch(const Appearance& appearance, Shade shade, qreal ratio) {
  const auto roles = [&]() -> std::pair<Role, Role> {
    switch (shade) {
      case Shade::Match: return {Role::FindMatch, Role::Warning};
      case Shade::Blocked: return {Role::ErrorSoft, Role::Error};
      case Shade::Suspicious: return {Role::WarningSoft, Role::Warning};
      case Shade::None:
      case Shade::Dimmed: return {Role::GraphNode, Role::GraphNodeBorder};
      default: break;
    }
    constexpr std::array kFills{Role::GraphLevel1, Role::GraphLevel2, Role::GraphLevel3,
                                Role::GraphLevel4, Role::GraphLevel5};
    return {kFills[static_cast<std::size_t>(shade) - static_cast<std::size_t>(Shade::Level1)],
            Role::GraphNodeBorder};
  };
  const QSize size(appearance.scaled(kSwatchWidth), appearance.scaled(kSwatchHeight));
  QPixmap out(size * ratio);
  out.setDevicePixelRatio(ratio);
  out.fill(Qt::transparent);
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(appearance.color(roles().first));
  painter.setPen(appearance.color(roles().second));
  painter.drawRoundedRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1), 3, 3);
  return out;
}

}  // namespace

GraphLegend::GraphLegend(Appearance& appearance, ColourPresenter& colours, QWidget* parent)
    : QWidget(parent), appearance_(appearance), colours_(colours) {
  setProperty("surface", true);
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName("Legend of the graph");
  row_ = makeBox<QHBoxLayout>(kGrid);
  row_->setContentsMargins(kGrid, 2, kGrid, 2);
  setLayout(row_);
  connect(&colours, &ColourPresenter::changed, this, &GraphLegend::rebuild);
  connect(&appearance, &Appearance::changed, this, &GraphLegend::rebuild);
  rebuild();
}

void GraphLegend::setPart(const QString& text) {
  part_ = text;
  rebuild();
}

void GraphLegend::addText(const QString& text) {
  said_ << text;
  row_->addWidget(makeElided(text, appearance_.sans(TextSize::Body), {}, this, Qt::ElideRight));
  row_->itemAt(row_->count() - 1)
      ->widget()
      ->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void GraphLegend::rebuild() {
  while (QLayoutItem* item = row_->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    delete item;
  }
  said_.clear();
  entries_.clear();
  if (!part_.isEmpty()) {
    addText(part_);
    QToolButton* all = makeBoxed("Show all", "Show the whole graph again (Ctrl+Alt+Home)", this);
    connect(all, &QToolButton::clicked, this, &GraphLegend::showAllRequested);
    row_->addWidget(all);
  }
  const QString summary = colours_.summary();
  if (!summary.isEmpty()) {
    addText(summary);
    if (colours_.by() == kByQuery) {
      const auto step = [this](const QString& icon, const QString& title, int direction) {
        auto* button = new IconButton(appearance_, icon, title, this);
        button->setEnabled(!colours_.matches().empty());
        connect(button, &QToolButton::clicked, this,
                [this, direction] { Q_EMIT stepRequested(direction); });
        row_->addWidget(button);
      };
      step("back", "Previous match (Shift+F3)", -1);
      step("forward", "Next match (F3)", 1);
    } else {
      for (const LegendEntry& entry : colours_.legend()) {
        auto* colour = new QLabel(this);
        colour->setPixmap(swatch(appearance_, entry.shade, devicePixelRatioF()));
        colour->setToolTip(summary + ' ' + entry.text);
        colour->setAccessibleName(entry.text);
        row_->addWidget(colour);
        entries_.push_back(makeLabel(appearance_, entry.text, TextSize::Body, {}, this));
        row_->addWidget(entries_.back());
        said_ << entry.text;
      }
    }
    auto* close = new IconButton(appearance_, "close", "Colour by kind of node again", this);
    connect(close, &QToolButton::clicked, this, [this] { colours_.choose(kByKind); });
    row_->addWidget(close);
  }
  row_->addStretch(1);
  fit();
  setVisible(!said_.isEmpty());
  updateGeometry();
}

void GraphLegend::fit() {
  // Where not all fits in one row, the colours say it in their tool tips: the graph needs the
  // height.
  for (QLabel* entry : entries_) entry->show();
  row_->invalidate();
  const bool fits = row_->sizeHint().width() <= width();
  for (QLabel* entry : entries_) entry->setVisible(fits);
}

void GraphLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

QString GraphLegend::fullText() const { return said_.join(" | "); }

}  // namespace fxs::ui
