// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decodes the graphs of a capture in JSON. Graph 0 is main; a get_attr with a "graph" member refers
// to a subgraph.
#include <string_view>
#include <vector>

#include "base/run_context.h"
#include "fx/builder.h"
#include "read/fx_json/argument.h"

namespace fxs::read::fx_json {

/// A metadata value as text: strings unchanged, anything else as compact JSON.
std::string metaText(const Json&);
/// A member that is a nonempty string of bounded length; else InvalidInput.
Result<std::string_view> nameOf(const Json& object, std::string_view member);

Result<fx::NodeOp> opOf(const Json& node);
/// Reads "meta" into a node: val and tensor_meta as values, the rest as text.
Result<> readMeta(const Json& node, fx::Builder&, fx::NodeId);
/// Appends a node without a subgraph and defines its name.
Result<> readPlainNode(const Json& node, fx::NodeOp, fx::Builder&, fx::GraphId into, Names&);

class GraphsReader {
 public:
  GraphsReader(fx::Builder& builder, const RunContext& context)
      : builder_(builder), context_(context) {}

  /// Reads all graphs. InvalidInput if a subgraph is referred to by no node or by two.
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
