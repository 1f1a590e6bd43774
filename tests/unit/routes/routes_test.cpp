// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "routes/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/fix.h"
#include "fx/text.h"
#include "node_lab/node_lab.h"
#include "session/session.h"

namespace fxs::routes {
namespace {

using ::testing::ElementsAre;

session::SnapshotPtr opened(const session::Route& route) {
  auto snapshot = std::make_shared<session::Snapshot>();
  snapshot->request.route = &route;
  read::Capture capture;
  capture.program =
      *fx::graphFrom("x: f32[2] = placeholder\nrelu: f32[2] = aten.relu.default(x)\nreturn relu");
  snapshot->capture = std::make_shared<const read::Capture>(std::move(capture));
  return snapshot;
}

std::string errorOf(const session::SnapshotPtr& snapshot, session::Phase until) {
  const auto result = session::advance(snapshot, until, {}, {});
  return result ? std::string() : result.error().message;
}

TEST(Routes, AreFoundByName) {
  std::vector<std::string_view> names;
  for (const session::Route* route : all()) {
    names.push_back(route->name);
    EXPECT_EQ(named(route->name).value_or(nullptr), route);
  }
  EXPECT_THAT(names, ElementsAre("torch-mlir", "nodes", "registry", "fixed"));
  EXPECT_EQ(named("node").error().message, "unknown lowering path 'node'; did you mean 'nodes'?");
  EXPECT_EQ(named("buddy").error().message,
            "unknown lowering path 'buddy'; expected torch-mlir, nodes, registry, fixed");
}

TEST(Routes, ThoseOfTheProgramDoNotChangeIt) {
  EXPECT_THAT(ofProgram(),
              ElementsAre(&session::kPipelines, &node_lab::kNodes, &session::kRegistries));
}

TEST(Routes, AreRefusedBeforeAnEngineIsRun) {
  session::Snapshot frozen = *opened(node_lab::kNodes);
  frozen.request.import.mode = import::Mode::Frozen;
  EXPECT_EQ(errorOf(std::make_shared<const session::Snapshot>(frozen), session::Phase::Lower),
            "--via nodes requires --mode lowering, without --symbolic-shapes");
  EXPECT_EQ(errorOf(opened(fix::kFixed), session::Phase::Trace),
            "a trace requires --via torch-mlir, not fixed");
}

TEST(Routes, OnesThatShareAProgramKeepIt) {
  const auto rewritten =
      session::advance(opened(session::kPipelines), session::Phase::Rewrite, {}, {});
  ASSERT_TRUE(rewritten) << rewritten.error().message;
  for (const session::Route* route : all()) {
    session::Request request = (*rewritten)->request;
    request.route = route;
    const bool keeps = route == &session::kPipelines || route == &node_lab::kNodes;
    EXPECT_EQ(session::retarget(*rewritten, request)->rewritten != nullptr, keeps) << route->name;
  }
}

}  // namespace
}  // namespace fxs::routes
