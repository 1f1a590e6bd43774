#include "features/graph/graph_legend.h"

#include <QPainter>
#include <array>

namespace fxs::ui {
namespace {

constexpr int kSwatchWidth = 3 * kGrid, kSwatchHeight = kGrid + kGrid / 2;

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
    constexpr std::array kFills{Role::GraphLevel1, Role::GraphLevel2, Role::GraphLevel3, Role::GraphLevel4, Role::GraphLevel5};
    return {kFills[static_cast<std::size_t>(shade) - static_cast<std::size_t>(Shade::Level1)], Role::GraphNodeBorder};
  };
  QPixmap out(QSize(kSwatchWidth, kSwatchHeight) * ratio);
  out.setDevicePixelRatio(ratio);
  out.fill(Qt::transparent);
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(appearance.color(roles().first));
  painter.setPen(appearance.color(roles().second));
  painter.drawRoundedRect(QRectF(0.5, 0.5, kSwatchWidth - 1, kSwatchHeight - 1), 3, 3);
  return out;
}

}  // namespace

GraphLegend::GraphLegend(Appearance& appearance, ColourPresenter& colours, QWidget* parent)
    : QWidget(parent), appearance_(appearance), colours_(colours) {
  setProperty("surface", true);
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName("Legend of the graph");
  row_ = new FlowLayout(kGrid, QMargins(kGrid, 2, kGrid, 2));
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
}

void GraphLegend::rebuild() {
  while (QLayoutItem* item = row_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  said_.clear();
  if (!part_.isEmpty()) {
    addText(part_);
    QToolButton* all = makeBoxed("Show all", "Show the whole graph again (Ctrl+Alt+Home)", this);
    connect(all, &QToolButton::clicked, this, &GraphLegend::showAllRequested);
    row_->addWidget(all);
  }
  const QString summary = colours_.summary();
  if (!summary.isEmpty()) {
    addText(summary);
    if (colours_.by() == ColourBy::Query) {
      const auto step = [this](const QString& icon, const QString& what, int direction) {
        auto* button = new IconButton(appearance_, icon, what, this);
        button->setEnabled(!colours_.matches().empty());
        connect(button, &QToolButton::clicked, this, [this, direction] { Q_EMIT stepRequested(direction); });
        row_->addWidget(button);
      };
      step("back", "Previous match (Shift+F3)", -1);
      step("forward", "Next match (F3)", 1);
    } else {
      for (const LegendEntry& entry : colours_.legend()) {
        // One item of the row, so that a colour and what it means stay together.
        auto* both = new QWidget(this);
        auto* pair = makeBox<QHBoxLayout>();
        auto* colour = new QLabel(both);
        colour->setPixmap(swatch(appearance_, entry.shade, devicePixelRatioF()));
        pair->addWidget(colour);
        pair->addWidget(makeLabel(appearance_, entry.text, TextSize::Body, {}, both));
        both->setLayout(pair);
        row_->addWidget(both);
        said_ << entry.text;
      }
    }
    auto* close = new IconButton(appearance_, "close", "Colour by kind of node again", this);
    connect(close, &QToolButton::clicked, this, [this] { colours_.choose(ColourBy::Kind); });
    row_->addWidget(close);
  }
  setVisible(!said_.isEmpty());
  updateGeometry();
}

QString GraphLegend::fullText() const { return said_.join(" | "); }

}  // namespace fxs::ui
