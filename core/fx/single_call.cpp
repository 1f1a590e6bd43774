// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/single_call.h"

#include <vector>

#include "fx/part.h"

namespace fxs::fx {

Result<ProgramPtr> singleCall(const ProgramPtr& program, NodeId call) {
  const Node& node = program->node(call);
  if (node.op != NodeOp::CallFunction)
    return fail(ErrorCode::InvalidInput,
                "node '" + node.name + "' is a " + std::string(name(node.op)) + ", not a call");
  Part part(program);
  std::vector<NodeId> operands;
  bool subgraph = false;
  for (const NodeArgument& argument : node.args)
    forEachNode(argument.value, [&](NodeId used) {
      subgraph |= program->node(used).subgraph.valid();
      part.input(program->node(used));
      operands.push_back(part.at(used));
    });
  if (subgraph) return fail(ErrorCode::InvalidInput, "node '" + node.name + "' has a subgraph");
  const GraphId main = part.builder().main();
  part.copy(main, node);
  const NodeId result = part.at(call), origin = part.builder().node(result).origin;
  std::size_t next = 0;
  for (NodeArgument& argument : part.builder().node(result).args)
    argument.value = mapNodes(argument.value, [&](NodeId) { return operands[next++]; });
  ArgumentList values;
  const auto add = [&](const Value& value, NodeId id) {
    if (value.tensor() == nullptr && value.symbol() == nullptr) return false;
    part.program().outputs.push_back({OutputKind::UserOutput, id, {}});
    values.emplace_back(id);
    return true;
  };
  bool complete = true;
  if (const ValueList* parts = node.val.list()) {
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const NodeId item =
          part.builder().getitem(main, node.name + "_" + std::to_string(i), result, i, (*parts)[i]);
      part.builder().node(item).origin = origin;
      complete &= add((*parts)[i], item);
    }
  } else {
    complete = add(node.val, result);
  }
  if (!complete)
    return fail(ErrorCode::InvalidInput, "node '" + node.name + "' has a result of unknown type");
  part.output(std::move(values), node.graph);
  return std::move(part).finish();
}

}  // namespace fxs::fx
