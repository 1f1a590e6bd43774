#pragma once
// The nodes of captured graphs in JSON -> nodes of a program. Graph 0 is main; a get_attr with a "graph" member holds another one.
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/builder.h"
#include "read/fx_json/argument.h"

namespace fxs::read::fx_json {

/// The string of a node's metadata as the program keeps it: text as it is, anything else as compact JSON.
std::string metaText(const Json&);
/// A name that is not empty and not absurdly long.
Result<std::string_view> nameOf(const Json& object, std::string_view member);

Result<fx::NodeOp> opOf(const Json& node);
/// Everything of "meta": val and tensor_meta as values, the rest as text.
Result<> readMeta(const Json& node, fx::Builder&, fx::NodeId);
/// Any node but one that holds a graph: appended to its graph, and its name defined.
Result<> readPlainNode(const Json& node, fx::NodeOp, fx::Builder&, fx::GraphId into, Names&);

class GraphsReader {
 public:
  GraphsReader(fx::Builder& builder, const RunContext& context) : builder_(builder), context_(context) {}

  /// Every graph of the list that main reaches. One that nothing holds, or that two nodes hold, is an error.
  Result<> read(const Json& graphs);
  const Names& mainNames() const { return main_; }

 private:
  Result<> readGraph(const Json& graph, fx::GraphId into, Names& names, int depth);
  Result<> readNode(const Json& node, fx::GraphId into, Names& names, int depth);

  fx::Builder& builder_;
  const RunContext& context_;
  std::vector<Json> graphs_;
  std::vector<bool> held_;
  std::size_t done_ = 0;
  Names main_;
};

}  // namespace fxs::read::fx_json
