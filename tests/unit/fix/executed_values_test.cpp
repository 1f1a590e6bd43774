// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "fake_engine.h"
#include "fix/fixed_values.h"
#include "output_type.h"
#include "real_engine.h"

namespace fxs::fix {
namespace {

using session::SnapshotPtr;

constexpr std::string_view kNoExecutor = "no executor is installed";

class ExecutedValuesTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    env_.temporaryDir = dir_.path();
    env_.searchPath = "/usr/bin:/usr/lib/llvm-22/bin";
    env_.enginePath = engine->path;
    env_.runner = &runner_;
    session::Request request;
    request.file = FXS_SOURCE_DIR "/samples/addmm.pt2";
    request.lower.target = test::outputType("tosa");
    request.askEngine = true;
    const auto user =
        session::advance(session::start(request), session::Phase::Import, env_, context_);
    ASSERT_TRUE(user) << toString(user.error());
    user_ = *user;
  }
  /// The user's program with another `alpha` of its product.
  FixedProgram withAlpha(double alpha) const {
    fx::Program program = *user_->rewritten->program;
    for (fx::Node& node : program.nodes)
      for (fx::NodeArgument& argument : node.args)
        if (argument.name == "alpha") argument.value = fx::Argument(alpha);
    auto rewritten = std::make_shared<rewrite::Rewritten>(*user_->rewritten);
    rewritten->program = std::make_shared<const fx::Program>(std::move(program));
    auto changed = std::make_shared<session::Snapshot>(*user_);
    changed->rewritten = std::move(rewritten);
    changed->imported = nullptr;
    FixedProgram out;
    out.snapshot = std::move(changed);
    return out;
  }

  PosixCommandRunner runner_;
  test::TemporaryDirectory dir_;
  session::Environment env_;
  RunContext context_;
  SnapshotPtr user_;
};

TEST_F(ExecutedValuesTest, TheSameProgramHasTheSameValues) {
  FixedProgram fixed = withAlpha(2.0);
  ASSERT_TRUE(compareFixedValues("", user_, fixed, env_, context_));
  if (fixed.values.reason.starts_with(kNoExecutor)) GTEST_SKIP() << fixed.values.reason;
  EXPECT_GT(fixed.values.results, 1U);
  EXPECT_TRUE(fixed.values.differences.empty());
}

TEST_F(ExecutedValuesTest, AProgramThatComputesSomethingElseDiffers) {
  FixedProgram fixed = withAlpha(2.5);
  ASSERT_TRUE(compareFixedValues("", user_, fixed, env_, context_));
  if (fixed.values.reason.starts_with(kNoExecutor)) GTEST_SKIP() << fixed.values.reason;
  EXPECT_TRUE(fixed.values.isWrong());
  ASSERT_FALSE(fixed.values.differences.empty());
  EXPECT_EQ(fixed.values.differences.front().result, "addmm");
}

}  // namespace
}  // namespace fxs::fix
