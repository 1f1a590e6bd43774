// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window/tabbed_window.h"

#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QSignalBlocker>
#include <algorithm>
#include <utility>

#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "session/work_list.h"
#include "text/words.h"
#include "widgets/palette_sources.h"
#include "window/program_tabs.h"

namespace fxs::ui {
namespace {

constexpr std::chrono::milliseconds kKeepSoon{500};
constexpr int kProgramNames = 5;  ///< place in the palette
constexpr const char *kOpen = "programs/open", *kCurrentTab = "programs/current",
                     *kOpening = "programs/opening";  ///< in the settings

/// "-" is standard input.
QString absolute(const QString& file) {
  return file == "-" ? file : QFileInfo(file).absoluteFilePath();
}

bool isBusy(Services& services) {
  const auto& work = services.get<WorkList>();
  return services.get<SessionPresenter>().state().activity != Activity::Idle ||
         work.running(WorkFor::View) || work.running(WorkFor::Answer);
}

/// All that there is to see is there.
bool isShown(Services& services) {
  return services.get<SessionPresenter>().state().activity == Activity::Idle &&
         !services.get<WorkList>().running(WorkFor::View);
}

QString selectedName(Services& services) {
  const fx::ProgramPtr program = services.get<SessionPresenter>().program();
  const fx::NodeId node = services.get<SelectionPresenter>().current().inspected();
  return program && node.valid() ? exact(program->node(node).name) : QString();
}

QString shownName(const QString& file) { return shown(QFileInfo(file).fileName()); }

/// "a.pt2, b.pt2, c.pt2 and 4 more"
QString shownNames(const QStringList& files) {
  constexpr qsizetype kMostNames = 3;
  QStringList out;
  for (const QString& file : files.first(std::min(files.size(), kMostNames)))
    out << shownName(file);
  const qsizetype more = files.size() - out.size();
  return out.join(", ") + (more > 0 ? QString(" and %1 more").arg(more) : QString());
}

/// A type of the table: the pipeline of one file is not for another.
void chooseTarget(SessionPresenter& session, std::string_view name) {
  if (const auto type = session.outputTypes().from(std::string(name))) session.setTarget(*type);
}

}  // namespace

TabbedWindow::TabbedWindow(Appearance& appearance, MakeServices makeServices, WindowOptions options)
    : appearance_(appearance),
      makeServices_(std::move(makeServices)),
      options_(std::move(options)) {
  setWindowIcon(QIcon(":/icons/app.svg"));
  stack_ = new QStackedLayout(this);
  options_.parent = this;
  options_.features.parts.push_back([this](Host& host) { addActions(host); });
  options_.features.openers.push_back(
      [this](const Services& from, const QString& file) { return openElsewhere(from, file); });
  if (!options_.settingsFile.isEmpty()) {
    store_ = std::make_unique<QSettings>(options_.settingsFile, QSettings::IniFormat);
    QDir().mkpath(QFileInfo(options_.settingsFile).path());
    lock_ = std::make_unique<QLockFile>(options_.settingsFile + ".open");
    lock_->setStaleLockTime(0);  // only by the end of its process
    if (!lock_->tryLock(0)) lock_.reset();
    hasKeptGeometry_ = geometry_.restore(*store_);  // before the pages, which share it
    connect(&geometry_, &WindowGeometry::settled, this, [this] { geometry_.save(*store_); });
  }
  for (QTimer* timer : {&soon_, &keepSoon_}) timer->setSingleShot(true);
  keepSoon_.setInterval(kKeepSoon);
  connect(&soon_, &QTimer::timeout, this, &TabbedWindow::lookAtChanged);
  connect(&keepSoon_, &QTimer::timeout, this, &TabbedWindow::keep);
  connect(&programs_, &OpenPrograms::changed, this, &TabbedWindow::sync);
  sync();
}

TabbedWindow::~TabbedWindow() {
  programs_.disconnect(this);
  pages_.clear();
  ending_.clear();
}

void TabbedWindow::addActions(Host& host) {
  Actions& actions = host.actions();
  actions.add({"close-program", {"File", 50}, "Close the program", "Ctrl+W", {}, [this] {
                 programs_.close(programs_.current());
               }});
  actions.add({"reopen-program",
               {"File", 60},
               "Reopen the program closed last",
               "Ctrl+Shift+T",
               {},
               [this] { programs_.reopen(); }});
  actions.add(
      {"next-program", {"Go", 120}, "Next program", "Ctrl+Tab", {}, [this] { programs_.step(1); }});
  actions.add({"previous-program", {"Go", 130}, "Previous program", "Ctrl+Shift+Tab", {}, [this] {
                 programs_.step(-1);
               }});
}

void TabbedWindow::refreshActions() {
  Actions& actions = page().actions();
  actions["close-program"]->setEnabled(!programs_.currentProgram().kept.file.isEmpty());
  actions["reopen-program"]->setEnabled(programs_.canReopen());
  for (const char* id : {"next-program", "previous-program"})
    actions[id]->setEnabled(programs_.all().size() > 1);
}

void TabbedWindow::addNames(Services& services) {
  services.get<PaletteSources>().add(kProgramNames, [this](const PaletteSources::Visit& visit) {
    for (int i = 0; i < static_cast<int>(programs_.all().size()); ++i) {
      const QString title = programs_.title(i);
      if (i != programs_.current())
        visit(title, [&] {
          return PopupRow{"file", title,
                          shown(programs_.all()[static_cast<std::size_t>(i)].kept.file), "program",
                          [this, i] { programs_.choose(i); }};
        });
    }
  });
}

TabbedWindow::Page& TabbedWindow::makePage(int id) {
  auto* before = qobject_cast<MainWindow*>(stack_->currentWidget());
  if (before) before->keep();  // what the new page begins with
  Page& page = pages_[id];
  page.services = makeServices_();
  if (before)
    chooseTarget(page.services->get<SessionPresenter>(),
                 lower::name(before->host().services().get<SessionPresenter>().target()));
  page.window = std::make_unique<MainWindow>(appearance_, *page.services, options_);
  Host& host = page.window->host();
  host.addAbove(
      new ProgramTabs(appearance_, programs_, host.actions()["reopen-program"], page.window.get()));
  addNames(*page.services);
  listen(id, page);
  stack_->addWidget(page.window.get());
  return page;
}

void TabbedWindow::listen(int id, const Page& page) {
  MainWindow* window = page.window.get();
  Services& services = *page.services;
  const auto look = [this, id] {
    changed_.insert(id);
    soon_.start();
  };
  auto& session = services.get<SessionPresenter>();
  connect(&session, &SessionPresenter::programChanged, window, look);
  connect(&session, &SessionPresenter::stateChanged, window, look);
  connect(&session, &SessionPresenter::openFailed, window, look);
  connect(&services.get<SelectionPresenter>(), &SelectionPresenter::changed, window, look);
  connect(&services.get<ArrangementPresenter>(), &ArrangementPresenter::changed, window, look);
  connect(&services.get<WorkList>(), &WorkList::changed, window, look);
  connect(window, &QWidget::windowTitleChanged, this, [this, window](const QString& title) {
    if (stack_->currentWidget() == window) setWindowTitle(title);
  });
  connect(window, &MainWindow::filesChosen, this, &TabbedWindow::open);
  connect(window, &MainWindow::settingChanged, this,
          [this, window](const QString& key, const QVariant& value) {
            for (auto& [other, each] : pages_) {
              const QSignalBlocker quiet(each.window.get());
              if (each.window.get() != window) each.window->host().setSetting(key, value);
            }
          });
}

void TabbedWindow::sync() {
  const OpenProgram now = programs_.currentProgram();
  const auto made = pages_.find(now.id);
  Page& page = made == pages_.end() ? makePage(now.id) : made->second;
  bring(page);
  setWindowTitle(page.window->windowTitle());
  for (auto each = pages_.begin(); each != pages_.end();) {
    if (programs_.find(each->first)) {
      ++each;
      continue;
    }
    stack_->removeWidget(each->second.window.get());
    each->second.window->hide();
    ending_.push_back(std::move(each->second));
    each = pages_.erase(each);
    QTimer::singleShot(0, this, [this] { ending_.clear(); });
  }
  refreshActions();
  keepSoon_.start();
  if (!page.isLoaded && !now.kept.file.isEmpty()) load(page, now.kept);
}

void TabbedWindow::bring(Page& page) {
  QWidget* before = stack_->currentWidget();
  if (before == page.window.get()) return;
  const auto* tabs = before ? before->findChild<ProgramTabs*>() : nullptr;
  const bool isByTabs = tabs && tabs->hasFocus();
  stack_->setCurrentWidget(page.window.get());
  if (isByTabs) page.window->findChild<ProgramTabs*>()->setFocus();
}

void TabbedWindow::load(Page& page, const KeptProgram& kept) {
  page.isLoaded = page.isOpening = isKeeping_ = true;
  keep();  // that it is being opened
  Services& services = *page.services;
  auto& session = services.get<SessionPresenter>();
  if (const auto arrangement = arrangementFrom(kept.arrangement))
    services.get<ArrangementPresenter>().choose(*arrangement);
  const auto chooseKept = [&session, target = kept.target.toStdString()] {
    if (!target.empty()) chooseTarget(session, target);
  };
  chooseKept();
  connect(
      &session, &SessionPresenter::programChanged, page.window.get(),
      [&services, &session, chooseKept, kept] {
        if (session.state().file != kept.file) return;
        chooseKept();  // a bundle opens at its own
        if (!kept.node.isEmpty()) services.get<SelectionPresenter>().selectOnceOpened(kept.node);
      },
      Qt::SingleShotConnection);
  if (kept.model.isEmpty()) page.window->openFile(kept.file);
  else session.open(kept.file, kept.model);
}

void TabbedWindow::open(const QStringList& files) {
  if (files.isEmpty()) return;
  page().openFile(files.front());
  // Each is put after the current one.
  for (qsizetype i = files.size() - 1; i > 0; --i)
    if (const QString file = absolute(files[i]); programs_.indexOf(file) < 0) programs_.add({file});
}

bool TabbedWindow::openElsewhere(const Services& from, const QString& file) {
  const QString path = absolute(file);
  const auto found = std::find_if(pages_.begin(), pages_.end(), [&](const auto& each) {
    return each.second.services.get() == &from;
  });
  if (found == pages_.end()) return true;  // it was closed
  auto& [id, page] = *found;
  const int open = programs_.indexOf(path);
  if (open >= 0 && programs_.all()[static_cast<std::size_t>(open)].id != id)
    return programs_.choose(open), true;
  if (page.window->showsWelcome() && isShown(*page.services)) {
    page.isLoaded = page.isOpening = isKeeping_ = true;
    if (open < 0) programs_.update({id, {path}});
    return false;
  }
  if (open >= 0) return false;  // it is read again
  programs_.choose(programs_.add({path}));
  return true;
}

void TabbedWindow::lookAtChanged() {
  for (const int id : std::exchange(changed_, {})) {
    const auto page = pages_.find(id);
    if (page == pages_.end()) continue;
    refresh(id, page->second);
    endOpening(id, page->second);
  }
}

void TabbedWindow::refresh(int id, const Page& page) {
  OpenProgram now = *programs_.find(id);
  auto& session = page.services->get<SessionPresenter>();
  now.isBusy = isBusy(*page.services);
  if (session.hasProgram()) {
    now.shownFile = session.state().file;
    if (!page.window->isPassing()) {
      now.kept.file = absolute(session.state().file);
      now.kept.model = exact(session.snapshot()->request.read.model);
    }
    now.kept.target = exact(lower::name(session.target()));
    now.kept.node = selectedName(*page.services);
    now.kept.arrangement = name(page.services->get<ArrangementPresenter>().current());
  }
  programs_.update(now);
}

void TabbedWindow::endOpening(int id, Page& page) {
  if (!page.isOpening || !isShown(*page.services)) return;
  page.isOpening = false;
  keepSoon_.start();
  if (!page.window->showsWelcome()) return;
  // Nothing is open: it was cancelled, and can be reopened, or could not be read.
  if (programs_.all().size() == 1) {
    page.isLoaded = false;
    return programs_.update({id});
  }
  const QString message = page.window->host().banners().text("open");
  if (message.isEmpty()) {
    const OpenProgram* cancelled = programs_.find(id);
    const QString file = shownName(cancelled->kept.file);
    programs_.close(static_cast<int>(cancelled - programs_.all().data()));
    return this->page().host().showMessage(file + " was not opened: cancelled");
  }
  programs_.drop(id);
  this->page().host().banners().show("not-opened", BannerKind::Error, message);
}

void TabbedWindow::restorePrograms() {
  if (!store_ || !lock_ || !store_->value("reopenPrograms", true).toBool()) return;
  const std::vector<KeptProgram> kept = keptFrom(store_->value(kOpen).toStringList());
  const QString current = store_->value(kCurrentTab).toString();
  if (kept.empty()) return;
  if (store_->value(kOpening).toBool()) offer(kept, current);
  else restore(kept, current);
}

void TabbedWindow::offer(const std::vector<KeptProgram>& kept, const QString& current) {
  QStringList files;
  for (const KeptProgram& each : kept) files << each.file;
  BannerBar& banners = page().host().banners();
  banners.show("reopen", BannerKind::Warning,
               "The last start ended while programs were being opened: " + shownNames(files),
               {{"Reopen", [this, &banners, kept, current] {
                   banners.dismiss("reopen");
                   restore(kept, current);
                 }}});
}

void TabbedWindow::restore(const std::vector<KeptProgram>& kept, const QString& current) {
  std::vector<KeptProgram> there;
  QStringList gone;
  for (const KeptProgram& each : kept)
    if (QFileInfo::exists(each.file)) there.push_back(each);
    else gone << each.file;
  programs_.restore(there, current);
  if (!gone.isEmpty())
    page().host().banners().show("gone", BannerKind::Info,
                                 "Not found, so not reopened: " + shownNames(gone));
}

void TabbedWindow::keep() {
  if (!store_ || !lock_ || !isKeeping_) return;
  store_->setValue(kOpen, toLines(programs_.kept()));
  store_->setValue(kCurrentTab, programs_.currentProgram().kept.file);
  store_->setValue(kOpening, std::any_of(pages_.begin(), pages_.end(),
                                         [](const auto& each) { return each.second.isOpening; }));
  store_->sync();
}

void TabbedWindow::closeEvent(QCloseEvent* event) {
  lookAtChanged();
  for (auto& [id, page] : pages_) {
    page.isOpening = false;
    page.services->get<SessionPresenter>().cancel();
  }
  keep();
  if (store_) geometry_.save(*store_);
  page().close();
  QWidget::closeEvent(event);
}

}  // namespace fxs::ui
