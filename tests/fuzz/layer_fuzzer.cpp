// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of layers: any bytes are read or refused, and what is read can be placed and coloured.
#include "fuzz_input.h"
#include "layer/layer.h"

using namespace fxs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto layers = layer::parse(fuzz::textOf(data, size), "fuzz");
  if (!layers) {
    fuzz::require(layers.error().message.starts_with("fuzz: "), "an error names the file");
    return 0;
  }
  fx::Program program;
  program.graphs.emplace_back().id = fx::GraphId::of(0);
  for (std::size_t i = 0; i < 3; ++i) {
    fx::Node& node = program.nodes.emplace_back();
    node.id = fx::NodeId::of(i);
    node.graph = fx::GraphId::of(0);
    node.op = fx::NodeOp::CallFunction;
    node.name = std::string(1, static_cast<char>('a' + i));
    node.target = "aten.relu.default";
  }
  for (const layer::Layer& each : *layers) {
    const layer::PlacedLayer placed = layer::placed(each, program);
    const layer::Levels levels = layer::levelsOf(each, placed);
    for (std::size_t i = 0; i < levels.levels.size(); ++i) {
      if (!levels.levels[i]) continue;
      fuzz::require(placed.entries[i] != nullptr, "what has a colour has a value");
      fuzz::require(*levels.levels[i] < levels.legend.size(), "the legend has every colour");
    }
  }
  return 0;
}
