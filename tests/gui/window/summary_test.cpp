// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page of the program in numbers.
#include <QComboBox>

#include "features/summary/summary_page.h"
#include "window_fixture.h"

namespace fxs::ui {
namespace {

class SummaryTest : public WindowTest {
 protected:
  void open(const char* sample) {
    openSettled(samplePath(sample));
    window_->actions()["show-summary"]->trigger();
  }
  SummaryPage* page() const { return part<SummaryPage>(); }
  QString cell(int row, int column) const {
    return page()->view()->model()->index(row, column).data().toString();
  }
  void click(int row) {
    const QModelIndex at = page()->view()->model()->index(row, SummaryModel::Name);
    const auto center = [&] { return page()->view()->visualRect(at).center(); };
    // The table was shown just now.
    waitUntil(
        [&] {
          page()->view()->scrollTo(at);
          return page()->view()->viewport()->rect().contains(center());
        },
        "laid out");
    QTest::mouseClick(page()->view()->viewport(), Qt::LeftButton, {}, center());
  }
};

TEST_F(SummaryTest, ARowSelectsItsModuleAndTheSelectionItsRow) {
  open("masked_attention.pt2");
  EXPECT_EQ(page()->message(), "");
  EXPECT_TRUE(page()->factsText().startsWith(
      "Parameters\n17,152 (17.2 K) in 34 tensors, 67.0 KiB: float32\nFLOPs\n353,280 (353.3 K) in "
      "14 calls\n"))
      << page()->factsText().toStdString();
  EXPECT_FALSE(page()->view()->isVisible());
  page()->shownBox()->setCurrentIndex(SummaryPage::Modules);
  EXPECT_TRUE(page()->view()->isVisible());
  page()->view()->sortByColumn(SummaryModel::Flops, Qt::DescendingOrder);
  EXPECT_EQ(cell(0, SummaryModel::Name), "(all)");
  EXPECT_EQ(cell(1, SummaryModel::Share), "50.0 %");
  page()->filter()->setText("layers.1.attention.o_proj");
  ASSERT_EQ(page()->view()->model()->rowCount(), 1);
  click(0);
  const auto& selection = bench_->get<SelectionPresenter>();
  ASSERT_EQ(selection.current().nodes.size(), 1U);
  const fx::NodeId linear = selection.current().node();
  page()->filter()->clear();
  bench_->get<SelectionPresenter>().selectNode(linear, Origin::Graph);
  EXPECT_EQ(page()->view()->currentIndex().siblingAtColumn(SummaryModel::Name).data().toString(),
            "layers.1.attention.o_proj");
}

TEST_F(SummaryTest, AModuleThatIsAGroupOfTheGraphIsSelectedAsOne) {
  open("masked_attention.pt2");
  page()->shownBox()->setCurrentIndex(SummaryPage::Modules);
  page()->filter()->setText("layers.1.attention");
  click(0);
  const Selection& now = bench_->get<SelectionPresenter>().current();
  EXPECT_TRUE(now.group.valid());
  EXPECT_EQ(now.nodes.size(), 13U);
}

TEST_F(SummaryTest, AnOperatorSelectsItsNodes) {
  open("masked_attention.pt2");
  page()->shownBox()->setCurrentIndex(SummaryPage::Operators);
  EXPECT_TRUE(page()->view()->isColumnHidden(SummaryModel::Parameters));
  EXPECT_EQ(cell(0, SummaryModel::Name), "aten.linear.default");
  click(0);
  EXPECT_EQ(bench_->get<SelectionPresenter>().current().nodes.size(), 12U);
}

TEST_F(SummaryTest, WhatTheProgramBecomesIsThereOnceItIsLowered) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  open("addmm.pt2");
  waitUntil([&] { return page()->factsText().contains("tosa"); }, "counted");
  EXPECT_TRUE(page()->factsText().contains("Becomes\nraw: ")) << page()->factsText().toStdString();
}

TEST_F(SummaryTest, AnMlirModuleIsShownByOperation) {
  if (!hasEngine()) GTEST_SKIP() << "no engine";
  open("matmul_relu.mlir");
  page()->shownBox()->setCurrentIndex(SummaryPage::Operators);
  EXPECT_TRUE(page()->view()->isColumnHidden(SummaryModel::Flops));
  EXPECT_EQ(cell(0, SummaryModel::Name), "linalg.matmul");
  EXPECT_TRUE(page()->factsText().contains("Functions\n@main"));
}

}  // namespace
}  // namespace fxs::ui
