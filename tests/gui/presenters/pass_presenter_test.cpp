// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/pass_presenter.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "features/passes/passes_model.h"
#include "features/stages/stages_model.h"
#include "recorded_trace.h"

namespace fxs::ui {
namespace {

std::string body(const std::string& lines) {
  return "module {\n  func.func @main(%arg0: f32) -> f32 {\n" + lines + "  }\n}\n";
}

const std::string kRaw = body(
    "    %0 = t.exp %arg0 : f32 // 1\n"
    "    %1 = t.log %0 : f32 // 2\n"
    "    return %1 : f32\n");
const std::string kSplit = body(
    "    %0 = t.exp %arg0 : f32 // 1\n"
    "    %7 = t.scale %0 : f32 // 2\n"
    "    %1 = t.log %7 : f32 // 2\n"
    "    return %1 : f32\n");
const std::string kLinalg = body(
    "    %0 = linalg.exp %arg0 : f32 // 1\n"
    "    %7 = t.scale %0 : f32 // 2\n"
    "    %1 = t.log %7 : f32 // 2\n"
    "    return %1 : f32\n");

std::shared_ptr<const trace::Trace> sampleTrace() {
  auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{"x", "exp", "log"});
  trace->first(kRaw);
  trace->stage("raw", "RAW")
      .stage("torch", "Torch")
      .stage("tosa", "TOSA", lower::StageStatus::Failed);
  trace->pass("torch", "inline")
      .pass("torch", "split", kSplit)
      .pass("torch", "cse")
      .pass("tosa", "convert-to-linalg", kLinalg);
  trace->failedPass("tosa", "convert-to-tosa", kLinalg).notRun("tosa", "canonicalize");
  return trace;
}

class PassPresenterTest : public ::testing::Test {
 protected:
  void show(std::shared_ptr<const trace::Trace> trace) { passes_.setTrace(std::move(trace)); }
  void settle() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return !passes_.busy(); }, 20'000));
  }
  std::string handles() const {
    return std::to_string(passes_.from()) + " to " + std::to_string(passes_.to());
  }

  Services services_{session::Environment{}};
  PassPresenter& passes_ = services_.get<PassPresenter>();
};

TEST_F(PassPresenterTest, SteppingGoesFromChangeToChangeAndToTheFailure) {
  show(sampleTrace());
  EXPECT_EQ(handles(), "-1 to -1");
  std::vector<std::string> went;
  while (passes_.step(1)) went.push_back(std::to_string(passes_.pass()) + ": " + handles());
  EXPECT_EQ(went, (std::vector<std::string>{"1: 0 to 1", "3: 1 to 2", "4: 2 to 3"}));
  went.clear();
  while (passes_.step(-1)) went.push_back(std::to_string(passes_.pass()) + ": " + handles());
  EXPECT_EQ(went, (std::vector<std::string>{"3: 1 to 2", "1: 0 to 1"}));
}

TEST_F(PassPresenterTest, APassThatDidNotRunLeavesTheHandles) {
  show(sampleTrace());
  passes_.choose(1);
  passes_.choose(5);
  EXPECT_EQ(passes_.pass(), 5);
  EXPECT_EQ(handles(), "0 to 1");
}

TEST_F(PassPresenterTest, TheHandlesMoveAlone) {
  show(sampleTrace());
  passes_.choose(3);
  passes_.setFromAfter(-1);
  EXPECT_EQ(handles(), "0 to 2");
  passes_.setToAfter(1);
  EXPECT_EQ(handles(), "0 to 1");
  passes_.setToAfter(5);
  EXPECT_EQ(handles(), "0 to 1");
}

TEST_F(PassPresenterTest, TheDifferenceIsMadeAndWalkedThrough) {
  show(sampleTrace());
  EXPECT_EQ(passes_.stepChange(1), -1);
  passes_.choose(1);
  settle();
  ASSERT_TRUE(passes_.diff());
  EXPECT_EQ(summary(passes_.diff()->diff).toStdString(), "+ 1");
  EXPECT_EQ(passes_.diff()->changes, (std::vector<DiffChange>{{3, 3, 3, 4, 3}}));
  EXPECT_EQ(passes_.stepChange(-1), 0);
  EXPECT_EQ(passes_.stepChange(1), 0);
  EXPECT_EQ(passes_.textOf(1)->origins.linesByNode[2], (std::vector<std::uint32_t>{3, 4}));
}

TEST_F(PassPresenterTest, TheFilterAndUnchangedNarrowTheList) {
  show(sampleTrace());
  EXPECT_EQ(passes_.shown(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  passes_.setHideUnchanged(true);
  EXPECT_EQ(passes_.shown(), (std::vector<int>{1, 3, 4}));
  passes_.setFilter("CONVERT");
  EXPECT_EQ(passes_.shown(), (std::vector<int>{3, 4}));
}

TEST_F(PassPresenterTest, ASnapshotThatIsGoneSaysSo) {
  auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{});
  trace->first(kRaw);
  trace->pass("torch", "split", RecordedTrace::kGone);
  show(trace);
  passes_.choose(0);
  settle();
  EXPECT_TRUE(passes_.problemOf(1).contains("the snapshot is gone"))
      << passes_.problemOf(1).toStdString();
  EXPECT_FALSE(passes_.diff());
}

TEST_F(PassPresenterTest, AnotherTraceLetsTheHandlesGo) {
  show(sampleTrace());
  passes_.choose(1);
  show(nullptr);
  EXPECT_EQ(handles(), "-1 to -1");
  EXPECT_TRUE(passes_.passes().empty());
  settle();
  EXPECT_FALSE(passes_.diff());
}

TEST_F(PassPresenterTest, APassThatWasStoppedIsNotSaidToFail) {
  const auto said = [&](lower::StageStatus status) {
    auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{});
    trace->first(kRaw);
    trace->stage("torch", "Torch", status)
        .failedPass("torch", "cse", kRaw)
        .notRun("torch", "inline");
    show(trace);
    PassesModel model;
    model.refresh(passes_);
    const QModelIndex group = model.index(0, 0);
    QStringList out{group.siblingAtColumn(PassesModel::Difference).data().toString()};
    for (int row = 0; row < model.rowCount(group); ++row) {
      const QModelIndex pass = model.index(row, PassesModel::Difference, group);
      out << pass.data().toString() + " " +
                 iconOf(static_cast<StageMark>(pass.data(PassesModel::kMarkRole).toInt()));
    }
    return (out.join(", ") + "; " + passes_.titleOf(1)).toStdString();
  };
  EXPECT_EQ(said(lower::StageStatus::Failed),
            "FAILED, failed here error, not run skipped; failed in 1 · cse");
  EXPECT_EQ(said(lower::StageStatus::Crashed),
            "CRASHED, crashed here crash, not run skipped; failed in 1 · cse");
  EXPECT_EQ(said(lower::StageStatus::Timeout),
            "TIMEOUT, timed out here timeout, not run skipped; stopped in 1 · cse");
  EXPECT_EQ(said(lower::StageStatus::Unknown),
            "not known, not known: stopped here error, not run skipped; stopped in 1 · cse");
}

TEST_F(PassPresenterTest, APassWhoseModuleIsMissingIsNotSaidToChangeNothing) {
  auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{});
  trace->first(kRaw);
  trace->stage("torch", "Torch").pass("torch", "cse").cutOff("torch", "inline");
  trace->stage("tosa", "TOSA", lower::StageStatus::Unknown);
  show(trace);
  passes_.setHideUnchanged(true);
  PassesModel model;
  model.refresh(passes_);
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(
      model.index(0, PassesModel::Difference, model.index(0, 0)).data().toString().toStdString(),
      "not known");
  EXPECT_EQ(model.index(1, PassesModel::Difference).data().toString().toStdString(), "not known");
}

TEST_F(PassPresenterTest, TheModelIsAnItemModelOfStagesAndPasses) {
  PassesModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  QObject::connect(&passes_, &PassPresenter::passesChanged, &model,
                   [&] { model.refresh(passes_); });
  QObject::connect(&passes_, &PassPresenter::handlesChanged, &model,
                   [&] { model.refreshHandles(passes_); });
  const auto dump = [&] {
    QStringList lines;
    for (int stage = 0; stage < model.rowCount(); ++stage) {
      const QModelIndex at = model.index(stage, 0);
      lines << at.siblingAtColumn(PassesModel::Name).data().toString() + " | " +
                   at.siblingAtColumn(PassesModel::Anchor).data().toString();
      for (int row = 0; row < model.rowCount(at); ++row) {
        const QModelIndex pass = model.index(row, 0, at);
        lines << "  " + pass.data(Qt::AccessibleTextRole).toString() + '|' +
                     pass.siblingAtColumn(PassesModel::Name).data().toString() + '|' +
                     pass.siblingAtColumn(PassesModel::Difference).data().toString();
      }
    }
    return lines.join('\n').toStdString();
  };
  show(sampleTrace());
  passes_.choose(3);
  ASSERT_TRUE(QTest::qWaitFor([&] { return passes_.passes()[3].difference.has_value(); }, 20'000));
  EXPECT_EQ(dump(),
            "RAW | \n"
            "  |before the first pass|\n"
            "Torch | 3 passes, 1 changed it\n"
            "  |1  inline|unchanged\n"
            "  A|2  split|+ 1\n"
            "  |3  cse|unchanged\n"
            "TOSA | 3 passes, 1 changed it\n"
            "  B|4  convert-to-linalg|+ 1  − 1\n"
            "  |5  convert-to-tosa|failed here\n"
            "  |6  canonicalize|not run");
  passes_.setHideUnchanged(true);
  passes_.setFilter("lin");
  EXPECT_EQ(dump(), "TOSA | 3 passes, 1 changed it\n  B|4  convert-to-linalg|+ 1  − 1");
  EXPECT_EQ(model.indexOf(3).data(PassesModel::kPassRole).toInt(), 3);
  EXPECT_FALSE(model.indexOf(0).isValid());
  show(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace fxs::ui
