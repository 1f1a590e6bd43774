// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

#include "features/numbers/numbers_model.h"
#include "features/numbers/scope_model.h"
#include "features/numbers/set_results_model.h"
#include "features/numbers/sets_model.h"
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
        out +=
            (column ? " | " : "") + model.index(row, column, above).data().toString().toStdString();
      out += '\n' + dump(model, model.index(row, 0, above));
    }
    return out;
  }

  /// Of a machine without an executor.
  struct Bare : Services {
    Bare() : Services(session::Environment{}) {
      choose(ExecutorCheck([](const auto&) { return QString("no executor is installed"); }));
    }
  } services_;
  const Marks& marks_ = services_.get<Marks>();
  NumbersPresenter& numbers_ = services_.get<NumbersPresenter>();
  compare::ComparisonPtr comparison_;
  ComparedTarget target_;
};

TEST_F(NumbersTest, ErrorsAreOnALogarithmicScale) {
  const auto bar = [](double units) {
    return errorFraction(differenceOf(tensor::Verdict::Differs, units, ""));
  };
  EXPECT_NEAR(bar(999'999), 6.0 / 7, 1e-3);
  EXPECT_NEAR(bar(99), 2.0 / 7, 1e-3);
  EXPECT_EQ(bar(1e20), 1);
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN()), 1);
  EXPECT_EQ(errorFraction(differenceOf(tensor::Verdict::Same, 0, "")), 0);
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::Same, 0, "")).toStdString(), "exact");
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::Differs, 700, "")).toStdString(), "700 eps");
  EXPECT_EQ(errorText(differenceOf(tensor::Verdict::DiffersAtNonfinite, 0, "")).toStdString(),
            "1 wrong");
}

TEST_F(NumbersTest, VerdictsAreWords) {
  EXPECT_EQ(title(compare::TargetVerdict::NotCompared).toStdString(), "not compared");
  EXPECT_EQ(title(compare::TargetVerdict::DiffersAtNonfinite).toStdString(),
            "differs in NaN or infinity");
  EXPECT_EQ(title(tensor::Verdict::Suspicious).toStdString(), "suspicious");
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

TEST_F(NumbersTest, ResultsOfASetStandTogetherAndTheWorstIsFound) {
  SetResultsModel model;
  QAbstractItemModelTester tester(&model);
  EXPECT_FALSE(model.worst().isValid());
  show(true);
  model.show(&target_, 1);
  EXPECT_EQ(dump(model),
            "– | llvm | not supported |  | LLVM 22 does not lower the dialect torch\n"
            "add | iree | differs | 999 eps | 1 of 4 elements\n"
            "add | iree | not compared |  | it depends on random numbers\n");
  EXPECT_EQ(model.worst().row(), 1);
  EXPECT_EQ(model.titleOf(model.worst()).toStdString(), "add by iree: f32[2, 2]");
  EXPECT_EQ(model.worst().data(kNumbersNodeRole).toInt(), 3);
  ElementsModel elements;
  QAbstractItemModelTester elementsTester(&elements);
  elements.show(model.resultAt(model.worst())->difference.worst);
  EXPECT_EQ(dump(elements), "[0, 1] | 1.5 | 1.25 | 0.25\n");
  model.show(&target_, std::nullopt);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(NumbersTest, WhatWasSeenAndWhatWasNot) {
  ScopeModel model;
  QAbstractItemModelTester tester(&model);
  model.show(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
  compare::Comparison made = *madeComparison("tosa", false);
  using compare::Value;
  compare::Scope& scope = made.targets.front().scope;
  scope.sets = {0, 1};
  scope.tried = {{"x", DType::Float32, -2, 3, false, {Value::Zero, Value::Negative}},
                 {"k", DType::Int8, -128, 127, true, {}}};
  scope.notTried = {{{Value::Nan, Value::Infinity}, {"x"}, "mm"}};
  scope.control = {
      {"cond", false, {"true"}}, {"loop", true, {"0", "1", "several"}}, {"other", true, {}}};
  scope.sights = {
      {"relu", Value::Zero, 2, 2}, {"relu", Value::Negative, 2, 1}, {"relu", Value::Nan, 2, 0}};
  scope.unseen = {{Value::Negative, "relu", 1}};
  scope.knowsNodes = true;
  scope.notCompared = {{"mask", "it depends on random numbers"}};
  scope.setsNotCompared = {"PyTorch raises at view"};
  comparison_ = std::make_shared<const compare::Comparison>(std::move(made));
  target_ = {comparison_, &comparison_->targets.front()};
  model.show(&target_);
  EXPECT_EQ(
      dump(model),
      "cond | true branch | false branch | no inputs were found for it\n"
      "other |  | number of trips not known | it did not run\n"
      "relu | zeros, negative values (1 of 2 calls) | negative values (1 of 2 calls) | no set has "
      "them there\n"
      "input x  f32 | -2 to 3, zeros, negative values | infinity, NaN | mm does not support them\n"
      "mask |  | not compared | it depends on random numbers\n"
      "a set of inputs |  | not compared | PyTorch raises at view\n"
      "loop | 0 trips, 1 trip, several trips |  | \n"
      "input k  i8 | all of its range |  | \n");
  EXPECT_EQ(model.gaps(), 6U);
}

TEST_F(NumbersTest, WithoutAProgramNothingIsPossible) {
  EXPECT_FALSE(numbers_.possible());
  EXPECT_EQ(numbers_.current(), nullptr);
  EXPECT_TRUE(marks_.all().empty());
  EXPECT_EQ(numbers_.emptyText().toStdString(),
            "Open a program to compare what its lowered forms compute");
}

}  // namespace
}  // namespace fxs::ui
