// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include "features/support/measured_presenter.h"
#include "features/support/support_page.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"

namespace fxs::ui {
namespace {

QWidget* makeSupportPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  auto* page = new SupportPage(
      host.appearance(), services.get<SessionPresenter>(), services.get<ProblemsPresenter>(),
      services.get<DiagnosisPresenter>(), services.get<SelectionPresenter>(),
      services.get<MeasuredPresenter>(), parent);
  QAction* survey = host.actions().add(
      {"survey-all", {"Run", 220}, "Survey all targets", "Ctrl+Shift+A", {}, [&host, &services] {
         // Stay on the problems page, which shows the results too.
         if (host.currentPage() != "problems") host.showPage("support");
         services.get<DiagnosisPresenter>().surveyAllTargets();
       }});
  const auto enable = [survey, &services] {
    survey->setEnabled(services.get<DiagnosisPresenter>().possible());
  };
  QObject::connect(&services.get<DiagnosisPresenter>(), &DiagnosisPresenter::stateChanged, survey,
                   enable);
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, survey,
                   enable);
  enable();
  QObject::connect(page->surveyButton(), &QToolButton::clicked, survey, &QAction::trigger);
  QObject::connect(page->messageButton(), &QPushButton::clicked, survey, &QAction::trigger);
  return page;
}

}  // namespace

void registerSupport(Features& features) {
  features.pages.push_back(
      {"support",
       "Support",
       40,
       {"show-support", {"Go/Results", 260}, "Supported operators by output type", "Ctrl+Shift+U"},
       makeSupportPage});
}

}  // namespace fxs::ui
