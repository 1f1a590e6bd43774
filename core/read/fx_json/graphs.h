#pragma once
// The nodes of captured graphs in JSON -> nodes of a program. Graph 0 is main; a get_attr with a "graph" member holds another one.
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/builder.h"
#include "read/fx_json/argument.h"

namespace fxs::read::fx_json {

/// One graph's JSON, and where its nodes go. The names stay for the signature.
struct GraphScope {
  fx::GraphId graph;
  Names names;
};

/// The string of a node's metadata as the program keeps it: text as it is, anything else as compact JSON.
std::string metaText(const Json&);
/// A name that is not empty and not absurdly long.
Result<std::string_view> nameOf(const Json& object, std::string_view member);

class GraphsReader {
 public:
  GraphsReader(fx::Builder& builder, const RunContext& context) : builder_(builder), context_(context) {}

  /// Every graph of the list that main reaches. One that nothing holds, or that two nodes hold, is an error.
  Result<> read(const Json& graphs);
  const Names& mainNames() const { return main_; }

 private:
  Result<> readGraph(const Json& graph, fx::GraphId into, Names& names, int depth);
  Result<> readNode(const Json& node, fx::GraphId into, Names& names, int depth);
  Result<> readOutput(const Json& node, fx::GraphId into, const Names& names);
  Result<> readMeta(const Json& node, fx::NodeId id);

  fx::Builder& builder_;
  const RunContext& context_;
  std::vector<Json> graphs_;
  std::vector<bool> held_;
  std::size_t done_ = 0;
  Names main_;
};

}  // namespace fxs::read::fx_json
