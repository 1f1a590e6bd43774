// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/feature.h"

#include <QMainWindow>

#include "features/passes/history_section.h"
#include "features/passes/op_origin_section.h"
#include "features/passes/op_tip_presenter.h"
#include "features/passes/pass_presenter.h"
#include "features/passes/passes_page.h"
#include "features/passes/pattern_presenter.h"
#include "features/passes/stops_presenter.h"
#include "session/arrangement_presenter.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/node_sections.h"
#include "window/text_panes.h"

namespace fxs::ui {
namespace {

constexpr int kOriginSection = 45, kHistorySection = 70;  ///< places in the inspector

void stepPass(Host& host, int direction) {
  PassPresenter& passes = host.services().get<PassPresenter>();
  if (!passes.trace()) {
    if (passes.state().running) return host.showMessage("The passes are being traced");
    return host.showMessage(passes.state().message.isEmpty()
                                ? QString("The passes have not been traced yet")
                                : passes.state().message);
  }
  if (!passes.step(direction))
    host.showMessage(direction > 0 ? "No later pass changed the module"
                                   : "No earlier pass changed the module");
  else host.services().get<ArrangementPresenter>().choose(Arrangement::Passes);
}

void stepChange(Host& host, int direction) {
  PassPresenter& passes = host.services().get<PassPresenter>();
  if (!passes.diff())
    return host.showMessage("Select a pass first; ] goes to the next that changed the module");
  host.texts().showHandles();
  if (passes.stepChange(direction) < 0) host.showMessage("From A to B: " + summary(*passes.diff()));
}

/// Switches for one member of DiffOptions each, kept in the settings.
void addDiffOptions(Host& host, PassPresenter& passes) {
  const auto add = [&](const ActionSpec& spec, const char* setting, bool DiffOptions::* member) {
    QAction* action = host.actions().add(spec);
    action->setChecked(passes.diffOptions().*member);
    QObject::connect(action, &QAction::toggled, &passes, [&passes, member](bool on) {
      DiffOptions options = passes.diffOptions();
      options.*member = on;
      passes.setDiffOptions(options);
    });
    host.addSetting({setting, [action] { return action->isChecked(); },
                     [action](const QVariant& kept) {
                       if (kept.isValid()) action->setChecked(kept.toBool());
                     }});
  };
  add({"hide-constants",
       {"Passes", 102},
       "Hide differences of constants",
       "Ctrl+Alt+X",
       {},
       {},
       true},
      "hideConstants", &DiffOptions::hideConstants);
  add({"hide-renumbering",
       {"Passes", 104},
       "Hide other names of the same values",
       "Ctrl+Alt+V",
       {},
       {},
       true},
      "hideRenumbering", &DiffOptions::hideRenumbering);
}

void addTimeline(Host& host, PassesPage* page) {
  Actions& actions = host.actions();
  QAction* byTime = actions.add({"time-widths",
                                 {"Passes", 205},
                                 "Widths of the timeline by time",
                                 "Ctrl+Alt+W",
                                 {},
                                 {},
                                 true});
  QObject::connect(byTime, &QAction::toggled, page->timeline(), [page](bool on) {
    page->timeline()->setWidths(on ? TimelineWidths::ByTime : TimelineWidths::Equal);
  });
  host.addSetting({"timelineByTime", [byTime] { return byTime->isChecked(); },
                   [byTime](const QVariant& kept) { byTime->setChecked(kept.toBool()); }});
  actions.addKeys({"Timeline of the passes",
                   {{"Pass before or after", "Left, Right"}, {"First or last pass", "Home, End"}}});
  QObject::connect(page->previousButton(), &QToolButton::clicked, actions["previous-pass"],
                   &QAction::trigger);
  QObject::connect(page->nextButton(), &QToolButton::clicked, actions["next-pass"],
                   &QAction::trigger);
}

void addPassActions(Host& host, PassesPage* page) {
  Actions& actions = host.actions();
  Services& services = host.services();
  PassPresenter& passes = services.get<PassPresenter>();
  actions.add(
      {"next-pass", {"Passes", 20}, "Next pass that changed the module", "]", "forward", [&host] {
         stepPass(host, 1);
       }});
  actions.add({"previous-pass",
               {"Passes", 30},
               "Previous pass that changed the module",
               "[",
               "back",
               [&host] { stepPass(host, -1); }});
  actions.add({"next-change", {"Passes", 40}, "Next change", "F7 or Alt+Down", {}, [&host] {
                 stepChange(host, 1);
               }});
  actions.add(
      {"previous-change", {"Passes", 50}, "Previous change", "Shift+F7 or Alt+Up", {}, [&host] {
         stepChange(host, -1);
       }});
  QAction* diff = actions.add({"show-diff",
                               {"Passes", 100},
                               "Highlight differences between A and B",
                               "Ctrl+D",
                               {},
                               {},
                               true});
  QObject::connect(diff, &QAction::toggled, &passes, &PassPresenter::setShowDiff);
  diff->setChecked(true);
  addDiffOptions(host, passes);
  actions.add(
      {"handle-a", {"Passes", 110}, "Set A after the selected pass", "Ctrl+Alt+A", {}, [&passes] {
         passes.setFromAfter(passes.pass());
       }});
  actions.add(
      {"handle-b", {"Passes", 120}, "Set B after the selected pass", "Ctrl+Alt+B", {}, [&passes] {
         passes.setToAfter(passes.pass());
       }});
  actions.add({"show-stages", {"Passes", 130}, "Return to the stages", "0", "panes", [&host] {
                 host.texts().showStages();
               }});
  QAction* hide = actions.add({"hide-unchanged",
                               {"Passes", 200},
                               "Hide passes without changes",
                               "Ctrl+Alt+H",
                               {},
                               {},
                               true});
  QObject::connect(hide, &QAction::toggled, &passes, &PassPresenter::setHideUnchanged);
  actions.add(
      {"filter-passes", {"Passes", 210}, "Filter the passes …", "Ctrl+Alt+P", {}, [&host, page] {
         host.showPage("passes");
         page->filter()->setFocus();
       }});
  actions.add({"rewrites",
               {"Passes", 220},
               "Step through the rewrites of the node",
               "Ctrl+Alt+R",
               {},
               [&host, &services] {
                 if (!services.get<PatternPresenter>().rewrites())
                   return host.showMessage(services.get<PatternPresenter>().asked()
                                               ? "Its rewrites cannot be stepped through"
                                               : "List the patterns tried first (Ctrl+Alt+T)");
                 services.get<PassPresenter>().showOther(
                     services.get<PatternPresenter>().rewrites(), Listed::Rewrites);
                 services.get<PassPresenter>().choose(0);
               }});
  actions.add({"all-passes", {"Passes", 230}, "Return to the passes", "Ctrl+Alt+0", {}, [&passes] {
                 passes.showProgram();
               }});
  actions.add({"trace", {"Run", 40}, "Trace the passes", "Ctrl+F5", {}, [&services] {
                 services.get<SessionPresenter>().trace();
               }});
  actions.add({"cancel-trace", {"Run", 50}, "Cancel the trace", "Ctrl+Shift+F5", {}, [&services] {
                 services.get<SessionPresenter>().cancelTrace();
               }});
  actions.addKeys({"List of passes",
                   {{"Before and after a pass", "Click, Up, Down"},
                    {"Show A only, B only", "Shift+Click, Ctrl+Click"},
                    {"Move A or B", "Drag"}}});
  QObject::connect(&passes, &PassPresenter::diffChanged, diff,
                   [diff, &passes] { diff->setChecked(passes.showsDiff()); });
  QObject::connect(&passes, &PassPresenter::passesChanged, hide,
                   [hide, &passes] { hide->setChecked(passes.hidesUnchanged()); });
}

void addHistory(Host& host) {
  Services& services = host.services();
  auto& sections = services.get<NodeSections>();
  auto& history = services.get<HistoryPresenter>();
  auto& patterns = services.get<PatternPresenter>();
  sections.add({kHistorySection, "History", "pass by pass",
                [&host, &history, &patterns](fx::NodeId node, QWidget* parent) -> QWidget* {
                  if (!node.valid()) return nullptr;
                  auto* section = new HistorySection(host.appearance(), history, patterns, parent);
                  QObject::connect(section, &HistorySection::passRequested, parent,
                                   [&host](int pass) {
                                     auto& passes = host.services().get<PassPresenter>();
                                     passes.showProgram();
                                     if (pass < 0) host.texts().showStage("raw");
                                     else passes.choose(pass);
                                   });
                  QObject::connect(section, &HistorySection::rewritesRequested, parent,
                                   [&host] { host.actions()["rewrites"]->trigger(); });
                  return section;
                }});
  const auto selects = [&host, &services] {
    if (services.get<SelectionPresenter>().current().inspected().valid()) return true;
    host.showMessage("Select a node first");
    return false;
  };
  host.actions().add({"history",
                      {"Passes", 240},
                      "History of the node, pass by pass",
                      "Ctrl+H",
                      {},
                      [&host, &sections, selects] {
                        if (!selects()) return;
                        auto* section = host.mainWindow().findChild<HistorySection*>();
                        if (section) Q_EMIT sections.wanted(section, -4 * kGrid);
                      }});
  host.actions().add({"patterns",
                      {"Passes", 250},
                      "Patterns tried on the node",
                      "Ctrl+Alt+T",
                      {},
                      [&patterns, selects] {
                        if (selects()) patterns.ask();
                      }});
}

/// The module after the first pass of a log is the first there is, so that nothing is before it.
int firstWithDifference(const std::vector<PassRow>& rows) {
  for (const PassRow& row : rows)
    if (row.failed || (row.changed && row.before != row.snapshot)) return row.pass;
  return 0;
}

void addStopActions(Host& host, PassesPage* page) {
  Actions& actions = host.actions();
  auto& stops = host.services().get<StopsPresenter>();
  actions.add({"next-stop", {"Passes/Stops", 60}, "Next stop of the condition", "F4", {}, [&stops] {
                 stops.step(1);
               }});
  actions.add({"previous-stop",
               {"Passes/Stops", 60},
               "Previous stop of the condition",
               "Shift+F4",
               {},
               [&stops] { stops.step(-1); }});
  actions.add({"rewrite-of-stop",
               {"Passes/Stops", 60},
               "Stop at the rewrite in this pass",
               "Ctrl+Shift+F4",
               {},
               [&stops] { stops.intoPass(); }});
  actions.add({"stop-where",
               {"Passes/Stops", 60},
               "Stop where something happens …",
               "Ctrl+F4",
               {},
               [&host, page] {
                 host.showPage("passes");
                 page->condition()->setFocus();
               }});
  QObject::connect(&stops, &StopsPresenter::refused, page,
                   [&host](const QString& message) { host.showMessage(message); });
}

/// Shows the selected operation in the inspector.
void showOrigin(Host& host) {
  auto* section = host.mainWindow().findChild<OpOriginSection*>();
  if (section) Q_EMIT host.services().get<NodeSections>().wanted(section, -4 * kGrid);
}

void addOrigins(Host& host, QWidget* page) {
  Services& services = host.services();
  auto& sections = services.get<NodeSections>();
  auto& origin = services.get<OpOriginPresenter>();
  sections.add({kOriginSection, "Operation", "of the selected line",
                [&host, &origin](fx::NodeId node, QWidget* parent) -> QWidget* {
                  if (!node.valid() || !origin.hasOp()) return nullptr;
                  auto* section = new OpOriginSection(host.appearance(), origin, parent);
                  QObject::connect(section, &OpOriginSection::hopRequested, parent,
                                   [&host, &origin](const OpHop& hop) {
                                     auto& passes = host.services().get<PassPresenter>();
                                     if (passes.trace() != origin.trace()) passes.showProgram();
                                     host.texts().showLine(PassSnapshot{hop.snapshot}, hop.line);
                                   });
                  return section;
                }});
  QObject::connect(&origin, &OpOriginPresenter::appeared, page,
                   [&sections] { Q_EMIT sections.changed(); });
  auto& commands = services.get<OpCommands>();
  const auto canShow = [&origin](const TextOp& op) { return origin.canShow(op); };
  commands.add(
      {10, "Where does this come from", canShow, [&host, &origin, &services](const TextOp& op) {
         origin.show(op);
         auto& patterns = services.get<PatternPresenter>();
         if (!patterns.asked()) patterns.ask();
         showOrigin(host);
       }});
  commands.add({20, "Where does this go", canShow, [&host, &origin](const TextOp& op) {
                  origin.show(op);
                  showOrigin(host);
                }});
  commands.add({30, "Stop when this changes", canShow,
                [&origin](const TextOp& op) { origin.stopWhenItChanges(op); }});
  QObject::connect(&origin, &OpOriginPresenter::stopRequested, page,
                   [&services](const QString& condition) {
                     services.get<StopsPresenter>().setCondition(condition, true);
                   });
}

void addPassRows(Host& host) {
  Services& services = host.services();
  auto& commands = services.get<OpCommands>();
  commands.addRow(host.actions().rowCommand(300, "handle-a", "passes"));
  commands.addRow(host.actions().rowCommand(310, "handle-b", "passes"));
  commands.addRow(host.actions().rowCommand(510, "history"));
  const auto node = [&services] {
    return services.get<SelectionPresenter>().current().inspected();
  };
  commands.addRow({520,
                   "Stop when the node changes",
                   {},
                   {},
                   [node] { return node().valid(); },
                   [node, &services] {
                     const fx::ProgramPtr program = services.get<SessionPresenter>().program();
                     services.get<StopsPresenter>().setCondition(
                         "node=" + text(program->node(node()).name) + " changes", true);
                   }});
}

QWidget* makePassesPage(Host& host, QWidget* parent) {
  Services& services = host.services();
  PassPresenter& passes = services.get<PassPresenter>();
  auto* page = new PassesPage(host.appearance(), passes, services.get<StopsPresenter>(),
                              services.get<SessionPresenter>(), parent);
  PassDocsPresenter& docs = services.get<PassDocsPresenter>();
  page->model().setDocs([&docs](const PassRow& row) { return docs.of(row.stage, row.name); });
  addPassActions(host, page);
  addTimeline(host, page);
  const auto showHandles = [&host, &passes] {
    if (passes.to() >= 0) host.texts().showHandles();
  };
  QObject::connect(page, &PassesPage::passActivated, page, showHandles);
  QObject::connect(&passes, &PassPresenter::chosen, page, [&host, showHandles] {
    showHandles();
    host.raisePage("passes");
  });
  QObject::connect(&passes, &PassPresenter::traceChanged, page, [&host, &passes] {
    const std::size_t count = passes.passes().size();
    if (!count) return host.setPageTitle("passes", "Passes");
    const char* const title = passes.showsRewrites() ? "Rewrites  %1" : "Passes  %1";
    if (passes.listed() == Listed::Comparison) host.setPageTitle("passes", "Compared");
    else host.setPageTitle("passes", QString(title).arg(count));
  });
  // A trace that was opened is what there is to look at. Later, once every view has it.
  QObject::connect(&services.get<SessionPresenter>(), &SessionPresenter::programChanged, page,
                   [&host, &passes, page, &session = services.get<SessionPresenter>()] {
                     if (!session.showsTraceFile()) return;
                     QMetaObject::invokeMethod(
                         page,
                         [&host, &passes] {
                           host.showPage("passes");
                           passes.choose(firstWithDifference(passes.passes()));
                         },
                         Qt::QueuedConnection);
                   });
  addStopActions(host, page);
  addHistory(host);
  addOrigins(host, page);
  addPassRows(host);
  return page;
}

}  // namespace

void registerPasses(Features& features) {
  features.present<HistoryPresenter>();
  features.present<PatternPresenter>();
  features.present<OpOriginPresenter>();
  features.present<OpTipPresenter>();
  features.present<StopsPresenter>();
  features.pages.push_back({"passes",
                            "Passes",
                            20,
                            {"show-passes", {"Passes", 10}, "List of passes", "Ctrl+P"},
                            makePassesPage});
}

}  // namespace fxs::ui
