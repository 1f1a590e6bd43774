#include "compare/comparison.h"

#include <gtest/gtest.h>

#include "output_type.h"

namespace fxs::test {
namespace {

using compare::Run;
using compare::TargetComparison;
using compare::TargetVerdict;

Run ran(std::string executor, compare::Sizes sizes, tensor::Verdict verdict, tensor::Kind kind = tensor::Kind::None) {
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
  out.why = "it crashed";
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
  EXPECT_EQ(decided({ran("iree", {}, kDiffers), ran("llvm", {}, kDiffers)}).verdict, TargetVerdict::Differs);
  EXPECT_EQ(decided({ran("iree", {}, kDiffers), ran("llvm", {}, kSame)}).verdict, TargetVerdict::Same);
  EXPECT_EQ(decided({ran("iree", {}, kDiffers)}).verdict, TargetVerdict::Suspicious);
  EXPECT_EQ(decided({crashed("iree", {})}).verdict, TargetVerdict::Suspicious);
  EXPECT_EQ(decided({crashed("llvm", {}, fx::NodeId::of(2))}).verdict, TargetVerdict::Differs);
  EXPECT_EQ(decided({}).verdict, TargetVerdict::NotCompared);
}

TEST(Comparison, OneChoiceOfSizesIsEnough) {
  const compare::Sizes one{{"s0", 1}}, two{{"s0", 2}};
  const TargetComparison target = decided({of(0, ran("iree", one, kSame)), of(0, ran("llvm", one, kSame)),
                                           of(1, ran("iree", two, kDiffers)), of(1, ran("llvm", two, kDiffers))});
  EXPECT_EQ(target.verdict, TargetVerdict::Differs);
  EXPECT_EQ(compare::worstInputs(target), 1U);
}

TEST(Comparison, SetsOfTheSameSizesAreJudgedByThemselves) {
  compare::Run edges = ran("iree", {}, kDiffers), other = ran("llvm", {}, kDiffers);
  edges.set = other.set = compare::InputSetKind::Edges;
  const TargetComparison target = decided({of(0, ran("iree", {}, kSame)), of(0, ran("llvm", {}, kSame)), of(1, edges), of(1, other)});
  EXPECT_EQ(target.verdict, TargetVerdict::Differs);
  EXPECT_EQ(target.why, "y:  (edges inputs)");
  EXPECT_EQ(compare::judgeSet(compare::runsByInputs(target).at(0)).verdict, TargetVerdict::Same);
}

TEST(Comparison, TheKindIsThatOfTheWorstResult) {
  using tensor::Kind;
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kSame), ran("llvm", {}, kSame)})), "");
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kDiffers, Kind::Sign), ran("llvm", {}, kDiffers, Kind::Rounding)})), "values");
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kNan, Kind::Nan), ran("llvm", {}, kNan, Kind::Nan)})), "nan");
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kDiffers, Kind::Shape), ran("llvm", {}, kDiffers, Kind::Shape)})), "shape");
  EXPECT_EQ(compare::kindOf(decided({ran("iree", {}, kDiffers, Kind::Scaled), crashed("llvm", {}, fx::NodeId::of(1))})), "crash");
  TargetComparison breach;
  breach.verdict = TargetVerdict::Differs;
  EXPECT_EQ(compare::kindOf(breach), "contract");
}

Run raising(Run run) {
  run.whyNot = "PyTorch raises at view: RuntimeError";
  return run;
}

TEST(Comparison, WhatPyTorchRaisesOnIsNotComparedEvenIfTheTextCrashes) {
  const TargetComparison target = decided({raising(crashed("iree", {})), raising(crashed("llvm", {}))});
  EXPECT_EQ(target.verdict, TargetVerdict::NotCompared);
  EXPECT_EQ(target.why, "PyTorch raises at view: RuntimeError");
  // Other sizes are compared all the same.
  const compare::Sizes two{{"s0", 2}}, three{{"s0", 3}};
  const TargetComparison other =
      decided({of(0, raising(crashed("iree", two))), of(1, crashed("iree", three)), of(1, crashed("llvm", three))});
  EXPECT_EQ(other.verdict, TargetVerdict::Differs);
  EXPECT_EQ(other.why, "iree with s0=3: it crashed");
}

}  // namespace
}  // namespace fxs::test
