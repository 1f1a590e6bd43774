#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

#include "features/numbers/numbers_model.h"
#include "made_comparison.h"

namespace fxs::ui {
namespace {

class NumbersTest : public ::testing::Test {
 protected:
  void show(bool differs) {
    comparison_ = madeComparison("tosa", differs);
    target_ = {comparison_, &comparison_->targets.front()};
  }
  static std::string dump(const QAbstractItemModel& model, const QModelIndex& above = {}) {
    std::string out;
    for (int row = 0; row < model.rowCount(above); ++row) {
      for (int column = 0; column < model.columnCount(above); ++column)
        out += (column ? " | " : "") + model.index(row, column, above).data().toString().toStdString();
      out += '\n' + dump(model, model.index(row, 0, above));
    }
    return out;
  }

  EventLoopExecutor executor_;
  JobQueue jobs_{executor_, 1};
  SessionPresenter session_{{}, jobs_, executor_};
  NumbersPresenter numbers_{session_, jobs_, executor_, {}, "no executor is installed"};
  compare::ComparisonPtr comparison_;
  ComparedTarget target_;
};

TEST_F(NumbersTest, ErrorsAreOnALogarithmicScale) {
  const auto bar = [](double units) { return errorFraction(differenceOf(tensor::Verdict::Differs, units, "")); };
  EXPECT_NEAR(bar(999'999), 6.0 / 7, 1e-3);
  EXPECT_NEAR(bar(99), 2.0 / 7, 1e-3);
  EXPECT_EQ(bar(1e20), 1);
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN()), 1);
  EXPECT_EQ(errorFraction(differenceOf(tensor::Verdict::Same, 0, "")), 0);
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::Same, 0, "")).toStdString(), "exact");
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::Differs, 700, "")).toStdString(), "700 eps");
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::DiffersAtNonfinite, 0, "")).toStdString(), "1 wrong");
}

TEST_F(NumbersTest, VerdictsAreWords) {
  EXPECT_EQ(words(compare::TargetVerdict::NotCompared).toStdString(), "not compared");
  EXPECT_EQ(words(compare::TargetVerdict::DiffersAtNonfinite).toStdString(), "differs in NaN or infinity");
  EXPECT_EQ(words(tensor::Verdict::Suspicious).toStdString(), "suspicious");
}

TEST_F(NumbersTest, NodesAreInProgramOrderAndSortByError) {
  ComparedNodesModel model(numbers_);
  QAbstractItemModelTester tester(&model);
  EXPECT_EQ(model.rowCount(), 0);
  show(true);
  model.setTarget(&target_);
  EXPECT_EQ(dump(model),
            " |  | same | exact | – | equal\n"
            " |  | differs | 1e+05 eps | – | first difference  ·  1 of 4 elements\n"
            " |  | differs | 999 eps | 1e+05 eps | 1 of 4 elements\n");
  EXPECT_EQ(model.indexOf(fx::NodeId::of(3)).row(), 2);
  EXPECT_FALSE(model.indexOf(fx::NodeId::of(7)).isValid());
  QSortFilterProxyModel sorted;
  sorted.setSourceModel(&model);
  sorted.setSortRole(kSortRole);
  sorted.sort(ComparedNodesModel::Error, Qt::DescendingOrder);
  EXPECT_EQ(sorted.index(0, 0).data(kNumbersNodeRole).toInt(), 2);
  EXPECT_TRUE(sorted.index(0, 0).data(kFirstRole).toBool());
  sorted.sort(-1);
  EXPECT_EQ(sorted.index(0, 0).data(kNumbersNodeRole).toInt(), 1);
}

TEST_F(NumbersTest, WithoutAProgramNothingIsPossible) {
  EXPECT_FALSE(numbers_.possible());
  EXPECT_EQ(numbers_.current(), nullptr);
  EXPECT_TRUE(numbers_.marks().empty());
  EXPECT_EQ(numbers_.emptyText().toStdString(), "Open a program to compare what its lowered forms compute");
}

}  // namespace
}  // namespace fxs::ui
