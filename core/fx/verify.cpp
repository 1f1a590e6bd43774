// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <unordered_set>

#include "fx/program.h"

namespace fxs::fx {
namespace {

Result<> wrong(std::string message) { return fail(ErrorCode::InvalidInput, std::move(message)); }

std::string called(const Program& program, const Node& node) {
  return "node '" + node.name + "' of graph '" + program.graph(node.graph).name + "'";
}

Result<> verifyArguments(const Program& program, const Node& node) {
  std::string problem;
  for (const NodeArgument& a : node.args)
    forEachNode(a.value, [&](NodeId used) {
      if (!problem.empty()) return;
      if (!used.valid() || used.index() >= program.nodes.size())
        problem = "uses a node that is not in the program";
      else if (program.node(used).graph != node.graph)
        problem = "uses '" + program.node(used).name + "' of graph '" +
                  program.graph(program.node(used).graph).name + "', which is out of scope";
      else if (used.index() >= node.id.index())
        problem = "uses '" + program.node(used).name + "' before it is defined";
    });
  return problem.empty() ? Result<>{} : wrong(called(program, node) + " " + problem);
}

Result<> verifySubgraph(const Program& program, const Node& node) {
  if (!node.subgraph.valid()) return {};
  if (node.op != NodeOp::GetAttr)
    return wrong(called(program, node) + " holds a subgraph but is not a get_attr");
  if (node.subgraph.index() >= program.graphs.size() ||
      program.graph(node.subgraph).parent != node.id)
    return wrong(called(program, node) + " holds a subgraph owned by another node");
  return {};
}

/// A graph has one output, the last of its nodes.
Result<> verifyOutputNode(const Program& program, const Graph& graph, const Node& node) {
  const bool isLast = node.id == graph.nodes.back();
  if (node.op != NodeOp::Output) {
    if (!isLast) return {};
    return wrong("graph '" + graph.name + "' has a last node '" + node.name +
                 "' that is not an output");
  }
  if (!isLast)
    return wrong("graph '" + graph.name + "' has an output '" + node.name +
                 "' before its last node");
  if (node.args.size() != 1 || !node.args[0].value.list())
    return wrong(called(program, node) + " must have one argument, the list of its values");
  return {};
}

bool hasOrigin(const Program& program, const Node& node) {
  if (!program.original) return node.origin == node.id;
  return node.origin.valid() && node.origin.index() < program.original->nodes.size();
}

/// Checks that the graph's nodes are at `position` and after in the flat list: placeholders first,
/// one output last, unique names.
Result<> verifyGraph(const Program& program, const Graph& graph, std::size_t position) {
  if (graph.nodes.empty()) return wrong("graph '" + graph.name + "' has no output");
  std::unordered_set<std::string_view> names;
  bool pastPlaceholders = false;
  for (NodeId id : graph.nodes) {
    if (id.index() != position++ || id.index() >= program.nodes.size() ||
        program.node(id).id != id || program.node(id).graph != graph.id)
      return wrong("graph '" + graph.name + "': its nodes are not in program order");
    const Node& node = program.node(id);
    if (node.name.empty())
      return wrong("graph '" + graph.name + "': node " + std::to_string(id.index()) +
                   " has no name");
    if (!names.insert(node.name).second)
      return wrong("graph '" + graph.name + "': two nodes are named '" + node.name + "'");
    if (node.op == NodeOp::Placeholder && pastPlaceholders)
      return wrong(called(program, node) + " is a placeholder after nodes of other kinds");
    pastPlaceholders |= node.op != NodeOp::Placeholder;
    FXS_CHECK(verifyOutputNode(program, graph, node));
    FXS_CHECK(verifyArguments(program, node));
    FXS_CHECK(verifySubgraph(program, node));
    if (!hasOrigin(program, node))
      return wrong(called(program, node) + " has no origin in the user's program");
  }
  return {};
}

Result<> verifyInputs(const Program& program) {
  std::size_t placeholders = 0;
  for (NodeId id : program.main().nodes) {
    if (program.node(id).op != NodeOp::Placeholder) break;
    if (placeholders >= program.inputs.size())
      return wrong("placeholder '" + program.node(id).name + "' has no input spec: there are " +
                   std::to_string(program.inputs.size()));
    if (program.inputs[placeholders].node != id)
      return wrong("input spec " + std::to_string(placeholders) +
                   " does not belong to placeholder '" + program.node(id).name + "'");
    ++placeholders;
  }
  if (placeholders != program.inputs.size())
    return wrong("there are " + std::to_string(program.inputs.size()) + " input specs for " +
                 std::to_string(placeholders) + " placeholders");
  return {};
}

Result<> verifyOutputs(const Program& program) {
  const ArgumentList& values = *program.output(GraphId::of(0)).args[0].value.list();
  if (values.size() != program.outputs.size())
    return wrong("there are " + std::to_string(program.outputs.size()) + " output specs for " +
                 std::to_string(values.size()) + " outputs");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const NodeId* have = values[i].node();
    const NodeId* spec = program.outputs[i].value.node();
    if ((have == nullptr) != (spec == nullptr) || (have && *have != *spec))
      return wrong("output spec " + std::to_string(i) + " does not name the returned value" +
                   (have ? ", '" + program.node(*have).name + "'" : ""));
  }
  return {};
}

}  // namespace

Result<> verify(const Program& program) {
  if (program.graphs.empty()) return wrong("the program has no graph");
  std::size_t position = 0;
  for (const Graph& graph : program.graphs) {
    const bool isMain = &graph == &program.graphs.front();
    if (graph.id.index() != static_cast<std::size_t>(&graph - program.graphs.data()))
      return wrong("graph '" + graph.name + "' is not at the index of its id");
    if (isMain == graph.parent.valid() || (!isMain && graph.parent.index() >= position))
      return wrong("graph '" + graph.name + "' is not held by an earlier node");
    FXS_CHECK(verifyGraph(program, graph, position));
    position += graph.nodes.size();
  }
  if (position != program.nodes.size())
    return wrong(std::to_string(program.nodes.size() - position) + " nodes are in no graph");
  FXS_CHECK(verifyInputs(program));
  return verifyOutputs(program);
}

}  // namespace fxs::fx
