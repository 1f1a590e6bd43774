// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The real worker, and every way it can fail.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "layout/graph_layout.h"
#include "module_program.h"
#include "table_runner.h"

namespace fxs::layout {
namespace {

using test::ModuleProgram;

GraphView someView(int nodes = 6) {
  ModuleProgram p;
  auto value = p.input("x");
  const auto first = value;
  for (int i = 0; i < nodes; ++i)
    value = p.call("n" + std::to_string(i), "aten.add.Tensor", {value, first},
                   i % 3 ? "m:Model/m.l" + std::to_string(i / 3) + ":Layer" : "m:Model");
  const auto program = p.returning({value});
  ViewOptions options;
  options.everything = true;
  return graphView(*program, groupTree(*program), options);
}

std::string failure(const Result<GraphLayout>& layout) {
  return layout ? "(laid out)" : layout.error().message;
}

struct Faults : ::testing::Test {
  Result<GraphLayout> ask(test::TableRunner::Answer answer) {
    test::TableRunner runner;
    runner.on("worker", std::move(answer));
    LayoutWorker worker;
    worker.path = "/bin/worker";
    worker.timeout = std::chrono::seconds(5);
    return layoutGraph(view_, worker, runner, {});
  }
  GraphView view_ = someView();
};

TEST_F(Faults, AWorkerThatSaysWhyIsQuoted) {
  const auto layout = ask([](const Command&) -> Result<Exit> {
    return test::exited(1, "", "Warning: x\nfxscope-layout: dot gave up\n");
  });
  EXPECT_EQ(failure(layout),
            "the layout worker /bin/worker could not place 8 boxes: it exited with status 1: "
            "fxscope-layout: dot gave up");
}

TEST_F(Faults, ATimeoutSaysWhatToDo) {
  const auto layout = ask([](const Command& command) -> Result<Exit> {
    EXPECT_EQ(command.timeout, std::chrono::seconds(5));
    Exit exit;
    exit.reason = ExitReason::TimedOut;
    return exit;
  });
  EXPECT_EQ(failure(layout),
            "the layout worker /bin/worker could not place 8 boxes in 5 s; collapse some groups");
  EXPECT_EQ(layout.error().code, ErrorCode::Timeout);
}

TEST_F(Faults, AKilledWorkerNamesTheSignal) {
  const auto layout = ask([](const Command&) -> Result<Exit> {
    Exit exit;
    exit.reason = ExitReason::Signalled;
    exit.signal = 9;
    return exit;
  });
  EXPECT_EQ(failure(layout),
            "the layout worker /bin/worker could not place 8 boxes: it was ended by signal 9; "
            "collapse some groups");
}

TEST_F(Faults, NoAnswerIsNotALayout) {
  EXPECT_EQ(failure(ask([](const Command&) -> Result<Exit> { return test::exited(0, ""); })),
            "/bin/worker is not the layout worker of this version: layout answer line 1: expected "
            "'fxscope-layout-answer 1'");
}

TEST_F(Faults, AnAnswerToAnotherQuestionIsRefused) {
  EXPECT_EQ(failure(ask([](const Command&) -> Result<Exit> {
              return test::exited(0, "fxscope-layout-answer 1\nsize 1 1\nframes 9\n");
            })),
            "/bin/worker is not the layout worker of this version: layout answer line 3: expected "
            "3 frames, got 9");
}

#ifdef FXS_LAYOUT_WORKER
Result<GraphLayout> withWorker(const GraphView& view, const std::string& path,
                               std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
  PosixCommandRunner runner;
  LayoutWorker worker;
  worker.path = path;
  worker.timeout = timeout;
  return layoutGraph(view, worker, runner, {});
}

std::string script(const std::string& name, const std::string& body) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / name).string();
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(LayoutWorker, PlacesEveryBoxInsideItsFrame) {
  const GraphView view = someView(40);
  const auto layout = withWorker(view, FXS_LAYOUT_WORKER);
  ASSERT_TRUE(layout) << layout.error().message;
  ASSERT_EQ(layout->boxes.size(), view.boxes.size());
  ASSERT_EQ(layout->edges.size(), view.edges.size());
  ASSERT_EQ(layout->stubs.size(), view.stubs.size());
  for (std::size_t i = 0; i < view.boxes.size(); ++i) {
    const Rect& box = layout->boxes[i];
    for (std::size_t j = i + 1; j < view.boxes.size(); ++j)
      EXPECT_FALSE(box.overlaps(layout->boxes[j]))
          << view.boxes[i].title << " " << view.boxes[j].title;
    if (view.boxes[i].frame == kNoFrame) continue;
    const Rect& frame = layout->frames[view.boxes[i].frame];
    EXPECT_TRUE(box.x >= frame.x && box.right() <= frame.right() && box.y >= frame.y &&
                box.bottom() <= frame.bottom())
        << view.boxes[i].title;
  }
  for (const PlacedEdge& edge : layout->edges) {
    EXPECT_NEAR(edge.spline.front().y, layout->boxes[view.edges[edge.edge].from.index()].bottom(),
                1);
    EXPECT_NEAR(edge.spline.back().y, layout->boxes[view.edges[edge.edge].to.index()].y, 1);
    for (const Rect& box : layout->boxes)
      EXPECT_FALSE(edge.label.width > 0 && edge.label.overlaps(box));
  }
}

TEST(LayoutWorker, PlacesWhatDotCannot) {
  GraphView view = someView(40);
  for (Box& box : view.boxes)
    if (box.title == "n1" || box.title == "n2") box.width = 200'000;
  const auto layout = withWorker(view, FXS_LAYOUT_WORKER);
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_GT(layout->bounds.width, 200'000);
}

TEST(LayoutWorker, GivesTheSameAnswerTwice) {
  const GraphView view = someView(40);
  const auto one = withWorker(view, FXS_LAYOUT_WORKER), two = withWorker(view, FXS_LAYOUT_WORKER);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->boxes, two->boxes);
  EXPECT_EQ(one->frames, two->frames);
}

TEST(LayoutWorker, IsInACageWithNoFilesOfTheUsersAndNoHome) {
  if (cageStrength().landlock == 0)
    GTEST_SKIP() << "this kernel has no Landlock: files are not held";
  const std::string reader =
      script("layout_reads.sh", "[ -z \"$HOME\" ] || exit 9; exec cat /etc/passwd");
  const auto layout = withWorker(someView(), reader);
  ASSERT_FALSE(layout);
  EXPECT_EQ(
      layout.error().message,
      "the layout worker " + reader +
          " could not place 8 boxes: it exited with status 1: cat: /etc/passwd: Permission denied");
  const auto real = withWorker(someView(), FXS_LAYOUT_WORKER);
  EXPECT_TRUE(real) << real.error().message;
}

TEST(LayoutWorker, AHangIsEnded) {
  const auto layout = withWorker(someView(), script("layout_hangs.sh", "exec sleep 600"),
                                 std::chrono::milliseconds(200));
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::Timeout);
}

TEST(LayoutWorker, AMissingWorkerIsNamed) {
  const auto layout = withWorker(someView(), "/nowhere/fxscope-layout");
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::NotFound) << layout.error().message;
  EXPECT_NE(layout.error().message.find("/nowhere/fxscope-layout"), std::string::npos);
}

TEST(LayoutWorker, AStopIsObeyed) {
  std::stop_source stop;
  stop.request_stop();
  PosixCommandRunner runner;
  LayoutWorker worker;
  worker.path = FXS_LAYOUT_WORKER;
  RunContext context;
  context.stop = stop.get_token();
  const auto layout = layoutGraph(someView(), worker, runner, context);
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::Cancelled);
}
#endif

}  // namespace
}  // namespace fxs::layout
