// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Builds a Program step by step, for readers, rewrites and tests. A finished program is immutable.
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/run_context.h"
#include "fx/program.h"

namespace fxs::fx {

class Builder {
 public:
  /// Starts a program with an empty main graph. Added nodes are spent from the context's budget.
  explicit Builder(RunContext context = {});

  /// Reserves memory for `nodes` more nodes in a graph.
  void reserve(GraphId, std::size_t nodes);
  GraphId main() const { return GraphId::of(0); }
  /// Adds a subgraph and a get_attr node `name` for it at the end of `parent`; `getAttr` receives
  /// that node.
  GraphId addSubgraph(GraphId parent, std::string name, NodeId* getAttr = nullptr);
  /// Adds a subgraph to a get_attr node without one, named after the node's target.
  GraphId addSubgraphOf(NodeId getAttr);
  /// Appends a node to a graph; a name that is taken gets a suffix _1, _2 .. An origin that stays
  /// invalid becomes the node's own id in finish().
  NodeId add(GraphId, NodeOp, std::string name, std::string target, std::vector<NodeArgument> args,
             Value val);
  NodeId placeholder(GraphId, std::string name, Value val);
  NodeId call(GraphId, std::string name, std::string target, std::vector<NodeArgument> args,
              Value val);
  NodeId getitem(GraphId, std::string name, NodeId of, std::size_t index, Value val);
  NodeId output(GraphId, ArgumentList values);

  const RunContext& context() const { return context_; }
  Node& node(NodeId id) { return program_.nodes[id.index()]; }
  Graph& graph(GraphId id) { return program_.graphs[id.index()]; }
  Program& program() { return program_; }
  StringId intern(std::string_view text);
  std::string uniqueName(GraphId, std::string wanted) const;

  /// Numbers nodes and graphs (main first, subgraphs depth first), verifies the program and returns
  /// it. Drops nodes that no graph lists any more and subgraphs whose get_attr node was removed.
  /// InvalidInput if a removed node is still used, or verify() fails.
  Result<ProgramPtr> finish() &&;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using Names = std::pmr::unordered_map<std::pmr::string, NodeId, Hash, std::equal_to<>>;

  RunContext context_;
  Program program_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;  // for the tables, which only grow
  std::pmr::unordered_multimap<std::size_t, StringId>
      interned_;              // by hash of the text, which is in Program::strings
  std::vector<Names> names_;  // per graph
  mutable std::vector<std::unordered_map<std::string, std::uint32_t>>
      suffixes_;  // per graph: the last _N given to a name
};

}  // namespace fxs::fx
