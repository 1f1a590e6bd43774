// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/cut.h"

#include <algorithm>

#include "fx/part.h"

namespace fxs::fx {
namespace {

class Cut {
 public:
  Cut(const ProgramPtr& source, const std::set<NodeId>& outside)
      : part_(source), source_(*source), outside_(outside) {}

  Result<ProgramPtr> run(const std::vector<NodeId>& wanted) && {
    for (const NodeId id : wanted) take(id);
    addUnpacking();
    // A set of ids is in execution order, with inputs first.
    for (const NodeId id : inputs_) part_.input(source_.node(id));
    for (const NodeId id : calls_) part_.copy(part_.builder().main(), source_.node(id));
    addOutput(wanted.front());
    return std::move(part_).finish();
  }

 private:
  static bool isTensor(const Node& node) { return std::holds_alternative<TensorMeta>(node.val); }

  void take(NodeId id) {
    if (!calls_.insert(id).second) return;
    for (const NodeArgument& argument : source_.node(id).args)
      forEachNode(argument.value, [&](NodeId used) { operand(used); });
  }

  void operand(NodeId id) {
    if (calls_.contains(id) || inputs_.contains(id)) return;
    const Node& node = source_.node(id);
    if (node.op == NodeOp::GetAttr && node.subgraph.valid()) {
      calls_.insert(id);
    } else if (node.op == NodeOp::CallFunction && !isTensor(node) && !outside_.contains(id) &&
               (node.val.symbol() == nullptr || scalars_ < kMaxScalarNodesOfCut)) {
      // A scalar, or a tuple that a getitem unpacks.
      ++scalars_;
      take(id);
    } else {
      inputs_.insert(id);
    }
  }

  /// Parts of a tuple are accessible through getitem nodes only.
  void addUnpacking() {
    std::vector<NodeId> parts;
    for (const NodeId id : source_.graph(source_.node(*calls_.begin()).graph).nodes) {
      const Node& node = source_.node(id);
      if (node.target != kGetitem || node.args.empty()) continue;
      if (const NodeId* of = node.args.front().value.node(); of != nullptr && calls_.contains(*of))
        parts.push_back(id);
    }
    calls_.insert(parts.begin(), parts.end());
  }

  void addOutput(NodeId any) {
    const std::vector<std::vector<NodeId>> users = usersOf(source_);
    ArgumentList values;
    for (const NodeId id : calls_) {
      const Node& node = source_.node(id);
      if (!isTensor(node) && node.val.symbol() == nullptr) continue;
      const std::vector<NodeId>& by = users[id.index()];
      const bool inside = !by.empty() && std::all_of(by.begin(), by.end(), [&](NodeId user) {
        return calls_.contains(user);
      });
      if (inside) continue;
      values.emplace_back(part_.at(id));
      part_.program().outputs.push_back({OutputKind::UserOutput, part_.at(id), {}});
    }
    part_.output(std::move(values), source_.node(any).graph);
  }

  Part part_;
  const Program& source_;
  const std::set<NodeId>& outside_;
  std::set<NodeId> calls_, inputs_;
  std::size_t scalars_ = 0;
};

}  // namespace

Result<ProgramPtr> cutNodes(const ProgramPtr& program, const std::vector<NodeId>& nodes,
                            const std::set<NodeId>& outside) {
  if (nodes.empty()) return fail(ErrorCode::InvalidInput, "nothing to extract: no node was given");
  for (const NodeId id : nodes)
    if (program->node(id).op != NodeOp::CallFunction)
      return fail(ErrorCode::InvalidInput,
                  "node '" + program->node(id).name + "' cannot be extracted: it is a " +
                      std::string(name(program->node(id).op)) + ", not a call");
  return Cut(program, outside).run(nodes);
}

std::vector<NodeId> nodesFrom(const Program& program, NodeId original) {
  if (!program.original) return {original};
  std::vector<NodeId> out;
  for (const Node& node : program.nodes)
    if (node.origin == original) out.push_back(node.id);
  return out;
}

}  // namespace fxs::fx
