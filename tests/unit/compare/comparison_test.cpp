#include "compare/comparison.h"

#include <gtest/gtest.h>

namespace fxs::compare {
namespace {

Run crashed(const std::string& executor, const Sizes& sizes, const std::string& whyNot = {}) {
  Run run;
  run.executor = executor;
  run.sizes = sizes;
  run.outcome = execute::Outcome::Crashed;
  run.why = "signal 11";
  run.whyNot = whyNot;
  return run;
}

TEST(Decide, WhatPyTorchRaisesOnIsNotComparedEvenIfTheTextCrashes) {
  const std::string raised = "PyTorch raises at embedding: IndexError: index out of range in self";
  TargetComparison target;
  target.runs = {crashed("iree", {}, raised), crashed("llvm", {}, raised)};
  decide(target);
  EXPECT_EQ(name(target.verdict), "not-compared");
  EXPECT_EQ(target.why, raised);
}

TEST(Decide, OtherSizesAreComparedAllTheSame) {
  TargetComparison target;
  target.runs = {crashed("iree", {{"s0", 2}}, "PyTorch raises at view: RuntimeError"), crashed("iree", {{"s0", 3}}),
                 crashed("llvm", {{"s0", 3}})};
  decide(target);
  EXPECT_EQ(name(target.verdict), "differs");
  EXPECT_EQ(target.why, "iree with s0=3: signal 11");
}

}  // namespace
}  // namespace fxs::compare
