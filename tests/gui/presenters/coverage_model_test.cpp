// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/coverage/coverage_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace fxs::ui {
namespace {

using Status = CoverageRow::Status;

AlternativeLoweringPtr made() {
  auto lowering = std::make_shared<AlternativeLowering>();
  lowering->rows = {{fx::NodeId::of(0), "x", "x", "", Status::Structural, "not needed", "", "", 0},
                    {fx::NodeId::of(1), "add", "aten.add.Tensor", "AddOp", Status::Lowered,
                     "lowered", "tosa", "", 3},
                    {fx::NodeId::of(2), "odd", "mylib.odd.default", "", Status::NotLowered,
                     "no op class", "", "no op class has it", 0},
                    {fx::NodeId::of(3), "mm", "aten.mm.default", "MatmulOp", Status::Lowered,
                     "lowered", "linalg", "", 12}};
  lowering->sums = {"tosa lowers 1 node", "linalg lowers 1 node", "1 node is not lowered"};
  return lowering;
}

QStringList rowOf(const CoverageModel& model, int row) {
  QStringList cells;
  for (int column = 0; column < model.columnCount(); ++column)
    cells << model.index(row, column).data().toString();
  return cells;
}

TEST(CoverageModel, WhatIsNotLoweredStandsFirstAndWhatNeedsNoClassIsLeftOut) {
  CoverageModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.setLowering(made());
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(rowOf(model, 0), (QStringList{"odd", "mylib.odd.default", "–", "no op class", "",
                                          "no op class has it"}));
  EXPECT_EQ(rowOf(model, 1), (QStringList{"add", "aten.add.Tensor", "AddOp", "tosa", "3", ""}));
  EXPECT_EQ(rowOf(model, 2),
            (QStringList{"mm", "aten.mm.default", "MatmulOp", "linalg", "12", ""}));
  EXPECT_EQ(model.indexOf(fx::NodeId::of(3)).row(), 2);
  EXPECT_FALSE(model.indexOf(fx::NodeId::of(0)).isValid());
  EXPECT_EQ(model.index(0, CoverageModel::Registry).data(Qt::AccessibleTextRole).toString(),
            "no op class");
  EXPECT_EQ(model.index(1, CoverageModel::Registry).data(Qt::AccessibleTextRole).toString(),
            "lowered by tosa");
  EXPECT_EQ(model.index(1, 0).data(CoverageModel::kNodeRole).toInt(), 1);
  model.setLowering(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
  EXPECT_TRUE(model.sums().isEmpty());
}

}  // namespace
}  // namespace fxs::ui
