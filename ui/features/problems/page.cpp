// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/page.h"

#include <QFileInfo>

#include "features/problems/problems_page.h"
#include "text/words.h"
#include "widgets/banner_bar.h"
#include "workbench.h"

namespace fxs::ui {
namespace {

void addProblemActions(PageHost& host, ProblemsPage* page) {
  Actions& actions = host.actions();
  Workbench& bench = host.bench();
  const auto step = [&host, &bench, page](int direction) {
    if (bench.problems.problems().empty()) return host.showMessage(bench.problems.emptyText());
    host.raisePage("problems");
    page->step(direction);
  };
  actions.add({"next-problem", "Go", "Next problem", "F8", {}, [step] { step(1); }});
  actions.add({"previous-problem", "Go", "Previous problem", "Shift+F8", {}, [step] { step(-1); }});
  actions.separator("Run");
  QAction* diagnose = actions.add({"diagnose", "Run", "Find what blocks the program",
                                   "Ctrl+Shift+D", "diagnose", [&host, &bench] {
                                     host.showPage("problems");
                                     bench.diagnosis.diagnose();
                                   }});
  const auto enable = [diagnose, &bench] { diagnose->setEnabled(bench.diagnosis.possible()); };
  QObject::connect(&bench.diagnosis, &DiagnosisPresenter::stateChanged, diagnose, enable);
  QObject::connect(&bench.session, &SessionPresenter::stateChanged, diagnose, enable);
  enable();
}

void addReduceAction(PageHost& host) {
  Workbench& bench = host.bench();
  QAction* reduce = host.actions().add(
      {"reduce",
       "Run",
       "Reduce to the smallest program that fails in the same way",
       "Ctrl+Shift+R",
       {},
       [&bench] {
         const Problem* problem = bench.problems.problem(bench.selection.current().problem);
         const fx::NodeId selected = bench.selection.current().node();
         // The selected problem or node if it stops the program, else the first that does.
         const bool stops =
             problem ? problem->severity() == fx::Severity::Error : bench.problems.blocks(selected);
         bench.reduce.start(stops ? selected : fx::NodeId{});
       }});
  reduce->setIconText("Reduce");
  const auto refresh = [reduce, &bench] {
    const QString obstacle = bench.bundle.noFailure();
    reduce->setEnabled(obstacle.isEmpty() && !bench.reduce.state().running);
    reduce->setToolTip(
        obstacle.isEmpty()
            ? QString("Opens the smallest program that fails in the same way (Ctrl+Shift+R)")
            : obstacle);
  };
  QObject::connect(&bench.bundle, &BundlePresenter::changed, reduce, refresh);
  QObject::connect(&bench.reduce, &ReducePresenter::changed, reduce, refresh);
  refresh();
  BannerBar* banners = &host.banners();
  QObject::connect(&bench.reduce, &ReducePresenter::failed, banners, [banners](const QString& why) {
    banners->show("reduce", BannerKind::Error, "Not reduced: " + why);
  });
  QObject::connect(&bench.session, &SessionPresenter::programChanged, banners, [banners, &bench] {
    banners->dismiss("reduce");
    const QString original = shown(QFileInfo(bench.reduce.original()).fileName());
    banners->show(
        "reduced", BannerKind::Info,
        bench.reduce.showsReduced() ? original + ": " + bench.reduce.statement() : QString(),
        {{withoutMnemonic("Back to " + original), [&bench] { bench.reduce.back(); }}});
  });
}

QWidget* makeProblemsPage(PageHost& host, QWidget* parent) {
  Workbench& bench = host.bench();
  auto* page =
      new ProblemsPage(host.appearance(), bench.problems, bench.diagnosis, bench.selection, parent);
  addProblemActions(host, page);
  addReduceAction(host);
  QToolButton* apply = page->addToBar(host.actions()["export-fixed"]);
  page->setSecondary(apply);
  page->setSecondary(page->addToBar(host.actions()["reduce"]));
  page->setSecondary(page->addToBar(host.actions()["export-bundle"]));
  page->setSecondary(page->surveyButton());
  QObject::connect(page->diagnoseButton(), &QToolButton::clicked, page, [&host, &bench] {
    if (bench.diagnosis.state().running) bench.diagnosis.cancel();
    else host.actions()["diagnose"]->trigger();
  });
  QObject::connect(page->surveyButton(), &QToolButton::clicked, page,
                   [&host] { host.actions()["survey-all"]->trigger(); });
  QObject::connect(&bench.problems, &ProblemsPresenter::changed, page, [&host, &bench] {
    const std::size_t count = bench.problems.problems().size();
    host.setPageTitle("problems", count ? QString("Problems  %1").arg(count) : QString("Problems"));
  });
  QObject::connect(&bench.session, &SessionPresenter::runFinished, page, [&host, &bench] {
    // Show the list when a run ends with errors, unless another is what the arrangement is for.
    const Arrangement now = bench.arrangement.current();
    if (bench.problems.errors() && now != Arrangement::Passes && now != Arrangement::Numbers)
      host.raisePage("problems");
  });
  PythonConsent& consent = bench.diagnosis.consent();
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
