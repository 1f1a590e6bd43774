// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast printed MLIR is read and compared: each file by itself, and each with the next. The
// count of its newlines is the measure of the machine. usage: mlir_bench FILE..
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "mlir/compare/diff.h"

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds of the fastest of several runs.
template <class Work>
double fastest(Work work) {
  double best = 1e9;
  for (int i = 0; i < 7; ++i) {
    const Clock::time_point begin = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

std::string contents(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fxs::mlir;
  if (argc < 2) {
    std::fprintf(stderr, "usage: mlir_bench FILE..\n");
    return 2;
  }
  std::printf("%-32s %8s %8s %10s %9s %10s %8s %8s %8s %8s\n", "file", "MB", "ops", "read MB/s",
              "newlines", "diff ms", "added", "removed", "changed", "moved");
  for (int i = 1; i < argc; ++i) {
    const std::string path = argv[i], text = contents(argv[i]);
    std::ptrdiff_t newlines = 0;
    const double counting =
        fastest([&] { newlines += std::count(text.begin(), text.end(), '\n'); });
    const double reading = fastest([&] { readModule(text); });
    const Module module = readModule(text);
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    std::printf("%-32s %8.2f %8zu %10.0f %8.1fx", path.substr(path.rfind('/') + 1).c_str(),
                megabytes, module.ops.size(), megabytes / reading,
                newlines > 0 ? reading / counting : 0);
    if (i + 1 < argc) {
      const std::string other = contents(argv[i + 1]);
      const Module next = readModule(other);
      Diff changes;
      const double comparing = fastest([&] { changes = diff(module, next); });
      std::printf(" %10.1f %8zu %8zu %8zu %8zu", comparing * 1e3, changes.added, changes.removed,
                  changes.changed, changes.moved);
    }
    std::printf("\n");
  }
  return 0;
}
