#include "window/page.h"

#include "panes/results_pane.h"
#include "presenters/workbench.h"

namespace fxs::ui {

void registerLog(Pages& pages) {
  pages.push_back(
      {"log", "Log", 60, {}, [](PageHost& host, QWidget* parent) { return new LogPage(host.appearance(), host.bench().log, parent); }});
}

}  // namespace fxs::ui
