// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Size and position of the window and its docks between runs, also where a run is killed.
#include <QFile>
#include <QGuiApplication>
#include <QScreen>

#include "window_fixture.h"

namespace fxs::ui {
namespace {

class GeometryTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    openSettled(samplePath("addmm.pt2"));
  }
  /// Starts again from what was written while the window was open, as after kill -9.
  void startAfterKill() {
    QTest::qWait(1000);  // longer than the window waits
    const QString file = folder_.filePath("window.ini"), copy = folder_.filePath("copy.ini");
    QFile::remove(copy);
    ASSERT_TRUE(QFile::copy(file, copy));
    close();
    QFile::remove(file);
    ASSERT_TRUE(QFile::copy(copy, file));
    WindowOptions options{file, {}};
    appearance_ = std::make_unique<Appearance>(ThemeMode::Light);
    layout::LayoutWorker worker;
    worker.path = around_.layoutWorker;
    session::Environment environment = around_.environment;
    environment.runner = runner_;
    bench_ = std::make_unique<Services>(environment, worker, python_);
    window_ = std::make_unique<MainWindow>(*appearance_, *bench_, options);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
  }
};

TEST_F(GeometryTest, IsKeptSoonAfterAChange) {
  window_->resize(701, 603);
  startAfterKill();
  EXPECT_TRUE(window_->hasKeptGeometry());
  EXPECT_EQ(window_->size(), QSize(701, 603));
}

TEST_F(GeometryTest, AFloatingDockComesBackWhereItWas) {
  window_->resize(701, 603);
  DockFrame* inspector = part<DockFrame>("inspector");
  inspector->setFloating(true);
  inspector->setGeometry(60, 70, 310, 320);
  startAfterKill();
  openSettled(samplePath("addmm.pt2"));
  inspector = part<DockFrame>("inspector");
  EXPECT_TRUE(inspector->isFloating());
  EXPECT_TRUE(inspector->isVisible());
  EXPECT_TRUE(inspector->updatesEnabled()) << "it is not painted";
  EXPECT_EQ(inspector->geometry(), QRect(60, 70, 310, 320));
}

TEST_F(GeometryTest, IsOnAScreenThatIsThere) {
  window_->resize(701, 603);
  window_->move(9000, 9000);
  DockFrame* inspector = part<DockFrame>("inspector");
  inspector->setFloating(true);
  inspector->setGeometry(9000, 9000, 310, 320);
  startAfterKill();
  openSettled(samplePath("addmm.pt2"));
  const QRect screen = QGuiApplication::primaryScreen()->availableGeometry();
  EXPECT_TRUE(screen.intersects(window_->frameGeometry()));
  EXPECT_TRUE(screen.intersects(part<DockFrame>("inspector")->frameGeometry()));
}

TEST_F(GeometryTest, AMaximizedPaneIsNotWhatIsKept) {
  window_->actions()["maximize"]->trigger();
  startAfterKill();
  openSettled(samplePath("addmm.pt2"));
  EXPECT_TRUE(part<DockFrame>("inspector")->isVisible());
}

TEST_F(GeometryTest, AFirstWindowFitsItsScreenWithItsFrame) {
  QWidget window;
  const QSize screen = window.screen()->availableSize();
  fitToScreen(window, screen);
  EXPECT_TRUE(window.windowState().testFlag(Qt::WindowMaximized));
  EXPECT_LT(window.height(), screen.height());
  QWidget small;
  fitToScreen(small, {300, 200});
  EXPECT_EQ(small.size(), QSize(300, 200));
  EXPECT_FALSE(small.windowState().testFlag(Qt::WindowMaximized));
}

}  // namespace
}  // namespace fxs::ui
