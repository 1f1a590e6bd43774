// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_engine.h"
#include "fx/text.h"
#include "output_type.h"

namespace fxs::session {
namespace {

using test::fakeEngine;
using test::TemporaryDirectory;

const std::string kSample = FXS_SOURCE_DIR "/samples/addmm.pt2";

Request request(std::string file = kSample) {
  Request r;
  r.file = std::move(file);
  return r;
}

Environment withEngine(const std::string& path) {
  static PosixCommandRunner runner;
  Environment env;
  env.runner = &runner;
  env.enginePath = path;
  return env;
}

TEST(Session, EachPhaseAddsItsValueAndKeepsTheOthers) {
  const Environment env;
  const auto read = advance(start(request()), Phase::Read, env, {});
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_TRUE((*read)->capture);
  EXPECT_FALSE((*read)->rewritten);
  const auto imported = advance(*read, Phase::Import, env, {});
  ASSERT_TRUE(imported.has_value()) << imported.error().message;
  EXPECT_EQ((*imported)->capture, (*read)->capture);
  EXPECT_TRUE((*imported)->normalized && (*imported)->rewritten && (*imported)->imported);
  EXPECT_FALSE((*read)->imported) << "a snapshot never changes";
  EXPECT_EQ((*imported)->timings.size(), 4u);
  const auto again = advance(*imported, Phase::Import, env, {});
  EXPECT_EQ((*again)->imported, (*imported)->imported);
  EXPECT_EQ((*again)->timings.size(), 4u);
}

TEST(Session, ImportNeedsNoEngineAndLoweringSaysHowToGetOne) {
  Environment env;
  env.engineMissing = "no engine found; get one";
  EXPECT_TRUE(advance(start(request()), Phase::Import, env, {}).has_value());
  const auto lowered = advance(start(request()), Phase::Lower, env, {});
  ASSERT_FALSE(lowered.has_value());
  EXPECT_EQ(lowered.error().code, ErrorCode::EngineFailed);
  EXPECT_EQ(lowered.error().message, "no engine found; get one");
  const auto unnamed = advance(start(request()), Phase::Lower, {}, {});
  EXPECT_EQ(unnamed.error().message, "no engine was chosen; pass a torch-mlir-opt with --engine");
}

TEST(Session, FailureLeavesTheSnapshotAsItWas) {
  const auto read = advance(start(request()), Phase::Read, {}, {});
  ASSERT_TRUE(read.has_value());
  Request bad = request();
  bad.rewrite.decompose = {"aten.no_such.default"};
  const SnapshotPtr wrong = retarget(*read, bad);
  EXPECT_EQ(wrong->capture, (*read)->capture);
  EXPECT_FALSE(advance(wrong, Phase::Rewrite, {}, {}).has_value());
  EXPECT_TRUE(wrong->capture);
  EXPECT_FALSE(wrong->rewritten);
}

TEST(Session, NewTargetKeepsTheProgramAndItsImport) {
  const TemporaryDirectory dir;
  const Environment env = withEngine(fakeEngine(dir, "cat"));
  const auto first = advance(start(request()), Phase::Lower, env, {});
  ASSERT_TRUE(first.has_value()) << first.error().message;
  EXPECT_EQ((*first)->lowering->stages.size(), 3u);
  EXPECT_EQ((*first)->origins.size(), 3u);
  Request other = request();
  other.lower.target = test::outputType("tosa");
  const SnapshotPtr next = retarget(*first, other);
  EXPECT_EQ(next->imported, (*first)->imported);
  EXPECT_FALSE(next->lowering);
  EXPECT_TRUE(next->origins.empty());
  const auto second = advance(next, Phase::Lower, env, {});
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ((*second)->lowering->stages.back().id, "tosa");
  EXPECT_EQ((*second)->origins.size(), 3u);

  Request renamed = other;
  renamed.import.functionName = "forward";
  const SnapshotPtr third = retarget(*second, renamed);
  EXPECT_EQ(third->rewritten, (*first)->rewritten);
  EXPECT_FALSE(third->imported);
  EXPECT_FALSE(retarget(*second, request("other.pt2"))->capture);
}

TEST(Session, ALimitOfReadingThatChangesReadsAgain) {
  const auto read = advance(start(request()), Phase::Rewrite, {}, {});
  ASSERT_TRUE(read.has_value()) << read.error().message;
  Request smaller = request();
  smaller.read.maxModelBytes = 16;
  const SnapshotPtr next = retarget(*read, smaller);
  EXPECT_FALSE(next->capture);
  EXPECT_FALSE(next->rewritten);
  EXPECT_TRUE(next->timings.empty());
  EXPECT_FALSE(advance(next, Phase::Read, {}, {}).has_value());
}

TEST(Session, AnEngineThatRegistersLessThanThePinnedOneGetsOperatorsInstead) {
  const TemporaryDirectory dir;
  const std::string usual = fakeEngine(dir, "cat");
  const Environment env = withEngine(test::writeScript(
      dir, "older-engine",
      "case \"$*\" in *--split-input-file*)\n"
      "  echo \"x:4:1: error: unregistered operation 'torch.aten.addmm' found\" >&2 ;; esac\n"
      "exec " +
          usual + " \"$@\""));
  const auto done = advance(start(request()), Phase::Lower, env, {});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ((*done)->imported->unregisteredOps, std::vector<std::string>{"torch.aten.addmm"});
  EXPECT_FALSE((*done)->registeredOps->contains("torch.aten.addmm"));

  const auto pinned = advance(start(request()), Phase::Lower, withEngine(usual), {});
  ASSERT_TRUE(pinned.has_value()) << pinned.error().message;
  EXPECT_TRUE((*pinned)->imported->unregisteredOps.empty());
}

TEST(Session, ParityModeImportsTheProgramAsRead) {
  Request parity = request(FXS_SOURCE_DIR "/samples/buffer_mutation.pt2");
  parity.parity = true;
  parity.import.mode = import::Mode::Frozen;
  const auto done = advance(start(parity), Phase::Import, {}, {});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_FALSE((*done)->rewritten);
  EXPECT_TRUE((*done)->imported);
}

TEST(Session, StopIsCancelled) {
  std::stop_source stop;
  stop.request_stop();
  RunContext context;
  context.stop = stop.get_token();
  const auto done = advance(start(request()), Phase::Import, {}, context);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
}

TEST(Session, StandardInputIsTheEnvironments) {
  Environment env;
  env.stdinText = test::contentOf(kSample);
  const auto done = advance(start(request("-")), Phase::Read, env, {});
  ASSERT_TRUE(done.has_value()) << done.error().message;
  EXPECT_EQ((*done)->capture->label, "-");
}

TEST(Session, FindingsOfAllStepsComeErrorsFirst) {
  const auto finding = [](fx::Severity severity, std::uint32_t node) {
    fx::Finding f;
    f.severity = severity;
    f.node = fx::NodeId{node};
    return f;
  };
  Snapshot snapshot;
  auto imported = std::make_shared<import::Imported>();
  imported->findings = {finding(fx::Severity::Warning, 0), finding(fx::Severity::Error, 7)};
  snapshot.imported = imported;
  auto lowering = std::make_shared<lower::Lowering>();
  lowering->stages.resize(1);
  lowering->stages[0].findings = {finding(fx::Severity::Error, 9), finding(fx::Severity::Error, 2)};
  snapshot.lowering = lowering;
  std::vector<std::uint32_t> nodes;
  for (const fx::Finding& f : snapshot.findings()) nodes.push_back(f.node.value);
  EXPECT_THAT(nodes, testing::ElementsAre(2, 7, 9, 0));
}

}  // namespace
}  // namespace fxs::session
