// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/welcome_page.h"

#include <QDir>
#include <QFile>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <algorithm>

#include "text/words.h"

namespace fxs::ui {
namespace {

constexpr int kCardWidth = 90 * kGrid, kDropHeight = 14 * kGrid,
              kEntryHeight = 5 * kGrid + kGrid / 2;  ///< times the text scale
constexpr std::size_t kMaxEntries = 8;

/// A button with two lines: title and detail.
class EntryButton final : public QToolButton {
 public:
  EntryButton(Appearance& appearance, const WelcomeEntry& entry, QWidget* parent)
      : QToolButton(parent) {
    auto* box = makeBox<QVBoxLayout>(0);
    box->setContentsMargins(kGrid, kGrid / 2, kGrid, kGrid / 2);
    const Qt::TextElideMode mode = entry.detail.startsWith('/') ? Qt::ElideMiddle : Qt::ElideRight;
    for (ElidedLabel* label :
         {makeElided(shown(entry.title), appearance.sans(TextSize::Body), {}, this),
          makeElided(shown(entry.detail), appearance.sans(TextSize::Small), "muted", this, mode)}) {
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
      box->addWidget(label);
    }
    setLayout(box);
    setAccessibleName("Open " + shown(entry.title));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFixedHeight(appearance.scaled(kEntryHeight));
  }
};

}  // namespace

void DropArea::setHint(bool on) {
  hint_ = on;
  update();
}

void DropArea::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(appearance_.color(hint_ ? Role::Accent : Role::BorderStrong), hint_ ? 2 : 1.2,
                      Qt::DashLine));
  painter.setBrush(appearance_.color(hint_ ? Role::AccentSoft : Role::Sunken));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
}

WelcomePage::WelcomePage(Appearance& appearance, QWidget* parent)
    : QScrollArea(parent), appearance_(appearance) {
  setProperty("surface", true);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  auto* page = new QWidget(this);
  page->setProperty("surface", true);
  auto* outer = makeBox<QVBoxLayout>(0, 3 * kGrid);
  outer->addStretch(1);
  card_ = new QWidget(page);
  card_->setMaximumWidth(appearance.scaled(kCardWidth));
  auto* column = makeBox<QVBoxLayout>(2 * kGrid);
  auto* head = makeBox<QHBoxLayout>(2 * kGrid);
  auto* logo = new QLabel(card_);
  logo->setPixmap(
      QIcon(":/icons/app.svg")
          .pixmap(QSize(appearance.scaled(48), appearance.scaled(48)), devicePixelRatioF()));
  head->addWidget(logo);
  auto* labels = makeBox<QVBoxLayout>(2);
  labels->addWidget(makeLabel(appearance, "fxscope", TextSize::Display, {}, card_));
  QLabel* purpose =
      makeLabel(appearance, "See how a PyTorch graph lowers to MLIR, and where and why it fails",
                TextSize::Body, "muted", card_);
  purpose->setWordWrap(true);
  labels->addWidget(purpose);
  head->addLayout(labels, 1);
  column->addLayout(head);

  drop_ = new DropArea(appearance, card_);
  drop_->setFixedHeight(appearance.scaled(kDropHeight));
  auto* dropBox = makeBox<QVBoxLayout>(kGrid, 2 * kGrid);
  dropBox->addStretch(1);
  QLabel* hint =
      makeLabel(appearance, "Drop a .pt2 file or an MLIR module here", TextSize::Body, {}, drop_);
  hint->setAlignment(Qt::AlignCenter);
  dropBox->addWidget(hint);
  auto* open = new QPushButton("Open a file …", drop_);
  open->setProperty("primary", true);
  open->setToolTip("Open a file (Ctrl+O)");
  auto* center = makeBox<QHBoxLayout>(0);
  center->addStretch(1);
  center->addWidget(open);
  center->addStretch(1);
  dropBox->addLayout(center);
  dropBox->addStretch(1);
  drop_->setLayout(dropBox);
  column->addWidget(drop_);
  lists_ = makeBox<QHBoxLayout>(3 * kGrid);
  column->addLayout(lists_);
  QLabel* privacy = makeLabel(
      appearance, "Nothing leaves this machine. Requires no Python, no PyTorch and no weights.",
      TextSize::Small, "muted", card_);
  privacy->setAlignment(Qt::AlignCenter);
  privacy->setWordWrap(true);
  column->addSpacing(kGrid);
  column->addWidget(privacy);
  card_->setLayout(column);
  auto* middle = makeBox<QHBoxLayout>(0);
  middle->addStretch(1);
  middle->addWidget(card_, 100);
  middle->addStretch(1);
  outer->addLayout(middle);
  outer->addStretch(2);
  page->setLayout(outer);
  setWidget(page);
  connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
}

QWidget* WelcomePage::list(const QString& title, const std::vector<WelcomeEntry>& entries,
                           const QString& emptyText) {
  auto* column = new QWidget(card_);
  auto* box = makeBox<QVBoxLayout>(2);
  QLabel* head = makeHeading(appearance_, title, column);
  head->setContentsMargins(kGrid, 0, 0, kGrid / 2);
  box->addWidget(head);
  if (entries.empty()) {
    QLabel* none = makeLabel(appearance_, emptyText, TextSize::Body, "muted", column);
    none->setContentsMargins(kGrid, 0, 0, 0);
    none->setWordWrap(true);
    box->addWidget(none);
  }
  for (std::size_t i = 0; i < std::min(entries.size(), kMaxEntries); ++i) {
    auto* button = new EntryButton(appearance_, entries[i], column);
    connect(button, &QToolButton::clicked, this,
            [this, file = entries[i].file] { Q_EMIT fileChosen(file); });
    box->addWidget(button);
  }
  box->addStretch(1);
  column->setLayout(box);
  return column;
}

void WelcomePage::setEntries(const std::vector<WelcomeEntry>& recent,
                             const std::vector<WelcomeEntry>& samples) {
  while (QLayoutItem* item = lists_->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  lists_->addWidget(list("Recent", recent, "Recent files appear here"), recent.empty() ? 1 : 2);
  if (!samples.empty()) lists_->addWidget(list("Samples", samples, {}), recent.empty() ? 2 : 3);
}

std::vector<WelcomeEntry> samplesIn(const QString& folder) {
  std::vector<WelcomeEntry> entries;
  const QDir dir(folder);
  if (folder.isEmpty() || !dir.exists()) return entries;
  for (const QString& name : dir.entryList({"*.pt2"}, QDir::Files, QDir::Name)) {
    WelcomeEntry entry{dir.filePath(name), name.chopped(4).replace('_', ' '), {}};
    QFile script(dir.filePath(name.chopped(4) + ".py"));
    if (script.open(QIODevice::ReadOnly)) {
      static const QRegularExpression doc("^\\s*(?:\"\"\"|#)\\s*(.+?)\\.?(?:\"\"\")?\\s*$");
      const QRegularExpressionMatch match = doc.match(QString::fromUtf8(script.readLine()));
      if (match.hasMatch()) entry.detail = match.captured(1);
    }
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace fxs::ui
