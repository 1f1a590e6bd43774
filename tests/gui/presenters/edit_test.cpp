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

class EditPresenterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    services_.choose(
        EditChecker([](const session::SnapshotPtr&, const EditSource&, const std::string& text,
                       const RunContext&) -> Result<std::vector<EditProblem>> {
          if (text == "assembly")
            return fail(ErrorCode::Unsupported, "clang-22 does not read this");
          std::vector<EditProblem> found;
          if (text.find('w') != std::string::npos) found.push_back({0, 1, false, "old"});
          if (text.find('x') != std::string::npos) found.push_back({2, 4, true, "no such value"});
          return found;
        }));
  }
  EditPresenter& edit() { return services_.get<EditPresenter>(); }
  std::string summaryOf(const std::string& text) {
    edit().setText(text);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !edit().checking(); }, 20'000));
    return edit().summary().toStdString();
  }
  Services services_{session::Environment{}};
};

TEST_F(EditPresenterTest, TheTextIsParsedAfterAPause) {
  EXPECT_EQ(edit().source(), nullptr);
  EXPECT_EQ(edit().summary(), "");
  EditSource source;
  source.stage = "torch";
  edit().begin(source, "abc");
  EXPECT_FALSE(edit().isChanged());
  EXPECT_EQ(summaryOf("abc"), "No errors");
  edit().setText("abcx");
  EXPECT_TRUE(edit().checking());
  EXPECT_TRUE(edit().isChanged());
  EXPECT_EQ(summaryOf("wx"), "1 error, 1 warning");
  ASSERT_NE(edit().firstError(), nullptr);
  EXPECT_EQ(edit().firstError()->message, "no such value");
  EXPECT_EQ(summaryOf("w"), "1 warning");
  EXPECT_EQ(edit().firstError(), nullptr);
  EXPECT_EQ(summaryOf("assembly"), "Not checked: clang-22 does not read this");
  EXPECT_TRUE(edit().isUnchecked());
  EXPECT_EQ(summaryOf("abc"), "No errors");
  EXPECT_FALSE(edit().isChanged());
  QSignalSpy ended(&edit(), &EditPresenter::sourceChanged);
  edit().discard();
  edit().discard();
  EXPECT_EQ(ended.count(), 1);
  EXPECT_EQ(edit().source(), nullptr);
  EXPECT_EQ(edit().text(), "");
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
