// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads the Device IR of a Helion kernel ("helion-device-ir/1", written by fxscope_capture.py) as
// one program: the first root graph is main, all others are subgraphs. Helion's loops and branches
// refer to graphs by number; here the call takes a get_attr node for the subgraph, as torch.fx's
// higher-order ops do. Graphs that no node refers to get a get_attr node at the start of main.
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/builder.h"
#include "read/fx_json/argument.h"

namespace fxs::read::helion {

class DeviceIrReader {
 public:
  DeviceIrReader(fx::Builder& builder, std::vector<std::string>& notes, const RunContext& context)
      : builder_(builder), notes_(notes), context_(context) {}

  Result<> read(const Json& top);
  /// After read(): the name of each graph of the file in the program, by its number; "main" for the
  /// root graph.
  const std::vector<std::string>& graphNames() const { return graphNames_; }

 private:
  struct GraphJson {
    Json graph;
    bool held = false;
    bool named = false;  ///< whether a node refers to it
  };
  Result<> readGraph(std::size_t index, fx::GraphId into, int depth);
  Result<> readNode(const Json& node, fx::GraphId into, fx_json::Names& names, int depth);
  Result<> hold(std::size_t index, fx::GraphId into, const fx_json::Names& names, int depth,
                fx::NodeId* holder);
  Result<> holdTheRest(const fx_json::Names& names, int depth);
  Result<> findNamed();

  fx::Builder& builder_;
  std::vector<std::string>& notes_;
  const RunContext& context_;
  std::vector<GraphJson> graphs_;
  std::vector<std::string> graphNames_;
  std::size_t main_ = 0;
  bool restHeld_ = false;
};

/// Positions of the arguments that are graph numbers: {0} for _for_loop, {1, 2} for _if ..
std::vector<std::size_t> graphArguments(std::string_view target);

/// Reads block sizes and named sizes as range constraints and notes.
Result<> readSizes(const Json& top, fx::Builder&, std::vector<std::string>& notes);

}  // namespace fxs::read::helion
