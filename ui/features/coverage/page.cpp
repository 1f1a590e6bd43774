#include "window/page.h"

#include "features/coverage/coverage_page.h"
#include "features/stages/stage_strip.h"
#include "workbench.h"

namespace fxs::ui {
namespace {

QWidget* makeCoveragePage(PageHost& host, QWidget* parent) {
  Workbench& bench = host.bench();
  Actions& actions = host.actions();
  auto* page = new CoveragePage(host.appearance(), bench.session, bench.alternatives, bench.selection, parent);
  const auto beside = [&host](Alternative alternative) { return [&host, alternative] { host.texts().showBeside(alternative); }; };
  actions.separator("Run");
  QAction* text = actions.add({"lower-registries", "Run", "Lower by registries", "7", {}, beside(Alternative::Registries)});
  actions.add({"lower-nodes", "Run", "Lower node by node", "8", {}, beside(Alternative::Nodes)});
  const auto want = [&bench] { bench.alternatives.setWanted(Alternative::Registries, true); };
  QObject::connect(actions["show-coverage"], &QAction::triggered, page, want);
  QObject::connect(page->messageButton(), &QPushButton::clicked, page, want);
  QObject::connect(page->textButton(), &QToolButton::clicked, text, &QAction::trigger);
  QObject::connect(&bench.alternatives, &AlternativesPresenter::changed, page, [&host, &bench](Alternative alternative) {
    if (alternative != Alternative::Registries) return;
    const AlternativeLoweringPtr& lowering = bench.alternatives.state(alternative).lowering;
    const std::size_t missing = lowering ? lowering->missing() : 0;
    host.setPageTitle("coverage", missing ? QString("Coverage  %1").arg(missing) : QString("Coverage"));
  });
  return page;
}

}  // namespace

void registerCoverage(Pages& pages) {
  pages.push_back(
      {"coverage", "Coverage", 50, {"show-coverage", "Go", "Which registry lowers which node", "Ctrl+Shift+G"}, makeCoveragePage});
}

}  // namespace fxs::ui
