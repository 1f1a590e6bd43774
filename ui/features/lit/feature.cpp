// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lit tests: RUN lines that can be run, and CHECK lines beside their output.
#include "window/feature.h"

#include <algorithm>

#include "features/lit/lit_page.h"
#include "features/lit/lit_presenter.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

constexpr const char* kLitPage = "test";

void addLitActions(Host& host, LitPresenter& lit) {
  Actions& actions = host.actions();
  const auto runAll = [&lit] {
    if (lit.state().running) lit.cancel();
    else lit.runAll();
  };
  actions.add({"run-test", {"Run", 410}, "Run the lit test", "Ctrl+F6", {}, [&host, runAll] {
                 host.showPage(kLitPage);
                 runAll();
               }});
  actions.add({"run-test-line", {"Run", 420}, "Run the chosen RUN line", "Shift+F5", {}, [&lit] {
                 lit.run(lit.current());
               }});
  actions.add({"lower-with-run-line",
               {"Run", 430},
               "Lower with the pipeline of the RUN line",
               "Ctrl+Shift+F6",
               {},
               [&lit] { lit.lowerWith(lit.current()); }});
}

QWidget* makeLitPage(Host& host, QWidget* parent) {
  auto& lit = host.services().get<LitPresenter>();
  auto* page = new LitPage(host.appearance(), lit, parent);
  addLitActions(host, lit);
  for (const auto& [button, action] :
       {std::pair(page->runAllButton(), "run-test"), std::pair(page->runButton(), "run-test-line"),
        std::pair(page->lowerButton(), "lower-with-run-line")})
    QObject::connect(button, &QToolButton::clicked, host.actions()[action], &QAction::trigger);
  QObject::connect(&lit, &LitPresenter::testChanged, page, [&host, &lit] {
    host.banners().dismiss("pipeline");
    host.keepPanesOpen(kLitPage, lit.hasTest());
    if (lit.hasTest()) host.suggestPage(kLitPage);
  });
  QObject::connect(&lit, &LitPresenter::rowsChanged, page, [&host, &lit] {
    const auto failed = std::count_if(lit.rows().begin(), lit.rows().end(), [](const LitRow& row) {
      return row.mark == LitMark::Failed;
    });
    host.setPageTitle(kLitPage, failed ? QString("Test  %1").arg(failed) : QString("Test"));
  });
  QObject::connect(&lit, &LitPresenter::pipelineFailed, page, [&host](const QString& message) {
    host.banners().show("pipeline", BannerKind::Error, "No pipeline: " + message);
  });
  return page;
}

}  // namespace

void registerLit(Features& features) {
  features.present<LitPresenter>();
  features.pages.push_back(
      {kLitPage,
       "Test",
       57,
       {"show-test", {"Go/Results", 248}, "RUN lines of the lit test", "Ctrl+T"},
       makeLitPage});
}

}  // namespace fxs::ui
