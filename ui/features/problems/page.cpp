// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include <QFileInfo>

#include "features/arrangement/arrangement_presenter.h"
#include "features/problems/diagnosis_presenter.h"
#include "features/problems/problems_page.h"
#include "features/problems/problems_presenter.h"
#include "features/problems/reduce_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

void addProblemActions(PageHost& host, ProblemsPage* page) {
  Actions& actions = host.actions();
  Services& services = host.services();
  const auto step = [&host, &services, page](int direction) {
    if (services.get<ProblemsPresenter>().problems().empty())
      return host.showMessage(services.get<ProblemsPresenter>().emptyText());
    host.raisePage("problems");
    page->step(direction);
  };
  actions.add({"next-problem", "Go", "Next problem", "F8", {}, [step] { step(1); }});
  actions.add({"previous-problem", "Go", "Previous problem", "Shift+F8", {}, [step] { step(-1); }});
  actions.separator("Run");
  QAction* diagnose = actions.add({"diagnose", "Run", "Find what blocks the program",
                                   "Ctrl+Shift+D", "diagnose", [&host, &services] {
                                     host.showPage("problems");
                                     services.get<DiagnosisPresenter>().diagnose();
                                   }});
  const auto enable = [diagnose, &services] {
    diagnose->setEnabled(services.get<DiagnosisPresenter>().possible());
  };
  QObject::connect(&services.get<DiagnosisPresenter>(), &DiagnosisPresenter::stateChanged, diagnose,
                   enable);
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, diagnose,
                   enable);
  enable();
}

void addReduceAction(PageHost& host) {
  Services& services = host.services();
  QAction* reduce = host.actions().add(
      {"reduce",
       "Run",
       "Reduce to the smallest program that fails in the same way",
       "Ctrl+Shift+R",
       {},
       [&services] {
         const Problem* problem = services.get<ProblemsPresenter>().problem(
             services.get<SelectionPresenter>().current().problem);
         const fx::NodeId selected = services.get<SelectionPresenter>().current().node();
         // The selected problem or node if it stops the program, else the first that does.
         const bool stops = problem ? problem->severity() == fx::Severity::Error
                                    : services.get<ProblemsPresenter>().blocks(selected);
         services.get<ReducePresenter>().start(stops ? selected : fx::NodeId{});
       }});
  reduce->setIconText("Reduce");
  const auto refresh = [reduce, &services] {
    const QString obstacle = services.get<SessionPresenter>().noFailure();
    reduce->setEnabled(obstacle.isEmpty() && !services.get<ReducePresenter>().state().running);
    reduce->setToolTip(
        obstacle.isEmpty()
            ? QString("Opens the smallest program that fails in the same way (Ctrl+Shift+R)")
            : obstacle);
  };
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::stateChanged, reduce,
                   refresh);
  QObject::connect(&services.get<ReducePresenter>(), &ReducePresenter::changed, reduce, refresh);
  refresh();
  BannerBar* banners = &host.banners();
  QObject::connect(&services.get<ReducePresenter>(), &ReducePresenter::failed, banners,
                   [banners](const QString& why) {
                     banners->show("reduce", BannerKind::Error, "Not reduced: " + why);
                   });
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::programChanged, banners,
                   [banners, &services] {
                     banners->dismiss("reduce");
                     const QString original =
                         shown(QFileInfo(services.get<ReducePresenter>().original()).fileName());
                     banners->show(
                         "reduced", BannerKind::Info,
                         services.get<ReducePresenter>().showsReduced()
                             ? original + ": " + services.get<ReducePresenter>().statement()
                             : QString(),
                         {{withoutMnemonic("Back to " + original),
                           [&services] { services.get<ReducePresenter>().back(); }}});
                   });
}

QWidget* makeProblemsPage(PageHost& host, QWidget* parent) {
  Services& services = host.services();
  auto* page = new ProblemsPage(host.appearance(), services.get<ProblemsPresenter>(),
                                services.get<DiagnosisPresenter>(),
                                services.get<SelectionPresenter>(), parent);
  addProblemActions(host, page);
  addReduceAction(host);
  QToolButton* apply = page->addToBar(host.actions()["export-fixed"]);
  page->setSecondary(apply);
  page->setSecondary(page->addToBar(host.actions()["reduce"]));
  page->setSecondary(page->addToBar(host.actions()["export-bundle"]));
  page->setSecondary(page->surveyButton());
  QObject::connect(page->diagnoseButton(), &QToolButton::clicked, page, [&host, &services] {
    if (services.get<DiagnosisPresenter>().state().running)
      services.get<DiagnosisPresenter>().cancel();
    else host.actions()["diagnose"]->trigger();
  });
  QObject::connect(page->surveyButton(), &QToolButton::clicked, page,
                   [&host] { host.actions()["survey-all"]->trigger(); });
  QObject::connect(
      &services.get<ProblemsPresenter>(), &ProblemsPresenter::changed, page, [&host, &services] {
        const std::size_t count = services.get<ProblemsPresenter>().problems().size();
        host.setPageTitle("problems",
                          count ? QString("Problems  %1").arg(count) : QString("Problems"));
      });
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::runFinished, page,
                   [&host, &services] {
                     // Show the list when a run ends with errors, unless another is what the
                     // arrangement is for.
                     const Arrangement now = services.get<ArrangementPresenter>().current();
                     if (services.get<ProblemsPresenter>().errors() && now != Arrangement::Passes &&
                         now != Arrangement::Numbers)
                       host.raisePage("problems");
                   });
  PythonConsent& consent = services.get<DiagnosisPresenter>().consent();
  QObject::connect(&consent, &PythonConsent::changed, page, [&host, &consent] {
    host.banners().show("python", BannerKind::Info, consent.question(),
                        {{"Run Python for this file", [&consent] { consent.agree(); }},
                         {"Do not run", [&consent] { consent.decline(); }}});
  });
  return page;
}

}  // namespace

void registerProblems(Pages& pages) {
  pages.push_back({"problems",
                   "Problems",
                   30,
                   {"show-problems", "Go", "List of problems", "Ctrl+Shift+M"},
                   makeProblemsPage});
}

}  // namespace fxs::ui
