// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/comparison.h"

#include <gtest/gtest.h>

#include "compare/dispute.h"
#include "output_type.h"

namespace fxs::test {
namespace {

using compare::Run;
using compare::TargetComparison;
using compare::TargetVerdict;

Run ran(std::string executor, compare::Sizes sizes, tensor::Verdict verdict,
        tensor::Kind kind = tensor::Kind::None) {
  Run out;
  out.executor = std::move(executor);
  out.sizes = std::move(sizes);
  out.outcome = execute::Outcome::Ran;
  compare::ResultComparison result;
  result.name = "y";
  result.compared = true;
  result.difference.verdict = verdict;
  result.difference.kind = kind;
  out.results.push_back(std::move(result));
  return out;
}

Run crashed(std::string executor, compare::Sizes sizes, fx::NodeId node = {}) {
  Run out;
  out.executor = std::move(executor);
  out.sizes = std::move(sizes);
  out.outcome = execute::Outcome::Crashed;
  out.message = "it crashed";
  out.node = node;
  return out;
}

Run of(std::size_t inputs, Run run) {
  run.inputs = inputs;
  return run;
}

TargetComparison decided(std::vector<Run> runs) {
  TargetComparison out;
  out.to = outputType("tosa");
  out.runs = std::move(runs);
  compare::decide(out);
  return out;
}

constexpr auto kSame = tensor::Verdict::Same, kDiffers = tensor::Verdict::Differs;
constexpr auto kNan = tensor::Verdict::DiffersAtNonfinite;

TEST(Comparison, OneExecutorAloneIsNotBelieved) {
  EXPECT_EQ(decided({ran("iree", {}, kDiffers), ran("llvm", {}, kDiffers)}).verdict,
            TargetVerdict::Differs);
  EXPECT_EQ(decided({ran("iree", {}, kDiffers)}).verdict, TargetVerdict::Suspicious);
  EXPECT_EQ(decided({crashed("iree", {})}).verdict, TargetVerdict::Suspicious);
  EXPECT_EQ(decided({crashed("llvm", {}, fx::NodeId::of(2))}).verdict, TargetVerdict::Differs);
  EXPECT_EQ(decided({}).verdict, TargetVerdict::NotCompared);
}

TEST(Comparison, ExecutorsThatDisagreeAreSuspicious) {
  const auto disagree = [](std::vector<compare::Run> runs, std::vector<std::string> accusers,
                           std::vector<std::string> defenders, std::string reason) {
    const TargetComparison target = decided(std::move(runs));
    EXPECT_EQ(target.verdict, TargetVerdict::Suspicious) << reason;
    EXPECT_EQ(target.accusers, accusers) << reason;
    EXPECT_EQ(target.defenders, defenders) << reason;
    EXPECT_EQ(target.message, reason);
    EXPECT_TRUE(compare::isAccused(target)) << reason;
  };
  const auto kSuspicious = tensor::Verdict::Suspicious;
  disagree({ran("iree", {}, kDiffers), ran("llvm", {}, kSame)}, {"iree"}, {"llvm"},
           "executors disagree: iree: y: ; llvm: as expected");
  disagree({ran("iree", {}, kSame), ran("llvm", {}, kNan)}, {"llvm"}, {"iree"},
           "executors disagree: llvm: y: ; iree: as expected");
  disagree({ran("iree", {}, kSuspicious), ran("llvm", {}, kDiffers)}, {"llvm"}, {"iree"},
           "executors disagree: llvm: y: ; iree: as expected");
  disagree({ran("iree", {}, kSame), crashed("llvm", {})}, {"llvm"}, {"iree"},
           "executors disagree: llvm: it crashed; iree: as expected");
  // One set is enough, and it is not hidden by one that is nearly wrong.
  disagree({of(0, ran("iree", {}, kSuspicious)), of(0, ran("llvm", {}, kSuspicious)),
            of(1, ran("iree", {}, kDiffers)), of(1, ran("llvm", {}, kSame))},
           {"iree"}, {"llvm"}, "executors disagree: iree: y: ; llvm: as expected");
}

TEST(Comparison, OnlyWhatSomebodyComputesWrongIsAccused) {
  const auto isAccused = [](std::vector<compare::Run> runs) {
    compare::Comparison comparison;
    comparison.targets.push_back(decided(std::move(runs)));
    return compare::isAccused(comparison);
  };
  EXPECT_FALSE(isAccused({ran("iree", {}, kSame), ran("llvm", {}, kSame)}));
  EXPECT_FALSE(isAccused({ran("iree", {}, tensor::Verdict::Suspicious),
                          ran("llvm", {}, tensor::Verdict::Suspicious)}));
  EXPECT_FALSE(isAccused({}));
  EXPECT_TRUE(isAccused({ran("iree", {}, kDiffers)}));
  EXPECT_TRUE(isAccused({crashed("iree", {})}));
  EXPECT_TRUE(isAccused({ran("iree", {}, kDiffers), ran("llvm", {}, kNan)}));
}

TEST(Dispute, TheFaultIsOfTheOneThatIsAlone) {
  const auto fault = [](const compare::WrongBy& byEngine, const compare::WrongBy& byRegistry = {}) {
    return compare::faultOf("f", {"iree"}, {"llvm"}, byEngine, byRegistry);
  };
  const std::string third = compare::unoptimized("llvm");
  EXPECT_EQ(fault({{"iree", true}, {"llvm", false}, {third, false}}),
            "probably of iree: f by itself differs in iree and not in llvm and llvm without "
            "optimization");
  EXPECT_EQ(fault({{"iree", true}, {"llvm", false}}, {{"iree", true}, {"llvm", false}}),
            "probably of iree: f by itself differs in iree, also as registries lower it, and not "
            "in llvm");
  EXPECT_EQ(fault({{"iree", true}, {"llvm", false}}, {{"iree", false}, {"llvm", false}}),
            "not known whose fault it is: f by itself differs in iree and not in llvm, and not as "
            "registries lower it: the text may leave "
            "the value open");
  EXPECT_EQ(
      compare::faultOf("f", {"llvm"}, {"iree"}, {{"iree", false}, {"llvm", true}, {third, false}},
                       {}),
      "probably of the optimizer of llvm: f by itself is as expected without it, and in iree");
  EXPECT_EQ(fault({{"iree", true}, {"llvm", true}}),
            "probably of the text: f by itself differs in iree and llvm");
  EXPECT_EQ(fault({{"iree", false}, {"llvm", false}}),
            "not known whose fault it is: f by itself is as expected in iree and llvm");
  EXPECT_EQ(fault({{"llvm", false}}),
            "not known whose fault it is: f was not run by itself by iree");
}

TEST(Comparison, OneChoiceOfSizesIsEnough) {
  const compare::Sizes one{{"s0", 1}}, two{{"s0", 2}};
  const TargetComparison target =
      decided({of(0, ran("iree", one, kSame)), of(0, ran("llvm", one, kSame)),
               of(1, ran("iree", two, kDiffers)), of(1, ran("llvm", two, kDiffers))});
  EXPECT_EQ(target.verdict, TargetVerdict::Differs);
  EXPECT_EQ(compare::worstInputs(target), 1U);
}

TEST(Comparison, SetsOfTheSameSizesAreJudgedByThemselves) {
  compare::Run edges = ran("iree", {}, kDiffers), other = ran("llvm", {}, kDiffers);
  edges.set = other.set = compare::InputSetKind::Edges;
  const TargetComparison target = decided(
      {of(0, ran("iree", {}, kSame)), of(0, ran("llvm", {}, kSame)), of(1, edges), of(1, other)});
  EXPECT_EQ(target.verdict, TargetVerdict::Differs);
  EXPECT_EQ(target.message, "y:  (edges inputs)");
  EXPECT_EQ(compare::judgeSet(compare::runsByInputs(target).at(0)).verdict, TargetVerdict::Same);
}

TEST(Comparison, TheKindIsThatOfTheWorstResult) {
  using tensor::Kind;
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kSame), ran("llvm", {}, kSame)})), "");
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kDiffers, Kind::Sign),
                                     ran("llvm", {}, kDiffers, Kind::Rounding)})),
            "values");
  EXPECT_EQ(compare::kindOf(
                decided({ran("iree", {}, kNan, Kind::Nan), ran("llvm", {}, kNan, Kind::Nan)})),
            "nan");
  EXPECT_EQ(compare::kindOf(decided(
                {ran("iree", {}, kDiffers, Kind::Shape), ran("llvm", {}, kDiffers, Kind::Shape)})),
            "shape");
  EXPECT_EQ(compare::kindOf(decided(
                {ran("iree", {}, kDiffers, Kind::Scaled), crashed("llvm", {}, fx::NodeId::of(1))})),
            "crash");
  TargetComparison breach;
  breach.verdict = TargetVerdict::Differs;
  EXPECT_EQ(compare::kindOf(breach), "contract");
}

Run raising(Run run) {
  run.reason = "PyTorch raises at view: RuntimeError";
  return run;
}

TEST(Comparison, WhatPyTorchRaisesOnIsNotComparedEvenIfTheTextCrashes) {
  const TargetComparison target =
      decided({raising(crashed("iree", {})), raising(crashed("llvm", {}))});
  EXPECT_EQ(target.verdict, TargetVerdict::NotCompared);
  EXPECT_EQ(target.message, "PyTorch raises at view: RuntimeError");
  // Other sizes are compared all the same.
  const compare::Sizes two{{"s0", 2}}, three{{"s0", 3}};
  const TargetComparison other =
      decided({of(0, raising(crashed("iree", two))), of(1, crashed("iree", three)),
               of(1, crashed("llvm", three))});
  EXPECT_EQ(other.verdict, TargetVerdict::Differs);
  EXPECT_EQ(other.message, "iree and llvm with s0=3: it crashed");
}

}  // namespace
}  // namespace fxs::test
