// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/finding.h"

#include <gtest/gtest.h>

namespace fxs::compare {
namespace {

ResultComparison resultOf(std::string name, std::uint32_t node, tensor::Verdict verdict) {
  ResultComparison out;
  out.name = std::move(name);
  out.node = fx::NodeId(node);
  out.compared = true;
  out.difference.verdict = verdict;
  out.difference.message = "1 element differs";
  return out;
}

Run runOf(execute::Outcome outcome, std::vector<ResultComparison> results = {}) {
  Run out;
  out.outcome = outcome;
  out.message = "a reason";
  out.results = std::move(results);
  return out;
}

std::string said(const Run& run) {
  const Finding finding = findingOf(run);
  return finding.title + (finding.message.empty() ? "" : "; " + finding.message);
}

TEST(Finding, TheWorstResultIsNamed) {
  const auto same = resultOf("a", 1, tensor::Verdict::Same),
             off = resultOf("b", 2, tensor::Verdict::Suspicious);
  const auto wrong = resultOf("c", 3, tensor::Verdict::Differs),
             nan = resultOf("d", 4, tensor::Verdict::DiffersAtNonfinite);
  EXPECT_EQ(said(runOf(execute::Outcome::Ran, {same})), "same");
  EXPECT_EQ(said(runOf(execute::Outcome::Ran, {same, off})),
            "suspicious at b; b: 1 element differs");
  EXPECT_EQ(said(runOf(execute::Outcome::Ran, {off, wrong, nan})),
            "differs at c; c: 1 element differs");
  EXPECT_EQ(findingOf(runOf(execute::Outcome::Ran, {off, wrong, nan})).node, fx::NodeId(3));
  EXPECT_EQ(said(runOf(execute::Outcome::Ran, {same, nan})),
            "differs at nonfinite at d; d: 1 element differs");
}

TEST(Finding, WhatDidNotRunOrWasNotComparedSaysWhy) {
  EXPECT_EQ(said(runOf(execute::Outcome::NotSupported)), "not supported; a reason");
  EXPECT_FALSE(findingOf(runOf(execute::Outcome::NotSupported)).verdict);
  EXPECT_EQ(said(runOf(execute::Outcome::Crashed)), "crashed; a reason");
  EXPECT_EQ(findingOf(runOf(execute::Outcome::Crashed)).verdict, tensor::Verdict::Differs);
  EXPECT_EQ(said(runOf(execute::Outcome::TimedOut)), "timed out; a reason");
  ResultComparison random;
  random.name = "mask";
  random.reason = "it depends on random numbers";
  EXPECT_EQ(said(runOf(execute::Outcome::Ran, {random})),
            "not compared; mask: it depends on random numbers");
  compare::Run undefined = runOf(execute::Outcome::Crashed);
  undefined.reason = "PyTorch raises at view";
  EXPECT_EQ(said(undefined), "not compared; PyTorch raises at view");
}

}  // namespace
}  // namespace fxs::compare
