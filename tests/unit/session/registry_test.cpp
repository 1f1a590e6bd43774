// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

Result<SnapshotPtr> lower(const SnapshotPtr& snapshot, const DirectRequest& request,
                          const Environment& environment = {}, const RunContext& context = {}) {
  auto asked = std::make_shared<Snapshot>(*snapshot);
  asked->request.route = &kRegistries;
  asked->request.registries = std::make_shared<const DirectRequest>(request);
  return advance(std::move(asked), Phase::Lower, environment, context);
}

std::shared_ptr<const DirectResult> lowered(const SnapshotPtr& snapshot,
                                            const DirectRequest& request = {},
                                            const Environment& environment = {}) {
  const auto result = lower(snapshot, request, environment);
  EXPECT_TRUE(result) << result.error().message;
  return result ? (*result)->direct : nullptr;
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
  // silu = x * sigmoid(x): no registry handles its class.
  DirectRequest request;
  request.options.fallbacks.clear();
  const auto result = lowered(
      opened("x: f32[2, 3] = placeholder\nsilu: f32[2, 3] = aten.silu.default(x)\nreturn silu"),
      request);
  EXPECT_THAT(result->decomposed, ElementsAre("aten.silu.default"));
  for (const fx::Node& node : result->rewritten->program->nodes)
    EXPECT_NE(node.target, "aten.silu.default");
  request.decomposeAsNeeded = false;
  const auto full = lowered(
      opened("x: f32[2, 3] = placeholder\nsilu: f32[2, 3] = aten.silu.default(x)\nreturn silu"),
      request);
  EXPECT_THAT(full->decomposed, IsEmpty());
  EXPECT_FALSE(full->ok());
  EXPECT_EQ(full->notVerified, "the module is incomplete");
  ASSERT_EQ(full->findings().size(), 1u);
  EXPECT_EQ(full->findings()[0].nodeName, "silu");
  EXPECT_EQ(full->findings()[0].kind, "no-lowering");
}

TEST(LowerByRegistries, SymbolicSizesAreDynamicTypes) {
  const auto result = lowered(
      opened("x: f32[s0, 3] = placeholder\nrelu: f32[s0, 3] = aten.relu.default(x)\nreturn relu"));
  EXPECT_TRUE(result->ok());
  EXPECT_THAT(result->decomposed, IsEmpty());
  EXPECT_THAT(result->text(), HasSubstr("tensor<?x3xf32>"));
}

TEST(LowerByRegistries, TheSnapshotIsLikeThatOfAnyRoute) {
  const auto result = lower(opened(kHandled), {});
  ASSERT_TRUE(result) << result.error().message;
  const Snapshot& s = **result;
  ASSERT_EQ(s.lowering->stages.size(), 1u);
  EXPECT_EQ(s.lowering->stages.front().text, s.direct->text());
  EXPECT_EQ(s.origins.size(), 1u);
  EXPECT_TRUE(s.lowersRight());
  // Another route drops it, with the rewriting that was made for it.
  Request request = s.request;
  request.route = &kPipelines;
  const SnapshotPtr other = retarget(*result, request);
  EXPECT_EQ(other->lowering, nullptr);
  EXPECT_EQ(other->direct, nullptr);
  EXPECT_EQ(other->rewritten, nullptr);
}

TEST(LowerByRegistries, AnOutputTypeThatNoRegistryWritesIsAUsageError) {
  Environment environment;
  auto asked = std::make_shared<Snapshot>(*opened(kHandled));
  asked->request.route = &kRegistries;
  asked->request.lower.target = *environment.outputTypes.from("stablehlo");
  const auto result = advance(asked, Phase::Lower, environment, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "--via registry supports linalg-on-tensors or tosa; choose one with --to");
}

TEST(LowerByRegistries, AnUnknownRegistryIsAUsageError) {
  DirectRequest request;
  request.options.primary = "tosca";
  const auto result = lower(opened(kHandled), request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::Usage);
  EXPECT_EQ(result.error().message, "unknown registry 'tosca'; did you mean 'tosa'?");
}

TEST(LowerByRegistries, AStopIsCancelled) {
  std::stop_source source;
  source.request_stop();
  RunContext context;
  context.stop = source.get_token();
  const auto result = lower(opened(kHandled), {}, {}, context);
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

/// The engine, but it rejects texts with one of these operations, at the node `add`.
class RejectingRunner final : public CommandRunner {
 public:
  explicit RejectingRunner(std::vector<std::string> rejected) : rejected_(std::move(rejected)) {}
  Result<Exit> run(const Command& command, std::stop_token stop) override {
    for (const std::string& op : rejected_) {
      if (command.stdinText.find(op) == std::string::npos) continue;
      Exit exit;
      exit.status = 1;
      exit.err = "fx:2:0: error: '" + op + "' is out of bounds\n";
      return exit;
    }
    return real_.run(command, stop);
  }

 private:
  std::vector<std::string> rejected_;
  PosixCommandRunner real_;
};

TEST(LowerByRegistries, WhatTheEngineRejectsIsLoweredByTheNextRegistry) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  RejectingRunner runner({"tosa.add"});
  Environment environment;
  environment.enginePath = engine->path;
  environment.runner = &runner;
  const auto result = lowered(opened(kHandled), {}, environment);
  EXPECT_TRUE(result->ok());
  EXPECT_THAT(result->text(), HasSubstr("linalg.generic"));
  const registry::NodeCoverage& add = result->lowering->coverage.at(2);
  EXPECT_EQ(add.registry, "linalg");
  EXPECT_THAT(
      add.refusals,
      ElementsAre(
          "tosa: the engine rejects what it writes: aten.add.Tensor: 'tosa.add' is out of bounds"));
}

TEST(LowerByRegistries, WhatTheEngineRejectsOfEveryRegistryIsRefusedAtItsNode) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  RejectingRunner runner({"tosa.add", "arith.addf"});
  Environment environment;
  environment.enginePath = engine->path;
  environment.runner = &runner;
  const auto result = lowered(opened(kHandled), {}, environment);
  EXPECT_FALSE(result->ok());
  EXPECT_FALSE(result->lowering->complete);
  EXPECT_EQ(result->notVerified, "the module is incomplete");
  ASSERT_EQ(result->findings().size(), 1u);
  EXPECT_EQ(result->findings()[0].nodeName, "add");
  EXPECT_EQ(result->findings()[0].message,
            "'aten.add.Tensor' (AddOp) is not supported; tosa: the engine rejects what it writes: "
            "aten.add.Tensor: 'tosa.add' is out of "
            "bounds; linalg: the engine rejects what it writes: aten.add.Tensor: 'arith.addf' is "
            "out of bounds");
}

TEST(LowerByRegistries, OperatorsThatOnlyTorchMlirKnowsAreTakenApart) {
  const auto result = lowered(opened(
      "x: f32[4, 4] = placeholder\ny: f32[4, 4] = placeholder\na: f32[4, 4] = "
      "aten.type_as.default(x, y)\n"
      "b: f32[4, 4] = aten.triu.default(a)\nc: f32[4, 4] = aten.eye.default(4)\nd: f32[4, 4] = "
      "aten.add.Tensor(b, c)\n"
      "e: f32[4, 4] = aten.square.default(d)\nf: f32[4, 2, 2] = aten.unflatten.int(e, 1, [2, 2])\n"
      "g: f32[4, 4] = aten.flatten.using_ints(f, 1)\nh: f32[4, 4] = aten.expand_as.default(g, "
      "y)\nreturn h"));
  EXPECT_TRUE(result->ok());
  EXPECT_THAT(result->decomposed,
              ElementsAre("aten.expand_as.default", "aten.eye.default", "aten.flatten.using_ints",
                          "aten.square.default", "aten.triu.default", "aten.type_as.default",
                          "aten.unflatten.int"));
}

}  // namespace
}  // namespace fxs::session
