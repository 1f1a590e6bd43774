// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graph pane on its own, with a small laid-out program: what mouse and keys do, what is marked,
// what is saved.
#include "features/graph/graph_pane.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include "features/graph/graph_scene.h"
#include "module_program.h"

namespace fxs::ui {
namespace {

using test::ModuleProgram;

/// x, a table of it, sixteen layers of three nodes each in "m", and a last node that uses the table
/// again.
fx::ProgramPtr someProgram() {
  ModuleProgram p;
  const auto table = p.call("table", "aten.sin.default", {p.input("x")});
  auto value = table;
  for (int layer = 0; layer < 16; ++layer)
    for (int i = 0; i < 3; ++i)
      value = p.call("n" + std::to_string(layer) + std::to_string(i), "aten.add.Tensor", {value},
                     "m:Model/m.l" + std::to_string(layer) + ":Layer");
  return p.returning({p.call("last", "aten.add.Tensor", {value, table})});
}

GraphPicture pictureOf(const fx::ProgramPtr& program, std::set<layout::GroupId> open,
                       bool everything = false) {
  GraphPicture picture;
  picture.program = program;
  picture.tree = std::make_shared<const layout::GroupTree>(layout::groupTree(*program));
  layout::ViewOptions options;
  options.expanded = std::move(open);
  options.everything = everything;
  picture.view = std::make_shared<const layout::GraphView>(
      layout::graphView(*program, *picture.tree, options));
  layout::LayoutWorker worker;
  worker.path =
      (QCoreApplication::applicationDirPath() + QStringLiteral("/fxscope-layout")).toStdString();
  PosixCommandRunner runner;
  auto placed = layout::layoutGraph(*picture.view, worker, runner, {});
  EXPECT_TRUE(placed) << placed.error().message;
  if (placed) picture.layout = std::make_shared<const layout::GraphLayout>(*std::move(placed));
  return picture;
}

struct GraphPaneTest : ::testing::Test {
  GraphPaneTest() : program(someProgram()), tree(layout::groupTree(*program)) {
    pane.resize(700, 500);
    pane.show();
    show(false);
  }
  void show(bool everything) { pane.setPicture(pictureOf(program, {tree.find("m")}, everything)); }
  fx::NodeId node(const char* name) const { return program->findNode(name)->id; }
  QWidget* canvas() { return pane.focusProxy(); }
  QPoint at(const QRectF& rect) const { return rect.center().toPoint(); }
  QPointF toPane(const layout::Rect& rect) const {
    const layout::Rect& box = pane.picture().layout->boxes[0];
    const QRectF shown = *pane.nodeRect(pane.picture().view->boxes[0].node);
    return shown.topLeft() + QPointF(rect.centreX() - box.x, rect.centreY() - box.y) * pane.zoom();
  }
  void wheel(QPointF position, int delta) {
    QWheelEvent event(position, canvas()->mapToGlobal(position), {}, QPoint(0, delta), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(canvas(), &event);
  }

  fx::ProgramPtr program;
  layout::GroupTree tree;
  GraphPane pane;
};

TEST_F(GraphPaneTest, AClickSaysWhichNode) {
  QSignalSpy clicked(&pane, &GraphPane::nodeClicked);
  pane.centreOn(node("table"));
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at(*pane.nodeRect(node("table"))));
  ASSERT_EQ(clicked.size(), 1);
  EXPECT_EQ(clicked[0][0].value<fx::NodeId>(), node("table"));
}

TEST_F(GraphPaneTest, ADoubleClickAsksToOpenAGroup) {
  const layout::GroupId layer = tree.find("m.l1");
  pane.centreOnGroup(layer);
  QSignalSpy toggled(&pane, &GraphPane::groupToggled), clicked(&pane, &GraphPane::groupClicked);
  QTest::mouseDClick(canvas(), Qt::LeftButton, {}, at(*pane.groupRect(layer)));
  ASSERT_EQ(toggled.size(), 1);
  EXPECT_EQ(toggled[0][0].value<layout::GroupId>(), layer);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, at(*pane.groupRect(layer)) + QPoint(0, 8));
  ASSERT_EQ(clicked.size(), 1);
  EXPECT_EQ(clicked[0][0].value<layout::GroupId>(), layer);
}

TEST_F(GraphPaneTest, TheWheelZoomsAtTheCursor) {
  const QPoint position = at(*pane.nodeRect(node("x")));
  const double before = pane.zoom();
  wheel(position, 240);
  EXPECT_GT(pane.zoom(), before);
  const QPoint now = at(*pane.nodeRect(node("x")));
  EXPECT_LE((now - position).manhattanLength(), 2);
  wheel(position, -240);
  EXPECT_NEAR(pane.zoom(), before, 1e-6);
}

TEST_F(GraphPaneTest, ADragMovesThePictureAndClicksNothing) {
  QSignalSpy clicked(&pane, &GraphPane::nodeClicked);
  const QRectF before = *pane.nodeRect(node("x"));
  QTest::mousePress(canvas(), Qt::LeftButton, {}, at(before));
  QTest::mouseMove(canvas(), at(before) + QPoint(30, 20));
  QTest::mouseMove(canvas(), at(before) + QPoint(60, 40));
  QTest::mouseRelease(canvas(), Qt::LeftButton, {}, at(before) + QPoint(60, 40));
  EXPECT_EQ(at(*pane.nodeRect(node("x"))), at(before) + QPoint(60, 40));
  EXPECT_EQ(clicked.size(), 0);
}

TEST_F(GraphPaneTest, SpaceShowsAllAndTheKeysZoom) {
  pane.zoomToActualSize();
  QTest::keyClick(canvas(), Qt::Key_Plus);
  EXPECT_NEAR(pane.zoom(), 1.25, 1e-9);
  QTest::keyClick(canvas(), Qt::Key_Minus);
  EXPECT_NEAR(pane.zoom(), 1, 1e-9);
  QTest::keyClick(canvas(), Qt::Key_Space);
  for (const char* name : {"x", "last"})
    EXPECT_TRUE(QRectF(pane.rect()).contains(*pane.nodeRect(node(name)))) << name;
}

TEST_F(GraphPaneTest, ArrowsWalkAlongEdges) {
  show(true);
  pane.setSelection({node("n00")});
  QSignalSpy clicked(&pane, &GraphPane::nodeClicked);
  QTest::keyClick(canvas(), Qt::Key_Down);
  QTest::keyClick(canvas(), Qt::Key_Down);
  QTest::keyClick(canvas(), Qt::Key_Up);
  ASSERT_EQ(clicked.size(), 3);
  EXPECT_EQ(clicked[0][0].value<fx::NodeId>(), node("n01"));
  EXPECT_EQ(clicked[1][0].value<fx::NodeId>(), node("n02"));
  EXPECT_EQ(clicked[2][0].value<fx::NodeId>(), node("n01"));
}

TEST_F(GraphPaneTest, EnterOpensTheGroupUnderTheKeys) {
  pane.setSelection({node("n20")});
  QSignalSpy toggled(&pane, &GraphPane::groupToggled);
  QTest::keyClick(canvas(), Qt::Key_Return);
  ASSERT_EQ(toggled.size(), 1);
  EXPECT_EQ(toggled[0][0].value<layout::GroupId>(), tree.find("m.l2"));
}

TEST_F(GraphPaneTest, CentringLeavesWhatIsInViewAlone) {
  show(true);
  pane.zoomToActualSize();
  pane.centreOn(node("last"));
  const QRectF seen = *pane.nodeRect(node("last"));
  EXPECT_TRUE(QRectF(pane.rect()).contains(seen));
  pane.centreOn(node("last"));
  EXPECT_EQ(*pane.nodeRect(node("last")), seen);
  pane.centreOn(node("x"));
  EXPECT_TRUE(QRectF(pane.rect()).contains(*pane.nodeRect(node("x"))));
}

TEST_F(GraphPaneTest, AnOpenedGroupStaysWhereItWas) {
  const layout::GroupId layer = tree.find("m.l3");
  pane.zoomToActualSize();
  pane.centreOnGroup(layer);
  const double top = pane.groupRect(layer)->top();
  pane.setPicture(pictureOf(program, {tree.find("m"), layer}), layer);
  EXPECT_NEAR(pane.groupRect(layer)->top(), top, 1);
  EXPECT_TRUE(pane.nodeRect(node("n30")));
}

TEST_F(GraphPaneTest, AStubLeadsToItsOtherEnd) {
  show(true);
  const layout::GraphView& view = *pane.picture().view;
  ASSERT_EQ(view.stubs.size(), 2u);
  const std::size_t outgoing = view.stubs[0].outgoing ? 0 : 1;
  pane.zoomToActualSize();
  pane.centreOn(node("table"));
  QSignalSpy clicked(&pane, &GraphPane::nodeClicked);
  QTest::mouseClick(canvas(), Qt::LeftButton, {},
                    toPane(pane.picture().layout->stubs[outgoing].pill).toPoint());
  ASSERT_EQ(clicked.size(), 1);
  EXPECT_EQ(clicked[0][0].value<fx::NodeId>(), node("last"));
  EXPECT_TRUE(QRectF(pane.rect()).contains(*pane.nodeRect(node("last"))));
}

TEST_F(GraphPaneTest, ACollapsedGroupCountsItsProblems) {
  GraphScene scene(pane.picture());
  MarksByNode marks(program->nodes.size());
  marks[node("n10").index()].add({Emphasis::Warning, {}, {}});
  marks[node("n11").index()].add({Emphasis::Error, {}, "no pattern takes it"});
  marks[node("n12").index()].add({Emphasis::Error, {}, {}});
  scene.setMarks(marks);
  scene.setSelection({node("n12")});
  const std::size_t box = pane.picture().view->boxOf[node("n10").index()].index();
  EXPECT_EQ(scene.mark(box).status, Emphasis::Error);
  EXPECT_EQ(scene.mark(box).count, 2u);
  EXPECT_TRUE(scene.mark(box).selected);
  EXPECT_EQ(scene.describe({GraphHit::Kind::Box, box, 0}, marks).toStdString(),
            "m.l1\nLayer · 3 nodes\nn11: no pattern takes it\nDouble-click to expand");
}

TEST_F(GraphPaneTest, MarksAndSelectionAreSeen) {
  const auto grabbed = [&] { return pane.grab().toImage(); };
  const QImage plain = grabbed();
  pane.setMarks(MarksByNode(program->nodes.size(), {{Emphasis::Error, {}, {}}, {}}));
  const QImage marked = grabbed();
  EXPECT_NE(plain, marked);
  pane.setMarks({});
  pane.setSelection({node("x")});
  EXPECT_NE(grabbed(), plain);
  pane.setMessage(QStringLiteral("Laying out 20 nodes"));
  const QImage waiting = grabbed();
  pane.setMessage({});
  EXPECT_NE(grabbed(), waiting);
}

TEST_F(GraphPaneTest, ThePictureIsSavedAsSvgAndPng) {
  QTemporaryDir folder;
  QString message;
  const QString svg = folder.filePath(QStringLiteral("graph.svg")),
                png = folder.filePath(QStringLiteral("graph.png"));
  ASSERT_TRUE(pane.saveSvg(svg, &message)) << message.toStdString();
  QFile file(svg);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_TRUE(file.readAll().contains("<svg"));
  ASSERT_TRUE(pane.savePng(png, 2, &message)) << message.toStdString();
  const QImage image(png);
  EXPECT_NEAR(image.width(), pane.picture().layout->bounds.width * 2, 2);
  EXPECT_FALSE(pane.saveSvg(folder.filePath(QStringLiteral("none/graph.svg")), &message));
  EXPECT_TRUE(message.contains(QStringLiteral("none/graph.svg"))) << message.toStdString();
  GraphPane nothing;
  EXPECT_FALSE(nothing.savePng(png, 2, &message));
  EXPECT_EQ(message, QStringLiteral("There is no graph to save."));
}

TEST_F(GraphPaneTest, APictureThatDoesNotFitLeavesTheOneBefore) {
  QTemporaryDir folder;
  QString message;
  const QString png = folder.filePath(QStringLiteral("graph.png"));
  ASSERT_TRUE(pane.savePng(png, 1, &message)) << message.toStdString();
  const QImage before(png);
  rlimit usual{};
  ::getrlimit(RLIMIT_FSIZE, &usual);
  const rlimit small{1000, usual.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const bool saved = pane.savePng(png, 2, &message),
             savedSvg = pane.saveSvg(folder.filePath(QStringLiteral("graph.svg")));
  ::setrlimit(RLIMIT_FSIZE, &usual);
  ::signal(SIGXFSZ, handler);
  EXPECT_FALSE(saved);
  EXPECT_FALSE(savedSvg);
  EXPECT_EQ(message, png + QStringLiteral(": cannot be written: File too large"));
  EXPECT_EQ(QImage(png), before);
  EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
            QStringList(QStringLiteral("graph.png")));
  EXPECT_FALSE(pane.savePng(QStringLiteral("/dev/full"), 1, &message));
  EXPECT_TRUE(
      message.startsWith(QStringLiteral("/dev/full: cannot be written: No space left on device; ")))
      << message.toStdString();
}

TEST_F(GraphPaneTest, AnEmptyPaneTakesEveryInput) {
  GraphPane nothing;
  nothing.resize(300, 200);
  nothing.show();
  for (const int key : {Qt::Key_Space, Qt::Key_Plus, Qt::Key_Down, Qt::Key_Return})
    QTest::keyClick(nothing.focusProxy(), static_cast<Qt::Key>(key));
  QTest::mouseClick(nothing.focusProxy(), Qt::LeftButton, {}, QPoint(20, 20));
  QTest::mouseDClick(nothing.focusProxy(), Qt::LeftButton, {}, QPoint(20, 20));
  nothing.setSelection({node("x")});
  nothing.centreOn(node("x"));
  EXPECT_FALSE(nothing.nodeRect(node("x")));
}

}  // namespace
}  // namespace fxs::ui
