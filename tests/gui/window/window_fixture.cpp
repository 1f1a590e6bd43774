// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "window_fixture.h"

#include <QFile>
#include <QScrollBar>

#include "features/problems/problems_page.h"
#include "output_type.h"
#include "write/pt2.h"

namespace fxs::ui {

/// Those of tests/gui/features; generated.
void registerTestFeatures(Features& features);

std::string sharedCache() {
  static const QTemporaryDir cache;
  return cache.path().toStdString();
}

void WindowTest::SetUp() {
  ASSERT_TRUE(folder_.isValid());
  around_ = app::surroundings();
  around_.environment.enginePath = session::engineGivenOrInstalled(around_.environment);
  around_.environment.cacheDir = sharedCache();
  remake();
}

void WindowTest::TearDown() { close(); }

void WindowTest::close() {
  if (window_) window_->close();
  window_.reset();
  bench_.reset();
  appearance_.reset();
}

void WindowTest::remake() {
  close();
  session::Environment environment = around_.environment;
  environment.runner = runner_;
  layout::LayoutWorker worker;
  worker.path = around_.layoutWorker;
  appearance_ = std::make_unique<Appearance>(ThemeMode::Light);
  appearance_->setTextScale(textScale_);
  bench_ = std::make_unique<Services>(environment, worker, python_);
  bench_->choose(diagnoser_);
  bench_->choose(bundler_);
  bench_->choose(reducer_);
  bench_->choose(alternatives_);
  bench_->choose(alone_);
  bench_->choose(lister_);
  bench_->choose(comparer_);
  if (comparer_) bench_->choose(ExecutorCheck([](const auto&) { return QString(); }));
  bench_->choose(measurer_);
  bench_->choose(litLoader_);
  bench_->choose(litRunner_);
  bench_->choose(executorFetcher_);
  bench_->get<SessionPresenter>().setTarget(test::outputType("tosa"));
  WindowOptions options{folder_.filePath("window.ini"), QString(FXS_SOURCE_DIR) + "/samples"};
  registerTestFeatures(options.features);
  window_ = std::make_unique<MainWindow>(*appearance_, *bench_, options);
  // The tests look at three texts; what a first start shows is in arrangement_test.cpp.
  if (!QFile::exists(options.settingsFile))
    bench_->get<StagePresenter>().setPanes(StagePresenter::kStandardPanes);
  window_->resize(1600, 1000);
  window_->show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
}

void WindowTest::waitUntil(const std::function<bool()>& condition, const char* name) {
  ASSERT_TRUE(QTest::qWaitFor(condition, kPatienceMs)) << name;
}

void WindowTest::openSettled(const QString& file) {
  QSignalSpy opened(&bench_->get<SessionPresenter>(), &SessionPresenter::programChanged);
  QSignalSpy failed(&bench_->get<SessionPresenter>(), &SessionPresenter::openFailed);
  window_->openFile(file);
  waitUntil([&] { return opened.count() == 1 || failed.count() == 1; }, "read");
  ASSERT_EQ(failed.count(), 0) << failed.front().last().toString().toStdString();
  waitUntil(
      [&] {
        return opened.count() == 1 && settled(*bench_) &&
               bench_->get<Graphs>().program.graph().layout;
      },
      "the program is lowered and laid out");
}

fx::NodeId WindowTest::node(const char* name) const {
  const fx::Node* found = bench_->get<SessionPresenter>().program()->findNode(name);
  EXPECT_NE(found, nullptr) << name;
  return found ? found->id : fx::NodeId{};
}

QString WindowTest::fileOf(const fx::Program& program, const QString& name) {
  const auto bytes = write::pt2Bytes(program, {}, {});
  EXPECT_TRUE(bytes) << toString(bytes.error());
  QFile file(folder_.filePath(name));
  EXPECT_TRUE(file.open(QIODevice::WriteOnly));
  if (bytes) file.write(bytes->data(), static_cast<qint64>(bytes->size()));
  return file.fileName();
}

fx::NodeId WindowTest::aCall() const {
  for (const fx::Node& each : bench_->get<SessionPresenter>().program()->nodes)
    if (each.op == fx::NodeOp::CallFunction && each.graph.index() == 0 &&
        !bench_->get<StagePresenter>().linesOf("raw", {each.id}).empty())
      return each.id;
  ADD_FAILURE() << "no call with a line in RAW";
  return {};
}

void WindowTest::clickInGraph(fx::NodeId node) {
  bench_->get<Graphs>().program.reveal(node);
  waitUntil(
      [&] {
        return !bench_->get<Graphs>().program.busy() &&
               part<GraphArea>()->pane()->nodeRect(node).has_value();
      },
      "the node has a box");
  GraphPane* pane = part<GraphArea>()->pane();
  pane->zoomToActualSize();
  pane->centreOn(node);
  const QPoint at = pane->nodeRect(node)->center().toPoint();
  QWidget* under = pane->childAt(at);
  ASSERT_NE(under, nullptr);
  QTest::mouseClick(under, Qt::LeftButton, {}, under->mapFrom(pane, at));
}

void WindowTest::clickRow(QAbstractItemView* view, const QModelIndex& index) {
  ASSERT_TRUE(index.isValid());
  view->scrollTo(index);
  const QRect rect = view->visualRect(index);
  ASSERT_FALSE(rect.isEmpty());
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, rect.center());
}

void WindowTest::clickInTree(fx::NodeId node) {
  part<DockFrame>("navigator")->setCurrentPage("modules");
  FilteredView* modules = part<Navigator>()->modules();
  const QModelIndex index =
      modules->proxy()->mapFromSource(part<Navigator>()->treeModel().indexOf(node));
  for (QModelIndex up = index.parent(); up.isValid(); up = up.parent()) modules->view()->expand(up);
  clickRow(modules->view(), index);
}

void WindowTest::clickInList(fx::NodeId node) {
  part<DockFrame>("navigator")->setCurrentPage("nodes");
  FilteredView* nodes = part<Navigator>()->nodes();
  clickRow(nodes->view(),
           nodes->proxy()->mapFromSource(part<Navigator>()->listModel().indexOf(node)));
}

CodePane* WindowTest::paneOf(const ShownText& stage) const {
  for (CodePane* pane : part<StageStrip>()->panes())
    if (pane->stageId() == stage) return pane;
  return nullptr;
}

void WindowTest::clickInStage(const ShownText& stage, fx::NodeId node) {
  CodePane* pane = paneOf(stage);
  ASSERT_NE(pane, nullptr);
  const auto lines = bench_->get<StagePresenter>().linesOf(stage, {node});
  ASSERT_FALSE(lines.empty());
  CodeView* view = pane->view();
  const std::uint32_t line = bench_->get<StagePresenter>().mainLine(stage, lines);
  view->goToLine(line);
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->lineRect(line).center());
}

void WindowTest::expectEverythingShows(fx::NodeId node) {
  const std::string name = bench_->get<SessionPresenter>().program()->node(node).name;
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), node);
  Navigator* navigator = part<Navigator>();
  EXPECT_EQ(navigator->modules()->view()->currentIndex().data(kNodeIdRole).toUInt(), node.value)
      << "tree, " << name;
  EXPECT_EQ(navigator->nodes()->view()->currentIndex().data(kNodeIdRole).toUInt(), node.value)
      << "list, " << name;
  for (CodePane* pane : part<StageStrip>()->panes()) {
    const auto lines = bench_->get<StagePresenter>().linesOf(pane->stageId(), {node});
    EXPECT_EQ(pane->view()->related(), lines)
        << ui::name(pane->stageId()).toStdString() << ", " << name;
    if (!lines.empty() && bench_->get<StagePresenter>().leads(
                              pane->pane(), bench_->get<SelectionPresenter>().current())) {
      const std::uint32_t main = bench_->get<StagePresenter>().mainLine(pane->stageId(), lines);
      EXPECT_TRUE(pane->view()->isLineVisible(main))
          << "line " << main << " at " << pane->view()->lineRect(main).top() << " of "
          << pane->view()->viewport()->height() << ", " << ui::name(pane->stageId()).toStdString()
          << ", " << name;
    }
  }
  ASSERT_TRUE(bench_->get<NodePresenter>().state());
  EXPECT_EQ(bench_->get<NodePresenter>().state()->name.toStdString(), name);
  EXPECT_TRUE(part<InspectorPane>()->plainText().contains(QString::fromStdString(name)));
  if (const auto rect = part<GraphArea>()->pane()->nodeRect(node)) {
    EXPECT_TRUE(rect->intersects(part<GraphArea>()->pane()->rect())) << "graph, " << name;
  }
  if (const int problem = bench_->get<ProblemsPresenter>().indexAt(node); problem >= 0) {
    EXPECT_EQ(part<ProblemsPage>()->view()->currentIndex().row(), problem) << "problems, " << name;
  }
}

}  // namespace fxs::ui
