#include "window/page.h"

#include "features/coverage/coverage_page.h"
#include "features/stages/stage_strip.h"
#include "workbench.h"

namespace fxs::ui {
namespace {

QWidget* makeCoveragePage(PageHost& host, QWidget* parent) {
  Workbench& bench = host.bench();
  Actions& actions = host.actions();
  auto* page = new CoveragePage(host.appearance(), bench.session, bench.ways, bench.selection, parent);
  const auto beside = [&host](Way way) { return [&host, way] { host.texts().showBeside(way); }; };
  actions.separator("Run");
  QAction* text = actions.add({"lower-registries", "Run", "Lower by registries", "7", {}, beside(Way::Registries)});
  actions.add({"lower-nodes", "Run", "Lower node by node", "8", {}, beside(Way::Nodes)});
  const auto want = [&bench] { bench.ways.setWanted(Way::Registries, true); };
  QObject::connect(actions["show-coverage"], &QAction::triggered, page, want);
  QObject::connect(page->messageButton(), &QPushButton::clicked, page, want);
  QObject::connect(page->textButton(), &QToolButton::clicked, text, &QAction::trigger);
  QObject::connect(&bench.ways, &WaysPresenter::changed, page, [&host, &bench](Way way) {
    if (way != Way::Registries) return;
    const WayLoweringPtr& lowering = bench.ways.state(way).lowering;
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
