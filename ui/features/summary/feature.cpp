// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/summary/summary_page.h"

namespace fxs::ui {
namespace {

QWidget* makeSummaryPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  return new SummaryPage(host.appearance(), services.get<SummaryPresenter>(),
                         services.get<SessionPresenter>(), services.get<SelectionPresenter>(),
                         parent);
}

}  // namespace

void registerSummary(Features& features) {
  features.present<SummaryPresenter>();
  features.pages.push_back(
      {"summary",
       "Summary",
       58,
       {"show-summary", {"Go/Results", 267}, "The program in numbers", "Ctrl+Shift+K"},
       makeSummaryPage});
}

}  // namespace fxs::ui
