// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/pattern_of_op.h"

#include <gtest/gtest.h>

namespace fxs::lower {
namespace {

PassRun run(const std::string& pass) {
  PassRun out;
  out.stage = "torch";
  out.pass = pass;
  return out;
}

PatternAttempt attempt(int pass, const std::string& pattern, const std::string& op,
                       std::vector<std::string> became = {}) {
  PatternAttempt out;
  out.pass = pass;
  out.pattern = out.shortName = pattern;
  if (pattern.empty()) out.shortName = "(unnamed)";
  out.opName = op;
  out.effect = Effect::TookEffect;
  out.became = std::move(became);
  return out;
}

class PatternOfOp : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* pass : {"canonicalize", "convert", "canonicalize"}) {
      passes_.passes.push_back(run(pass));
      PatternPass& added = patterns_.passes.emplace_back();
      added.stage = "torch";
      added.pass = pass;
      added.conversion = added.pass == "convert";
    }
  }
  std::string of(int pass, std::string_view op, const std::vector<std::string>& sources = {}) {
    return patternOfOp(patterns_, passes_, pass, op, sources);
  }
  PassTrace passes_;
  PatternTrace patterns_;
};

TEST_F(PatternOfOp, IsTheOnlyOneThatMadeSuchOperationsInTheSameRunOfThePass) {
  patterns_.attempts = {attempt(0, "First", "a.x", {"a.y"}), attempt(2, "Second", "a.x", {"a.y"})};
  EXPECT_EQ(of(0, "a.y"), "First");
  EXPECT_EQ(of(2, "a.y"), "Second");
  EXPECT_EQ(of(1, "a.y"), "");
  EXPECT_EQ(of(0, "a.z"), "");
  EXPECT_EQ(of(-1, "a.y"), "") << "the import";
  patterns_.attempts.front().effect = Effect::Refused;
  EXPECT_EQ(of(0, "a.y"), "");
}

TEST_F(PatternOfOp, IsTheOneOfItsSourceWhereSeveralMakeSuchOperations) {
  patterns_.attempts = {attempt(1, "ConvertMm", "a.mm"), attempt(1, "ConvertAdd", "a.add")};
  EXPECT_EQ(of(1, "linalg.generic", {"a.add"}), "ConvertAdd");
  EXPECT_EQ(of(1, "linalg.generic", {"a.add", "a.mm"}), "");
  EXPECT_EQ(of(1, "linalg.generic"), "");
  for (PatternAttempt& each : patterns_.attempts) each.became = {"linalg.generic"};
  EXPECT_EQ(of(1, "linalg.generic", {"a.mm"}), "ConvertMm");
  EXPECT_EQ(of(1, "linalg.generic", {"a.other"}), "");
}

TEST_F(PatternOfOp, IsNotSaidOfAGreedyDriverThatAppliedOthersToWhatTheSourceBecame) {
  patterns_.attempts = {attempt(0, "DecomposeFft", "a.fft")};
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "DecomposeFft");
  patterns_.attempts.push_back(attempt(0, "DecomposeStack", "a.stack"));
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "");
  patterns_.attempts.back().effect = Effect::Unknown;
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "");
  patterns_.attempts.back().effect = Effect::TookEffect;
  patterns_.attempts.back().became = {"a.list"};
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "") << "the other's are not known";
  patterns_.attempts.front().became = {"a.stack"};
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "DecomposeStack");
  patterns_.attempts.front().became = {"a.list", "a.stack"};
  EXPECT_EQ(of(0, "a.list", {"a.fft"}), "");
}

TEST_F(PatternOfOp, IsNotSaidOfConstantsNorOfPatternsWithoutAName) {
  patterns_.attempts = {attempt(0, "Fold", "a.x", {"arith.constant"}),
                        attempt(1, "", "a.x", {"a.y"})};
  EXPECT_EQ(of(0, "arith.constant", {"a.x"}), "");
  EXPECT_EQ(of(1, "torch.vtensor.literal", {"a.x"}), "");
  EXPECT_EQ(of(1, "a.y"), "");
}

}  // namespace
}  // namespace fxs::lower
