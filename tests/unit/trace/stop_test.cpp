// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/stop.h"

#include <gtest/gtest.h>

#include "made_trace.h"
#include "trace/history.h"

namespace fxs::trace {
namespace {

using test::at;
using test::madeTrace;
using test::ofNode;

/// "pass 2 of 1 to 2: 0 to 1 | a.b | c.d, c.e", "never", or the error.
std::string stopOf(const Trace& trace, std::string_view condition, std::size_t from = 0) {
  const auto parsed = conditionFrom(condition);
  if (!parsed) return parsed.error().message;
  const auto stop = firstStop(trace, *parsed, from);
  if (!stop) return stop.error().message;
  if (!*stop) return "never";
  const auto names = [&](int snapshot, const std::vector<mlir::OpId>& ops) {
    std::string out;
    if (snapshot < 0) return std::string("-");
    const auto text = trace.open(static_cast<std::size_t>(snapshot));
    for (const mlir::OpId op : ops)
      out += (out.empty() ? "" : ", ") + std::string((*text)->module->nameOf(op));
    return out;
  };
  const Stop& at = **stop;
  return "pass " + std::to_string(at.pass) + ", " + std::to_string(at.countBefore) + " to " +
         std::to_string(at.countAfter) + " | " + names(at.before, at.opsBefore) + " | " +
         names(at.snapshot, at.opsAfter) + (at.message.empty() ? "" : " | " + at.message);
}

TracePtr lowered() {
  return madeTrace(
      {"%0 = \"torch.softmax\"() {dim = 1} : () -> tensor<?x4xf32>" + ofNode(1) +
           "\n%1 = \"torch.gelu\"(%0) : (tensor<?x4xf32>) -> tensor<?x4xf32>" + ofNode(2) + "\n",
       "%0 = \"torch.softmax\"() {dim = 0} : () -> tensor<2x4xf32>" + at(0, 1) +
           "\n%1 = \"torch.gelu\"(%0) : (tensor<2x4xf32>) -> tensor<?x4xf32>" + at(0, 2) + "\n",
       "%0 = \"linalg.exp\"() : () -> tensor<2x4xf32>" + at(1, 1) +
           "\n%1 = \"linalg.div\"(%0) : (tensor<2x4xf32>) -> tensor<2x4xf16>" + at(1, 1) +
           "\n%2 = \"torch.gelu\"(%1) : (tensor<2x4xf16>) -> tensor<?x4xf16>" + at(1, 2) + "\n",
       "%0 = \"linalg.exp\"() : () -> tensor<2x4xf16>" + at(2, 1) +
           "\n%1 = \"linalg.div\"(%0) : (tensor<2x4xf16>) -> tensor<2x4xf16>" + at(2, 2) +
           "\n\"a.lost\"() : () -> () loc(unknown)\n"});
}

TEST(Stop, IsWhereOperationsAppearAndVanish) {
  const TracePtr trace = lowered();
  EXPECT_EQ(stopOf(*trace, "op=torch.softmax appears"), "pass -1, 0 to 1 | - | torch.softmax");
  EXPECT_EQ(stopOf(*trace, "op=linalg.* appears"),
            "pass 1, 0 to 2 | torch.softmax | linalg.exp, linalg.div");
  EXPECT_EQ(stopOf(*trace, "op=LINALG.DIV appears"), "pass 1, 0 to 1 | torch.softmax | linalg.div");
  EXPECT_EQ(stopOf(*trace, "op=torch.softmax vanishes"),
            "pass 1, 1 to 0 | torch.softmax | linalg.exp, linalg.div");
  EXPECT_EQ(stopOf(*trace, "op=torch.* vanishes"), "pass 2, 1 to 0 | torch.gelu | ");
  EXPECT_EQ(stopOf(*trace, "op=tosa.* appears"), "never");
  EXPECT_EQ(stopOf(*trace, "op=linalg.* appears", 3), "never");
}

TEST(Stop, IsWhereOperationsChange) {
  const TracePtr trace = lowered();
  EXPECT_EQ(stopOf(*trace, "op=torch.softmax changes"),
            "pass 0, 1 to 1 | torch.softmax | torch.softmax");
  EXPECT_EQ(stopOf(*trace, "text~\"dim = 0\" appears"),
            "pass 0, 0 to 1 | torch.softmax | torch.softmax");
  EXPECT_EQ(stopOf(*trace, "op=linalg.exp changes", 3), "pass 2, 1 to 1 | linalg.exp | linalg.exp");
  EXPECT_EQ(stopOf(*trace, "count(op=linalg.*) > 1"),
            "pass 1, 0 to 2 | torch.softmax | linalg.exp, linalg.div");
  EXPECT_EQ(stopOf(*trace, "count(op=torch.*) < 2"),
            "pass 1, 2 to 1 | torch.softmax, torch.gelu | torch.gelu");
  EXPECT_EQ(stopOf(*trace, "count(op=torch.*) == 5"), "never");
}

TEST(Stop, IsWhereTheVeryOperationChanges) {
  const auto ofTwo = [](const std::string& first, const std::string& second) {
    return "\"a.one\"() {n = " + first + "} : () -> ()" + ofNode(1) +
           "\n\"a.one\"() {n = " + second + "} : () -> ()" + ofNode(1) + "\n";
  };
  const auto hops = [](std::size_t from, const std::string& first, const std::string& second) {
    return "\"a.one\"() {n = " + first + "} : () -> ()" + at(from, 1) +
           "\n\"a.one\"() {n = " + second + "} : () -> ()" + at(from, 2) + "\n";
  };
  const TracePtr two = madeTrace({ofTwo("0", "1"), hops(0, "0", "2"), hops(1, "3", "2")});
  EXPECT_EQ(stopOf(*two, "node=softmax op=a.one changes"), "pass 0, 2 to 2 | a.one | a.one");
  EXPECT_EQ(stopOf(*two, "line=1 after=0 changes"), "pass 1, 1 to 1 | a.one | a.one");
  EXPECT_EQ(stopOf(*two, "op=a.one line=2 after=2 changes"), "pass 0, 1 to 1 | a.one | a.one");
  EXPECT_EQ(stopOf(*two, "line=2 after=2 changes", 2), "never");
  // It is made where nothing had it before.
  const TracePtr trace = lowered();
  EXPECT_EQ(stopOf(*trace, "line=2 after=3 changes"),
            "pass 1, 1 to 1 | torch.softmax | linalg.div");
  EXPECT_EQ(stopOf(*trace, "line=2 after=3 changes", 3),
            "pass 2, 1 to 1 | linalg.div | linalg.div");
  EXPECT_EQ(stopOf(*trace, "line=1 after=4 changes"),
            "condition: after=: expected a pass from 0, the import, to 3, got 4");
  EXPECT_EQ(stopOf(*trace, "line=9 after=0 changes"),
            "condition: the module after pass 0 has 0 such operations; expected 1 to 64");
  EXPECT_EQ(stopOf(*trace, "line=1 after=0 appears"),
            "condition: after=: only 'line=9 after=12 changes'");
  EXPECT_EQ(stopOf(*trace, "line=1 changes"),
            "condition: line=: lines are those of one module, and a condition is about all");
}

TEST(Stop, IsWhereANodeChangesAsItsHistorySays) {
  const TracePtr trace = lowered();
  for (int node = 1; node <= 2; ++node) {
    const std::string& name = trace->nodeNames()[static_cast<std::size_t>(node)];
    const auto history = historyOf(*trace, fx::NodeId{static_cast<std::uint32_t>(node)});
    ASSERT_TRUE(history.has_value());
    for (std::size_t i = 1, from = 0; i < history->size(); ++i) {
      const auto stop = firstStop(*trace, *conditionFrom("node=" + name + " changes"), from);
      ASSERT_TRUE(stop.has_value() && stop->has_value()) << name;
      EXPECT_EQ((*stop)->snapshot, (*history)[i].snapshot) << name;
      from = static_cast<std::size_t>((*stop)->snapshot) + 1;
    }
  }
  EXPECT_EQ(stopOf(*trace, "node=softmx changes"),
            "condition: the trace has no node 'softmx'; did you mean 'softmax'?");
  EXPECT_EQ(stopOf(*trace, "node=soft* op=linalg.div appears"),
            "pass 1, 0 to 1 | torch.softmax | linalg.div");
}

TEST(Stop, IsWhereElementTypesAndSizesChange) {
  const TracePtr trace = lowered();
  EXPECT_EQ(stopOf(*trace, "type=f16 appears"),
            "pass 1, 0 to 2 | torch.softmax, torch.gelu | linalg.div, torch.gelu");
  EXPECT_EQ(stopOf(*trace, "type=f32 vanishes"), "pass 2, 1 to 0 | linalg.exp | linalg.exp");
  EXPECT_EQ(stopOf(*trace, "type f32 -> f16 appears"),
            "pass 1, 0 to 1 | torch.softmax | linalg.div");
  EXPECT_EQ(stopOf(*trace, "type f16 -> f32 appears"), "never");
  EXPECT_EQ(stopOf(*trace, "size static"), "pass 0, 0 to 0 | torch.softmax | torch.softmax");
  EXPECT_EQ(stopOf(*trace, "op=torch.softmax size static"),
            "pass 0, 1 to 1 | torch.softmax | torch.softmax");
  EXPECT_EQ(stopOf(*trace, "node=gelu size static"), "never");
  EXPECT_EQ(stopOf(*trace, "node=gelu type changes"), "pass 1, 1 to 1 | torch.gelu | torch.gelu");
  EXPECT_EQ(stopOf(*trace, "op=linalg.exp type changes"),
            "pass 2, 1 to 1 | linalg.exp | linalg.exp");
}

TEST(Stop, IsWhereOriginsAreLostOrTheTextMatches) {
  const TracePtr trace = lowered();
  EXPECT_EQ(stopOf(*trace, "origins lost"), "pass 2, 0 to 1 |  | a.lost");
  EXPECT_EQ(stopOf(*trace, "match linalg\\.d"), "pass 1, 0 to 0 | torch.softmax | linalg.div");
  EXPECT_EQ(stopOf(*trace, "match /nothing/"), "never");
}

TEST(Stop, IsThePassThatFails) {
  const std::vector<std::string> texts{"\"a.b\"() : () -> ()" + ofNode(1) + "\n",
                                       "\"a.c\"() : () -> ()" + at(0, 1) + "\n",
                                       "\"a.d\"() : () -> ()" + at(1, 1) + "\n"};
  EXPECT_EQ(stopOf(*madeTrace(texts), "fails"), "never");
  const auto passes = test::passesOf(texts, "");
  passes->passes[1].failed = true;
  passes->snapshots[2].failure = true;
  lower::StageResult stage;
  stage.id = "torch";
  stage.status = lower::StageStatus::Failed;
  fx::Finding finding;
  finding.op = "a.c";
  finding.message = "a.c has no conversion";
  stage.findings.push_back(finding);
  passes->stages.push_back(stage);
  const TracePtr trace = madeTrace(texts, {"x", "y"}, passes);
  EXPECT_EQ(stopOf(*trace, "fails"), "pass 1, 0 to 0 | a.c |  | a.c has no conversion");
  EXPECT_EQ(stopOf(*trace, "op=a.d appears"), "never") << "the failed pass is rolled back";
}

TEST(Stop, SpendsFromTheBudget) {
  RunContext context;
  BudgetLimits limits;
  limits[Resource::Values] = 3;
  context.budget = std::make_shared<const Budget>(limits);
  EXPECT_THROW((void)firstStop(*lowered(), *conditionFrom("op=tosa.* appears"), 0, context),
               Abandoned);
}

}  // namespace
}  // namespace fxs::trace
