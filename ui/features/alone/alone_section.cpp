// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/alone/alone_section.h"

#include <QCheckBox>
#include <QGridLayout>

#include "text/words.h"
#include "widgets/stage_sign.h"
#include "widgets/wrapped_label.h"

namespace fxs::ui {
AloneSection::AloneSection(Appearance& appearance, AlonePresenter& alone, QWidget* parent)
    : QWidget(parent), appearance_(appearance), alone_(&alone) {
  // Queued, because rebuilding may delete the widget whose handler is running.
  connect(&alone, &AlonePresenter::changed, this, &AloneSection::rebuild, Qt::QueuedConnection);
  rebuild();
}

LinkButton* AloneSection::choice(const QString& shown,
                                 const std::optional<lower::OutputType>& type) {
  const QFont font =
      appearance_.sans(TextSize::Body, alone_->chosen() == type ? QFont::DemiBold : QFont::Normal);
  auto* link = new LinkButton(font, shown, "Show the lowering of this node, " + shown, this);
  connect(link, &QPushButton::clicked, this, [this, type] {
    alone_->choose(type);
    Q_EMIT textRequested();
  });
  return link;
}

void AloneSection::rebuild() {
  if (!alone_) return;
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete layout();
  auto* column = makeBox<QVBoxLayout>(kGrid / 2);
  if (!alone_->wanted()) {
    auto* row = makeBox<QHBoxLayout>(0);
    auto* ask = new FittedButton({"Lower this node by itself", "Lower it"},
                                 "Lower this node by itself", this);
    ask->setToolTip("As a separate program, to every output type (Ctrl+Shift+N)");
    connect(ask, &QToolButton::clicked, this, [this] {
      alone_->setWanted(true);
      Q_EMIT textRequested();
    });
    row->addWidget(ask);
    row->addStretch(1);
    column->addLayout(row);
  } else if (!alone_->lowering()) {
    column->addWidget(
        new WrappedLabel(appearance_, alone_->running() ? QString("lowering …") : alone_->message(),
                         TextSize::Body, "muted", this));
  } else {
    auto* grid = new QGridLayout;
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGrid);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(2, 1);
    grid->addWidget(choice("program", std::nullopt), 0, 0);
    int at = 1;
    for (const AloneLowering::Target& target : alone_->lowering()->targets) {
      const StageMark mark = markOf(target.status);
      grid->addWidget(choice(text(lower::name(target.type)), target.type), at, 0, Qt::AlignTop);
      auto* icon = new QLabel(this);
      icon->setPixmap(pixmap(appearance_, iconOf(mark), roleOf(mark), 14, this));
      icon->setToolTip(statusText(mark));
      grid->addWidget(icon, at, 1, Qt::AlignTop);
      grid->addWidget(new WrappedLabel(appearance_, target.note, TextSize::Small,
                                       mark == StageMark::Ok ? "muted" : "error", this),
                      at++, 2);
    }
    column->addLayout(grid);
    auto* inlined = new QCheckBox("Inlined into a caller, under fresh names", this);
    inlined->setChecked(alone_->inlined());
    connect(inlined, &QCheckBox::toggled, this, [this](bool on) {
      alone_->setInlined(on);
      Q_EMIT textRequested();
    });
    column->addWidget(inlined);
  }
  setLayout(column);
}

}  // namespace fxs::ui
