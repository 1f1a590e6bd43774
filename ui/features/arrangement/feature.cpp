// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the arrangement, also by buttons in the corner of the menu bar.
#include "window/feature.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QToolButton>

#include "session/arrangement_presenter.h"
#include "widgets/controls.h"

namespace fxs::ui {
namespace {

void addArrangements(Host& host) {
  auto& arrangement = host.services().get<ArrangementPresenter>();
  QMenuBar* bar = host.mainWindow().menuBar();
  auto* corner = new QWidget(bar);
  auto* row = makeBox<QHBoxLayout>(kGrid / 2);
  row->setContentsMargins(0, 2, kGrid, 0);
  auto* group = new QActionGroup(bar);
  std::vector<QAction*> choices;
  for (const Arrangement each : kArrangements) {
    QAction* choice = host.actions().add({"arrange-" + name(each),
                                          {"View/Arrangement", 10},
                                          "Arrangement: " + title(each),
                                          QString("Alt+%1").arg(choices.size() + 1),
                                          {},
                                          {},
                                          true});
    choice->setIconText(title(each));
    QObject::connect(choice, &QAction::triggered, group,
                     [&arrangement, each] { arrangement.choose(each); });
    group->addAction(choice);
    auto* button = new QToolButton(corner);
    button->setDefaultAction(choice);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    button->setProperty("low", true);
    button->setAccessibleName(choice->text());
    row->addWidget(button);
    choices.push_back(choice);
  }
  corner->setLayout(row);
  bar->setCornerWidget(corner);
  const auto check = [&arrangement, choices] {
    choices[static_cast<std::size_t>(arrangement.current())]->setChecked(true);
  };
  QObject::connect(&arrangement, &ArrangementPresenter::changed, group, check);
  check();
}

}  // namespace

void registerArrangement(Features& features) { features.parts.push_back(addArrangements); }

}  // namespace fxs::ui
