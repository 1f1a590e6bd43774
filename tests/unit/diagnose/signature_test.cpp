// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/signature.h"

#include <gtest/gtest.h>

#include <memory>

#include "output_type.h"

namespace fxs::test {
namespace {

fx::Finding finding(std::uint32_t node, std::string kind, std::string op) {
  fx::Finding f;
  f.node = fx::NodeId{node};
  f.target = "aten." + op + ".default";
  f.kind = std::move(kind);
  f.op = "torch.aten." + op;
  return f;
}

/// A lowering that stops at tosa with those findings.
lower::Lowering stopped(std::vector<fx::Finding> findings) {
  lower::Lowering lowering;
  lowering.target = test::outputType("tosa");
  lowering.stages.resize(3);
  lowering.stages[0].id = "raw";
  lowering.stages[0].text = "raw text";
  lowering.stages[1].id = "torch";
  lowering.stages[1].text = "torch text";
  lowering.stages[0].status = lowering.stages[1].status = lower::StageStatus::Ok;
  lowering.stages[2].id = "tosa";
  lowering.stages[2].status = lower::StageStatus::Failed;
  lowering.stages[2].failingPass = "convert-torch-to-tosa";
  lowering.stages[2].findings = std::move(findings);
  return lowering;
}

TEST(Signature, TheFirstNodeOfTheProgramStandsForItsFailure) {
  const lower::Lowering lowering =
      stopped({finding(9, "illegal-op", "sort"), finding(4, "illegal-op", "erfinv")});
  const auto failure = diagnose::failureOf(lowering);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->node, fx::NodeId{4});
  EXPECT_EQ(
      text(failure->signature),
      "illegal-op of torch.aten.erfinv (aten.erfinv.default) in tosa, pass convert-torch-to-tosa");
  EXPECT_EQ(diagnose::failureOf(lowering, fx::NodeId{9})->signature.op, "torch.aten.sort");
  EXPECT_FALSE(diagnose::failureOf(lowering, fx::NodeId{5}));
  EXPECT_EQ(diagnose::inputOfFailure(lowering, "raw"), "torch text");
}

TEST(Signature, WhatIsBeforeAnEditDoesNotMatter) {
  lower::Lowering lowering = stopped({finding(4, "illegal-op", "erfinv")});
  lowering.stages[0].status = lower::StageStatus::Failed;
  lowering.stages[0].findings = {finding(9, "verifier", "sort")};
  EXPECT_EQ(diagnose::failureOf(lowering)->signature.stage, "raw");
  lowering.edit =
      std::make_shared<const lower::Edit>(lower::Edit{"torch", std::nullopt, "edited text"});
  EXPECT_EQ(diagnose::failureOf(lowering)->signature.stage, "tosa");
  EXPECT_EQ(diagnose::inputOfFailure(lowering, "raw"), "torch text");
  lowering.stages[1].status = lower::StageStatus::Failed;
  EXPECT_EQ(diagnose::inputOfFailure(lowering, "raw"), "edited text");
}

TEST(Signature, AnotherOperationPassOrKindIsAnotherFailure) {
  const lower::Lowering lowering =
      stopped({finding(9, "illegal-op", "sort"), finding(4, "illegal-op", "erfinv")});
  const diagnose::FailureSignature sort = diagnose::failureOf(lowering, fx::NodeId{9})->signature;
  EXPECT_TRUE(diagnose::fails(lowering, sort));
  EXPECT_FALSE(diagnose::fails(stopped({finding(4, "illegal-op", "erfinv")}), sort));
  EXPECT_FALSE(diagnose::fails(stopped({finding(9, "verifier", "sort")}), sort));
  lower::Lowering other = lowering;
  other.stages[2].failingPass = "canonicalize";
  EXPECT_FALSE(diagnose::fails(other, sort));
  other = lowering;
  other.stages[2].findings[0].severity = fx::Severity::Warning;
  EXPECT_FALSE(diagnose::fails(other, sort));
}

TEST(Signature, OfATimeOutThePassDoesNotCount) {
  const lower::Lowering lowering = stopped({finding(9, "timeout", "sort")});
  diagnose::FailureSignature wanted = diagnose::failureOf(lowering)->signature;
  wanted.pass = "";
  EXPECT_TRUE(diagnose::fails(lowering, wanted));
  wanted.op = "torch.aten.erfinv";
  EXPECT_FALSE(diagnose::fails(lowering, wanted));
}

TEST(Signature, WhatLowersHasNone) {
  lower::Lowering lowering = stopped({});
  lowering.stages[2].status = lower::StageStatus::Ok;
  EXPECT_FALSE(diagnose::failureOf(lowering));
  EXPECT_EQ(diagnose::failingStage(lowering), nullptr);
}

}  // namespace
}  // namespace fxs::test
