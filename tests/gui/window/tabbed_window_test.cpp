// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several programs in one window, each a tab, and what of them is there at the next start.
#include "window/tabbed_window.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFile>
#include <QMenu>
#include <QMimeData>
#include <condition_variable>
#include <mutex>

#include "output_type.h"
#include "window/program_tabs.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// Runs what the window runs; of engines, only after they are let go.
class HeldEngine final : public CommandRunner {
 public:
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    std::unique_lock lock(mutex_);
    const bool isLayout = command.argv.front().find("fxscope-layout") != std::string::npos;
    if (!isLayout && !changed_.wait(lock, stop, [this] { return !isHeld_; }))
      return fail(ErrorCode::Cancelled, "stopped");
    lock.unlock();
    return real_.run(command, stop);
  }
  void hold(bool isHeld) {
    const std::lock_guard lock(mutex_);
    isHeld_ = isHeld;
    changed_.notify_all();
  }

 private:
  PosixCommandRunner real_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool isHeld_ = false;
};

class TabbedWindowTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(folder_.isValid());
    around_ = app::surroundings();
    around_.environment.enginePath = session::engineGivenOrInstalled(around_.environment);
    around_.environment.cacheDir.clear();
    around_.environment.runner = &runner_;
    appearance_ = std::make_unique<Appearance>(ThemeMode::Light);
    start();
  }
  void TearDown() override { end(); }
  std::unique_ptr<TabbedWindow> newWindow() {
    layout::LayoutWorker worker;
    worker.path = around_.layoutWorker;
    const auto make = [this, worker] {
      auto services = std::make_unique<Services>(around_.environment, worker);
      services->get<SessionPresenter>().setTarget(test::outputType("torch"));
      return services;
    };
    return std::make_unique<TabbedWindow>(*appearance_, make, WindowOptions{settings(), {}});
  }
  void start() {
    window_ = newWindow();
    window_->resize(1280, 800);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
  }
  void end() {
    if (window_) window_->close();
    window_.reset();
  }
  /// As fxscope without a FILE.
  void startAgain() {
    end();
    start();
    window_->restorePrograms();
  }
  /// From what was written while the window was open, as after kill -9.
  void startAfterKill() {
    const QString copy = folder_.filePath("copy.ini");
    QFile::remove(copy);
    ASSERT_TRUE(QFile::copy(settings(), copy));
    end();
    QFile::remove(settings());
    ASSERT_TRUE(QFile::copy(copy, settings()));
    start();
    window_->restorePrograms();
  }
  QString settings() const { return folder_.filePath("window.ini"); }
  /// A copy of a sample, which may be changed.
  QString copyOf(const QString& sample, const QString& name) {
    QFile::remove(folder_.filePath(name));
    EXPECT_TRUE(QFile::copy(samplePath(sample), folder_.filePath(name)));
    return folder_.filePath(name);
  }
  QString brokenFile() {
    QFile file(folder_.filePath("broken.pt2"));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("no archive at all");
    return file.fileName();
  }
  void waitUntil(const std::function<bool()>& condition, const char* name) {
    ASSERT_TRUE(QTest::qWaitFor(condition, kPatienceMs)) << name;
  }
  void settle() {
    waitUntil([this] { return settled(window_->services()); }, "settled");
    QTest::qWait(0);  // what is kept follows
    QCoreApplication::processEvents();
  }
  void open(const QString& file) {
    window_->page().openFile(file);
    settle();
  }
  /// "addmm.pt2 [tanh_gelu.pt2]": the current one in brackets.
  std::string tabs() const {
    QStringList out;
    for (int i = 0; i < row()->count(); ++i)
      out << (i == row()->currentIndex() ? '[' + row()->tabText(i) + ']' : row()->tabText(i));
    return out.join(' ').toStdString();
  }
  ProgramTabs* row() const { return part<ProgramTabs>(); }
  template <class T>
  T* part() const {
    return window_->page().findChild<T*>();
  }
  template <class T>
  T& get() const {
    return window_->services().get<T>();
  }
  void trigger(const char* action) { window_->page().actions()[action]->trigger(); }
  std::string banner(const char* key) const { return part<BannerBar>()->text(key).toStdString(); }
  void press(const char* banner, const QString& button) {
    for (QPushButton* each : part<BannerBar>()->findChildren<QPushButton*>())
      if (each->isVisible() && each->text() == button) return each->click();
    FAIL() << "no button " << button.toStdString() << " in " << banner;
  }
  QString selected() const {
    const fx::NodeId node = get<SelectionPresenter>().current().node();
    return node.valid() ? text(get<SessionPresenter>().program()->node(node).name) : QString();
  }

  QTemporaryDir folder_;
  HeldEngine runner_;
  app::Surroundings around_;
  std::unique_ptr<Appearance> appearance_;
  std::unique_ptr<TabbedWindow> window_;
};

TEST_F(TabbedWindowTest, AnEmptyWindowTakesTheProgramItself) {
  EXPECT_TRUE(window_->page().showsWelcome());
  EXPECT_FALSE(row()->isVisible());
  open(samplePath("addmm.pt2"));
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_FALSE(row()->isVisible()) << "there is only one";
  EXPECT_EQ(window_->windowTitle(), "addmm.pt2 — fxscope");
}

TEST_F(TabbedWindowTest, ASecondProgramIsATabAndNothingIsDoneAgain) {
  open(samplePath("addmm.pt2"));
  get<SelectionPresenter>().selectByName("x");
  ASSERT_TRUE(get<SelectionPresenter>().selectByName("addmm"));
  get<ArrangementPresenter>().choose(Arrangement::Stages);
  Services& first = window_->services();
  const session::SnapshotPtr before = get<SessionPresenter>().snapshot();
  QSignalSpy published(&get<SessionPresenter>(), &SessionPresenter::snapshotChanged);
  open(samplePath("tanh_gelu.pt2"));
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  EXPECT_TRUE(row()->isVisible());
  EXPECT_EQ(window_->windowTitle(), "tanh_gelu.pt2 — fxscope");
  get<SessionPresenter>().setTarget(test::outputType("raw"));
  get<ArrangementPresenter>().choose(Arrangement::Graph);
  settle();
  QElapsedTimer clock;
  clock.start();
  trigger("next-program");
  window_->grab();
  measured("another program shown", static_cast<double>(clock.elapsed()), 200);
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
  EXPECT_EQ(window_->windowTitle(), "addmm.pt2 — fxscope");
  EXPECT_EQ(&window_->services(), &first);
  EXPECT_EQ(get<SessionPresenter>().snapshot(), before);
  EXPECT_EQ(published.count(), 0);
  EXPECT_EQ(selected(), "addmm");
  EXPECT_TRUE(get<SelectionPresenter>().canGoBack());
  EXPECT_EQ(get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("torch"));
}

TEST_F(TabbedWindowTest, AnOpenFileIsChosen) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  open(samplePath("addmm.pt2"));
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
}

TEST_F(TabbedWindowTest, ANewOneBeginsWithTheOutputTypeOfTheOneBefore) {
  open(samplePath("addmm.pt2"));
  get<SessionPresenter>().setTarget(test::outputType("raw"));
  settle();
  open(samplePath("tanh_gelu.pt2"));
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("raw"));
}

TEST_F(TabbedWindowTest, OfSeveralFilesTheFirstIsReadAndTheOthersWhenTheyAreChosen) {
  window_->open(
      {samplePath("addmm.pt2"), samplePath("tanh_gelu.pt2"), samplePath("merge_heads.pt2")});
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2 merge_heads.pt2");
  EXPECT_EQ(window_->findChildren<MainWindow*>().size(), 1);
  trigger("previous-program");
  settle();
  EXPECT_EQ(tabs(), "addmm.pt2 tanh_gelu.pt2 [merge_heads.pt2]");
  EXPECT_EQ(get<SessionPresenter>().state().file, samplePath("merge_heads.pt2"));
  EXPECT_EQ(window_->findChildren<MainWindow*>().size(), 2);
}

TEST_F(TabbedWindowTest, DroppedFilesAreTabs) {
  QMimeData mime;
  mime.setUrls({QUrl::fromLocalFile(samplePath("addmm.pt2")),
                QUrl::fromLocalFile(samplePath("tanh_gelu.pt2"))});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window_->page(), &enter);
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent event(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window_->page(), &event);
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
}

TEST_F(TabbedWindowTest, KeysGoFromTabToTabCloseAndReopen) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  get<SessionPresenter>().setTarget(test::outputType("raw"));
  settle();
  const auto& program = *get<SessionPresenter>().program();
  const QString last = text(program.nodes.back().name);
  ASSERT_TRUE(get<SelectionPresenter>().selectByName(last));
  QTest::qWait(0);
  const auto key = [](Qt::Key pressed, Qt::KeyboardModifiers with) {
    QTest::keyClick(QApplication::focusWidget(), pressed, with);
  };
  key(Qt::Key_Tab, Qt::ControlModifier);
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
  EXPECT_TRUE(window_->page().isAncestorOf(QApplication::focusWidget()));
  key(Qt::Key_Backtab, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  key(Qt::Key_W, Qt::ControlModifier);
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_FALSE(row()->isVisible());
  key(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
  settle();
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("raw"));
  EXPECT_EQ(selected(), last);
}

TEST_F(TabbedWindowTest, TheLastClosedLeavesTheWelcomePage) {
  open(samplePath("addmm.pt2"));
  trigger("close-program");
  EXPECT_TRUE(window_->page().showsWelcome());
  EXPECT_EQ(window_->windowTitle(), "fxscope");
  EXPECT_FALSE(window_->page().actions()["close-program"]->isEnabled());
  trigger("reopen-program");
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_FALSE(window_->page().actions()["reopen-program"]->isEnabled());
}

TEST_F(TabbedWindowTest, TheMouseChoosesAndCloses) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  QTest::mouseClick(row(), Qt::LeftButton, {}, row()->tabRect(0).center());
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
  QTest::mouseClick(row(), Qt::MiddleButton, {}, row()->tabRect(1).center());
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  trigger("reopen-program");
  settle();
  auto* button = qobject_cast<QToolButton*>(row()->tabButton(0, QTabBar::RightSide));
  EXPECT_EQ(button->accessibleName(), "Close addmm.pt2");
  button->click();
  EXPECT_EQ(tabs(), "[tanh_gelu.pt2]");
}

TEST_F(TabbedWindowTest, TheMenuOfATabClosesOthersAndCopiesThePath) {
  window_->open(
      {samplePath("addmm.pt2"), samplePath("tanh_gelu.pt2"), samplePath("merge_heads.pt2")});
  settle();
  const auto choose = [this](int tab, const QString& entry) {
    const QPoint at = row()->tabRect(tab).center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, row()->mapToGlobal(at));
    QApplication::sendEvent(row(), &event);
    for (QAction* each : row()->findChild<QMenu*>()->actions())
      if (QString(each->text()).remove('&') == entry) each->trigger();
    QApplication::activePopupWidget()->close();
    QTest::qWait(0);
  };
  choose(1, "Copy path");
  EXPECT_EQ(QApplication::clipboard()->text(), samplePath("tanh_gelu.pt2"));
  choose(2, "Close");
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
  choose(1, "Close others");
  settle();
  EXPECT_EQ(tabs(), "[tanh_gelu.pt2]");
}

TEST_F(TabbedWindowTest, WhatCannotBeReadHasNoTab) {
  open(samplePath("addmm.pt2"));
  window_->page().openFile(brokenFile());
  EXPECT_EQ(tabs(), "addmm.pt2 [broken.pt2]");
  waitUntil([this] { return window_->programs().all().size() == 1; }, "refused");
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_TRUE(banner("not-opened").starts_with("Could not open broken.pt2: "))
      << banner("not-opened");
  EXPECT_FALSE(window_->page().actions()["reopen-program"]->isEnabled());
}

TEST_F(TabbedWindowTest, AWindowThatCouldNotReadItsFirstFileIsEmpty) {
  window_->page().openFile(brokenFile());
  waitUntil([this] { return window_->programs().kept().empty(); }, "refused");
  EXPECT_TRUE(banner("open").starts_with("Could not open broken.pt2: ")) << banner("open");
  open(samplePath("addmm.pt2"));
  EXPECT_EQ(tabs(), "[addmm.pt2]");
}

TEST_F(TabbedWindowTest, WorkGoesOnInATabThatIsNotShown) {
  runner_.hold(true);
  window_->page().openFile(samplePath("addmm.pt2"));
  SessionPresenter& first = get<SessionPresenter>();
  waitUntil([&] { return first.hasProgram(); }, "read");
  window_->page().openFile(samplePath("tanh_gelu.pt2"));
  waitUntil([this] { return get<SessionPresenter>().hasProgram(); }, "read, too");
  EXPECT_NE(first.state().activity, Activity::Idle);
  EXPECT_TRUE(window_->programs().all().front().isBusy);
  EXPECT_FALSE(row()->tabIcon(0).isNull());
  runner_.hold(false);
  waitUntil([&] { return first.state().activity == Activity::Idle; }, "lowered");
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  waitUntil([&] { return !window_->programs().all().front().isBusy; }, "its tab says so");
  EXPECT_TRUE(row()->tabIcon(0).isNull());
  settle();
}

TEST_F(TabbedWindowTest, ACancelledOneIsClosedAndCanBeReopened) {
  open(samplePath("addmm.pt2"));
  window_->page().openFile(samplePath("tanh_gelu.pt2"));
  get<SessionPresenter>().cancel();
  waitUntil([this] { return settled(window_->services()); }, "ended");
  QTest::qWait(50);
  // It may have been read before it was cancelled.
  if (window_->programs().all().size() == 2) return;
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_TRUE(window_->page().actions()["reopen-program"]->isEnabled());
}

TEST_F(TabbedWindowTest, WhatWasOpenIsThereAtTheNextStart) {
  open(samplePath("addmm.pt2"));
  ASSERT_TRUE(get<SelectionPresenter>().selectByName("addmm"));
  open(samplePath("tanh_gelu.pt2"));
  get<SessionPresenter>().setTarget(test::outputType("raw"));
  get<ArrangementPresenter>().choose(Arrangement::Stages);
  settle();
  const QString last = text(get<SessionPresenter>().program()->nodes.back().name);
  ASSERT_TRUE(get<SelectionPresenter>().selectByName(last));
  startAgain();
  settle();
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  EXPECT_EQ(window_->findChildren<MainWindow*>().size(), 1)
      << "the other is read when it is chosen";
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("raw"));
  EXPECT_EQ(get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_EQ(selected(), last);
  trigger("next-program");
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("torch"));
  EXPECT_EQ(get<ArrangementPresenter>().current(), Arrangement::Graph);
  EXPECT_EQ(selected(), "addmm");
}

TEST_F(TabbedWindowTest, ANodeThatIsGoneIsNotSelected) {
  const QString file = copyOf("addmm.pt2", "model.pt2");
  open(file);
  ASSERT_TRUE(get<SelectionPresenter>().selectByName("addmm"));
  end();
  copyOf("tanh_gelu.pt2", "model.pt2");
  startAgain();
  settle();
  EXPECT_EQ(tabs(), "[model.pt2]");
  EXPECT_EQ(selected(), "");
}

TEST_F(TabbedWindowTest, AFileThatIsGoneIsOneLine) {
  open(samplePath("addmm.pt2"));
  open(copyOf("tanh_gelu.pt2", "gone.pt2"));
  end();
  ASSERT_TRUE(QFile::remove(folder_.filePath("gone.pt2")));
  startAgain();
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2]");
  EXPECT_EQ(banner("gone"), "Not found, so not reopened: gone.pt2");
}

TEST_F(TabbedWindowTest, APreferenceStartsEmpty) {
  open(samplePath("addmm.pt2"));
  window_->page().host().setSetting("reopenPrograms", false);
  startAgain();
  EXPECT_TRUE(window_->page().showsWelcome());
  EXPECT_EQ(banner("reopen"), "");
  EXPECT_EQ(tabs(), "[]");
}

TEST_F(TabbedWindowTest, ClosedProgramsDoNotComeBack) {
  open(samplePath("addmm.pt2"));
  trigger("close-program");
  startAgain();
  EXPECT_TRUE(window_->page().showsWelcome());
}

TEST_F(TabbedWindowTest, AfterAStartThatDidNotEndWellTheyAreOffered) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  runner_.hold(true);
  startAgain();
  waitUntil([this] { return get<SessionPresenter>().hasProgram(); }, "read");
  for (int again = 0; again < 2; ++again) {
    startAfterKill();
    EXPECT_TRUE(window_->page().showsWelcome());
    EXPECT_EQ(banner("reopen"),
              "The last start ended while programs were being opened: addmm.pt2, tanh_gelu.pt2");
  }
  end();
  runner_.hold(false);
  startAgain();
  EXPECT_TRUE(window_->page().showsWelcome()) << "it was not reopened since";
  press("reopen", "Reopen");
  settle();
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]");
  EXPECT_EQ(banner("reopen"), "");
  QTest::qWait(1000);  // longer than the window waits
  startAfterKill();
  settle();
  EXPECT_EQ(tabs(), "addmm.pt2 [tanh_gelu.pt2]") << "all of it had been shown";
}

TEST_F(TabbedWindowTest, HostileSettingsOpenNothing) {
  end();
  QFile file(settings());
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("[programs]\nopen=" + QByteArray(1'000'000, '[') + ", \"{\\\"file\\\":7}\", x\n" +
             "current=@Variant(\\0\\0\\0\\x7f\\xff\\xff\\xff)\nopening=maybe\n");
  file.close();
  startAgain();
  EXPECT_TRUE(window_->page().showsWelcome());
  EXPECT_EQ(banner("gone") + banner("reopen"), "");
}

TEST_F(TabbedWindowTest, ASecondWindowIsEmptyAndDoesNotForgetTheFirst) {
  open(samplePath("addmm.pt2"));
  const auto second = newWindow();
  second->restorePrograms();
  EXPECT_TRUE(second->page().showsWelcome());
  second->open({samplePath("tanh_gelu.pt2")});
  waitUntil([&] { return settled(second->services()); }, "settled");
  second->close();
  startAgain();
  settle();
  EXPECT_EQ(tabs(), "[addmm.pt2]");
}

TEST_F(TabbedWindowTest, AChangedFileIsOfferedInItsOwnTab) {
  const QString file = copyOf("addmm.pt2", "model.pt2");
  open(file);
  SessionPresenter& first = get<SessionPresenter>();
  open(samplePath("tanh_gelu.pt2"));
  copyOf("tanh_gelu.pt2", "model.pt2");
  waitUntil([&] { return first.state().changedOnDisk; }, "seen");
  EXPECT_EQ(banner("disk"), "");
  trigger("next-program");
  EXPECT_EQ(banner("disk"), "model.pt2 changed on disk");
  press("disk", "Ignore");
  EXPECT_EQ(banner("disk"), "");
  copyOf("addmm.pt2", "model.pt2");
  waitUntil([&] { return first.state().changedOnDisk; }, "seen again");
  get<ArrangementPresenter>().choose(Arrangement::Stages);
  get<SessionPresenter>().setTarget(test::outputType("raw"));
  settle();
  ASSERT_TRUE(get<SelectionPresenter>().selectByName("addmm"));
  QSignalSpy opened(&first, &SessionPresenter::programChanged);
  press("disk", "Reload");
  waitUntil([&] { return opened.count() == 1; }, "read again");
  settle();
  EXPECT_EQ(selected(), "addmm");
  EXPECT_EQ(get<ArrangementPresenter>().current(), Arrangement::Stages);
  EXPECT_EQ(get<SessionPresenter>().target(), test::outputType("raw"));
  EXPECT_EQ(banner("disk"), "");
}

TEST_F(TabbedWindowTest, PreferencesHoldForAllTabs) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  window_->page().host().setSetting("wrap", true);
  trigger("next-program");
  EXPECT_TRUE(window_->page().actions()["wrap"]->isChecked());
}

TEST_F(TabbedWindowTest, AFloatingPaneIsThereWithItsTab) {
  open(samplePath("addmm.pt2"));
  auto* inspector = window_->page().findChild<DockFrame*>("inspector");
  inspector->setFloating(true);
  ASSERT_TRUE(inspector->isVisible());
  open(samplePath("tanh_gelu.pt2"));
  EXPECT_FALSE(inspector->isVisible());
  trigger("next-program");
  EXPECT_TRUE(inspector->isVisible());
}

TEST_F(TabbedWindowTest, ThePaletteGoesToAnOpenProgram) {
  open(samplePath("addmm.pt2"));
  open(samplePath("tanh_gelu.pt2"));
  trigger("palette");
  QTest::keyClicks(part<SearchPopup>()->edit(), "addmm.pt2");
  QTest::keyClick(part<SearchPopup>()->edit(), Qt::Key_Return);
  EXPECT_EQ(tabs(), "[addmm.pt2] tanh_gelu.pt2");
}

TEST_F(TabbedWindowTest, EveryActionHasAKeyOfItsOwn) {
  QSet<QString> keys;
  for (const Actions::Entry& entry : window_->page().actions().all()) {
    EXPECT_FALSE(keys.contains(entry.spec.keys))
        << "two actions on " << entry.spec.keys.toStdString();
    keys << entry.spec.keys;
  }
  for (const char* key : {"Ctrl+W", "Ctrl+Shift+T", "Ctrl+Tab", "Ctrl+Shift+Tab"})
    EXPECT_TRUE(keys.contains(key)) << key;
}

TEST_F(TabbedWindowTest, SizeAndPositionAreKept) {
  window_->resize(901, 703);
  end();
  window_ = newWindow();
  EXPECT_TRUE(window_->hasKeptGeometry());
  EXPECT_EQ(window_->size(), QSize(901, 703));
}

}  // namespace
}  // namespace fxs::ui
