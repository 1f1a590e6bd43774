// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/part.h"

namespace fxs::fx {

Part::Part(const ProgramPtr& source) : source_(*source), newId_(source->nodes.size()) {
  Program& program = builder_.program();
  program.original = source->original ? source->original : source;
  program.ranges = source->ranges;
  program.torchVersion = source->torchVersion;
  program.schemaVersion = source->schemaVersion;
  program.dialect = source->dialect;
}

void Part::input(const Node& node) {
  const NodeId added = builder_.placeholder(builder_.main(), node.name, node.val);
  builder_.node(added).origin = originOf(node);
  newId_[node.id.index()] = added;
  InputSpec spec;
  if (const InputSpec* old = node.op == NodeOp::Placeholder ? source_.inputOf(node.id) : nullptr)
    spec = *old;
  spec.node = added;
  if (const Weight* weight = source_.findWeight(spec.target);
      weight != nullptr && spec.kind != InputKind::UserInput &&
      program().findWeight(spec.target) == nullptr)
    program().weights.push_back(*weight);
  program().inputs.push_back(std::move(spec));
}

void Part::copy(GraphId into, const Node& node, const std::function<NodeId(NodeId)>& standIn) {
  const bool replaced = standIn && node.graph == source_.main().id;
  std::vector<NodeArgument> args = node.args;
  for (NodeArgument& argument : args)
    argument.value = mapNodes(argument.value, [&](NodeId used) -> Argument {
      return at(replaced ? standIn(used) : used);
    });
  const NodeId added =
      builder_.add(into, node.op, node.name, node.target, std::move(args), node.val);
  builder_.node(added).origin = originOf(node);
  newId_[node.id.index()] = added;
  if (!node.subgraph.valid()) return;
  const Graph& graph = source_.graph(node.subgraph);
  const GraphId sub = builder_.addSubgraphOf(added);
  builder_.graph(sub).name = graph.name;
  builder_.graph(sub).isSingleTensorReturn = graph.isSingleTensorReturn;
  // Recursion is safe: in a verified program, subgraphs nest only a few deep and without cycles.
  for (const NodeId inner : graph.nodes) copy(sub, source_.node(inner), standIn);
}

void Part::output(ArgumentList values, GraphId of) {
  const NodeId output = builder_.output(builder_.main(), std::move(values));
  builder_.node(output).origin = originOf(source_.output(of));
}

}  // namespace fxs::fx
