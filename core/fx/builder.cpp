// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/builder.h"

#include <functional>
#include <utility>

#include "fx/cost.h"

namespace fxs::fx {
namespace {

/// Old graph ids in the order of the finished program: main, then depth first by the position of
/// the get_attr nodes.
std::vector<GraphId> graphOrder(const Program& program) {
  std::vector<GraphId> order;
  std::vector<bool> seen(program.graphs.size(), false);
  std::vector<GraphId> stack{GraphId::of(0)};
  while (!stack.empty()) {
    GraphId id = stack.back();
    stack.pop_back();
    if (seen[id.index()]) continue;
    seen[id.index()] = true;
    order.push_back(id);
    const std::vector<NodeId>& nodes = program.graph(id).nodes;
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
      GraphId held = program.node(*it).subgraph;
      if (held.valid()) stack.push_back(held);
    }
  }
  return order;
}

/// The ids in a finished program of the nodes and graphs that it keeps.
struct Numbering {
  std::vector<GraphId> order;   // old ids
  std::vector<GraphId> graphs;  // by old id
  std::vector<NodeId> nodes;    // by old id; invalid for nodes that no graph lists
  std::size_t count = 0;        // of nodes that are kept
};

Numbering numberingOf(const Program& program) {
  Numbering out;
  out.order = graphOrder(program);
  out.graphs.resize(program.graphs.size());
  out.nodes.resize(program.nodes.size());
  for (std::size_t g = 0; g < out.order.size(); ++g) {
    out.graphs[out.order[g].index()] = GraphId::of(g);
    for (NodeId id : program.graph(out.order[g]).nodes)
      out.nodes[id.index()] = NodeId::of(out.count++);
  }
  return out;
}

/// A program that was built in order, as most are, keeps its nodes and arguments.
bool keepsOrder(const Numbering& numbers) {
  if (numbers.count != numbers.nodes.size()) return false;
  for (std::size_t i = 0; i < numbers.count; ++i)
    if (numbers.nodes[i] != NodeId::of(i)) return false;
  return true;
}

/// InvalidInput if the node takes one that is not kept.
Result<> checkArguments(const Program& program, const Numbering& numbers, const Node& user) {
  std::string lost;
  for (const NodeArgument& a : user.args)
    forEachNode(a.value, [&](NodeId id) {
      const bool exists = id.valid() && id.index() < numbers.nodes.size();
      if (!lost.empty() || (exists && numbers.nodes[id.index()].valid())) return;
      lost = exists ? "'" + program.node(id).name + "'" : "a node";
    });
  if (lost.empty()) return {};
  return fail(ErrorCode::InvalidInput,
              "node '" + user.name + "' uses " + lost + ", which is in no graph of the program");
}

Argument renumbered(const Argument& argument, const Numbering& numbers) {
  return mapNodes(argument, [&](NodeId id) -> Argument { return numbers.nodes[id.index()]; });
}

std::vector<Node> inNewOrder(std::vector<Node> old, const Numbering& numbers) {
  std::vector<Node> out(numbers.count);
  for (std::size_t i = 0; i < numbers.nodes.size(); ++i)
    if (numbers.nodes[i].valid()) out[numbers.nodes[i].index()] = std::move(old[i]);
  return out;
}

}  // namespace

Builder::Builder(RunContext context)
    : context_(std::move(context)),
      memory_(std::make_unique<std::pmr::monotonic_buffer_resource>()),
      interned_(memory_.get()) {
  program_.graphs.push_back({GraphId::of(0), "main", {}, {}, false});
  names_.emplace_back(memory_.get());
  suffixes_.emplace_back();
}

void Builder::reserve(GraphId graph, std::size_t nodes) {
  program_.nodes.reserve(program_.nodes.size() + nodes);
  std::vector<NodeId>& own = program_.graphs[graph.index()].nodes;
  own.reserve(own.size() + nodes);
  auto& names = names_[graph.index()];
  names.reserve(names.size() + nodes);
}

GraphId Builder::addSubgraph(GraphId parent, std::string name, NodeId* getAttr) {
  NodeId holder = add(parent, NodeOp::GetAttr, std::move(name), "", {}, Unknown{});
  node(holder).target = node(holder).name;
  if (getAttr) *getAttr = holder;
  return addSubgraphOf(holder);
}

GraphId Builder::addSubgraphOf(NodeId getAttr) {
  GraphId id = GraphId::of(program_.graphs.size());
  node(getAttr).subgraph = id;
  program_.graphs.push_back({id, node(getAttr).target, {}, getAttr, false});
  names_.emplace_back(memory_.get());
  suffixes_.emplace_back();
  return id;
}

std::string Builder::uniqueName(GraphId graph, std::string wanted) const {
  const Names& taken = names_[graph.index()];
  if (!taken.contains(std::string_view(wanted))) return wanted;
  std::uint32_t& suffix = suffixes_[graph.index()][wanted];
  std::string candidate;
  do candidate = wanted + "_" + std::to_string(++suffix);
  while (taken.contains(std::string_view(candidate)));
  --suffix;  // the suffix counts as used only when a node takes the name
  return candidate;
}

NodeId Builder::add(GraphId graph, NodeOp op, std::string name, std::string target,
                    std::vector<NodeArgument> args, Value val) {
  NodeId id = NodeId::of(program_.nodes.size());
  Node node;
  node.id = id;
  node.op = op;
  node.graph = graph;
  node.name = uniqueName(graph, std::move(name));
  node.target = std::move(target);
  node.args = std::move(args);
  node.val = std::move(val);
  spendNode(program_, node, context_);
  names_[graph.index()].emplace(std::string_view(node.name), id);
  program_.graphs[graph.index()].nodes.push_back(id);
  program_.nodes.push_back(std::move(node));
  return id;
}

NodeId Builder::placeholder(GraphId graph, std::string name, Value val) {
  NodeId id = add(graph, NodeOp::Placeholder, std::move(name), "", {}, std::move(val));
  node(id).target = node(id).name;
  return id;
}

NodeId Builder::call(GraphId graph, std::string name, std::string target,
                     std::vector<NodeArgument> args, Value val) {
  return add(graph, NodeOp::CallFunction, std::move(name), std::move(target), std::move(args),
             std::move(val));
}

NodeId Builder::getitem(GraphId graph, std::string name, NodeId of, std::size_t index, Value val) {
  std::vector<NodeArgument> args;
  args.push_back({"a", of, false});
  args.push_back({"b", static_cast<std::int64_t>(index), false});
  return call(graph, std::move(name), std::string(kGetitem), std::move(args), std::move(val));
}

NodeId Builder::output(GraphId graph, ArgumentList values) {
  std::vector<NodeArgument> args;
  args.push_back({"", std::move(values), false});
  return add(graph, NodeOp::Output, "output", "output", std::move(args), NoneValue{});
}

StringId Builder::intern(std::string_view text) {
  const std::size_t hash = std::hash<std::string_view>()(text);
  const auto [first, last] = interned_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (program_.text(it->second) == text) return it->second;
  const StringId id = StringId::of(program_.strings.size());
  program_.strings.emplace_back(text);
  interned_.emplace(hash, id);
  return id;
}

Result<ProgramPtr> Builder::finish() && {
  Program& old = program_;
  const Numbering numbers = numberingOf(old);
  const bool inOrder = keepsOrder(numbers);
  std::vector<Graph> graphs;
  graphs.reserve(numbers.order.size());
  for (const GraphId id : numbers.order) {
    Graph& graph = old.graphs[id.index()];
    graph.id = numbers.graphs[id.index()];
    if (graph.parent.valid()) graph.parent = numbers.nodes[graph.parent.index()];
    for (NodeId& nodeId : graph.nodes) {
      Node& node = old.nodes[nodeId.index()];
      FXS_CHECK(checkArguments(old, numbers, node));
      if (!inOrder)
        for (NodeArgument& a : node.args) a.value = renumbered(a.value, numbers);
      nodeId = node.id = numbers.nodes[nodeId.index()];
      node.graph = graph.id;
      if (node.subgraph.valid()) node.subgraph = numbers.graphs[node.subgraph.index()];
      if (!node.origin.valid() && !old.original) node.origin = node.id;
    }
    graphs.push_back(std::move(graph));
  }
  for (InputSpec& spec : old.inputs)
    if (spec.node.valid()) spec.node = numbers.nodes[spec.node.index()];
  for (OutputSpec& spec : old.outputs) spec.value = renumbered(spec.value, numbers);
  if (!inOrder) old.nodes = inNewOrder(std::move(old.nodes), numbers);
  old.graphs = std::move(graphs);

  FXS_CHECK(verify(old));
  return std::make_shared<const Program>(std::move(program_));
}

}  // namespace fxs::fx
