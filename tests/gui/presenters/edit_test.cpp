// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "features/variants/edit_presenter.h"
#include "features/variants/variants_model.h"

namespace fxs::ui {
namespace {

TEST(EditProblems, AreThePlacesInTheOutputOfATool) {
  const std::vector<EditProblem> found = problemsIn(
      "<stdin>:7:5: warning: old\n"
      "<stdin>:3:25: error: use of undeclared SSA value name\n"
      "    %0 = arith.addf %a, %b : tensor<2xf32>\n"
      "                        ^\n"
      "<stdin>:3:5: note: see current operation: x\n"
      "fx:4:0: error: at a node\n"
      "<stdin>:x:5: error: no line\n"
      "<stdin>:0:5: error: no line\n"
      "<stdin>:9");
  EXPECT_EQ(found, (std::vector<EditProblem>{{2, 24, true, "use of undeclared SSA value name"},
                                             {6, 4, false, "old"}}));
  EXPECT_TRUE(problemsIn("").empty());
}

variant::Variant made(std::string name, std::string parent = {}) {
  variant::Variant out;
  out.name = std::move(name);
  out.parent = std::move(parent);
  out.change = "torch: 1 line";
  return out;
}

TEST(VariantsModelTest, WhatWasMadeFromAVariantIsBelowIt) {
  VariantsModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(model.rowCount(), 0);
  model.setVariants({{1, made("edited torch"), nullptr, StageMark::Ok, "lowers to tosa"},
                     {2, made("without cse"), nullptr, StageMark::Failed, "FAILED in TOSA"},
                     {4, made("edited raw", "edited torch"), nullptr, StageMark::Waiting, ""}});
  ASSERT_EQ(model.rowCount(), 2);
  const QModelIndex first = model.index(0, 0);
  ASSERT_EQ(model.rowCount(first), 1);
  const QModelIndex below = model.index(0, VariantsModel::Name, first);
  EXPECT_EQ(below.data().toString(), "edited raw");
  EXPECT_EQ(below.parent(), first);
  EXPECT_EQ(model.indexOf(4), below);
  EXPECT_FALSE(model.indexOf(3).isValid());
  EXPECT_EQ(model.index(1, VariantsModel::Result).data().toString(), "FAILED in TOSA");
  EXPECT_EQ(model.index(1, VariantsModel::Name).data(VariantsModel::kIdRole).toInt(), 2);

  QSignalSpy renamed(&model, &VariantsModel::renamed);
  EXPECT_FALSE(model.setData(below, "edited raw", Qt::EditRole));
  EXPECT_FALSE(model.setData(below, "  ", Qt::EditRole));
  EXPECT_TRUE(model.setData(below, " mine ", Qt::EditRole));
  ASSERT_EQ(renamed.count(), 1);
  EXPECT_EQ(renamed.front(), (QVariantList{4, "mine"}));

  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.setVariants({{1, made("edited torch"), nullptr, StageMark::Running, "lowering …"},
                     {2, made("without cse"), nullptr, StageMark::Failed, "FAILED in TOSA"},
                     {4, made("edited raw", "edited torch"), nullptr, StageMark::Waiting, ""}});
  EXPECT_EQ(reset.count(), 0);
  EXPECT_EQ(changed.count(), 3);
  model.setVariants({});
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace fxs::ui
