// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <QAbstractItemModelTester>
#include <condition_variable>
#include <mutex>

#include "../presenters/made_comparison.h"
#include "features/numbers/numbers_page.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class NumbersPageTest : public WindowTest {
 protected:
  void SetUp() override {
    WindowTest::SetUp();
    if (!hasEngine()) GTEST_SKIP() << "no engine";
    comparer_ = [this](const session::SnapshotPtr&, const std::vector<lower::OutputType>& targets,
                       const std::string& python,
                       const std::function<void(const compare::ComparisonPtr&)>&,
                       const RunContext& context) -> Result<compare::ComparisonPtr> {
      {
        const std::lock_guard lock(mutex_);
        asked_.push_back(lower::listed(targets, ",") + (python.empty() ? "" : " with " + python));
      }
      if (!goesOn(context)) return fail(ErrorCode::Cancelled, "cancelled");
      return madeComparison(std::string(lower::name(targets.front())),
                            lower::name(targets.front()) == "tosa");
    };
    remake();
    openSettled(samplePath("transformer_block.pt2"));
  }
  void TearDown() override {
    goOn();
    WindowTest::TearDown();
  }
  void goOn() {
    {
      const std::lock_guard lock(mutex_);
      goes_ = true;
    }
    goOn_.notify_all();
  }
  /// Waits for goOn(); false if the job was cancelled.
  bool goesOn(const RunContext& context) {
    std::unique_lock lock(mutex_);
    goOn_.wait(lock, context.stop, [this] { return goes_; });
    return !context.stop.stop_requested();
  }
  void compareNow() {
    goOn();
    window_->actions()["compare"]->trigger();
    waitUntil([&] { return !bench_->get<NumbersPresenter>().state().running; }, "compared");
  }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any goOn_;
  bool goes_ = false;
  std::vector<std::string> asked_;
};

TEST_F(NumbersPageTest, NothingRunsUntilItIsAskedFor) {
  window_->actions()["show-numbers"]->trigger();
  auto* page = part<NumbersPage>();
  EXPECT_EQ(part<DockFrame>("results")->currentPage(), "numbers");
  EXPECT_TRUE(page->message().startsWith("Runs what the program was lowered to on this machine"))
      << page->message().toStdString();
  EXPECT_TRUE(page->messageButton()->isVisible());
  EXPECT_TRUE(asked().empty());
  page->messageButton()->click();
  waitUntil([&] { return asked().size() == 1; }, "asked");
  EXPECT_EQ(asked().front(), "tosa");
  EXPECT_EQ(page->compareButton()->text(), "Cancel");
  page->compareButton()->click();
  waitUntil([&] { return !bench_->get<NumbersPresenter>().state().running; }, "cancelled");
  EXPECT_EQ(page->message(), "The comparison was cancelled");
}

TEST_F(NumbersPageTest, ResultsAreRowsAndTheFirstDifferenceIsOneKeyAway) {
  compareNow();
  auto* page = part<NumbersPage>();
  EXPECT_EQ(page->message(), "");
  EXPECT_EQ(page->summary(),
            "compared with PyTorch 2.13.0  ·  IREE 3.13.0, LLVM 22  ·  s0=3  ·  2 notes");
  QTreeView* nodes = page->detail()->nodes();
  EXPECT_TRUE(nodes->isVisible()) << "the values that differ";
  QTest::keyClick(window_.get(), Qt::Key_F9, Qt::ShiftModifier);
  EXPECT_TRUE(nodes->isVisible());
  EXPECT_TRUE(page->filter()->isVisible());
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), fx::NodeId::of(2));
  EXPECT_EQ(nodes->currentIndex().data(kNumbersNodeRole).toInt(), 2);
  const QModelIndex third = nodes->model()->index(2, 0);
  clickRow(nodes, third);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), fx::NodeId::of(3));
  EXPECT_TRUE(part<InspectorPane>()->plainText().contains("what it computes"));
}

TEST_F(NumbersPageTest, TheSetThatDiffersIsShownAndItsResultRevealsItsNode) {
  compareNow();
  auto* page = part<NumbersPage>();
  QTreeView *sets = page->view(), *results = page->detail()->results(),
            *elements = page->detail()->elements();
  page->detail()->setTab(NumbersDetail::Results);
  const QAbstractItemModelTester tester(sets->model());
  QStringList cells;
  for (int column = 0; column < 4; ++column)
    cells << sets->currentIndex().siblingAtColumn(column).data().toString();
  EXPECT_EQ(cells, (QStringList{"edges.1", "differs at add", "not supported", "s0=3"}));
  EXPECT_EQ(results->currentIndex().data(), "add");
  EXPECT_EQ(page->detail()->elementsTitle(), "Worst elements of add by iree: f32[2, 2]");
  EXPECT_FALSE(elements->isHidden());
  EXPECT_EQ(elements->model()->index(0, ElementsModel::Found).data(), "1.5");
  EXPECT_FALSE(bench_->get<SelectionPresenter>().current().node().valid());
  clickRow(results, results->currentIndex());
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), fx::NodeId::of(3));
  clickRow(sets, sets->currentIndex().siblingAtRow(0));
  EXPECT_EQ(sets->currentIndex().data(), "ordinary");
  EXPECT_EQ(page->detail()->elementsTitle(),
            "add by iree: f32[2, 2]: every element is as expected");
  EXPECT_TRUE(elements->isHidden());
  clickRow(sets, sets->model()->index(0, 0));  // the output type: where values begin to differ
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().node(), fx::NodeId::of(2));
  EXPECT_EQ(page->detail()->elementsTitle(), "Worst elements of add by iree: f32[2, 2]");
}

TEST_F(NumbersPageTest, ResultsAreKeptForAnotherOutputTypeAndDroppedByARerun) {
  compareNow();
  bench_->get<SessionPresenter>().setTarget(
      *bench_->get<SessionPresenter>().outputTypes().from("stablehlo"));
  waitUntil([&] { return settled(*bench_); }, "lowered");
  EXPECT_EQ(bench_->get<NumbersPresenter>().targets().size(), 1U);
  compareNow();
  EXPECT_EQ(bench_->get<NumbersPresenter>().targets().size(), 2U);
  EXPECT_EQ(lower::name(bench_->get<NumbersPresenter>().current()->target->to), "stablehlo");
  for (const NodeMarks& each : bench_->get<Marks>().all())
    EXPECT_EQ(each.status.emphasis, Emphasis::None);
  bench_->get<SessionPresenter>().run();
  EXPECT_TRUE(bench_->get<NumbersPresenter>().targets().empty());
}

TEST_F(NumbersPageTest, PythonRunsOnlyWhenTheUserAgrees) {
  bench_->get<NumbersPresenter>().consent().setPython("auto");
  compareNow();
  EXPECT_TRUE(bench_->get<NumbersPresenter>().consent().question().contains(
      "computes every node for each set of inputs"));
  bench_->get<NumbersPresenter>().consent().agree();
  waitUntil([&] { return asked().size() == 2 && !bench_->get<NumbersPresenter>().state().running; },
            "compared with PyTorch");
  EXPECT_EQ(asked(), (std::vector<std::string>{"tosa", "tosa with auto"}));
}

TEST_F(NumbersPageTest, WithoutAnExecutorThePageInstallsOne) {
  Result<std::string> fetched =
      fail(ErrorCode::NotFound, "iree-base-compiler==3.13.0: python3 has no pip");
  comparer_ = {};
  executorFetcher_ = [this, &fetched](const RunContext& context) -> Result<std::string> {
    context.report({"fetching iree-base-compiler==3.13.0", -1});
    if (!goesOn(context)) return fail(ErrorCode::Cancelled, "cancelled");
    return fetched;
  };
  around_.environment.installedExecutors = {};
  around_.environment.searchPath = {};
  remake();
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["show-numbers"]->trigger();
  auto* page = part<NumbersPage>();
  const QString missing =
      "Nothing can be compared: no executor is installed; run 'fxscope-cli engine fetch --numbers' "
      "to install IREE (a download of 99 MB)";
  EXPECT_EQ(page->message(), missing);
  EXPECT_EQ(page->messageButton()->text(), "Install IREE");
  const auto ended = [&] { return !bench_->get<NumbersPresenter>().state().running; };

  page->messageButton()->click();
  waitUntil([&] { return page->message() == "fetching iree-base-compiler==3.13.0 …"; }, "progress");
  EXPECT_FALSE(page->messageButton()->isVisible());
  openSettled(samplePath("transformer_block.pt2"));
  EXPECT_TRUE(bench_->get<NumbersPresenter>().state().running);
  EXPECT_EQ(page->compareButton()->text(), "Cancel");
  page->compareButton()->click();
  waitUntil(ended, "cancelled");
  EXPECT_EQ(page->message(), missing);

  goOn();
  page->messageButton()->click();
  waitUntil(ended, "failed");
  EXPECT_EQ(page->message(), "Not installed: iree-base-compiler==3.13.0: python3 has no pip");
  fetched = std::string("/installed");
  page->messageButton()->click();
  waitUntil(ended, "installed");
  EXPECT_TRUE(page->message().startsWith("Runs what the program was lowered to on this machine"))
      << page->message().toStdString();
  EXPECT_EQ(page->messageButton()->text(), "Compare");
  EXPECT_TRUE(page->messageButton()->isEnabled());
}

TEST_F(NumbersPageTest, ThePythonIsRemembered) {
  bench_->get<NumbersPresenter>().consent().setPython("/opt/python3");
  remake();
  EXPECT_EQ(bench_->get<NumbersPresenter>().consent().python(), "/opt/python3");
  openSettled(samplePath("addmm.pt2"));
  window_->actions()["show-numbers"]->trigger();
  EXPECT_EQ(part<NumbersPage>()->reference()->currentData().toString(), "/opt/python3");
  EXPECT_EQ(bench_->get<NumbersPresenter>().consent().question(),
            "");  // nothing runs before a comparison is asked for
}

TEST_F(NumbersPageTest, AWrongResultIsExportedAsABundle) {
  std::optional<bundle::BundleOptions> exported;
  bundler_ = [&exported](const session::SnapshotPtr&, const bundle::BundleOptions& options,
                         const RunContext&) -> Result<bundle::BundleResult> {
    exported = options;
    return fail(ErrorCode::Io, "the disk is full");
  };
  remake();
  openSettled(samplePath("addmm.pt2"));
  QAction* action = window_->actions()["export-bundle"];
  EXPECT_FALSE(action->isEnabled());
  window_->actions()["show-numbers"]->trigger();
  auto* page = part<NumbersPage>();
  EXPECT_FALSE(page->bundleButton()->isVisible());
  compareNow();
  EXPECT_TRUE(action->isEnabled());
  ASSERT_TRUE(page->bundleButton()->isVisible());
  page->bundleButton()->click();
  auto* dialog = part<BundleDialog>();
  ASSERT_TRUE(dialog->isVisible());
  EXPECT_TRUE(dialog->operationBox()->currentText().endsWith(", the first whose value differs"));
  EXPECT_FALSE(dialog->reduceBox()->isEnabled());
  EXPECT_EQ(static_cast<bundle::BundleWeights>(dialog->weightsBox()->currentData().toInt()),
            bundle::BundleWeights::Used);
  dialog->folderEdit()->setText(folder_.path());
  dialog->exportButton()->click();
  waitUntil([&] { return !bench_->get<BundlePresenter>().state().running; }, "refused");
  ASSERT_TRUE(exported && exported->wrong);
  EXPECT_EQ(exported->weights, bundle::BundleWeights::Used);
  EXPECT_EQ(dialog->status(), "the disk is full");
  close();
}

}  // namespace
}  // namespace fxs::ui
