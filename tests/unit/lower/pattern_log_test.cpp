// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pattern_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lower/pattern_effects.h"

namespace fxs::lower {
namespace {

using testing::ElementsAre;

TEST(PatternName, IsShortWithoutNamespaces) {
  EXPECT_EQ(shortPatternName("mlir::torch::Torch::{anonymous}::DecomposeAtenSoftmaxIntOp"),
            "DecomposeAtenSoftmaxIntOp");
  EXPECT_EQ(
      shortPatternName("{anonymous}::ConvertAtenMinMaxDimOp<mlir::torch::Torch::AtenMaxDimOp>"),
      "ConvertAtenMinMaxDimOp<AtenMaxDimOp>");
  EXPECT_EQ(shortPatternName("mlir::ComposeExpandOfCollapseOp<mlir::tensor::ExpandShapeOp, "
                             "mlir::tensor::CollapseShapeOp>"),
            "ComposeExpandOfCollapseOp<ExpandShapeOp, CollapseShapeOp>");
  EXPECT_EQ(shortPatternName("mlir::torch::(anonymous namespace)::ConvertAtenOp"), "ConvertAtenOp");
  EXPECT_EQ(shortPatternName("a::B<c::D<e::F>, g::H>::Inner"), "Inner");
  EXPECT_EQ(shortPatternName("FoldTensorCastProducerOp"), "FoldTensorCastProducerOp");
  EXPECT_EQ(shortPatternName(""), "");
}

TEST(Operation, IsTheSameUnderOtherNames) {
  EXPECT_EQ(withoutNames("%8 = torch.aten.sub.Tensor %arg0, %values, %5#1 {m = \"%x\"} : !t "
                         "loc(\"s\"(\"fx\":4:0))"),
            "% = torch.aten.sub.Tensor %, %, %#1 {m = \"%x\"} : !t");
}

/// As the engine logs a softmax: decomposed by a greedy driver, then converted; shortened.
constexpr const char* kSoftmax = R"(ExecutionContext registered on the context
[thread torch-mlir-opt] begins (no breakpoint) Action `pass-execution` running `mlir::detail::OpToOpPassAdaptor` on Operation `builtin.module` (module {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action `pass-execution` running `DecomposeComplexOps` on Operation `func.func` (func.func @main() {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action GreedyPatternRewriteIteration(1) (Region #0 for op func.func @main() {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: mlir::torch::Torch::{anonymous}::DecomposeAtenSoftmaxIntOp (%0 = torch.aten.softmax.int %arg0, %int-1, %none : !t loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] completed `GreedyPatternRewriteIteration`
[thread torch-mlir-opt] begins (no breakpoint) Action GreedyPatternRewriteIteration(2) (Region #0 for op func.func @main() {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern:  (%0 = torch.aten.sub.Tensor %arg0, %values, %f : !t loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] completed `GreedyPatternRewriteIteration`
[thread torch-mlir-opt] completed `pass-execution`
[thread torch-mlir-opt] begins (no breakpoint) Action `pass-execution` running `ConvertTorchToLinalg` on Operation `func.func` (func.func @main() {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action apply-conversion (func.func @main() {...} loc("pass"("fx":4:1)))`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: {anonymous}::ConvertElementwiseOp (%none = torch.constant.none loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: {anonymous}::ConvertReductionOp (%none = torch.constant.none loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: {anonymous}::ConvertElementwiseOp (%9 = torch.aten.sum.dim_IntList %1 : !t loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: {anonymous}::ConvertReductionOp (%9 = torch.aten.sum.dim_IntList %1 : !t loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] begins (no breakpoint) Action `apply-pattern pattern: {anonymous}::ConvertElementwiseOp (%12 = torch.aten.exp %1 : !t loc("softmax"("fx":4:0)))`
[thread torch-mlir-opt] completed `apply-pattern`
[thread torch-mlir-opt] completed `apply-conversion`
[thread torch-mlir-opt] completed `pass-execution`
[thread torch-mlir-opt] completed `pass-execution`
)";

std::vector<int> all(const PatternLog& log) {
  std::vector<int> out(log.attempts.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int>(i);
  return out;
}
std::vector<std::string> verdicts(const PatternLog& log,
                                  const std::vector<PassSurroundings>& surroundings = {}) {
  std::vector<std::string> out;
  const std::vector<Verdict> found = effectsOf(log, all(log), surroundings);
  for (std::size_t i = 0; i < found.size(); ++i)
    out.push_back(shortPatternName(log.attempts[i].pattern) + " " + log.attempts[i].opName + ": " +
                  std::string(name(found[i].effect)));
  return out;
}

TEST(PatternLog, AttemptsKnowTheirPassAndPasses) {
  const PatternLog log = readPatternLog(kSoftmax);
  ASSERT_EQ(log.passes.size(), 2u);
  EXPECT_EQ(log.passes[0].passClass, "DecomposeComplexOps");
  EXPECT_EQ(log.passes[0].ordinal, 2u);
  EXPECT_EQ(log.passes[0].ended, 0u);
  EXPECT_FALSE(log.passes[0].conversion);
  EXPECT_EQ(log.lastIteration(0, 1), 2);
  EXPECT_EQ(log.passes[1].ordinal, 3u);
  EXPECT_TRUE(log.passes[1].conversion);
  ASSERT_EQ(log.attempts.size(), 7u);
  EXPECT_EQ(log.attempts[0].pattern, "mlir::torch::Torch::{anonymous}::DecomposeAtenSoftmaxIntOp");
  EXPECT_EQ(log.attempts[0].opName, "torch.aten.softmax.int");
  EXPECT_THAT(log.attempts[0].nodes, ElementsAre(fx::NodeId{4}));
  EXPECT_EQ(log.attempts[0].iteration, 1);
  EXPECT_EQ(log.attempts[1].pattern, "");
  EXPECT_EQ(log.attempts[1].iteration, 2);
  EXPECT_EQ(log.attempts[2].pass, 1);
  EXPECT_TRUE(log.attempts[2].inConversion);
  EXPECT_EQ(log.attempts[6].ordinal, 7u);
  EXPECT_TRUE(log.attempts[6].completed);
}

TEST(PatternEffects, FollowFromTheOrderOfAttemptsAndTheOperationsAround) {
  std::vector<PassSurroundings> around(2);
  around[1] = {
      true,
      {{"torch.aten.sum.dim_IntList", 1}, {"torch.aten.exp", 1}, {"torch.constant.none", 1}},
      {{"linalg.generic", 2}, {"torch.constant.none", 1}},
      false,
      {}};
  EXPECT_THAT(
      verdicts(readPatternLog(kSoftmax), around),
      ElementsAre(
          "DecomposeAtenSoftmaxIntOp torch.aten.softmax.int: unknown",  // the only pattern: the log
                                                                        // alone does not tell
          " torch.aten.sub.Tensor: refused", "ConvertElementwiseOp torch.constant.none: refused",
          "ConvertReductionOp torch.constant.none: refused",
          "ConvertElementwiseOp torch.aten.sum.dim_IntList: refused",
          "ConvertReductionOp torch.aten.sum.dim_IntList: took effect",
          "ConvertElementwiseOp torch.aten.exp: took effect"));
}

TEST(PatternEffects, OfAFailedConversionAreRefusedOrUnknown) {
  std::vector<PassSurroundings> around(2);
  around[1].failed = true;
  around[1].failedOp = "torch.aten.exp";
  const auto found = verdicts(readPatternLog(kSoftmax), around);
  EXPECT_EQ(found[6], "ConvertElementwiseOp torch.aten.exp: refused");
  EXPECT_EQ(found[5], "ConvertReductionOp torch.aten.sum.dim_IntList: unknown");
}

TEST(PatternEffects, AListThatEndsEarlyTookEffect) {
  std::string log =
      "[thread t] begins (no breakpoint) Action `pass-execution` running `CanonicalizerPass` on "
      "Operation `func.func` (f)`\n"
      "[thread t] begins (no breakpoint) Action GreedyPatternRewriteIteration(1) (f)`\n";
  const auto attempt = [&](const std::string& pattern, const std::string& op) {
    log += "[thread t] begins (no breakpoint) Action `apply-pattern pattern: " + pattern + " (" +
           op + ")`\n[thread t] completed `apply-pattern`\n";
  };
  attempt("A", "%1 = tensor.cast %0 : a");
  attempt("A", "%3 = tensor.cast %2 : b");
  attempt("B", "%3 = tensor.cast %2 : b");
  log +=
      "[thread t] completed `GreedyPatternRewriteIteration`\n[thread t] begins (no breakpoint) "
      "Action GreedyPatternRewriteIteration(2) "
      "(f)`\n";
  attempt("A", "%3 = tensor.cast %2 : b");
  attempt("B", "%3 = tensor.cast %2 : b");
  log +=
      "[thread t] completed `GreedyPatternRewriteIteration`\n[thread t] completed "
      "`pass-execution`\n";
  EXPECT_THAT(
      verdicts(readPatternLog(log)),
      ElementsAre("A tensor.cast: took effect", "A tensor.cast: refused", "B tensor.cast: refused",
                  "A tensor.cast: refused", "B tensor.cast: refused"));
}

TEST(PatternEffects, NothingIsConcludedFromWhereALogWasCutOff) {
  const std::string_view full = kSoftmax;
  const std::size_t second =
      full.find("GreedyPatternRewriteIteration`\n", full.find("GreedyPatternRewriteIteration(2)"));
  const PatternLog log = readPatternLog(full.substr(0, second));
  EXPECT_EQ(log.passes[0].ended, kNotEnded);
  EXPECT_THAT(verdicts(log),
              ElementsAre("DecomposeAtenSoftmaxIntOp torch.aten.softmax.int: unknown",
                          " torch.aten.sub.Tensor: unknown"));
}

TEST(PatternEffects, WhatAPatternMadeBelongsToItsOwnVisit) {
  std::string log =
      "[thread t] begins (no breakpoint) Action `pass-execution` running `Convert` on Operation "
      "`func.func` (f)`\n"
      "[thread t] begins (no breakpoint) Action apply-conversion (f)`\n";
  const auto begin = [&](const std::string& pattern, const std::string& op) {
    log += "[thread t] begins (no breakpoint) Action `apply-pattern pattern: " + pattern + " (" +
           op + ")`\n";
  };
  const std::string end = "[thread t] completed `apply-pattern`\n";
  begin("A", "%1 = t.x");
  begin("C", "%2 = t.y");
  log += end + end;
  begin("B", "%1 = t.x");
  log += end;
  const PatternLog read = readPatternLog(log);
  EXPECT_EQ(read.attempts[1].inside, 0);
  EXPECT_TRUE(read.attempts[0].hasInner);
  const auto found = effectsOf(read, all(read), {});
  EXPECT_EQ(found[0].effect, Effect::Refused);
  EXPECT_EQ(found[0].message, "its result could not be converted further");
  EXPECT_EQ(found[2].effect, Effect::Unknown);
}

TEST(PatternLog, CutOffAnywhereGivesWhatIsThere) {
  const std::string_view full = kSoftmax;
  std::size_t before = 0;
  for (std::size_t length = 0; length <= full.size(); length += 7) {
    const PatternLog log = readPatternLog(full.substr(0, length));
    EXPECT_GE(log.attempts.size(), before);
    before = log.attempts.size();
    EXPECT_EQ(verdicts(log).size(), log.attempts.size());
  }
  const PatternLog open = readPatternLog(
      full.substr(0, full.find("[thread torch-mlir-opt] completed `apply-pattern`")));
  ASSERT_EQ(open.attempts.size(), 1u);
  EXPECT_FALSE(open.attempts[0].completed);
  EXPECT_THAT(verdicts(open),
              ElementsAre("DecomposeAtenSoftmaxIntOp torch.aten.softmax.int: unknown"));
}

}  // namespace
}  // namespace fxs::lower
