// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/passes/stops_presenter.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "recorded_trace.h"

namespace fxs::ui {
namespace {

std::string moduleOf(const std::string& lines) {
  return "module {\n  func.func @main(%arg0: f32) -> f32 {\n" + lines + "  }\n}\n";
}

class StopsPresenterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto trace = std::make_shared<RecordedTrace>(std::vector<std::string>{"x", "exp", "log"});
    trace->first(moduleOf("    %0 = t.exp %arg0 : f32 // 1\n    %1 = t.log %0 : f32 // 2\n"));
    trace->stage("torch", "Torch");
    trace->pass("torch", "split",
                moduleOf("    %0 = t.exp %arg0 : f32 // 1\n    %7 = t.scale %0 : f32 // 2\n"
                         "    %1 = t.log %7 : f32 // 2\n"));
    trace->pass("torch", "cse");
    trace->pass("torch", "convert",
                moduleOf("    %0 = linalg.exp %arg0 : f32 // 1\n    %7 = t.scale %0 : f32 // 2\n"
                         "    %1 = t.log %7 : f32 // 2\n"));
    passes_.setTrace(trace);
  }
  void go(const QString& condition) {
    stops_.setCondition(condition, true);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !stops_.busy(); }, 20'000));
  }
  QString refusal() const {
    return refused_.empty() ? QString() : refused_.back().front().toString();
  }

  Services services_{session::Environment{}};
  PassPresenter& passes_ = services_.get<PassPresenter>();
  StopsPresenter& stops_ = services_.get<StopsPresenter>();
  QSignalSpy refused_{&stops_, &StopsPresenter::refused};
};

TEST_F(StopsPresenterTest, StepsGoFromStopToStop) {
  go("op=t.* changes");
  EXPECT_EQ(stops_.count(), 2U);
  EXPECT_EQ(passes_.pass(), 0);
  EXPECT_EQ(stops_.message(), "Stop 1 of 2");
  const Selection& selected = services_.get<SelectionPresenter>().current();
  EXPECT_EQ(selected.nodes, (std::vector<fx::NodeId>{fx::NodeId::of(2)}));
  EXPECT_EQ(selected.stage, ShownText(PassSnapshot{1}));
  EXPECT_EQ(selected.line, 3U);
  EXPECT_EQ(selected.origin, Origin::Stage);  // the line is brought into view
  stops_.step(1);
  EXPECT_EQ(passes_.pass(), 2);
  EXPECT_EQ(stops_.message(), "Stop 2 of 2");
  EXPECT_TRUE(refused_.empty());
  stops_.step(1);
  EXPECT_EQ(refusal(), "The condition holds at no later pass");
  stops_.step(-1);
  EXPECT_EQ(passes_.pass(), 0);
  stops_.step(-1);
  EXPECT_EQ(refusal(), "The condition holds at no earlier pass");
}

TEST_F(StopsPresenterTest, TheImportIsAStop) {
  passes_.choose(2);
  go("op=t.exp appears");
  EXPECT_EQ(refusal(), "The condition holds at no later pass");
  stops_.step(-1);
  EXPECT_EQ(passes_.to(), 0);
  EXPECT_EQ(passes_.pass(), -1);
  EXPECT_EQ(stops_.message(), "Stop 1 of 1");
}

TEST_F(StopsPresenterTest, SaysWhyThereIsNone) {
  stops_.step(1);
  EXPECT_EQ(refusal(), "Write a condition first, such as op=linalg.* appears (Ctrl+F4)");
  go("op=tosa.* appears");
  EXPECT_EQ(refusal(), "Never holds");
  go("op=t.exp apears");
  EXPECT_TRUE(stops_.isWrong());
  EXPECT_EQ(refusal(),
            "condition: 'apears': expected appears, vanishes or changes at the end; did you mean "
            "'appears'?");
  go({});
  EXPECT_EQ(stops_.message(), "");
  EXPECT_FALSE(stops_.isWrong());
}

}  // namespace
}  // namespace fxs::ui
