// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a frame of the graph takes while it is moved and zoomed, everything expanded, drawn into
// an image without a GPU; and how long a step from pass to pass takes. usage: graph_bench
// LAYOUT_WORKER FILE.. Steps are measured for files that lower with the engine of $FXSCOPE_ENGINE.
#include <QApplication>
#include <QImage>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/peak_memory.h"
#include "features/graph/graph_canvas.h"
#include "layout/part.h"
#include "read/read.h"
#include "session/session.h"
#include "trace/graph_series.h"

namespace {

using namespace fxs;
using Clock = std::chrono::steady_clock;

constexpr double kFrame = 1000.0 / 60, kStep = 150;  // wanted, milliseconds
constexpr int kFrames = 120;
constexpr QSize kSize(1600, 1000);

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

/// Prints median and worst, in milliseconds.
void print(const char* name, std::vector<double> times, double wanted) {
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  std::printf("  %-34s median %7.2f ms, worst %7.2f ms (wanted <= %.1f)\n", name,
              times[times.size() / 2], times.back(), wanted);
}

layout::ViewOptions everything() {
  layout::ViewOptions options;
  options.everything = true;
  return options;
}

struct Drawn {
  std::shared_ptr<const layout::GroupTree> tree;
  std::shared_ptr<const layout::GraphView> view;
  std::shared_ptr<const layout::GraphLayout> layout;
};

Result<Drawn> drawn(const fx::Program& program, const layout::LayoutWorker& worker,
                    CommandRunner& runner) {
  Drawn out;
  out.tree = std::make_shared<const layout::GroupTree>(layout::groupTree(program));
  out.view = std::make_shared<const layout::GraphView>(
      layout::graphView(program, *out.tree, everything()));
  FXS_TRY(layout::GraphLayout placed, layout::layoutGraph(*out.view, worker, runner, {}));
  out.layout = std::make_shared<const layout::GraphLayout>(std::move(placed));
  return out;
}

class Frames {
 public:
  explicit Frames(ui::GraphPicture picture)
      : canvas_(nullptr), image_(kSize, QImage::Format_ARGB32_Premultiplied) {
    canvas_.resize(kSize);
    canvas_.setPicture(std::move(picture), {});
    canvas_.fit();
    paint();
  }
  /// Milliseconds of each frame while the view goes over the whole graph, from its top left to its
  /// bottom right.
  std::vector<double> move(double zoom) {
    canvas_.fit();
    canvas_.zoomBy(zoom / canvas_.zoom());
    const QRectF bounds = canvas_.scene().bounds();
    std::vector<double> out;
    for (int i = 0; i < kFrames; ++i) {
      const double part = static_cast<double>(i) / (kFrames - 1);
      const QPointF at = bounds.topLeft() + QPointF(bounds.width() * part, bounds.height() * part);
      canvas_.reveal(QRectF(at - QPointF(1, 1), QSizeF(2, 2)));
      out.push_back(paint());
    }
    return out;
  }
  /// .. while the view is zoomed from the whole graph to its middle at 200 %.
  std::vector<double> zoom() {
    canvas_.fit();
    std::vector<double> out;
    const double factor = std::pow(2 / canvas_.zoom(), 1.0 / kFrames);
    for (int i = 0; i < kFrames; ++i) {
      canvas_.zoomBy(factor);
      out.push_back(paint());
    }
    return out;
  }

 private:
  double paint() {
    const auto begin = Clock::now();
    canvas_.render(&image_);
    return since(begin);
  }
  ui::GraphCanvas canvas_;
  QImage image_;
};

/// Reads, draws and paints module after module of the passes, each as a part of its series, whose
/// layout exists.
Result<> steps(const std::string& path, const layout::LayoutWorker& worker,
               PosixCommandRunner& runner) {
  const char* engine = std::getenv("FXSCOPE_ENGINE");
  if (engine == nullptr) return {};
  session::Request request;
  request.file = path;
  request.lower.target = lower::OutputTypes::builtin().backends().front();
  session::Environment environment;
  environment.enginePath = engine;
  environment.runner = &runner;
  environment.temporaryDir = "/tmp";
  FXS_TRY(
      const session::SnapshotPtr snapshot,
      session::advance(session::start(std::move(request)), session::Phase::Trace, environment, {}));
  const trace::TracePtr trace = snapshot->trace;
  const fx::Program& user = *snapshot->capture->program;
  auto begin = Clock::now();
  FXS_TRY(
      const std::vector<trace::GraphSeries> all,
      trace::graphSeries(
          trace->passes().snapshots.size(), [&](std::size_t i) { return trace->open(i); }, user));
  std::printf("  %zu modules in %zu series: %.0f ms\n", trace->passes().snapshots.size(),
              all.size(), since(begin));
  std::vector<double> times;
  std::size_t most = 0;
  for (const trace::GraphSeries& series : all) {
    begin = Clock::now();
    FXS_TRY(const Drawn full, drawn(*series.program, worker, runner));
    std::printf("  layout of %zu boxes: %.0f ms\n", full.view->boxes.size(), since(begin));
    for (std::size_t i = 0; i < series.positionOf.size(); ++i) {
      begin = Clock::now();
      FXS_TRY(const auto text, trace->open(series.first + i));
      const trace::OpGraph graph = trace::opGraph(*text, user);
      auto tree = std::make_shared<const layout::GroupTree>(
          layout::partTree(*full.tree, *graph.program, series.positionOf[i]));
      layout::Part part = layout::partOf({*full.tree, *full.view, *full.layout}, *graph.program,
                                         *tree, everything(), series.positionOf[i]);
      most = std::max(most, part.view.boxes.size());
      Frames({graph.program, std::move(tree),
              std::make_shared<const layout::GraphView>(std::move(part.view)),
              std::make_shared<const layout::GraphLayout>(std::move(part.layout))});
      times.push_back(since(begin));
    }
  }
  std::printf("  modules of up to %zu boxes\n", most);
  print("a step from pass to pass", std::move(times), kStep);
  return {};
}

Result<> measure(const std::string& path, const layout::LayoutWorker& worker,
                 PosixCommandRunner& runner) {
  FXS_TRY(const auto capture, read::openCapture(path, {}, {}));
  const auto begin = Clock::now();
  FXS_TRY(Drawn graph, drawn(*capture.program, worker, runner));
  std::printf("%s: %zu nodes, %zu boxes, layout %.0f ms\n", path.c_str(),
              capture.program->nodes.size(), graph.view->boxes.size(), since(begin));
  Frames frames({capture.program, graph.tree, graph.view, graph.layout});
  for (const double zoom : {0.05, 0.2, 0.5, 1.0})
    print(("moved at " + std::to_string(zoom).substr(0, 4)).c_str(), frames.move(zoom), kFrame);
  print("zoomed from all to 2.00", frames.zoom(), kFrame);
  std::printf("  peak memory %.0f MB\n", static_cast<double>(peakMemory()) / 1e6);
  return steps(path, worker, runner);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  if (argc < 3) {
    std::fprintf(stderr, "usage: graph_bench LAYOUT_WORKER FILE..\n");
    return 2;
  }
  layout::LayoutWorker worker;
  worker.path = argv[1];
  worker.timeout = std::chrono::minutes(5);
  PosixCommandRunner runner;
  int status = 0;
  for (int i = 2; i < argc; ++i)
    if (const auto measured = measure(argv[i], worker, runner); !measured) {
      std::printf("%s: %s\n", argv[i], measured.error().message.c_str());
      status = 1;
    }
  return status;
}
