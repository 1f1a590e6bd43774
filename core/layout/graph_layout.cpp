// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/graph_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/label_places.h"
#include "layout/layout_problem.h"

namespace fxs::layout {
namespace {

LayoutProblem problemOf(const GraphView& view) {
  LayoutProblem problem;
  for (const Frame& frame : view.frames)
    problem.frames.push_back({frame.parent, frame.captionWidth});
  for (const Box& box : view.boxes)
    problem.boxes.push_back({box.frame, box.width, box.height, 0, 0, 0});
  std::vector<double> left(view.boxes.size(), -kStubSpacing), right = left;
  for (const Stub& stub : view.stubs) {
    LayoutProblem::Box& box = problem.boxes[stub.at.index()];
    double& room = stub.outgoing ? box.right : box.left;
    room = std::max(room, stub.width + kStubGap);
    double& tall = (stub.outgoing ? right : left)[stub.at.index()];
    tall += stub.height + kStubSpacing;
    box.tall = std::max(box.tall, tall);
  }
  for (const Edge& edge : view.edges)
    problem.links.push_back({edge.from.index(), edge.to.index(), true});
  for (const auto& [above, below] : view.order)
    problem.links.push_back({above.index(), below.index(), false});
  return problem;
}

}  // namespace

Result<GraphLayout> layoutGraph(const GraphView& view, const LayoutWorker& worker,
                                CommandRunner& runner, const RunContext& context) {
  GraphLayout layout;
  if (view.boxes.empty()) return layout;
  const LayoutProblem problem = problemOf(view);
  context.report({fmt::format("laying out {} boxes", view.boxes.size()), -1});
  FXS_TRY(const std::string out,
          runWorker({{worker.path},
                     requestText(problem),
                     {},
                     worker.timeout,
                     worker.memoryLimit,
                     fmt::format("the layout worker {} could not place {} boxes", worker.path,
                                 view.boxes.size()),
                     "collapse some groups"},
                    runner, context.stop));
  auto answer = parseAnswer(out, problem);
  if (!answer)
    return fail(ErrorCode::EngineFailed,
                fmt::format("{} is not the layout worker of this version: {}", worker.path,
                            answer.error().message));

  layout.bounds = {0, 0, answer->width, answer->height};
  layout.frames = std::move(answer->frames);
  for (std::size_t i = 0; i < view.boxes.size(); ++i)
    layout.boxes.push_back(
        {answer->boxes[i].x, answer->boxes[i].y, view.boxes[i].width, view.boxes[i].height});
  for (std::size_t i = 0; i < view.edges.size(); ++i)
    layout.edges.push_back({i, std::move(answer->links[i]), {}});
  placeStubs(view, layout);
  placeLabels(view, layout);
  return layout;
}

}  // namespace fxs::layout
