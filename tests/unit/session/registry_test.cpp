#include "session/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "real_engine.h"

namespace fxs::session {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SnapshotPtr opened(std::string_view text) {
  auto snapshot = std::make_shared<Snapshot>();
  read::Capture capture;
  auto program = fx::graphFrom(text);
  EXPECT_TRUE(program) << program.error().message;
  capture.program = program.value_or(nullptr);
  snapshot->capture = std::make_shared<const read::Capture>(std::move(capture));
  return snapshot;
}

std::shared_ptr<const DirectResult> lowered(const SnapshotPtr& snapshot, const DirectRequest& request = {},
                                            const Environment& environment = {}) {
  auto result = lowerByRegistries(snapshot, request, environment, {});
  EXPECT_TRUE(result) << result.error().message;
  return result.value_or(nullptr);
}

constexpr std::string_view kHandled =
    "x: f32[2, 3] = placeholder\ny: f32[3] = placeholder\nadd: f32[2, 3] = aten.add.Tensor(x, y)\n"
    "relu: f32[2, 3] = aten.relu.default(add)\nreturn relu";

TEST(LowerByRegistries, WithoutAnEngineTheTextStandsAndSaysSo) {
  Environment nowhere;
  nowhere.engineMissing = "no engine was found; ./run installs one";
  const auto result = lowered(opened(kHandled), {}, nowhere);
  EXPECT_TRUE(result->ok());
  EXPECT_FALSE(result->verified);
  EXPECT_EQ(result->notVerified, "no engine was found; ./run installs one");
  EXPECT_THAT(result->decomposed, IsEmpty());
  EXPECT_THAT(result->text(), HasSubstr("\"tosa.add\""));
  EXPECT_THAT(result->text(), HasSubstr("loc(\"relu\"(\"fx\":3:0))"));
}

TEST(LowerByRegistries, WhatTheChainLacksIsTakenApart) {
  // silu = x * sigmoid(x): no class but silu's own, which a chain of tosa alone does not lower.
  DirectRequest request;
  request.options.fallbacks.clear();
  const auto result = lowered(opened("x: f32[2, 3] = placeholder\nsilu: f32[2, 3] = aten.silu.default(x)\nreturn silu"), request);
  EXPECT_THAT(result->decomposed, ElementsAre("aten.silu.default"));
  for (const fx::Node& node : result->rewritten->program->nodes) EXPECT_NE(node.target, "aten.silu.default");
  request.decomposeAsNeeded = false;
  const auto whole = lowered(opened("x: f32[2, 3] = placeholder\nsilu: f32[2, 3] = aten.silu.default(x)\nreturn silu"), request);
  EXPECT_THAT(whole->decomposed, IsEmpty());
  EXPECT_FALSE(whole->ok());
  EXPECT_EQ(whole->notVerified, "the module is incomplete");
  ASSERT_EQ(whole->findings().size(), 1u);
  EXPECT_EQ(whole->findings()[0].nodeName, "silu");
  EXPECT_EQ(whole->findings()[0].kind, "no-lowering");
}

TEST(LowerByRegistries, SymbolicSizesAreDynamicTypes) {
  const auto result = lowered(opened("x: f32[s0, 3] = placeholder\nrelu: f32[s0, 3] = aten.relu.default(x)\nreturn relu"));
  EXPECT_TRUE(result->ok());
  EXPECT_THAT(result->decomposed, IsEmpty());
  EXPECT_THAT(result->text(), HasSubstr("tensor<?x3xf32>"));
}

TEST(LowerByRegistries, AnUnknownRegistryIsAUsageError) {
  DirectRequest request;
  request.options.primary = "tosca";
  const auto result = lowerByRegistries(opened(kHandled), request, {}, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Usage);
  EXPECT_EQ(result.error().message, "unknown registry 'tosca'; did you mean 'tosa'?");
}

TEST(LowerByRegistries, AStopIsCancelled) {
  std::stop_source source;
  source.request_stop();
  RunContext context;
  context.stop = source.get_token();
  const auto result = lowerByRegistries(opened(kHandled), {}, {}, context);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST(LowerByRegistries, TheEngineReadsTheTextAndPrintsIt) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  PosixCommandRunner runner;
  Environment environment;
  environment.enginePath = engine->path;
  environment.runner = &runner;
  const auto result = lowered(opened(kHandled), {}, environment);
  ASSERT_TRUE(result->verified);
  EXPECT_EQ(result->verified->status, lower::StageStatus::Ok) << result->verified->stderrText;
  EXPECT_EQ(result->notVerified, "");
  EXPECT_THAT(result->text(), HasSubstr(" tosa.add "));
  EXPECT_THAT(result->text(), HasSubstr("loc(\"relu\"(#loc"));
}

}  // namespace
}  // namespace fxs::session
