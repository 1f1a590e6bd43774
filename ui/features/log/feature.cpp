// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/log/log_page.h"
#include "session/log_presenter.h"

namespace fxs::ui {

void registerLog(Features& features) {
  features.pages.push_back({"log", "Log", 60, {}, [](Host& host, QWidget* parent) {
                              return new LogPage(host.appearance(),
                                                 host.services().get<LogPresenter>(), parent);
                            }});
}

}  // namespace fxs::ui
