// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answer above the panes: verdict, next steps, stages and other output types.
#include "window/feature.h"

#include <QMainWindow>

#include "features/answer/answer_strip.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

void addAnswer(Host& host) {
  auto* strip = new AnswerStrip(
      host.appearance(), host.services().get<AnswerPresenter>(),
      host.services().get<StagePresenter>(),
      [&host](const QString& id) { return host.actions()[id]; }, &host.mainWindow());
  host.addAbove(strip);
  QObject::connect(strip, &AnswerStrip::stageChosen, strip, [&host](const ShownText& stage) {
    if (host.texts().has(stage)) host.texts().showStage(stage);
    else host.showPage("stages");
  });
  QObject::connect(strip, &AnswerStrip::typeChosen, strip,
                   [&host](const QString& action) { host.actions()[action]->trigger(); });
}

}  // namespace

void registerAnswer(Features& features) { features.parts.push_back(addAnswer); }

}  // namespace fxs::ui
