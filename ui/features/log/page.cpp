// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include "features/log/log_page.h"
#include "session/log_presenter.h"

namespace fxs::ui {

void registerLog(Pages& pages) {
  pages.push_back({"log", "Log", 60, {}, [](PageHost& host, QWidget* parent) {
                     return new LogPage(host.appearance(), host.services().get<LogPresenter>(),
                                        parent);
                   }});
}

}  // namespace fxs::ui
