// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include "features/stages/stage_presenter.h"
#include "features/stages/stage_strip.h"
#include "features/stages/stages_page.h"

namespace fxs::ui {

void registerStages(Pages& pages) {
  pages.push_back(
      {"stages", "Stages", 10, {}, [](PageHost& host, QWidget* parent) {
         auto* page =
             new StagesPage(host.appearance(), host.services().get<StagePresenter>(), parent);
         QObject::connect(page, &StagesPage::stageActivated, &host.texts(), &StageStrip::showStage);
         return page;
       }});
}

}  // namespace fxs::ui
