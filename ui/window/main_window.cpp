// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFileInfo>
#include <QMenuBar>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "features/arrangement/arrangement_presenter.h"
#include "features/bundle/bundle_presenter.h"
#include "features/captures/folder_presenter.h"
#include "features/fix/fix_presenter.h"
#include "features/graph/graphs_presenter.h"
#include "features/numbers/numbers_presenter.h"
#include "features/problems/problems_presenter.h"
#include "features/problems/reduce_presenter.h"
#include "features/search/search_presenter.h"
#include "features/stages/stage_presenter.h"
#include "features/stages/stage_track.h"
#include "read/folder.h"
#include "session/marks.h"
#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"

namespace fxs::ui {

MainWindow::MainWindow(Appearance& appearance, Services& services, const WindowOptions& options)
    : appearance_(appearance),
      services_(services),
      options_(options),
      actions_(appearance, {"File", "Edit", "View", "Go", "Passes", "Run", "Help"}, this) {
  if (!options.settingsFile.isEmpty())
    settings_ = std::make_unique<QSettings>(options.settingsFile, QSettings::IniFormat);
  registerFeatures(options_.features);
  for (const auto& present : options_.features.presenters) present(services_);
  installAccessibleRoles();
  setWindowTitle("fxscope");
  setWindowIcon(QIcon(":/icons/app.svg"));
  setAcceptDrops(true);
  setContextMenuPolicy(Qt::NoContextMenu);

  auto* middle = new QWidget(this);
  auto* column = makeBox<QVBoxLayout>(0);
  banners_ = new BannerBar(appearance, middle);
  captureTabs_ = new CaptureTabs(appearance, services_.get<FolderPresenter>(), middle);
  progress_ = makeProgress("Progress", middle, true);
  progress_->hide();
  center_ = new QStackedWidget(middle);
  // A stack is as tall as its tallest page, and the welcome page can be lower than it wants to be.
  center_->setMinimumSize(40 * kGrid, 20 * kGrid);
  welcome_ = new WelcomePage(appearance, center_);
  graphs_ = new GraphPair(appearance, services_, center_);
  center_->addWidget(welcome_);
  area_ = new DockArea(services_.get<ArrangementPresenter>(), graphs_, center_);
  center_->addWidget(area_);
  column->addWidget(captureTabs_);
  column->addWidget(banners_);
  column->addWidget(progress_);
  column->addWidget(center_, 1);
  middle->setLayout(column);
  setCentralWidget(middle);

  buildDocks();
  popup_ = new SearchPopup(appearance, this);
  keys_ = new KeysOverlay(appearance, this);
  bundleDialog_ = new BundleDialog(appearance, services_.get<BundlePresenter>(),
                                   services_.get<ProblemsPresenter>(), this);
  fixDialog_ = new FixDialog(appearance, services_.get<FixPresenter>(),
                             services_.get<SessionPresenter>(), this);
  buildActions();
  buildToolBar();
  actions_.fill(*menuBar());
  wire();
  refreshRecent();
  refreshState();
  restore();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildDocks() {
  auto* navigatorDock = new DockFrame(appearance_, "navigator", "Navigator", area_);
  navigator_ =
      new Navigator(appearance_, services_.get<SessionPresenter>(), services_.get<Graphs>().program,
                    services_.get<Graphs>().colours, services_.get<Marks>(),
                    services_.get<SelectionPresenter>(), navigatorDock);
  navigatorDock->addPage("modules", "Modules", navigator_->modules());
  navigatorDock->addPage("nodes", "Nodes", navigator_->nodes());
  auto* inspectorDock = new DockFrame(appearance_, "inspector", "Inspector", area_);
  inspector_ = new InspectorPane(appearance_, services_, inspectorDock);
  connect(inspector_, &InspectorPane::opened, area_, [this] { area_->open(docks().inspector); });
  connect(inspector_, &InspectorPane::copyMarkdownRequested, this, &MainWindow::copyMarkdown);
  connect(inspector_, &InspectorPane::openPythonRequested, this, &MainWindow::openPython);
  inspectorDock->addPage("node", {}, inspector_);
  auto* textsDock = new DockFrame(appearance_, "texts", "Texts", area_);
  strip_ = new StageStrip(appearance_, services_, services_.get<StagePresenter>(),
                          services_.get<SelectionPresenter>(), textsDock);
  textsDock->addPage("stages", {}, strip_);
  textsDock->addToTitle(new StageTrack(appearance_, services_.get<StagePresenter>(), textsDock),
                        100);
  auto* addPane =
      new IconButton(appearance_, "panes", "Show another stage side by side (Ctrl+\\)", textsDock);
  connect(addPane, &QToolButton::clicked, &services_.get<StagePresenter>(),
          &StagePresenter::addPane);
  textsDock->addToTitle(addPane);
  area_->add({navigatorDock, inspectorDock, textsDock,
              new DockFrame(appearance_, "results", "Results", area_)});
}

void MainWindow::buildPages() {
  std::vector<Page>& pages = options_.features.pages;
  std::stable_sort(pages.begin(), pages.end(),
                   [](const Page& a, const Page& b) { return a.place < b.place; });
  for (const Page& page : pages) {
    if (!page.show.id.isEmpty()) {
      ActionSpec show = page.show;
      show.run = [this, id = page.id] {
        showPage(id);
        docks().results->page(id)->setFocus();
      };
      actions_.add(std::move(show));
    }
    docks().results->addPage(page.id, page.title, page.make(*this, docks().results));
  }
  for (const auto& part : options_.features.parts) part(*this);
}

void MainWindow::suggestPage(const QString& id) {
  const Arrangement now = services_.get<ArrangementPresenter>().current();
  if (now != Arrangement::Passes && now != Arrangement::Numbers) raisePage(id);
}

void MainWindow::showPage(const QString& id) {
  raisePage(id);
  area_->open(docks().results);
}

void MainWindow::buildToolBar() {
  auto* bar = addToolBar("Tools");
  bar->setObjectName("tools");
  bar->setMovable(false);
  bar->setIconSize(appearance_.iconSize());
  connect(&appearance_, &Appearance::changed, bar,
          [this, bar] { bar->setIconSize(appearance_.iconSize()); });
  fileButton_ = makeBoxed({}, {}, bar);
  fileButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fileButton_->setPopupMode(QToolButton::InstantPopup);
  fileButton_->setMenu(recentMenu_);
  fileButton_->setAccessibleName("Open a recent file");
  bar->addWidget(fileButton_);
  bar->addAction(actions_["reload"]);
  bar->addSeparator();
  QLabel* label = makeLabel(appearance_, "Lower to", TextSize::Body, "muted", bar);
  label->setContentsMargins(kGrid / 2, 0, kGrid / 2, 0);
  bar->addWidget(label);
  target_ = new FittedComboBox(bar);
  target_->setObjectName("target");
  target_->setMinimumContentsLength(12);
  target_->setAccessibleName("Output type");
  target_->setToolTip("Output type, as fx.export_and_import names it");
  for (const lower::OutputType& type : services_.get<SessionPresenter>().outputTypes().all())
    target_->addItem(text(lower::name(type)));
  bar->addWidget(target_);
  bar->addAction(actions_["run"]);
  bar->addAction(actions_["stop"]);
  bar->addSeparator();
  for (const char* id : {"back", "forward", "follow"}) bar->addAction(actions_[id]);
  busy_ = makeElided({}, appearance_.sans(TextSize::Body), "muted", bar, Qt::ElideRight);
  busy_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  busy_->setContentsMargins(kGrid, 0, kGrid, 0);
  bar->addWidget(busy_);
  auto* search =
      new FittedButton({"  Find a node or run an action    Ctrl+K", "  Find    Ctrl+K", "  Find"},
                       "Find a node or run an action", bar);
  search->setObjectName("search");
  search->setIcon(appearance_.icon("search"));
  connect(search, &QToolButton::clicked, this, &MainWindow::showPalette);
  connect(&appearance_, &Appearance::changed, search,
          [this, search] { search->setIcon(appearance_.icon("search")); });
  bar->addWidget(search);
  bar->addAction(actions_["theme"]);
  bar->addAction(actions_["keys"]);
}

void MainWindow::wire() {
  SessionPresenter& session = services_.get<SessionPresenter>();
  connect(&session, &SessionPresenter::stateChanged, this, &MainWindow::refreshState);
  connect(&session, &SessionPresenter::programChanged, this, &MainWindow::programOpened);
  connect(
      &session, &SessionPresenter::openFailed, this,
      [this](const QString& file, const QString& message) {
        const QString kept =
            services_.get<SessionPresenter>().hasProgram()
                ? " — " +
                      shown(QFileInfo(services_.get<SessionPresenter>().state().file).fileName()) +
                      " stays open"
                : QString();
        banners_->show("open", BannerKind::Error,
                       QString("Could not open %1: %2%3")
                           .arg(shown(QFileInfo(file).fileName()), message, kept));
        refreshState();
      });
  connect(&services_.get<FolderPresenter>(), &FolderPresenter::failed, this,
          [this](const QString& folder, const QString& message) {
            banners_->show(
                "open", BannerKind::Error,
                QString("Could not open %1: %2").arg(QFileInfo(folder).fileName(), message));
          });
  connect(&services_.get<WorkList>(), &WorkList::changed, this, &MainWindow::refreshActions);
  connect(&services_.get<ReducePresenter>(), &ReducePresenter::changed, this,
          &MainWindow::refreshWork);
  connect(&services_.get<SelectionPresenter>(), &SelectionPresenter::historyChanged, this, [this] {
    actions_["back"]->setEnabled(services_.get<SelectionPresenter>().canGoBack());
    actions_["forward"]->setEnabled(services_.get<SelectionPresenter>().canGoForward());
  });
  connect(&services_.get<SearchPresenter>(), &SearchPresenter::found, this, &MainWindow::showHits);
  connect(graphs_, &GraphPair::messageShown, this, &MainWindow::showMessage);
  connect(welcome_, &WelcomePage::openRequested, this, &MainWindow::openDialog);
  connect(welcome_, &WelcomePage::fileChosen, this, &MainWindow::openFile);
  connect(target_, &QComboBox::activated, this, [this](int index) {
    services_.get<SessionPresenter>().setTarget(
        services_.get<SessionPresenter>().outputTypes().all()[static_cast<std::size_t>(index)]);
  });
  wireBundle();
  wireFix();
}

void MainWindow::programOpened() {
  const SessionPresenter& session = services_.get<SessionPresenter>();
  if (!services_.get<ReducePresenter>().showsReduced()) remember(session.state().file);
  banners_->dismiss("open");
  QString graphBreak;
  for (const std::string& note : session.snapshot()->capture->notes)
    if (note.starts_with(read::kGraphBreakNote)) graphBreak = text(note);
  banners_->show("break", BannerKind::Info,
                 graphBreak.isEmpty() ? QString() : "Dynamo broke the graph here; " + graphBreak);
  refreshState();
  // Focus the graph, so that arrows and Space work, but leave the focus in a text or filter.
  if (!focusWidget() || qobject_cast<QAbstractButton*>(focusWidget()) ||
      focusWidget() == graphs_->current()->chooser() || focusWidget() == this)
    graphs_->current()->pane()->setFocus();
}

void MainWindow::showHits() {
  std::vector<PopupRow> rows;
  if (const std::size_t count = services_.get<SearchPresenter>().nodeCount())
    rows.push_back({"search",
                    "Mark " + counted(count, "matching node") + " in the graph and the node list",
                    {},
                    {},
                    [this] { markHits(); }});
  for (const Hit& hit : services_.get<SearchPresenter>().hits())
    rows.push_back({hit.stage ? QString("file") : QString("node"), hit.title, hit.detail, hit.kind,
                    [this, hit] { goToHit(hit); }});
  popup_->setRows(std::move(rows), services_.get<SearchPresenter>().summary());
}

/// In the graph and the node list; selects the first.
void MainWindow::markHits() {
  services_.get<Graphs>().colours.mark(services_.get<SearchPresenter>().query());
  for (const Hit& hit : services_.get<SearchPresenter>().hits())
    if (hit.node.valid() && !hit.stage)
      return services_.get<SelectionPresenter>().selectNode(hit.node, Place::Command);
}

void MainWindow::goToHit(const Hit& hit) {
  if (hit.stage) strip_->showStage(*hit.stage);
  if (hit.node.valid()) services_.get<SelectionPresenter>().selectNode(hit.node, Place::Command);
  if (!hit.stage) return;
  for (CodePane* pane : strip_->panes())
    if (pane->stageId() == *hit.stage) pane->view()->goToLine(hit.line);
}

void MainWindow::wireBundle() {
  const auto refresh = [this] {
    const QString obstacle = services_.get<BundlePresenter>().obstacle();
    actions_["export-bundle"]->setEnabled(obstacle.isEmpty());
    actions_["export-bundle"]->setToolTip(
        obstacle.isEmpty() ? QString("Export a reproducer bundle (Ctrl+E)") : obstacle);
  };
  connect(&services_.get<BundlePresenter>(), &BundlePresenter::changed, this, refresh);
  refresh();
  connect(bundleDialog_, &BundleDialog::copyRequested, this, [this](const QString& path) {
    QApplication::clipboard()->setText(path);
    showMessage("Copied " + shown(path));
  });
  connect(bundleDialog_, &BundleDialog::openFolderRequested, this, [this](const QString& file) {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(file).path())))
      showMessage("Cannot start a file manager");
  });
}

void MainWindow::wireFix() {
  const auto refresh = [this] {
    const QString obstacle = services_.get<FixPresenter>().obstacle();
    actions_["export-fixed"]->setEnabled(obstacle.isEmpty());
    actions_["export-fixed"]->setToolTip(
        obstacle.isEmpty()
            ? QString("Apply the verified fixes, and export the program (Ctrl+Shift+E)")
            : obstacle);
  };
  connect(&services_.get<FixPresenter>(), &FixPresenter::changed, this, refresh);
  refresh();
  connect(fixDialog_, &FixDialog::openRequested, this, &MainWindow::openFile);
}

void MainWindow::refreshState() {
  refreshFile();
  target_->setCurrentIndex(static_cast<int>(services_.get<SessionPresenter>().target()->place));
  actions_["as-torch-mlir"]->setChecked(services_.get<SessionPresenter>().asTorchMlir());
  banners_->show("as-torch-mlir", BannerKind::Info,
                 services_.get<SessionPresenter>().asTorchMlir()
                     ? QString("Lowered as torch-mlir's fx.export_and_import does, and no more")
                     : QString());
  refreshActions();
  refreshWork();
  refreshBanners();
}

void MainWindow::refreshFile() {
  const bool has = services_.get<SessionPresenter>().hasProgram();
  const QString& file = services_.get<SessionPresenter>().state().file;
  const QString name = has ? shown(QFileInfo(file).fileName()) : QString();
  setWindowTitle(has ? QString(name).replace("[*]", "[*][*]") + " — fxscope"
                     : QString("fxscope"));  // Qt replaces [*]
  fileButton_->setText(has ? withoutMnemonic(name) : QString("Open …"));
  fileButton_->setToolTip(has ? shown(file) : QString("Open a file, or a recent one"));
  fileButton_->setIcon(appearance_.icon("file"));
}

void MainWindow::refreshActions() {
  const bool has = services_.get<SessionPresenter>().hasProgram();
  actions_["run"]->setEnabled(has &&
                              services_.get<SessionPresenter>().state().activity == Activity::Idle);
  actions_["stop"]->setEnabled(services_.get<SessionPresenter>().state().activity !=
                                   Activity::Idle ||
                               services_.get<WorkList>().cancellable());
  for (const char* id :
       {"reload", "save-stage", "save-graph", "show-around", "show-between", "show-all", "find",
        "find-everywhere", "go-to-line", "open-groups", "close-groups", "fit"})
    actions_[id]->setEnabled(has);
}

void MainWindow::refreshWork() {
  const SessionState& state = services_.get<SessionPresenter>().state();
  const WorkState& reducing = services_.get<ReducePresenter>().state();
  const bool has = services_.get<SessionPresenter>().hasProgram();
  const bool busy = state.activity != Activity::Idle;
  const bool isShown = busy || reducing.running;
  const QString idle = has && state.cancelled ? QString("cancelled; F5 runs it again") : QString();
  const QString what = busy ? state.what : reducing.what;
  busy_->setFullText(isShown ? what + " …" : idle);
  showProgress(*progress_, isShown, busy ? state.fraction : reducing.fraction);
  const bool isReading = state.activity == Activity::Reading;
  center_->setCurrentWidget(has || isReading ? static_cast<QWidget*>(area_) : welcome_);
  if (!has && isReading) graphs_->current()->pane()->setMessage(state.what + " …");
}

void MainWindow::refreshBanners() {
  const SessionState& state = services_.get<SessionPresenter>().state();
  banners_->show(
      "engine", BannerKind::Warning,
      state.engineProblem.isEmpty()
          ? QString()
          : "Not lowered: " + state.engineProblem +
                ". The graph, its metadata and the RAW import are available without an engine.",
      {{"Try again", [this] { services_.get<SessionPresenter>().run(); }}});
  banners_->show("step", BannerKind::Error, state.stepProblem);
  banners_->show("disk", BannerKind::Info,
                 state.changedOnDisk ? shown(QFileInfo(state.file).fileName()) + " changed on disk"
                                     : QString(),
                 {{"Reload", [this] { services_.get<SessionPresenter>().reload(); }}});
}

void MainWindow::restore() {
  if (!settings_) return;
  restoreGeometry(settings_->value("geometry").toByteArray());  // before the docks, which share it
  if (const auto mode = themeModeFrom(settings_->value("theme").toString()))
    appearance_.setMode(*mode);
  strip_->setZoom(settings_->value("textZoom", CodeView::kDefaultZoom).toInt());
  if (settings_->value("wrap").toBool()) actions_["wrap"]->setChecked(true);
  if (PythonConsent& numbers = services_.get<NumbersPresenter>().consent();
      numbers.python().empty())
    numbers.setPython(settings_->value("numbersPython").toString().toStdString());
  area_->restore(*settings_);
  services_.get<ArrangementPresenter>().restore(
      settings_->value("arrangements").toStringList(),
      arrangementFrom(settings_->value("arrangement").toString()).value_or(Arrangement::Graph));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (settings_) {
    settings_->setValue("geometry", saveGeometry());
    area_->save(*settings_);
    settings_->setValue("arrangement", name(services_.get<ArrangementPresenter>().current()));
    settings_->setValue("arrangements", services_.get<ArrangementPresenter>().saved());
    settings_->setValue("theme", name(appearance_.mode()));
    settings_->setValue("textZoom", strip_->zoom());
    if (!bundleDialog_->folder().isEmpty())
      settings_->setValue("bundleFolder", bundleDialog_->folder());
    settings_->setValue("wrap", actions_["wrap"]->isChecked());
    settings_->setValue("numbersPython",
                        exact(services_.get<NumbersPresenter>().consent().python()));
    settings_->sync();
  }
  services_.get<SessionPresenter>().cancel();
  QMainWindow::closeEvent(event);
}

}  // namespace fxs::ui
