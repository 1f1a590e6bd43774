// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/remove_operations.h"

#include <algorithm>

#include "fx/part.h"

namespace fxs::diagnose {
namespace {

using fx::Node;
using fx::NodeId;
using fx::NodeOp;

bool isValue(const Node& node) {
  return node.val.tensor() != nullptr || node.val.symbol() != nullptr;
}

class OperationRemover {
 public:
  explicit OperationRemover(const fx::ProgramPtr& source)
      : part_(source),
        source_(*source),
        kept_(source->nodes.size(), false),
        standIn_(source->nodes.size()) {
    for (const NodeId id : main()) standIn_[id.index()] = id;
  }

  Result<fx::ProgramPtr> without(const std::set<NodeId>& gone, Removal removal) && {
    chooseCalls(gone, removal);
    keepSubgraphs();
    keepReturned();
    returnUnused();
    return std::move(*this).build();
  }

  Result<fx::ProgramPtr> returning(const std::set<std::size_t>& outputs) && {
    for (const std::size_t i : outputs) {
      outputs_.push_back(source_.outputs[i]);
      if (const NodeId* value = source_.outputs[i].value.node()) kept_[value->index()] = true;
    }
    // Operands precede their users.
    for (auto at = main().rbegin(); at != main().rend(); ++at)
      if (kept_[at->index()])
        for (const fx::NodeArgument& argument : source_.node(*at).args)
          fx::forEachNode(argument.value, [&](NodeId used) { kept_[used.index()] = true; });
    for (const NodeId id : main())
      if (source_.node(id).op == NodeOp::Placeholder || source_.node(id).op == NodeOp::Output)
        kept_[id.index()] = false;
    return std::move(*this).build();
  }

 private:
  void chooseCalls(const std::set<NodeId>& gone, Removal removal) {
    for (const NodeId id : main()) {
      const Node& node = source_.node(id);
      if (node.op != NodeOp::CallFunction) continue;
      kept_[id.index()] = !gone.contains(id) && !isPartOfGone(node);
      if (const NodeId operand = passthroughOperand(source_, node);
          removal == Removal::Bypass && gone.contains(id) && operand.valid())
        standIn_[id.index()] = standIn_[operand.index()];
    }
  }

  /// The outputs whose nodes are kept.
  void keepReturned() {
    for (const fx::OutputSpec& spec : source_.outputs)
      if (const NodeId* value = spec.value.node(); value == nullptr || kept_[value->index()])
        outputs_.push_back(spec);
  }

  /// Kept values that nothing else uses become outputs.
  void returnUnused() {
    std::vector<bool> used(source_.nodes.size(), false);
    forEachUse([&](NodeId id) { used[id.index()] = true; });
    for (const fx::OutputSpec& spec : outputs_)
      if (const NodeId* value = spec.value.node()) used[value->index()] = true;
    for (const NodeId id : main())
      if (kept_[id.index()] && isValue(source_.node(id)) && !used[id.index()])
        outputs_.push_back({fx::OutputKind::UserOutput, id, {}});
  }

  const std::vector<NodeId>& main() const { return source_.main().nodes; }

  /// A getitem of a removed operation, which becomes an input.
  bool isPartOfGone(const Node& node) const {
    if (node.target != fx::kGetitem || node.args.empty()) return false;
    const NodeId* of = node.args.front().value.node();
    return of != nullptr && source_.node(*of).op == NodeOp::CallFunction && !kept_[of->index()];
  }

  void keepSubgraphs() {
    for (const NodeId id : main())
      if (kept_[id.index()])
        for (const fx::NodeArgument& argument : source_.node(id).args)
          fx::forEachNode(argument.value, [&](NodeId used) {
            if (source_.node(used).subgraph.valid()) kept_[used.index()] = true;
          });
  }

  /// Calls `visit` for the operands of the kept nodes, as ids of the source after substitution.
  template <class Visit>
  void forEachUse(const Visit& visit) const {
    for (const NodeId id : main())
      if (kept_[id.index()])
        for (const fx::NodeArgument& argument : source_.node(id).args)
          fx::forEachNode(argument.value, [&](NodeId used) { visit(standIn_[used.index()]); });
  }

  Result<fx::ProgramPtr> build() && {
    std::set<NodeId> inputs;  // in execution order
    forEachUse([&](NodeId id) {
      if (!kept_[id.index()]) inputs.insert(id);
    });
    for (const fx::OutputSpec& spec : outputs_)
      if (const NodeId* value = spec.value.node(); value != nullptr && !kept_[value->index()])
        inputs.insert(*value);
    for (const NodeId id : inputs) part_.input(source_.node(id));
    for (const NodeId id : main())
      if (kept_[id.index()])
        part_.copy(part_.builder().main(), source_.node(id),
                   [&](NodeId used) { return standIn_[used.index()]; });
    addOutput();
    return std::move(part_).finish();
  }

  void addOutput() {
    fx::Program& program = part_.program();
    fx::ArgumentList values;
    for (fx::OutputSpec spec : outputs_) {
      if (const NodeId* node = spec.value.node()) spec.value = part_.at(*node);
      const bool hasTarget = std::any_of(
          program.inputs.begin(), program.inputs.end(), [&](const fx::InputSpec& input) {
            return input.target == spec.target ||
                   part_.builder().node(input.node).name == spec.target;
          });
      if (spec.kind != fx::OutputKind::UserOutput && !hasTarget)
        spec = {fx::OutputKind::UserOutput, spec.value, {}};
      values.push_back(spec.value);
      program.outputs.push_back(std::move(spec));
    }
    part_.output(std::move(values), source_.main().id);
  }

  fx::Part part_;
  const fx::Program& source_;
  std::vector<bool>
      kept_;  // by node of the source's main graph: calls, and what holds their subgraphs
  std::vector<NodeId> standIn_;  // by node of the source's main graph
  std::vector<fx::OutputSpec> outputs_;
};

}  // namespace

NodeId passthroughOperand(const fx::Program& program, const Node& node) {
  const fx::TensorMeta* own = node.val.tensor();
  NodeId found;
  if (node.op != NodeOp::CallFunction || own == nullptr || node.graph != program.main().id)
    return found;
  for (const fx::NodeArgument& argument : node.args)
    if (const NodeId* used = argument.value.node(); used != nullptr && !found.valid()) {
      const fx::TensorMeta* operand = program.node(*used).val.tensor();
      if (operand != nullptr && operand->dtype == own->dtype && operand->sizes == own->sizes)
        found = *used;
    }
  return found;
}

Result<fx::ProgramPtr> removeOperations(const fx::ProgramPtr& program, const std::set<NodeId>& gone,
                                        Removal removal) {
  return OperationRemover(program).without(gone, removal);
}

Result<fx::ProgramPtr> keepOutputs(const fx::ProgramPtr& program,
                                   const std::set<std::size_t>& outputs) {
  return OperationRemover(program).returning(outputs);
}

}  // namespace fxs::diagnose
