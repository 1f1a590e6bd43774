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
  /// An empty program with a main graph. Every node that is added is spent from the context's budget.
  explicit Builder(RunContext context = {});

  /// Memory for so many more nodes, which a caller expects to add to a graph.
  void reserve(GraphId, std::size_t nodes);
  GraphId main() const { return GraphId::of(0); }
  /// A new subgraph, held by a new get_attr node `name` at the end of `parent`.
  GraphId addSubgraph(GraphId parent, std::string name, NodeId* getAttr = nullptr);
  /// The subgraph of a get_attr node that has none yet; named after its target.
  GraphId addSubgraphOf(NodeId getAttr);
  /// Appends to a graph; the name is made unique with _1, _2 .. when it is taken. `origin` stays invalid: set to the node's own id at
  /// finish().
  NodeId add(GraphId, NodeOp, std::string name, std::string target, std::vector<NodeArgument> args, Value val);
  NodeId placeholder(GraphId, std::string name, Value val);
  NodeId call(GraphId, std::string name, std::string target, std::vector<NodeArgument> args, Value val);
  NodeId getitem(GraphId, std::string name, NodeId of, std::size_t index, Value val);
  NodeId output(GraphId, ArgumentList values);

  const RunContext& context() const { return context_; }
  Node& node(NodeId id) { return program_.nodes[id.index()]; }
  Graph& graph(GraphId id) { return program_.graphs[id.index()]; }
  Program& program() { return program_; }
  StringId intern(std::string_view text);
  std::string uniqueName(GraphId, std::string_view wanted) const;

  /// Reorders the flat list (main first, subgraphs depth first) so that NodeId is the position, verifies, and gives it away.
  /// Nodes that no graph lists any more and subgraphs whose get_attr is gone are left out; graph ids follow the same order.
  Result<ProgramPtr> finish() &&;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Names = std::pmr::unordered_map<std::pmr::string, NodeId, Hash, std::equal_to<>>;

  RunContext context_;
  Program program_;
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;                   // of the tables: they only grow
  std::pmr::unordered_multimap<std::size_t, StringId> interned_;                  // by the hash of the text, which the program holds
  std::vector<Names> names_;                                                      // per graph
  mutable std::vector<std::unordered_map<std::string, std::uint32_t>> suffixes_;  // per graph: the last _N given to a name
};

}  // namespace fxs::fx
