#include "window/page.h"

#include "panes/results_pane.h"
#include "panes/stage_strip.h"
#include "presenters/workbench.h"

namespace fxs::ui {

void registerStages(Pages& pages) {
  pages.push_back({"stages", "Stages", 10, {}, [](PageHost& host, QWidget* parent) {
                     auto* page = new StagesPage(host.appearance(), host.bench().stages, parent);
                     QObject::connect(page, &StagesPage::stageActivated, &host.texts(), &StageStrip::showStage);
                     return page;
                   }});
}

}  // namespace fxs::ui
