// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The graphs of all passes of the samples, drawn as parts of one: what stays the same keeps its
// position.
#include "trace/graph_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "in_process_layout.h"
#include "layout/part.h"
#include "mlir/compare/diff.h"
#include "output_type.h"
#include "real_engine.h"
#include "session/session.h"

namespace fxs::trace {
namespace {

/// A module of a series, as it is drawn with all groups expanded.
struct Drawn {
  std::shared_ptr<const OpenText> text;
  OpGraph graph;
  layout::Part part;
  layout::Point centre(fx::NodeId node) const {
    const layout::BoxId box = part.view.boxOf[node.index()];
    return {part.layout.boxes[box.index()].centreX(), part.layout.boxes[box.index()].centreY()};
  }
  bool isOperation(fx::NodeId node) const {
    return graph.program->node(node).op == fx::NodeOp::CallFunction;
  }
};

class GraphSeriesOfSamples : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    session::Request request;
    request.file = std::string(FXS_SOURCE_DIR) + "/samples/" + GetParam() + ".pt2";
    request.lower.target = test::outputType("linalg-on-tensors");
    session::Environment environment;
    environment.enginePath = engine->path;
    environment.runner = &runner_;
    environment.temporaryDir = testing::TempDir();
    const auto snapshot = session::advance(session::start(std::move(request)),
                                           session::Phase::Trace, environment, {});
    ASSERT_TRUE(snapshot) << snapshot.error().message;
    trace_ = (*snapshot)->trace;
    user_ = (*snapshot)->capture->program;
    ASSERT_TRUE(trace_);
    auto series = graphSeries(
        trace_->passes().snapshots.size(), [&](std::size_t i) { return trace_->open(i); }, *user_);
    ASSERT_TRUE(series) << series.error().message;
    series_ = *std::move(series);
  }

  std::vector<Drawn> drawn(const GraphSeries& series) {
    std::vector<Drawn> out;
    const layout::GroupTree tree = layout::groupTree(*series.program);
    layout::ViewOptions options;
    options.everything = true;
    const layout::GraphView view = layout::graphView(*series.program, tree, options);
    test::InProcessLayout runner;
    const auto placed = layout::layoutGraph(view, {}, runner, {});
    EXPECT_TRUE(placed) << placed.error().message;
    if (!placed) return out;
    for (std::size_t i = 0; i < series.positionOf.size(); ++i) {
      const auto text = trace_->open(series.first + i);
      EXPECT_TRUE(text);
      OpGraph graph = opGraph(**text, *user_);
      const layout::GroupTree part = layout::partTree(tree, *graph.program, series.positionOf[i]);
      layout::Part drawn = layout::partOf({tree, view, *placed}, *graph.program, part, options,
                                          series.positionOf[i]);
      out.push_back({*text, std::move(graph), std::move(drawn)});
    }
    return out;
  }

  PosixCommandRunner runner_;
  TracePtr trace_;
  fx::ProgramPtr user_;
  std::vector<GraphSeries> series_;
};

TEST_P(GraphSeriesOfSamples, OperationsThatStayKeepTheirPosition) {
  std::size_t compared = 0;
  for (const GraphSeries& series : series_) {
    const std::vector<Drawn> modules = drawn(series);
    for (std::size_t i = 1; i < modules.size(); ++i) {
      const Drawn &before = modules[i - 1], &after = modules[i];
      for (const mlir::OpPair& pair : mlir::diff(*before.text->module, *after.text->module).pairs) {
        if (pair.change != mlir::OpChange::Same) continue;
        const fx::NodeId a = before.graph.nodeOf[pair.a.index()],
                         b = after.graph.nodeOf[pair.b.index()];
        if (!a.valid() || !b.valid() || before.graph.opsOf[a.index()].front() != pair.a ||
            after.graph.opsOf[b.index()].front() != pair.b)
          continue;
        if (!before.isOperation(a) || !after.isOperation(b)) continue;
        ++compared;
        const layout::Point old = before.centre(a), now = after.centre(b);
        // Half a width is rounded where the texts differ.
        EXPECT_TRUE(std::abs(old.x - now.x) < 1e-9 && old.y == now.y)
            << GetParam() << ", module " << series.first + i << ": "
            << after.graph.program->node(b).name;
      }
    }
  }
  EXPECT_GT(compared, 0u);
}

TEST_P(GraphSeriesOfSamples, EveryOperationIsDrawnOnceAndApart) {
  std::size_t modules = 0;
  for (const GraphSeries& series : series_)
    for (const Drawn& module : drawn(series)) {
      ++modules;
      std::set<layout::BoxId> seen;
      for (const fx::Node& node : module.graph.program->nodes) {
        if (!module.isOperation(node.id)) continue;
        const layout::BoxId box = module.part.view.boxOf[node.id.index()];
        ASSERT_TRUE(box.valid()) << node.name;
        EXPECT_TRUE(seen.insert(box).second) << node.name;
      }
      const std::vector<layout::Rect>& boxes = module.part.layout.boxes;
      for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          ASSERT_FALSE(boxes[a].overlaps(boxes[b])) << GetParam() << ": " << a << ", " << b;
    }
  EXPECT_EQ(modules, trace_->passes().snapshots.size());
}

TEST_P(GraphSeriesOfSamples, AModuleFillsItsGraph) {
  for (const GraphSeries& series : series_)
    for (const Drawn& module : drawn(series)) {
      const fx::Program& own = *module.graph.program;
      layout::ViewOptions options;
      options.everything = true;
      const layout::GraphView view = layout::graphView(own, layout::groupTree(own), options);
      test::InProcessLayout runner;
      const auto alone = layout::layoutGraph(view, {}, runner, {});
      ASSERT_TRUE(alone) << alone.error().message;
      EXPECT_LE(module.part.layout.bounds.height, 2 * alone->bounds.height)
          << GetParam() << ", series from " << series.first;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, GraphSeriesOfSamples,
                         testing::Values("masked_attention", "residual_block", "tanh_gelu",
                                         "transformer_block"),
                         [](const auto& sample) { return std::string(sample.param); });

}  // namespace
}  // namespace fxs::trace
