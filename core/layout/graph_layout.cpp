#include "layout/graph_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "layout/label_places.h"
#include "layout/layout_problem.h"

namespace fxs::layout {
namespace {

constexpr std::uint64_t kMostOutput = std::uint64_t{512} << 20;

LayoutProblem problemOf(const GraphView& view) {
  LayoutProblem problem;
  for (const Frame& frame : view.frames) problem.frames.push_back({frame.parent, frame.captionWidth});
  for (const Box& box : view.boxes) problem.boxes.push_back({box.frame, box.width, box.height, 0, 0, 0});
  std::vector<double> left(view.boxes.size(), -kStubSpacing), right = left;
  for (const Stub& stub : view.stubs) {
    LayoutProblem::Box& box = problem.boxes[stub.at.index()];
    double& room = stub.outgoing ? box.right : box.left;
    room = std::max(room, stub.width + kStubGap);
    double& tall = (stub.outgoing ? right : left)[stub.at.index()];
    tall += stub.height + kStubSpacing;
    box.tall = std::max(box.tall, tall);
  }
  for (const Edge& edge : view.edges) problem.links.push_back({edge.from.index(), edge.to.index(), true});
  for (const auto& [above, below] : view.order) problem.links.push_back({above.index(), below.index(), false});
  return problem;
}

/// The last line of a program's output, for an error message.
std::string lastLine(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t line = text.rfind('\n');
  if (line != std::string_view::npos) text.remove_prefix(line + 1);
  return std::string(text.substr(0, 300));
}

Error failed(const LayoutWorker& worker, const Exit& exit, std::size_t boxes) {
  const std::string what = fmt::format("the layout worker {} could not place {} boxes", worker.path, boxes);
  switch (exit.reason) {
    case ExitReason::TimedOut:
      return {ErrorCode::Timeout, fmt::format("{} in {} s; collapse some groups", what, worker.timeout.count() / 1000), {}};
    case ExitReason::Signalled:
      return {ErrorCode::EngineFailed, fmt::format("{}: it was ended by signal {}; collapse some groups", what, exit.signal), {}};
    case ExitReason::ProcessLimit: return {ErrorCode::EngineFailed, fmt::format("{}: it started too many processes", what), {}};
    case ExitReason::OutputLimit:
      return {
          ErrorCode::EngineFailed, fmt::format("{}: its answer is larger than {} MiB; collapse some groups", what, kMostOutput >> 20), {}};
    case ExitReason::Exited: break;
  }
  const std::string words = lastLine(exit.err);
  return {
      ErrorCode::EngineFailed, fmt::format("{}: it exited with status {}{}{}", what, exit.status, words.empty() ? "" : ": ", words), {}};
}

}  // namespace

Result<GraphLayout> layoutGraph(const GraphView& view, const LayoutWorker& worker, CommandRunner& runner, const RunContext& context) {
  GraphLayout layout;
  if (view.boxes.empty()) return layout;
  const LayoutProblem problem = problemOf(view);
  Command command;
  command.argv = {worker.path};
  command.cage.emplace().reads = {worker.path};
  command.stdinText = requestText(problem);
  command.timeout = worker.timeout;
  command.memoryLimit = worker.memoryLimit;
  command.outputLimit = kMostOutput;
  context.report({fmt::format("laying out {} boxes", view.boxes.size()), -1});
  FXS_TRY(const Exit exit, runner.run(command, context.stop));
  if (!exit.ok()) return tl::unexpected(failed(worker, exit, view.boxes.size()));
  auto answer = parseAnswer(exit.out, problem);
  if (!answer)
    return fail(ErrorCode::EngineFailed,
                fmt::format("{} is not the layout worker of this version: {}", worker.path, answer.error().message));

  layout.bounds = {0, 0, answer->width, answer->height};
  layout.frames = std::move(answer->frames);
  for (std::size_t i = 0; i < view.boxes.size(); ++i)
    layout.boxes.push_back({answer->boxes[i].x, answer->boxes[i].y, view.boxes[i].width, view.boxes[i].height});
  for (std::size_t i = 0; i < view.edges.size(); ++i) layout.edges.push_back({i, std::move(answer->links[i]), {}});
  placeStubs(view, layout);
  placeLabels(view, layout);
  return layout;
}

}  // namespace fxs::layout
