// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes programs as .pt2 files, for PyTorch to open: write_programs IN.pt2 DIRECTORY STEP writes
// the program as it was read with its weights, as it is rewritten for lowering, and every STEP-th
// call of that cut out by itself, both without weights. Prints a line each: the file's name, "same"
// when reading it back gives the program that was written, else "differs", and why.
#include <cstdlib>
#include <iostream>

#include "fx/cut.h"
#include "fx/text.h"
#include "read/read.h"
#include "rewrite/rewrite.h"
#include "write/pt2.h"

using namespace fxs;

namespace {

constexpr std::uint64_t kWeightBytes = std::uint64_t{1} << 30;

bool store(const fx::Program& program, const write::Pt2Options& options,
           const std::string& directory, const std::string& name) {
  const auto bytes = write::pt2Bytes(program, options, {});
  if (!bytes) {
    std::cout << name << "\trefused\t" << bytes.error().message << '\n';
    return bytes.error().code == ErrorCode::Unsupported;
  }
  const auto again = read::readCapture(memorySource(*bytes), name, {}, {});
  const bool same = again && fx::dump(*again->program) == fx::dump(program);
  std::cout << name << '\t' << (same ? "same" : "differs") << '\t'
            << (again ? "" : again.error().message) << '\n';
  if (!same && std::getenv("WRITE_PROGRAMS_SHOW") != nullptr)
    std::cout << fx::dump(program) << "---\n" << (again ? fx::dump(*again->program) : "");
  return writeWholeFile(directory + "/" + name, *bytes).has_value();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string directory = argv[2];
  const auto step = static_cast<std::size_t>(std::max(1, std::atoi(argv[3])));
  const auto capture = read::openCapture(argv[1], {}, {});
  if (!capture) {
    std::cerr << capture.error().message << '\n';
    return 3;
  }
  write::Pt2Options withWeights, without;
  if (capture->weightBytes <= kWeightBytes)
    withWeights.withBytes = [](const fx::Weight& weight) { return weight.readable; };
  withWeights.bytes = [&](const fx::Weight& weight) {
    return capture->weights->read(weight, kWeightBytes);
  };
  const auto rewritten = rewrite::rewrite(capture->program, {}, {});
  if (!rewritten) {
    std::cerr << rewritten.error().message << '\n';
    return 3;
  }
  bool ok = store(*capture->program, withWeights, directory, "whole.pt2") &&
            store(*(*rewritten)->program, without, directory, "rewritten.pt2");
  const fx::ProgramPtr program = (*rewritten)->program;
  std::size_t calls = 0;
  for (const fx::NodeId id : program->main().nodes) {
    const fx::Node& node = program->node(id);
    if (node.op != fx::NodeOp::CallFunction || node.target == "_operator.getitem" ||
        calls++ % step != 0)
      continue;
    const auto cut = fx::cutNodes(program, {id});
    if (!cut) continue;
    ok = store(**cut, without, directory, "cut-" + std::to_string(id.index()) + ".pt2") && ok;
  }
  return ok ? 0 : 1;
}
