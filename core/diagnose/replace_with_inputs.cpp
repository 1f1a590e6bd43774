// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/replace_with_inputs.h"

#include "fx/part.h"

namespace fxs::diagnose {
namespace {

using fx::Node;
using fx::NodeId;
using fx::NodeOp;

class Without {
 public:
  Without(const fx::ProgramPtr& source, const std::set<NodeId>& blocked)
      : part_(source), source_(*source) {
    part_.program().guards = source->guards;
    const auto users = fx::usersOf(source_);
    for (const NodeId id : blocked) removed_.insert(mainCallOf(source_, id, users));
  }

  Result<fx::ProgramPtr> run() && {
    for (const fx::InputSpec& input : source_.inputs) part_.input(source_.node(input.node));
    for (const NodeId id : source_.main().nodes) {
      const Node& node = source_.node(id);
      if (isReplaced(node)) part_.input(node);
    }
    for (const NodeId id : source_.main().nodes) {
      const Node& node = source_.node(id);
      if (node.op == NodeOp::Placeholder || node.op == NodeOp::Output) continue;
      if (removed_.contains(id) || isPartOfRemoved(node)) continue;
      part_.copy(part_.builder().main(), node);
    }
    addOutput();
    return std::move(part_).finish();
  }

 private:
  /// A result of a blocked operation: the operation itself, or a getitem of it.
  bool isReplaced(const Node& node) const {
    const bool value = node.val.tensor() != nullptr || node.val.symbol() != nullptr;
    if (!value) return false;
    return removed_.contains(node.id) || isPartOfRemoved(node);
  }
  bool isPartOfRemoved(const Node& node) const {
    if (node.target != fx::kGetitem || node.args.empty()) return false;
    const NodeId* of = node.args.front().value.node();
    return of != nullptr && (removed_.contains(*of) || isPartOfRemoved(source_.node(*of)));
  }

  void addOutput() {
    fx::ArgumentList values;
    std::vector<fx::OutputSpec> specs;
    std::set<NodeId> returned;
    const auto give = [&](const fx::Argument& value, fx::OutputSpec spec) {
      values.push_back(value);
      spec.value = value;
      specs.push_back(std::move(spec));
    };
    for (const fx::OutputSpec& spec : source_.outputs) {
      const NodeId* node = spec.value.node();
      if (node == nullptr) {
        give(spec.value, spec);
        continue;
      }
      const NodeId mapped = part_.at(*node);
      if (!mapped.valid()) continue;
      returned.insert(*node);
      give(mapped, spec);
    }
    // Operands used only by blocked operations would be dead.
    for (const NodeId id : removed_)
      for (const fx::NodeArgument& argument : source_.node(id).args)
        fx::forEachNode(argument.value, [&](NodeId used) {
          const Node& node = source_.node(used);
          const bool value = node.val.tensor() != nullptr || node.val.symbol() != nullptr;
          if (node.op != NodeOp::CallFunction || !value || isReplaced(node) ||
              !returned.insert(used).second)
            return;
          if (!part_.at(used).valid()) return;
          give(part_.at(used), {fx::OutputKind::UserOutput, {}, {}});
        });
    part_.program().outputs = std::move(specs);
    part_.output(std::move(values), source_.main().id);
  }

  fx::Part part_;
  const fx::Program& source_;
  std::set<NodeId> removed_;
};

}  // namespace

fx::NodeId mainCallOf(const fx::Program& program, fx::NodeId node,
                      const std::vector<std::vector<fx::NodeId>>& users) {
  while (program.node(node).graph != program.main().id) {
    const NodeId holder = program.graph(program.node(node).graph).parent;
    const std::vector<NodeId>& by = users[holder.index()];
    if (by.empty()) return holder;
    node = by.front();
  }
  return node;
}

Result<fx::ProgramPtr> replaceWithInputs(const fx::ProgramPtr& program,
                                         const std::set<fx::NodeId>& blocked) {
  return Without(program, blocked).run();
}

}  // namespace fxs::diagnose
