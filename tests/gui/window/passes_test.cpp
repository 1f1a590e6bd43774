// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stepping through the passes in the window, with the engine.
#include <time.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <atomic>
#include <mutex>

#include "../presenters/recorded_trace.h"
#include "features/passes/history_section.h"
#include "features/passes/op_origin_presenter.h"
#include "features/passes/passes_page.h"
#include "output_type.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

/// Everything runs but the trace of passes, which hangs until it is told to stop, as often as it is
/// asked to hang.
class HangingTrace final : public CommandRunner {
 public:
  explicit HangingTrace(CommandRunner& real) : real_(real) {}
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    const bool traces =
        std::any_of(command.argv.begin(), command.argv.end(), [](const std::string& argument) {
          return argument.find("snapshot-op-locations") != std::string::npos ||
                 argument.find("--mlir-print-ir-tree-dir") == 0;
        });
    if (!traces || !hangs) return real_.run(command, stop);
    hanging = true;
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    stopped.wait(lock, stop, [] { return false; });
    return fail(ErrorCode::Cancelled, "stopped");
  }
  std::atomic<bool> hangs{true}, hanging{false};

 private:
  CommandRunner& real_;
};

/// Spent by this thread so far.
double threadMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

class PassesTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
  }
  void open(const char* sample, const lower::OutputType& target) {
    bench_->get<SessionPresenter>().setTarget(target);
    openSettled(samplePath(sample));
    ASSERT_TRUE(bench_->get<PassPresenter>().trace())
        << bench_->get<PassPresenter>().state().message.toStdString();
  }
  void settle() {
    waitUntil([&] { return settled(*bench_) && !bench_->get<HistoryPresenter>().busy(); },
              "nothing goes on");
  }
  PassPresenter& passes() { return bench_->get<PassPresenter>(); }
  CodePane* a() { return part<StageStrip>()->paneOf(Handle::From); }
  CodePane* b() { return part<StageStrip>()->paneOf(Handle::To); }
};

TEST_F(PassesTest, BracketsGoFromOneChangedPassToTheNext) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  EXPECT_EQ(a(), nullptr);
  part<GraphArea>()->pane()->setFocus();
  std::vector<int> went;
  for (int last = -1;; last = passes().pass()) {
    QTest::keyClick(window_.get(), Qt::Key_BracketRight);
    if (passes().pass() == last) break;
    settle();
    went.push_back(passes().pass());
    const PassRow& row = passes().passes()[static_cast<std::size_t>(passes().pass())];
    EXPECT_TRUE(row.changed);
    ASSERT_TRUE(passes().diff());
    EXPECT_FALSE(passes().diff()->diff.empty()) << row.name.toStdString();
    ASSERT_NE(a(), nullptr);
    EXPECT_EQ(a()->view()->code(), passes().textOf(row.before)->code);
    EXPECT_EQ(b()->view()->code(), passes().textOf(row.snapshot)->code);
    EXPECT_TRUE(b()->view()->marks());
    EXPECT_EQ(part<PassesPage>()->view()->currentIndex().data(PassesModel::kPassRole).toInt(),
              row.pass);
  }
  const auto changed = std::count_if(passes().passes().begin(), passes().passes().end(),
                                     [](const PassRow& row) { return row.changed; });
  EXPECT_EQ(static_cast<std::ptrdiff_t>(went.size()), changed);
  EXPECT_GT(went.size(), 3U);
  EXPECT_TRUE(std::is_sorted(went.begin(), went.end()));
  QTest::keyClick(window_.get(), Qt::Key_BracketLeft);
  EXPECT_EQ(passes().pass(), went[went.size() - 2]);
  // The last snapshot is what the stage shows.
  QTest::keyClick(window_.get(), Qt::Key_0);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{"fx", "raw", LastStage{}}));
}

TEST_F(PassesTest, TheTimelineChoosesPassesByClickAndKey) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  window_->actions()["show-passes"]->trigger();
  PassTimeline* timeline = part<PassesPage>()->timeline();
  waitUntil(
      [&] {
        return timeline->isVisible() && timeline->width() >= timeline->minimumSizeHint().width();
      },
      "laid out");
  EXPECT_EQ(timeline->accessibleDescription(), "No pass is selected");
  const int last = static_cast<int>(passes().passes().size()) - 1;
  for (const int pass : {last, 0, last / 2}) {
    QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->positionOf(pass));
    EXPECT_EQ(passes().pass(), pass);
  }
  EXPECT_EQ(part<PassesPage>()->view()->currentIndex().data(PassesModel::kPassRole).toInt(),
            last / 2);
  timeline->setFocus();
  QTest::keyClick(timeline, Qt::Key_Right);
  EXPECT_EQ(passes().pass(), last / 2 + 1);
  EXPECT_TRUE(timeline->accessibleDescription().startsWith(QString::number(last / 2 + 2) + " · "))
      << timeline->accessibleDescription().toStdString();
  QTest::keyClick(timeline, Qt::Key_End);
  QTest::keyClick(timeline, Qt::Key_Right);
  EXPECT_EQ(passes().pass(), last);
  QTest::keyClick(timeline, Qt::Key_Home);
  QTest::keyClick(timeline, Qt::Key_Left);
  EXPECT_EQ(passes().pass(), 0);
  part<PassesPage>()->nextButton()->click();
  EXPECT_TRUE(passes().passes()[static_cast<std::size_t>(passes().pass())].changed);
  EXPECT_GT(passes().pass(), 0);
}

TEST_F(PassesTest, ChangesAreWalkedThroughOnBothSides) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  window_->actions()["next-pass"]->trigger();
  window_->actions()["next-pass"]->trigger();
  settle();
  ASSERT_TRUE(passes().diff());
  const auto& changes = passes().diff()->changes;
  ASSERT_FALSE(changes.empty());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    window_->actions()["next-change"]->trigger();
    EXPECT_EQ(passes().change(), static_cast<int>(i));
    EXPECT_TRUE(b()->view()->isLineVisible(b()->view()->cursorPosition().line));
    // Where it does not begin in B, at the line before it.
    const bool begins = passes().diff()->rows[changes[i].row].b != kNoLine;
    EXPECT_EQ(b()->view()->cursorPosition().line, changes[i].bBegin - (begins ? 0 : 1));
    EXPECT_TRUE(a()->view()->isLineVisible(a()->view()->cursorPosition().line));
  }
  window_->actions()["next-change"]->trigger();
  EXPECT_EQ(passes().change(), 0);
  window_->actions()["previous-change"]->trigger();
  EXPECT_EQ(passes().change(), static_cast<int>(changes.size()) - 1);
  // Text instead of the difference.
  window_->actions()["show-diff"]->trigger();
  EXPECT_EQ(b()->view()->marks(), nullptr);
  EXPECT_EQ(b()->view()->folded().folds().size(), b()->stageText()->folds.size());
}

TEST_F(PassesTest, TheRowsOfBothSidesFaceEachOtherFoldedOrWrapped) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  const auto foldedIn = [](CodePane* pane) {
    const std::vector<Fold>& folds = pane->view()->folded().folds();
    return std::count_if(folds.begin(), folds.end(), [](const Fold& fold) { return fold.folded; });
  };
  // A pass that leaves some of the module as it is.
  for (int i = 0; i < 20 && (i == 0 || foldedIn(a()) == 0); ++i) {
    window_->actions()["next-pass"]->trigger();
    settle();
  }
  ASSERT_TRUE(passes().diff());
  const auto expectFacing = [&](const char* state) {
    QScrollBar* bar = a()->view()->verticalScrollBar();
    EXPECT_EQ(bar->maximum(), b()->view()->verticalScrollBar()->maximum()) << state;
    for (const int part : {0, 1, 2, 4}) {
      bar->setValue(bar->maximum() * part / 4);
      EXPECT_EQ(bar->value(), b()->view()->verticalScrollBar()->value()) << state;
      for (const FacingLines& row : passes().diff()->rows) {
        if (row.a == kNoLine || row.b == kNoLine) continue;
        if (a()->view()->folded().isHidden(row.a) || b()->view()->folded().isHidden(row.b))
          continue;
        ASSERT_EQ(a()->view()->lineRect(row.a).top(), b()->view()->lineRect(row.b).top())
            << state << ", line " << row.a << " of A";
      }
    }
  };
  expectFacing("folded");
  // A fold of one side is one of the other.
  EXPECT_GT(foldedIn(a()), 0);
  EXPECT_EQ(foldedIn(a()), foldedIn(b()));
  a()->view()->setAllFolded(FoldKind::Block, false);
  EXPECT_EQ(foldedIn(b()), 0);
  ASSERT_GT(a()->view()->verticalScrollBar()->maximum(), 0);
  expectFacing("unfolded");
  window_->actions()["wrap"]->trigger();
  settle();
  expectFacing("wrapped");
  window_->actions()["text-larger"]->trigger();
  settle();
  expectFacing("larger");
  window_->resize(window_->width() - 200, window_->height());
  settle();
  expectFacing("narrower");
  window_->actions()["wrap"]->trigger();
  // Without a difference, no row is empty.
  window_->actions()["show-diff"]->trigger();
  b()->view()->setAllFolded(FoldKind::Block, false);
  EXPECT_EQ(b()->view()->lineRect(5).top() - b()->view()->lineRect(0).top(),
            5 * b()->view()->lineRect(0).height());
}

TEST_F(PassesTest, WhatIsHiddenInADifferenceIsKeptInTheSettings) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  EXPECT_FALSE(passes().diffOptions().hideConstants);
  EXPECT_TRUE(passes().diffOptions().hideRenumbering);
  window_->actions()["hide-constants"]->trigger();
  window_->actions()["hide-renumbering"]->trigger();
  EXPECT_TRUE(passes().diffOptions().hideConstants);
  EXPECT_FALSE(passes().diffOptions().hideRenumbering);
  remake();
  EXPECT_TRUE(passes().diffOptions().hideConstants);
  EXPECT_TRUE(window_->actions()["hide-constants"]->isChecked());
  EXPECT_FALSE(passes().diffOptions().hideRenumbering);
}

TEST_F(PassesTest, ANodeIsSelectedInFourPanesAtOnce) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  window_->actions()["next-pass"]->trigger();
  bench_->get<ArrangementPresenter>().choose(Arrangement::Graph);
  bench_->get<StagePresenter>().setPanes({"fx", "raw", Handle::From, Handle::To});
  settle();
  const fx::NodeId call = aCall();
  clickInStage("raw", call);
  expectEverythingShows(call);
  for (CodePane* pane : part<StageStrip>()->panes())
    EXPECT_FALSE(pane->view()->related().empty()) << name(pane->pane()).toStdString();
  // From an operation of a snapshot to its node.
  bench_->get<SelectionPresenter>().clear();
  clickInStage(PassSnapshot{passes().to()}, call);
  expectEverythingShows(call);
  // All panes are marked at once. In time of this thread, for the machine may be busy with
  // something else.
  const fx::NodeId other = node("output");
  double best = 1'000;
  for (int i = 0; i < 8; ++i) {
    const double begin = threadMilliseconds();
    bench_->get<SelectionPresenter>().selectNode(i % 2 ? other : call, Origin::Graph);
    for (CodePane* pane : part<StageStrip>()->panes()) pane->view()->viewport()->repaint();
    best = std::min(best, threadMilliseconds() - begin);
  }
  measured("selecting an operation, four panes painted", best, 50);
}

TEST_F(PassesTest, TheHistoryOfANodeLeadsToItsPasses) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  bench_->get<SelectionPresenter>().selectNode(node("scaled_dot_product_attention"), Origin::List);
  settle();
  const std::vector<HistoryRow>& rows = bench_->get<HistoryPresenter>().rows();
  ASSERT_GE(rows.size(), 3U);
  EXPECT_EQ(rows.front().title, "import");
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LT(rows[i - 1].pass, rows[i].pass);
  const QString said = part<InspectorPane>()->plainText();
  for (const HistoryRow& row : rows)
    EXPECT_TRUE(said.contains(row.title) && said.contains(row.change)) << row.title.toStdString();
  Q_EMIT part<HistorySection>()->passRequested(rows[1].pass);
  settle();
  EXPECT_EQ(passes().pass(), rows[1].pass);
  const auto lines = bench_->get<StagePresenter>().linesOf(
      b()->stageId(), bench_->get<SelectionPresenter>().current().nodes);
  if (!lines.empty()) {
    EXPECT_TRUE(
        b()->view()->isLineVisible(bench_->get<StagePresenter>().mainLine(b()->stageId(), lines)));
  }
}

TEST_F(PassesTest, ThePatternsTriedOnANodeAreSaidOnRequest) {
  open("masked_attention.pt2", test::outputType("tosa"));
  bench_->get<SelectionPresenter>().selectNode(node("scaled_dot_product_attention"), Origin::List);
  settle();
  EXPECT_TRUE(part<InspectorPane>()->plainText().contains("History"));
  window_->actions()["patterns"]->trigger();
  EXPECT_TRUE(bench_->get<PatternPresenter>().asking());
  waitUntil([&] { return bench_->get<PatternPresenter>().asked(); }, "the engine answered");
  const QString said = part<InspectorPane>()->plainText();
  EXPECT_TRUE(said.contains(
      "convert-torch-to-tosa has no pattern for torch.aten.scaled_dot_product_attention"))
      << said.toStdString();
  EXPECT_TRUE(said.contains("DecomposeAtenScaledDotProductAttentionOp")) << said.toStdString();
  bench_->get<SelectionPresenter>().selectNode(node("output"), Origin::List);
  EXPECT_FALSE(bench_->get<PatternPresenter>().asked());
}

TEST_F(PassesTest, AnOperationLeadsToWhatMadeItAndStopsWhereItChanges) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  bench_->get<StagePresenter>().setPanes({"raw", "linalg-on-tensors"});
  settle();
  const auto choose = [&](const QString& title) {
    const CodeView* view = paneOf("linalg-on-tensors")->view();
    const std::size_t at = view->code()->all().find("linalg.matmul");
    Q_EMIT paneOf("linalg-on-tensors")->view()->menuRequested(view->positionOf(at), {10, 10});
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    for (QAction* action : menu->actions())
      if (action->text().remove('&') == title) action->trigger();
    menu->close();
  };
  choose("Where does this come from");
  waitUntil([&] { return bench_->get<PatternPresenter>().asked(); }, "the engine answered");
  settle();
  const QString said = part<InspectorPane>()->plainText();
  EXPECT_TRUE(
      said.contains("made in pass 12 (convert-torch-to-linalg) by ConvertAtenMmOp; last "
                    "changed in 13 (canonicalize)"))
      << said.toStdString();
  EXPECT_TRUE(said.contains("torch.aten.mm, by DecomposeAtenAddmmOp")) << said.toStdString();
  EXPECT_TRUE(said.contains("addmm · addmm.py:")) << said.toStdString();
  choose("Stop when this changes");
  auto& stops = bench_->get<StopsPresenter>();
  EXPECT_TRUE(QRegularExpression("^op=linalg.matmul line=\\d+ after=\\d+ changes$")
                  .match(stops.condition())
                  .hasMatch())
      << stops.condition().toStdString();
  waitUntil([&] { return !stops.busy(); }, "found");
  settle();
  EXPECT_EQ(stops.message(), "Stop 1 of 2");
  EXPECT_EQ(passes().pass(), 11);
  EXPECT_EQ(part<PassesPage>()->condition()->text(), stops.condition());
  // Within the pass, at the rewrite that made it.
  window_->actions()["rewrite-of-stop"]->trigger();
  waitUntil([&] { return passes().showsRewrites() && !stops.busy(); }, "the rewrites are listed");
  settle();
  ASSERT_GE(passes().pass(), 0);
  EXPECT_TRUE(passes().passes()[static_cast<std::size_t>(passes().pass())].name.contains(
      "ConvertAtenMmOp"));
  EXPECT_EQ(a()->view()->code()->all().find("linalg.matmul"), std::string_view::npos);
  EXPECT_NE(b()->view()->code()->all().find("linalg.matmul"), std::string_view::npos);
  // The next stop is that of the next pass.
  window_->actions()["next-stop"]->trigger();
  waitUntil([&] { return !passes().showsRewrites() && !stops.busy(); }, "back at the passes");
  EXPECT_EQ(passes().pass(), 12);
  EXPECT_EQ(stops.message(), "Stop 2 of 2");
}

TEST_F(PassesTest, TheRewritesOfANodeAreSteppedThroughLikePasses) {
  open("transformer_block.pt2", test::outputType("linalg-on-tensors"));
  bench_->get<SelectionPresenter>().selectNode(node("layer_norm"), Origin::List);
  window_->actions()["patterns"]->trigger();
  waitUntil([&] { return bench_->get<PatternPresenter>().asked(); }, "the engine answered");
  ASSERT_TRUE(bench_->get<PatternPresenter>().rewrites());
  settle();
  const std::size_t passCount = passes().passes().size();
  window_->actions()["rewrites"]->trigger();
  EXPECT_TRUE(passes().showsRewrites());
  settle();
  ASSERT_TRUE(passes().diff());
  EXPECT_EQ(passes().passes().front().name, "DecomposeAtenLayerNormOp");
  EXPECT_TRUE(a()->view()->code()->all().find("torch.aten.layer_norm") != std::string_view::npos);
  EXPECT_TRUE(b()->view()->code()->all().find("torch.aten.native_layer_norm") !=
              std::string_view::npos);
  EXPECT_FALSE(b()->view()->related().empty());
  window_->actions()["next-pass"]->trigger();
  settle();
  EXPECT_EQ(passes().pass(), 1);
  EXPECT_TRUE(b()->view()->code()->all().find("torch.aten.native_layer_norm") ==
              std::string_view::npos);
  EXPECT_FALSE(bench_->get<HistoryPresenter>().rows().empty());
  part<DockFrame>("results")->setCurrentPage("passes");
  QTest::mouseClick(part<PassesPage>()->programButton(), Qt::LeftButton);
  EXPECT_EQ(passes().passes().size(), passCount);
}

TEST_F(PassesTest, AFailedPassIsMarkedAndItsModuleIsShown) {
  open("masked_attention.pt2", test::outputType("tosa"));
  const auto failed = std::find_if(passes().passes().begin(), passes().passes().end(),
                                   [](const PassRow& row) { return row.failed; });
  ASSERT_NE(failed, passes().passes().end());
  EXPECT_EQ(failed->name, "convert-torch-to-tosa");
  const QModelIndex at = part<PassesPage>()->model().indexOf(failed->pass);
  EXPECT_EQ(at.siblingAtColumn(PassesModel::Difference).data().toString(), "failed here");
  part<DockFrame>("results")->setCurrentPage("passes");
  clickRow(part<PassesPage>()->view(), at.siblingAtColumn(PassesModel::Name));
  settle();
  EXPECT_EQ(passes().pass(), failed->pass);
  ASSERT_NE(b(), nullptr);
  EXPECT_EQ(bench_->get<StagePresenter>().stage(b()->stageId())->mark, StageMark::Failed);
  EXPECT_GT(b()->view()->code()->lineCount(), 10U);
  // Every pass before it is there.
  for (const PassRow& row : passes().passes())
    if (row.pass < failed->pass && row.changed) {
      EXPECT_GE(row.snapshot, 0) << row.name.toStdString();
    }
}

TEST_F(PassesTest, HandlesAreSetByClickAndDrag) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  part<DockFrame>("results")->setCurrentPage("passes");
  std::vector<int> changed;
  for (const PassRow& row : passes().passes())
    if (row.changed) changed.push_back(row.pass);
  ASSERT_GE(changed.size(), 3U);
  QTreeView* view = part<PassesPage>()->view();
  const auto position = [&](int pass, int column) {
    const QModelIndex at = part<PassesPage>()->model().indexOf(pass).siblingAtColumn(column);
    view->scrollTo(at);
    return view->visualRect(at);
  };
  window_->actions()["hide-unchanged"]->trigger();
  EXPECT_TRUE(part<PassesPage>()->hideUnchanged()->isChecked());
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                    position(changed[2], PassesModel::Name).center());
  QTest::mouseClick(view->viewport(), Qt::LeftButton, Qt::ShiftModifier,
                    position(changed[0], PassesModel::Name).center());
  EXPECT_EQ(passes().from(), passes().passes()[static_cast<std::size_t>(changed[0])].snapshot);
  EXPECT_EQ(passes().to(), passes().passes()[static_cast<std::size_t>(changed[2])].snapshot);
  position(changed[1], PassesModel::Handle);
  QTest::mousePress(view->viewport(), Qt::LeftButton, {},
                    position(changed[2], PassesModel::Handle).topLeft() + QPoint(8, 8));
  QTest::mouseRelease(view->viewport(), Qt::LeftButton, {},
                      position(changed[1], PassesModel::Handle).topLeft() + QPoint(8, 8));
  EXPECT_EQ(passes().to(), passes().passes()[static_cast<std::size_t>(changed[1])].snapshot);
  EXPECT_EQ(passes().from(), passes().passes()[static_cast<std::size_t>(changed[0])].snapshot);
}

TEST_F(PassesTest, TenMegabytesAreSteppedThroughWithoutAStall) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  const auto big = [](const std::string& op) {
    std::string text =
        "module {\n  func.func @main(%arg0: tensor<16x96xf32>) -> tensor<16x96xf32> {\n";
    for (int i = 0; text.size() < 10'000'000; ++i)
      text += "    %" + std::to_string(i) + " = " +
              (i % 1000 == 500 ? op : std::string("linalg.add")) +
              " ins(%arg0, %arg0 : tensor<16x96xf32>, tensor<16x96xf32>) outs(%arg0 : "
              "tensor<16x96xf32>) -> tensor<16x96xf32> // 0\n";
    return text + "    return %0 : tensor<16x96xf32>\n  }\n}\n";
  };
  auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{"x"});
  trace->first(big("linalg.mul"));
  trace->stage("torch", "Torch").pass("torch", "mul-to-div", big("linalg.div"));
  // How long the window did not answer.
  QElapsedTimer clock;
  qint64 longest = 0;
  QTimer tick;
  QObject::connect(&tick, &QTimer::timeout, [&] { longest = std::max(longest, clock.restart()); });
  clock.start();
  tick.start(1);
  bench_->get<PassPresenter>().setTrace(trace);
  window_->actions()["next-pass"]->trigger();
  waitUntil([&] { return passes().diff() != nullptr && b() && b()->view()->marks(); }, "compared");
  window_->actions()["next-change"]->trigger();
  bench_->get<SelectionPresenter>().selectNode(fx::NodeId::of(0), Origin::List);
  QCoreApplication::processEvents();
  longest = std::max(longest, clock.restart());
  measured("longest time without an answer, stepping through 10 MB", static_cast<double>(longest),
           500);
  EXPECT_GT(passes().diff()->changes.size(), 50U);
}

TEST_F(PassesTest, ATraceCanBeCancelledAndAskedForAgain) {
  HangingTrace hanging(posix_);
  runner_ = &hanging;
  remake();
  bench_->get<SessionPresenter>().setTarget(test::outputType("linalg-on-tensors"));
  window_->openFile(samplePath("addmm.pt2"));
  waitUntil([&] { return hanging.hanging.load(); }, "the trace hangs");
  // The stages are there meanwhile.
  EXPECT_EQ(bench_->get<SessionPresenter>().state().activity, Activity::Idle);
  waitUntil([&] { return bench_->get<StagePresenter>().textOf("raw") != nullptr; },
            "the text of a stage");
  EXPECT_TRUE(part<PassesPage>()->message().endsWith("…"))
      << part<PassesPage>()->message().toStdString();
  window_->actions()["cancel-trace"]->trigger();
  waitUntil([&] { return !passes().state().running; }, "cancelled");
  EXPECT_EQ(part<PassesPage>()->message(), "No passes: the trace was cancelled");
  hanging.hangs = false;
  window_->actions()["trace"]->trigger();
  waitUntil([&] { return passes().trace() != nullptr; }, "traced");
  EXPECT_EQ(part<PassesPage>()->message(), "");
  close();
}

TEST_F(PassesTest, TheLogTellsOfATraceOnce) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  const auto announced = [&] {
    return bench_->get<LogPresenter>()
        .lines()
        .filter(QRegularExpression("^traced \\d+ passes, \\d+ with changes"))
        .size();
  };
  EXPECT_EQ(announced(), 1);
  bench_->get<SessionPresenter>().run();
  waitUntil([&] { return settled(*bench_) && bench_->get<PassPresenter>().trace(); }, "run again");
  EXPECT_EQ(announced(), 2);
}

TEST_F(PassesTest, APaneShowsTheModuleAfterAnyPass) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  CodePane* pane = part<StageStrip>()->panes().back();
  QComboBox* chooser = pane->chooser();
  for (int snapshot = 0; snapshot < static_cast<int>(passes().snapshotCount()); ++snapshot) {
    const int row = chooser->findData(QVariant::fromValue(ShownText(PassSnapshot{snapshot})));
    ASSERT_GE(row, 0) << snapshot;
    EXPECT_EQ(chooser->itemText(row), passes().titleOf(snapshot));
    chooser->setCurrentIndex(row);
    Q_EMIT chooser->activated(row);
    settle();
    EXPECT_EQ(pane->view()->code(), passes().textOf(snapshot)->code) << snapshot;
  }
  // Above the snapshots of a stage stands its name, which is no choice.
  const int header = chooser->findText("torch");
  ASSERT_GE(header, 0);
  EXPECT_FALSE(chooser->model()->flags(chooser->model()->index(header, 0)) & Qt::ItemIsEnabled);
}

TEST_F(PassesTest, HandlesAreNotRemembered) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  window_->actions()["next-pass"]->trigger();
  ASSERT_TRUE(bench_->get<StagePresenter>().showsHandles());
  remake();
  EXPECT_EQ(passes().from(), -1);
  EXPECT_EQ(passes().to(), -1);
  bench_->get<ArrangementPresenter>().choose(Arrangement::Graph);
  for (const ShownText& shown : bench_->get<StagePresenter>().panes())
    EXPECT_FALSE(std::holds_alternative<Handle>(shown)) << name(shown).toStdString();
}

/// A pass is compared where there is space for both texts.
TEST_F(PassesTest, BracketsGoToTheArrangementOfPasses) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  const auto& arrangement = bench_->get<ArrangementPresenter>();
  ASSERT_EQ(arrangement.current(), Arrangement::Graph);
  window_->actions()["next-pass"]->trigger();
  EXPECT_EQ(arrangement.current(), Arrangement::Passes);
  EXPECT_EQ(bench_->get<StagePresenter>().panes(), (ShownTexts{Handle::From, Handle::To}));
}

/// The pointer rests on an operation: its value, its text in full, the pass that made it and what
/// that pass does, its node and the line of Python.
TEST_F(PassesTest, TheToolTipOfAnOperationSaysWhatIsKnownOfIt) {
  open("addmm.pt2", test::outputType("linalg-on-tensors"));
  bench_->get<ArrangementPresenter>().choose(Arrangement::Stages);
  bench_->get<StagePresenter>().setPanes({"linalg-on-tensors"});
  settle();
  CodeView* view = paneOf("linalg-on-tensors")->view();
  const CodePosition at = view->positionOf(view->code()->all().find("linalg.matmul"));
  view->goToLine(at.line);
  const QPoint point =
      view->lineRect(at.line).topLeft() + QPoint(view->lineRect(at.line).width() / 2, 2);
  QHelpEvent help(QEvent::ToolTip, point, view->viewport()->mapToGlobal(point));
  QApplication::sendEvent(view->viewport(), &help);
  waitUntil([&] { return QToolTip::text().contains("Made in pass"); }, "the pass that made it");
  waitUntil([&] { return QToolTip::text().contains("convert-torch-to-linalg: "); }, "what it does");
  const std::string tip = QToolTip::text().toStdString();
  for (const char* each :
       {"linalg.matmul ins(", "Made in pass 12 (convert-torch-to-linalg); last changed in 13",
        "From node addmm, by its location", "addmm.py:"})
    EXPECT_NE(tip.find(each), std::string::npos) << each << "\n" << tip;
  for (const QString& line : QToolTip::text().split('\n')) EXPECT_LE(line.size(), 84) << tip;
  QToolTip::hideText();
}

TEST_F(PassesTest, WithoutAnEngineTheListSaysWhy) {
  around_.environment.enginePath.clear();
  around_.environment.installedEngines.clear();
  around_.environment.engineMissing = "no engine found; 'fxscope-cli engine fetch' installs one";
  remake();
  openSettled(samplePath("addmm.pt2"));
  EXPECT_EQ(part<PassesPage>()->message(),
            "No passes: no engine found; 'fxscope-cli engine fetch' installs one");
}

}  // namespace
}  // namespace fxs::ui
