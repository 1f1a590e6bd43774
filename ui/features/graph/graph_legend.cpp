// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graph_legend.h"

#include <algorithm>
#include <numeric>

#include "widgets/shade_swatch.h"

namespace fxs::ui {
namespace {

constexpr int kLeastText = 5 * kGrid;    // of an entry that is cut
constexpr int kLeastTitle = 20 * kGrid;  // where entries are cut, too

/// What each may have at most, so that together they have `room`.
int fairShare(std::vector<int> widths, int room) {
  std::sort(widths.begin(), widths.end());
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const int share = room / static_cast<int>(widths.size() - i);
    if (widths[i] > share) return share;
    room -= widths[i];
  }
  return QWIDGETSIZE_MAX;
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
  title_ = nullptr;
  if (!part_.isEmpty()) {
    addText(part_);
    QToolButton* all = makeBoxed("Show all", "Show the whole graph again (Ctrl+Alt+Home)", this);
    connect(all, &QToolButton::clicked, this, &GraphLegend::showAllRequested);
    row_->addWidget(all);
  }
  const QString summary = colours_.summary();
  if (!summary.isEmpty()) {
    addText(summary);
    title_ = row_->itemAt(row_->count() - 1)->widget();
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
        entries_.push_back(
            makeElided(entry.text, appearance_.sans(TextSize::Body), {}, this, Qt::ElideRight));
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
  std::vector<int> widths;
  for (ElidedLabel* entry : entries_) {
    entry->setMaximumWidth(QWIDGETSIZE_MAX);
    entry->show();
    widths.push_back(entry->sizeHint().width());
  }
  if (title_) title_->setMaximumWidth(QWIDGETSIZE_MAX);
  row_->invalidate();
  const int texts = std::accumulate(widths.begin(), widths.end(), 0);
  int room = width() - (row_->sizeHint().width() - texts);
  if (texts <= room) return;
  if (title_ && title_->sizeHint().width() > kLeastTitle) {
    room += title_->sizeHint().width() - kLeastTitle;
    title_->setMaximumWidth(kLeastTitle);
  }
  // Where not all fits in one row, long texts are cut; if that is not enough, the colours say it in
  // their tool tips: the graph needs the height.
  const int most = fairShare(std::move(widths), room);
  for (ElidedLabel* entry : entries_) {
    entry->setVisible(most >= kLeastText);
    entry->setMaximumWidth(std::max(most, kLeastText));
  }
  if (title_ && most < kLeastText) title_->setMaximumWidth(QWIDGETSIZE_MAX);
}

void GraphLegend::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

QString GraphLegend::fullText() const { return said_.join(" | "); }

}  // namespace fxs::ui
