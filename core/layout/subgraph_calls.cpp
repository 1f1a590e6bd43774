// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/subgraph_calls.h"

namespace fxs::layout {
namespace {

/// The operands in lists (cond, while_loop, map), or else all after the last subgraph, including
/// constants.
std::vector<const fx::Argument*> handedOver(const fx::Program& program, const fx::Node& caller,
                                            std::size_t wanted) {
  std::vector<const fx::Argument*> listed, flattened;
  for (const fx::NodeArgument& argument : caller.args) {
    const fx::NodeId* node = argument.value.node();
    if (node && program.node(*node).subgraph.valid()) {
      flattened.clear();
      continue;
    }
    if (const fx::ArgumentList* items = argument.value.list())
      for (const fx::Argument& item : *items) listed.push_back(&item), flattened.push_back(&item);
    else flattened.push_back(&argument.value);
  }
  if (listed.size() == wanted) return listed;
  if (flattened.size() == wanted) return flattened;
  return {};
}

}  // namespace

std::vector<fx::NodeId> operandsOf(const fx::Node& node) {
  std::vector<fx::NodeId> operands;
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) { operands.push_back(id); });
  return operands;
}

SubgraphCalls subgraphCalls(const fx::Program& program) {
  SubgraphCalls calls;
  calls.callerOf.resize(program.graphs.size());
  calls.bindings.resize(program.graphs.size());
  if (program.graphs.size() < 2) return calls;
  for (const fx::Node& node : program.nodes) {
    for (fx::NodeId operand : operandsOf(node)) {
      const fx::GraphId graph = program.node(operand).subgraph;
      if (graph.valid() && !calls.callerOf[graph.index()].valid())
        calls.callerOf[graph.index()] = node.id;
    }
  }
  for (const fx::Graph& graph : program.graphs) {
    const fx::NodeId caller = calls.callerOf[graph.id.index()];
    if (!caller.valid()) continue;
    std::vector<fx::NodeId> placeholders;
    for (fx::NodeId id : graph.nodes)
      if (program.node(id).op == fx::NodeOp::Placeholder) placeholders.push_back(id);
    const std::vector<const fx::Argument*> operands =
        handedOver(program, program.node(caller), placeholders.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (const fx::NodeId* operand = operands[i]->node())
        calls.bindings[graph.id.index()].push_back({*operand, placeholders[i]});
  }
  return calls;
}

}  // namespace fxs::layout
