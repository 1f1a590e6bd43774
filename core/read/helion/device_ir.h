#pragma once
// The graphs of a Helion kernel's Device IR ("helion-device-ir/1", written by fxscope_capture.py) as one program: the first root
// graph is main, every other graph is a subgraph. Helion's loops and branches name graphs by number; here a get_attr node before
// the call holds the graph, and the call takes that node, as torch.fx's own higher-order ops do. A graph that no node names is held
// at the start of main.
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

 private:
  struct GraphJson {
    Json graph;
    bool held = false;
    bool named = false;  ///< some node names it
  };
  Result<> readGraph(std::size_t index, fx::GraphId into, int depth);
  Result<> readNode(const Json& node, fx::GraphId into, fx_json::Names& names, int depth);
  Result<> hold(std::size_t index, fx::GraphId into, const fx_json::Names& names, int depth, fx::NodeId* holder);
  Result<> holdTheRest(const fx_json::Names& names, int depth);
  Result<> findNamed();

  fx::Builder& builder_;
  std::vector<std::string>& notes_;
  const RunContext& context_;
  std::vector<GraphJson> graphs_;
  std::size_t main_ = 0;
  bool restHeld_ = false;
};

/// Which of a call's positional arguments are numbers of graphs: {0} of _for_loop, {1, 2} of _if ..
std::vector<std::size_t> graphArguments(std::string_view target);

/// Block sizes and named sizes: range constraints and notes.
Result<> readSizes(const Json& top, fx::Builder&, std::vector<std::string>& notes);

}  // namespace fxs::read::helion
