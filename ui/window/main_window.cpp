// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/main_window.h"

#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "session/session_presenter.h"
#include "text/words.h"
#include "widgets/accessible_roles.h"
#include "widgets/reading_order.h"

namespace fxs::ui {
namespace {

constexpr std::chrono::seconds kMessageTime{4};

/// The dragged files, if all are local.
QStringList draggedFiles(const QMimeData* mime) {
  QStringList files;
  for (const QUrl& url : mime->urls()) {
    if (!url.isLocalFile()) return {};
    files << url.toLocalFile();
  }
  return files;
}

template <class T, class Key>
void sortBy(std::vector<T>& all, Key T::* key) {
  std::stable_sort(all.begin(), all.end(),
                   [key](const T& a, const T& b) { return a.*key < b.*key; });
}

}  // namespace

MainWindow::MainWindow(Appearance& appearance, Services& services, const WindowOptions& options)
    : QMainWindow(options.parent),
      appearance_(appearance),
      services_(services),
      options_(options),
      actions_(appearance, {"File", "Edit", "View", "Go", "Passes", "Run", "Help"}, this) {
  if (options.parent) {
    setWindowFlags(Qt::Widget);  // not by the constructor, which adds Qt::Window
    resize(options.parent->size());
    menuBar()->setNativeMenuBar(false);  // a window has only one
  }
  if (!options.settingsFile.isEmpty())
    store_ = std::make_unique<QSettings>(options.settingsFile, QSettings::IniFormat);
  registerFeatures(options_.features);
  for (const auto& present : options_.features.presenters) present(services_);
  installAccessibleRoles();
  setWindowTitle("fxscope");
  setWindowIcon(QIcon(":/icons/app.svg"));
  setAcceptDrops(true);
  setContextMenuPolicy(Qt::NoContextMenu);
  buildCenter();
  // Before the features: they find the panes shown.
  connect(&services.get<SessionPresenter>(), &SessionPresenter::programChanged, this,
          &MainWindow::programOpened);
  area_->setCentre(options_.features.centre(*this, center_));
  buildDocks();
  popup_ = new SearchPopup(appearance, this);
  keys_ = new KeysOverlay(appearance, this);
  addActions();
  for (const auto& part : options_.features.parts) part(*this);
  buildPages();
  actions_.fill(*menuBar());
  recentMenu_ = actions_.insertMenu("reload", "Open recent");
  recent_ = new RecentFiles(store_.get(), options_.samplesFolder, actions_["open"], *recentMenu_,
                            *welcome_);
  connect(recent_, &RecentFiles::chosen, this, &MainWindow::openFile);
  buildToolBar();
  wire();
  refreshState();
  restore();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCenter() {
  auto* middle = new QWidget(this);
  column_ = makeBox<QVBoxLayout>(0);
  banners_ = new BannerBar(appearance_, middle);
  progress_ = makeProgress("Progress", middle, true);
  progress_->hide();
  center_ = new QStackedWidget(middle);
  // A stack is as tall as its tallest page, and the welcome page can be lower than it wants to be.
  center_->setMinimumSize(40 * kGrid, 20 * kGrid);
  welcome_ = new WelcomePage(appearance_, center_);
  center_->addWidget(welcome_);
  area_ = new DockArea(services_.get<ArrangementPresenter>(), center_);
  center_->addWidget(area_);
  column_->addWidget(banners_);
  column_->addWidget(progress_);
  column_->addWidget(center_, 1);
  middle->setLayout(column_);
  setCentralWidget(middle);
}

void MainWindow::buildDocks() {
  std::vector<Dock>& docks = options_.features.docks;
  docks.push_back(resultsDock());
  sortBy(docks, &Dock::order);
  for (const Dock& dock : docks) {
    auto* frame = new DockFrame(appearance_, dock.id, dock.title, area_);
    area_->add(frame, dock);
    if (dock.make) dock.make(*this, *frame);
    ActionSpec toggle = dock.toggle;
    toggle.run = [this, frame] { area_->toggle(frame); };
    actions_.add(std::move(toggle));
  }
  results_ = area_->dock("results");
  area_->start(results_);
}

void MainWindow::buildPages() {
  std::vector<Page>& pages = options_.features.pages;
  sortBy(pages, &Page::rank);
  for (const Page& page : pages) {
    if (!page.show.id.isEmpty()) {
      ActionSpec show = page.show;
      show.run = [this, id = page.id] {
        showPage(id);
        results_->page(id)->setFocus();
      };
      actions_.add(std::move(show));
    }
    results_->addPage(page.id, page.title, page.make(*this, results_->parentOfPages()));
  }
}

void MainWindow::suggestPage(const QString& id) {
  const Arrangement now = services_.get<ArrangementPresenter>().current();
  if (now != Arrangement::Passes && now != Arrangement::Numbers) raisePage(id);
}

void MainWindow::showPage(const QString& id) {
  raisePage(id);
  area_->open(results_);
}

void MainWindow::showWork(const WorkState& state) {
  work_ = state;
  refreshWork();
}
void MainWindow::keepPanesOpen(const QString& feature, bool isWanted) {
  if (isWanted) wantingPanes_.insert(feature);
  else wantingPanes_.remove(feature);
  refreshWork();
}
void MainWindow::keepOutOfRecent(std::function<bool()> isOpen) {
  passing_.push_back(std::move(isOpen));
}

void MainWindow::buildToolBar() {
  auto* bar = addToolBar("Tools");
  bar->setObjectName("tools");
  bar->setMovable(false);
  bar->setIconSize(appearance_.iconSize());
  connect(&appearance_, &Appearance::changed, bar,
          [this, bar] { bar->setIconSize(appearance_.iconSize()); });
  std::vector<Tool>& tools = options_.features.tools;
  tools.push_back({0, [this](Host&, QToolBar& into) { addFileTool(into); }});
  tools.push_back({200, [this](Host&, QToolBar& into) {
                     message_ = makeElided({}, appearance_.sans(TextSize::Body), "muted", &into,
                                           Qt::ElideRight);
                     message_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
                     message_->setContentsMargins(kGrid, 0, kGrid, 0);
                     into.addWidget(message_);
                   }});
  tools.push_back({400, [this](Host&, QToolBar& into) {
                     into.addAction(actions_["theme"]);
                     into.addAction(actions_["keys"]);
                   }});
  sortBy(tools, &Tool::rank);
  for (const Tool& tool : tools) tool.add(*this, *bar);
}

void MainWindow::addFileTool(QToolBar& bar) {
  fileButton_ = makeBoxed({}, {}, &bar);
  fileButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fileButton_->setPopupMode(QToolButton::InstantPopup);
  fileButton_->setMenu(recentMenu_);
  fileButton_->setAccessibleName("Open a recent file");
  bar.addWidget(fileButton_);
}

void MainWindow::addActions() {
  actions_.add({"open", {"File", 10}, "Open …", "Ctrl+O", "open", [this] { openDialog(); }});
  actions_.add({"quit", {"File", 1000}, "Quit", "Ctrl+Q", {}, [this] { window()->close(); }});
  addPaneActions();
  actions_.add(
      {"theme", {"View", 300}, "Switch between light and dark", "Ctrl+Shift+L", "moon", [this] {
         appearance_.setMode(appearance_.theme().dark ? ThemeMode::Light : ThemeMode::Dark);
       }});
  actions_.add({"theme-system",
                {"View", 310},
                "Use the system's light or dark theme",
                "Ctrl+Alt+L",
                {},
                [this] { appearance_.setMode(ThemeMode::System); }});
  addSetting({"theme", [this] { return name(appearance_.mode()); },
              [this](const QVariant& kept) {
                if (const auto mode = themeModeFrom(kept.toString())) appearance_.setMode(*mode);
              }});
  actions_.add({"keys", {"Help", 10}, "All keys", "?", "keys", [this] {
                  keys_->showKeys(actions_.keys());
                }});
}

void MainWindow::addPaneActions() {
  actions_.add(
      {"maximize", {"View", 30}, "Maximize or restore the pane", "F11", "maximize", [this] {
         area_->toggleMaximized(area_->focused());
       }});
  actions_.add({"next-pane", {"View", 40}, "Next pane", "F6", {}, [this] { area_->focusPane(1); }});
  actions_.add({"previous-pane", {"View", 50}, "Previous pane", "Shift+F6", {}, [this] {
                  area_->focusPane(-1);
                }});
  actions_.add({"reset-layout", {"View", 60}, "Reset the arrangement", "Ctrl+Shift+0", {}, [this] {
                  area_->reset();
                }});
}

void MainWindow::wire() {
  SessionPresenter& session = services_.get<SessionPresenter>();
  connect(&session, &SessionPresenter::stateChanged, this, &MainWindow::refreshState);
  connect(&session, &SessionPresenter::openFailed, this, &MainWindow::refreshState);
  connect(welcome_, &WelcomePage::openRequested, this, &MainWindow::openDialog);
  connect(welcome_, &WelcomePage::fileChosen, this, &MainWindow::openFile);
}

void MainWindow::openFile(const QString& file) {
  for (const auto& open : options_.features.openers)
    if (open(services_, file)) return;
  services_.get<SessionPresenter>().open(file);
}

void MainWindow::openFiles(const QStringList& files) {
  if (files.size() == 1) openFile(files.front());
  if (files.size() > 1) Q_EMIT filesChosen(files);
}

void MainWindow::openDialog() {
  const SessionPresenter& session = services_.get<SessionPresenter>();
  openFiles(QFileDialog::getOpenFileNames(
      this, "Open programs",
      session.hasProgram() ? QFileInfo(session.state().file).path() : options_.samplesFolder,
      "Programs, modules, traces and bundles (*.pt2 *.mlir *.json *.zip *.log);;All files (*)"));
}

bool MainWindow::isPassing() const {
  return std::any_of(passing_.begin(), passing_.end(), [](const auto& isOpen) { return isOpen(); });
}

void MainWindow::programOpened() {
  if (!isPassing()) recent_->remember(services_.get<SessionPresenter>().state().file);
  refreshState();
}

void MainWindow::refreshState() {
  refreshFile();
  actions_.setProgramOpen(services_.get<SessionPresenter>().hasProgram());
  refreshWork();
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

void MainWindow::refreshWork() {
  const SessionPresenter& session = services_.get<SessionPresenter>();
  const SessionState& state = session.state();
  const bool isBusy = state.activity != Activity::Idle;
  const WorkState work = isBusy ? WorkState{true, state.step, state.fraction} : work_;
  const bool wasCancelled = session.hasProgram() && state.cancelled;
  const QString idle = wasCancelled ? QString("cancelled; F5 runs it again") : QString();
  message_->setFullText(work.running ? work.step + " …" : idle);
  showProgress(*progress_, work.running, work.fraction);
  const bool isOpen =
      session.hasProgram() || state.activity == Activity::Reading || !wantingPanes_.isEmpty();
  center_->setCurrentWidget(isOpen ? static_cast<QWidget*>(area_) : welcome_);
}

void MainWindow::showMessage(const QString& words) {
  message_->setFullText(words);
  QTimer::singleShot(kMessageTime, this, [this, words] {
    if (message_->fullText() == words) refreshState();
  });
}

QVariant MainWindow::setting(const QString& key) const {
  for (const Setting& each : settings_)
    if (each.key == key)
      if (const QVariant now = each.now(); now.isValid()) return now;
  return store_ ? store_->value(key) : QVariant();
}

void MainWindow::setSetting(const QString& key, const QVariant& value) {
  for (const Setting& each : settings_)
    if (each.key == key) each.restore(value);
  if (store_) store_->setValue(key, value);
  Q_EMIT settingChanged(key, value);
}

void MainWindow::restore() {
  if (!store_) return;
  hasKeptGeometry_ = isWindow() && geometry_.restore(*store_);  // before the docks, which share it
  for (const Setting& setting : settings_) setting.restore(store_->value(setting.key));
  area_->restore(*store_);
  services_.get<ArrangementPresenter>().restore(
      store_->value("arrangements").toStringList(),
      arrangementFrom(store_->value("arrangement").toString()).value_or(Arrangement::Graph));
  for (DockFrame* dock : area_->docks()) geometry_.watch(*dock);
  connect(&geometry_, &WindowGeometry::settled, this, &MainWindow::keep);
}

void MainWindow::keep() {
  if (!store_) return;
  auto& arrangement = services_.get<ArrangementPresenter>();
  if (isWindow()) geometry_.save(*store_);
  area_->save(*store_);
  store_->setValue("arrangement", name(arrangement.current()));
  store_->setValue("arrangements", arrangement.saved());
  for (const Setting& setting : settings_)
    if (const QVariant now = setting.now(); now.isValid()) store_->setValue(setting.key, now);
  store_->sync();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  keep();
  services_.get<SessionPresenter>().cancel();
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (draggedFiles(event->mimeData()).isEmpty()) return;
  welcome_->setDropHint(true);
  event->acceptProposedAction();
}
void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { welcome_->setDropHint(false); }
void MainWindow::dropEvent(QDropEvent* event) {
  welcome_->setDropHint(false);
  const QStringList files = draggedFiles(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  openFiles(files);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Not a shortcut: popups and panes have the key first.
  if (event->key() == Qt::Key_Escape && actions_["stop"]->isEnabled())
    return actions_["stop"]->trigger();
  QMainWindow::keyPressEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next) {
  const std::vector<QWidget*> order = tabOrder(this);
  if (order.empty()) return false;
  const auto count = static_cast<std::ptrdiff_t>(order.size());
  const auto at = std::find(order.begin(), order.end(), focusWidget()) - order.begin();
  const std::ptrdiff_t first = next ? 0 : count - 1, step = next ? 1 : count - 1;
  const std::ptrdiff_t to = at == count ? first : (at + step) % count;
  order[static_cast<std::size_t>(to)]->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
  return true;
}

}  // namespace fxs::ui
