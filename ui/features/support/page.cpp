// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include "features/support/support_page.h"
#include "workbench.h"

namespace fxs::ui {
namespace {

QWidget* makeSupportPage(PageHost& host, QWidget* parent) {
  Workbench& bench = host.bench();
  auto* page = new SupportPage(host.appearance(), bench.session, bench.problems, bench.diagnosis,
                               bench.selection, bench.measured, parent);
  QAction* survey = host.actions().add(
      {"survey-all", "Run", "Survey all targets", "Ctrl+Shift+T", {}, [&host, &bench] {
         // Stay on the problems page, which shows the results too.
         if (host.currentPage() != "problems") host.showPage("support");
         bench.diagnosis.surveyAllTargets();
       }});
  const auto enable = [survey, &bench] { survey->setEnabled(bench.diagnosis.possible()); };
  QObject::connect(&bench.diagnosis, &DiagnosisPresenter::stateChanged, survey, enable);
  QObject::connect(&bench.session, &SessionPresenter::stateChanged, survey, enable);
  enable();
  QObject::connect(page->surveyButton(), &QToolButton::clicked, survey, &QAction::trigger);
  QObject::connect(page->messageButton(), &QPushButton::clicked, survey, &QAction::trigger);
  return page;
}

}  // namespace

void registerSupport(Pages& pages) {
  pages.push_back({"support",
                   "Support",
                   40,
                   {"show-support", "Go", "Supported operators by output type", "Ctrl+Shift+U"},
                   makeSupportPage});
}

}  // namespace fxs::ui
