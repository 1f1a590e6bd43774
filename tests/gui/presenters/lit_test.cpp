// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "features/lit/checks_model.h"
#include "features/lit/lit_presenter.h"
#include "features/lit/lit_runs_model.h"
#include "made_lit_test.h"

namespace fxs::ui {
namespace {

class LitPresenterTest : public ::testing::Test {
 protected:
  LitPresenterTest() {
    services_.choose(
        LitLoader([this](const QString& file, const auto&, const auto&) -> Result<LoadedTestPtr> {
          return madeLitTest(file, text_);
        }));
    services_.choose(LitRunner([this](const lit::Plan& plan, const auto&, const auto&,
                                      const auto&) -> Result<lit::TestRun> {
      ++runs_;
      return madeLitRun(plan);
    }));
  }
  /// A file that is no module still has its test.
  void open(const QString& file = "x.mlir") {
    QSignalSpy changed(&lit(), &LitPresenter::testChanged);
    Q_EMIT services_.get<SessionPresenter>().openFailed(file, "not a module");
    ASSERT_TRUE(QTest::qWaitFor([&] { return changed.count() == 1; }, 20'000));
  }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !lit().state().running; }, 20'000));
  }
  LitPresenter& lit() { return services_.get<LitPresenter>(); }
  static std::string rowsOf(const QAbstractItemModel& model, const std::vector<int>& columns) {
    QStringList out;
    for (int row = 0; row < model.rowCount(); ++row) {
      QStringList cells;
      for (const int column : columns) cells << model.index(row, column).data().toString();
      out << cells.join('|');
    }
    return out.join('\n').toStdString();
  }
  std::string runs() {
    LitRunsModel model;
    model.setRows(lit().rows());
    return rowsOf(model, {LitRunsModel::Line, LitRunsModel::Outcome, LitRunsModel::Command});
  }
  std::string checks() {
    ChecksModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setResult(lit().result());
    return rowsOf(model, {ChecksModel::Line, ChecksModel::Check, ChecksModel::Output});
  }

  std::string text_ = kLitText;
  int runs_ = 0;
  Services services_{session::Environment{}};
};

TEST_F(LitPresenterTest, ListsTheLinesAndRunsNothing) {
  open();
  EXPECT_EQ(runs(),
            "1||mlir-opt %s -cse | FileCheck %s\n"
            "2|not run: runs 'other-opt', which is none of the programs in the settings|other-opt "
            "%s | FileCheck %s\n"
            "3||mlir-opt %s -verify-diagnostics");
  EXPECT_EQ(lit().rows()[0].programs, "mlir-opt-22, FileCheck-22");
  EXPECT_EQ(lit().rows()[1].programs, "other-opt, FileCheck");
  EXPECT_EQ(lit().summary(), "3 RUN lines  ·  1 not run");
  EXPECT_EQ(checks(),
            "4|CHECK-LABEL: @f|\n"
            "5|CHECK: arith.muli|\n"
            "6|CHECK-NOT: arith.subi|");
  EXPECT_EQ(runs_, 0);
}

TEST_F(LitPresenterTest, AFailedCheckHasTheWordsOfFileCheckAndThePossibleMatch) {
  open();
  lit().run(0);
  settle();
  EXPECT_EQ(lit().rows()[0].mark, LitMark::Failed);
  EXPECT_EQ(lit().rows()[2].mark, LitMark::Waiting);
  EXPECT_EQ(checks(),
            "4|CHECK-LABEL: @f|2  func.func @f() {\n"
            "5|CHECK: arith.muli|FAILED; see 3  arith.mului\n"
            "6|CHECK-NOT: arith.subi|");
  EXPECT_EQ(lit().result().title, "output of mlir-opt-22");
  EXPECT_EQ(lit().result().message.toStdString(),
            "FileCheck-22: ended with exit code 1, expected 0\n"
            "x.mlir:5:11: error: CHECK: expected string not found in input\n"
            "    // CHECK: arith.muli\n"
            "<stdin>:2:14: note: scanning from here\n"
            "     func.func @f() {\n"
            "<stdin>:3:2: note: possible intended match here\n"
            "     arith.mului");
}

TEST_F(LitPresenterTest, AnExpectedErrorThatDidNotComeIsMarked) {
  open();
  lit().choose(2);
  lit().runAll();
  settle();
  EXPECT_EQ(lit().summary(), "3 RUN lines  ·  2 failed  ·  1 not run");
  EXPECT_EQ(lit().current(), 2);
  EXPECT_EQ(checks(),
            "8|expected-error: nothing|FAILED; see 1  x.mlir:8:6: error: expected error "
            "\"nothing\" was not produced");
  EXPECT_EQ(lit().result().title, "errors of mlir-opt-22");
}

TEST_F(LitPresenterTest, ALineThatIsNotRunSaysWhy) {
  open();
  lit().run(1);
  EXPECT_FALSE(lit().state().running);
  EXPECT_TRUE(lit().notRunReason(1).contains("other-opt"));
  EXPECT_EQ(lit().result().title, "not run yet");
  lit().choose(1);
  EXPECT_EQ(lit().result().title, "not run");
  EXPECT_EQ(lit().result().message, lit().notRunReason(1));
  EXPECT_FALSE(lit().hasPipeline(1));
  EXPECT_TRUE(lit().hasPipeline(0));
  QSignalSpy failed(&lit(), &LitPresenter::pipelineFailed);
  lit().lowerWith(0);
  ASSERT_EQ(failed.count(), 1);
  EXPECT_EQ(failed.front().front().toString(), "The module of this test could not be read");
}

TEST_F(LitPresenterTest, AnExpectedFailureIsSaidToBeOne) {
  text_ = "// XFAIL: *\n// REQUIRES: asserts\n" + text_;
  open();
  EXPECT_EQ(lit().summary().toStdString(),
            "3 RUN lines  ·  1 not run  ·  XFAIL: *  ·  REQUIRES: asserts (not decided here)");
  lit().run(0);
  settle();
  EXPECT_FALSE(lit().outcome());
  lit().runAll();
  settle();
  EXPECT_EQ(lit().summary().toStdString(),
            "failed as expected  ·  3 RUN lines  ·  2 failed  ·  1 not run  ·  XFAIL: *  ·  "
            "REQUIRES: asserts (not decided here)");
}

TEST_F(LitPresenterTest, AFileWithoutRunLinesIsNoTest) {
  open();
  text_ = "module {}\n";
  open("y.mlir");
  EXPECT_FALSE(lit().hasTest());
  EXPECT_EQ(lit().emptyText(), "Open a lit test: an .mlir file with RUN lines");
}

}  // namespace
}  // namespace fxs::ui
