// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include <algorithm>

#include "features/coverage/alternatives_presenter.h"
#include "features/coverage/coverage_page.h"
#include "lower/known_engines.h"
#include "session/arrangement_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

/// Chooses the known engine after the one that is chosen, without those that are the program in
/// use. Why there is none; "" if there is.
QString chooseNextEngine(Services& services) {
  const auto known = lower::knownEngines(services.environment.enginesFolder);
  if (!known) return lines(toString(known.error()));
  const session::SnapshotPtr& snapshot = services.get<SessionPresenter>().snapshot();
  const std::string inUse = snapshot && snapshot->engine ? snapshot->engine->sha256 : std::string();
  std::vector<std::string> names;
  for (const lower::KnownEngine& engine : *known)
    if (engine.sha256 != inUse) names.push_back(engine.name);
  if (names.empty())
    return "No other engine is known; 'fxscope-cli engine add' and 'engine fetch' add one";
  const auto after =
      std::upper_bound(names.begin(), names.end(), services.get<AlternativesPresenter>().engine());
  services.get<AlternativesPresenter>().setEngine(after == names.end() ? names.front() : *after);
  return {};
}

QWidget* makeCoveragePage(Host& host, QWidget* parent) {
  Services& services = host.services();
  Actions& actions = host.actions();
  auto* page = new CoveragePage(host.appearance(), services.get<SessionPresenter>(),
                                services.get<AlternativesPresenter>(),
                                services.get<SelectionPresenter>(), parent);
  const auto beside = [&host](Alternative alternative) {
    return [&host, alternative] {
      host.services().get<ArrangementPresenter>().choose(Arrangement::Stages);
      host.texts().showBeside(alternative);
    };
  };
  QAction* text = actions.add({"lower-registries",
                               {"Run", 310},
                               "Lower by registries",
                               "7",
                               {},
                               beside(Alternative::Registries)});
  actions.add(
      {"lower-nodes", {"Run", 320}, "Lower node by node", "8", {}, beside(Alternative::Nodes)});
  actions.add({"lower-engine",
               {"Run", 330},
               "Lower with another engine",
               "9",
               {},
               [&host, beside = beside(Alternative::Engine)] {
                 const QString reason = chooseNextEngine(host.services());
                 if (reason.isEmpty()) beside();
                 else host.showMessage(reason);
               }});
  actions.add({"lower-type",
               {"Run", 340},
               "Lower to another output type, side by side",
               "Ctrl+Alt+Y",
               {},
               [&host, &services, beside = beside(Alternative::Type)] {
                 if (host.texts().shows(Alternative::Type))
                   services.get<AlternativesPresenter>().chooseNextType();
                 beside();
               }});
  const auto want = [&services] {
    services.get<AlternativesPresenter>().setWanted(Alternative::Registries, true);
  };
  QObject::connect(actions["show-coverage"], &QAction::triggered, page, want);
  QObject::connect(page->messageButton(), &QPushButton::clicked, page, want);
  QObject::connect(page->textButton(), &QToolButton::clicked, text, &QAction::trigger);
  QObject::connect(&services.get<AlternativesPresenter>(), &AlternativesPresenter::changed, page,
                   [&host, &services](Alternative alternative) {
                     if (alternative != Alternative::Registries) return;
                     const AlternativeLoweringPtr& lowering =
                         services.get<AlternativesPresenter>().state(alternative).lowering;
                     const std::size_t missing = lowering ? lowering->missing() : 0;
                     host.setPageTitle("coverage", missing ? QString("Coverage  %1").arg(missing)
                                                           : QString("Coverage"));
                   });
  return page;
}

}  // namespace

void registerCoverage(Features& features) {
  features.present<AlternativesPresenter>();
  features.pages.push_back(
      {"coverage",
       "Coverage",
       50,
       {"show-coverage", {"Go/Results", 265}, "Which registry lowers which node", "Ctrl+Shift+G"},
       makeCoveragePage});
}

}  // namespace fxs::ui
