// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/stages/becomes_section.h"

#include <QGridLayout>

#include "text/words.h"
#include "widgets/controls.h"

namespace fxs::ui {

BecomesSection::BecomesSection(Appearance& appearance, StagePresenter& stages, fx::NodeId node,
                               QWidget* parent)
    : QWidget(parent), appearance_(appearance), stages_(stages), node_(node) {
  connect(&stages, &StagePresenter::textChanged, this, &BecomesSection::rebuild);
  connect(&stages, &StagePresenter::stagesChanged, this, &BecomesSection::rebuild);
  rebuild();
}

void BecomesSection::rebuild() {
  qDeleteAll(findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly));
  delete layout();
  auto* grid = new QGridLayout;
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(2 * kGrid);
  grid->setVerticalSpacing(2);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  int at = 0;
  for (const Stage& stage : stages_.stages()) {
    if (stage.id == ShownText("fx")) continue;
    auto* button = new LinkButton(appearance_.sans(TextSize::Body), stage.title,
                                  "Show in " + stage.title, this);
    connect(button, &QPushButton::clicked, this,
            [this, id = stage.id] { Q_EMIT stageRequested(id); });
    grid->addWidget(button, at, 0);
    const bool isKnown = stages_.textOf(stage.id) != nullptr;
    const std::size_t lines = stages_.linesOf(stage.id, {node_}).size();
    QString left = "–";
    if (isKnown) left = lines ? counted(lines, "line") : QString("nothing left");
    const QString ink = isKnown && lines ? QString() : QString("muted");
    grid->addWidget(makeLabel(appearance_, left, TextSize::Body, ink, this), at++, 1);
  }
  setLayout(grid);
}

}  // namespace fxs::ui
