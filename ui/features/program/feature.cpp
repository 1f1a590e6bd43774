// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The open program: how it is read and run, to which output type, and the history of selections.
#include "window/feature.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QToolBar>

#include "read/folder.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "text/words.h"
#include "widgets/banner_bar.h"

namespace fxs::ui {
namespace {

constexpr int kProgramTool = 100;    ///< place in the tool bar
constexpr int kTargetsInRun = 1000;  ///< in the menu, after all that runs

/// The key that lowers to the output type at `position`; empty if there are none left.
QString targetKeys(std::size_t position) {
  if (position < 9) return QString("Ctrl+Alt+%1").arg(position + 1);
  if (position < 18) return QString("Ctrl+Alt+Shift+%1").arg(position - 8);
  return position < 27 ? QString("Alt+Shift+%1").arg(position - 17) : QString();
}

void addRunActions(Host& host) {
  Actions& actions = host.actions();
  auto& session = host.services().get<SessionPresenter>();
  auto& work = host.services().get<WorkList>();
  actions.add(
      {"reload", {"File", 30}, "Reload", "Ctrl+R", "reload", [&session] { session.reload(); }});
  actions.needProgram({"reload"});
  QAction* watch = actions.add(
      {"watch", {"File", 31}, "Reload when the file changes", "Ctrl+Alt+Shift+R", {}, {}, true});
  watch->setChecked(session.isWatching());
  QObject::connect(watch, &QAction::toggled, &session, &SessionPresenter::setWatching);
  QAction* run = actions.add(
      {"run", {"Run", 10}, "Run every stage", "F5", "run", [&session] { session.run(); }});
  QAction* plain = actions.add({"as-torch-mlir",
                                {"Run", 20},
                                "Lower as torch-mlir does, and no more",
                                "Ctrl+Alt+M",
                                {},
                                {},
                                true});
  QObject::connect(plain, &QAction::toggled, &session, &SessionPresenter::setAsTorchMlir);
  QAction* stop = actions.add({"stop",
                               {"Run", 30},
                               "Cancel",
                               "Esc",
                               "stop",
                               [&session, &work] {
                                 if (session.state().activity != Activity::Idle) session.cancel();
                                 else work.cancel();
                               },
                               false,
                               true});
  for (const lower::OutputType& type : session.outputTypes().all()) {
    const QString name = text(lower::name(type));
    actions.add({"target-" + name,
                 {"Run/Lower to", kTargetsInRun},
                 "Lower to " + name,
                 targetKeys(type->rank),
                 {},
                 [&session, type] { session.setTarget(type); }});
  }
  const auto refresh = [run, plain, stop, &session, &work] {
    const bool isIdle = session.state().activity == Activity::Idle;
    run->setEnabled(session.hasProgram() && isIdle);
    stop->setEnabled(!isIdle || work.cancellable());
    plain->setChecked(session.asTorchMlir());
  };
  QObject::connect(&session, &SessionPresenter::stateChanged, run, refresh);
  QObject::connect(&session, &SessionPresenter::programChanged, run, refresh);
  QObject::connect(&session, &SessionPresenter::openFailed, run, refresh);
  QObject::connect(&work, &WorkList::changed, run, refresh);
  refresh();
}

void addHistoryActions(Host& host) {
  Actions& actions = host.actions();
  Appearance& appearance = host.appearance();
  auto& selection = host.services().get<SelectionPresenter>();
  QAction* back = actions.add(
      {"back", {"Go", 10}, "Back", "Alt+Left", "back", [&selection] { selection.back(); }});
  QAction* forward =
      actions.add({"forward", {"Go", 20}, "Forward", "Alt+Right", "forward", [&selection] {
                     selection.forward();
                   }});
  const auto refresh = [back, forward, &selection] {
    back->setEnabled(selection.canGoBack());
    forward->setEnabled(selection.canGoForward());
  };
  QObject::connect(&selection, &SelectionPresenter::historyChanged, back, refresh);
  refresh();
  QAction* follow = actions.add(
      {"follow", {"Go", 30}, "Synchronize panes with the selection", "Ctrl+L", "chain", {}, true});
  QObject::connect(follow, &QAction::toggled, follow, [follow, &appearance, &selection](bool on) {
    selection.setFollowing(on);
    follow->setIcon(appearance.icon(on ? "chain" : "chain-off"));
  });
  follow->setChecked(true);
}

void showStateBanners(BannerBar& banners, SessionPresenter& session) {
  const SessionState& state = session.state();
  banners.show("as-torch-mlir", BannerKind::Info,
               session.asTorchMlir()
                   ? QString("Lowered as torch-mlir's fx.export_and_import does, and no more")
                   : QString());
  banners.show(
      "engine", BannerKind::Warning,
      state.engineProblem.isEmpty()
          ? QString()
          : "Not lowered: " + state.engineProblem +
                ". The graph, its metadata and the RAW import are available without an engine.",
      {{"Try again", [&session] { session.run(); }}});
  banners.show("step", BannerKind::Error, state.stepProblem);
  const bool isAsked = state.changedOnDisk && state.activity != Activity::Reading;
  banners.show("disk", BannerKind::Info,
               isAsked ? shown(QFileInfo(state.file).fileName()) + " changed on disk" : QString(),
               {{"Reload", [&session] { session.reload(); }},
                {"Ignore", [&session] { session.ignoreChange(); }}});
}

void showProgramBanners(BannerBar& banners, const SessionPresenter& session) {
  banners.dismiss("open");
  QString graphBreak;
  for (const std::string& note : session.snapshot()->capture->notes)
    if (note.starts_with(read::kGraphBreakNote)) graphBreak = text(note);
  banners.show("break", BannerKind::Info,
               graphBreak.isEmpty() ? QString() : "Dynamo broke the graph here; " + graphBreak);
}

void addProgramBanners(Host& host) {
  BannerBar& banners = host.banners();
  auto& session = host.services().get<SessionPresenter>();
  const auto refresh = [&banners, &session] { showStateBanners(banners, session); };
  QObject::connect(&session, &SessionPresenter::stateChanged, &banners, refresh);
  QObject::connect(&session, &SessionPresenter::programChanged, &banners,
                   [&banners, &session, refresh] {
                     showProgramBanners(banners, session);
                     refresh();
                   });
  QObject::connect(&session, &SessionPresenter::openFailed, &banners,
                   [&banners, &session](const QString& file, const QString& message) {
                     const QString open = shown(QFileInfo(session.state().file).fileName());
                     banners.show(
                         "open", BannerKind::Error,
                         QString("Could not open %1: %2%3")
                             .arg(shown(QFileInfo(file).fileName()), message,
                                  session.hasProgram() ? " — " + open + " stays open" : QString()));
                   });
  refresh();
}

QComboBox* makeTargets(SessionPresenter& session, QWidget* parent) {
  auto* target = new FittedComboBox(parent);
  target->setObjectName("target");
  target->setMinimumContentsLength(12);
  target->setAccessibleName("Output type");
  target->setToolTip("Output type, as fx.export_and_import names it");
  for (const lower::OutputType& type : session.outputTypes().all())
    target->addItem(text(lower::name(type)));
  QObject::connect(target, &QComboBox::activated, &session, [&session](int index) {
    const auto& types = session.outputTypes().all();
    if (static_cast<std::size_t>(index) < types.size())
      session.setTarget(types[static_cast<std::size_t>(index)]);
  });
  const auto refresh = [target, &session] {
    const lower::OutputType type = session.target();
    const auto listed = static_cast<int>(session.outputTypes().all().size());
    // The pipeline of one file is no type of the table.
    const bool isListed = type->rank < session.outputTypes().all().size();
    if (!isListed && target->count() == listed) target->addItem(text(lower::name(type)));
    if (isListed && target->count() > listed) target->removeItem(listed);
    target->setCurrentIndex(isListed ? static_cast<int>(type->rank) : listed);
    target->setItemData(listed, text(type->stage.pipeline), Qt::ToolTipRole);
  };
  QObject::connect(&session, &SessionPresenter::stateChanged, target, refresh);
  QObject::connect(&session, &SessionPresenter::programChanged, target, refresh);
  refresh();
  return target;
}

void addProgramTools(Host& host, QToolBar& bar) {
  Actions& actions = host.actions();
  bar.addAction(actions["reload"]);
  bar.addSeparator();
  QLabel* label = makeLabel(host.appearance(), "Lower to", TextSize::Body, "muted", &bar);
  label->setContentsMargins(kGrid / 2, 0, kGrid / 2, 0);
  bar.addWidget(label);
  bar.addWidget(makeTargets(host.services().get<SessionPresenter>(), &bar));
  bar.addAction(actions["run"]);
  bar.addAction(actions["stop"]);
  bar.addSeparator();
  for (const char* id : {"back", "forward", "follow"}) bar.addAction(actions[id]);
}

}  // namespace

void registerProgram(Features& features) {
  features.parts.push_back(addRunActions);
  features.parts.push_back(addHistoryActions);
  features.parts.push_back(addProgramBanners);
  features.tools.push_back({kProgramTool, addProgramTools});
}

}  // namespace fxs::ui
