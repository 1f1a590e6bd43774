// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long the graph's picture takes, file by file: module tree and view, the first picture,
// everything open; and what an open node costs. usage: layout_bench LAYOUT_WORKER FILE..
#include <chrono>
#include <cstdio>
#include <string>

#include "layout/graph_layout.h"
#include "read/read.h"

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fxs;
  if (argc < 3) {
    std::fprintf(stderr, "usage: layout_bench LAYOUT_WORKER FILE..\n");
    return 2;
  }
  layout::LayoutWorker worker;
  worker.path = argv[1];
  worker.timeout = std::chrono::minutes(5);
  PosixCommandRunner runner;
  int status = 0;
  std::printf("%-32s %7s %7s %9s %9s %9s %11s %7s\n", "file", "nodes", "groups", "view s",
              "first s", "open s", "us/box open", "stubs");
  for (int i = 2; i < argc; ++i) {
    const std::string path = argv[i], name = path.substr(path.rfind('/') + 1);
    const auto capture = read::openCapture(path, {}, {});
    if (!capture) {
      std::printf("%-32s %s\n", name.c_str(), capture.error().message.c_str());
      status = 1;
      continue;
    }
    const fx::Program& program = *capture->program;
    auto begin = Clock::now();
    const layout::GroupTree tree = layout::groupTree(program);
    layout::ViewOptions options;
    options.expanded = layout::initiallyExpanded(program, tree);
    const layout::GraphView first = layout::graphView(program, tree, options);
    const double viewTime = since(begin);
    const auto firstLayout = layout::layoutGraph(first, worker, runner, {});
    const double firstTime = since(begin);
    begin = Clock::now();
    options.everything = true;
    const layout::GraphView open = layout::graphView(program, tree, options);
    const auto openLayout = layout::layoutGraph(open, worker, runner, {});
    const double openTime = since(begin);
    for (const auto* layout : {&firstLayout, &openLayout})
      if (!*layout) {
        std::printf("%-32s %s\n", name.c_str(), layout->error().message.c_str());
        status = 1;
      }
    std::printf("%-32s %7zu %7zu %9.3f %9.3f %9.3f %11.0f %7zu\n", name.c_str(),
                program.nodes.size(), tree.groups.size(), viewTime, firstTime, openTime,
                openTime * 1e6 / static_cast<double>(std::max<std::size_t>(1, open.boxes.size())),
                open.stubs.size());
  }
  return status;
}
