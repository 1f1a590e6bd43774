#include "diagnose/without.h"

#include <algorithm>

#include "fx/builder.h"

namespace fxs::diagnose {
namespace {

using fx::Node;
using fx::NodeId;
using fx::NodeOp;

class Without {
 public:
  Without(const fx::ProgramPtr& source, const std::set<NodeId>& blocked) : source_(*source), newId_(source->nodes.size()) {
    fx::Program& program = builder_.program();
    program.original = source->original ? source->original : source;
    program.ranges = source->ranges;
    program.weights = source->weights;
    program.guards = source->guards;
    program.torchVersion = source->torchVersion;
    program.schemaVersion = source->schemaVersion;
    program.dialect = source->dialect;
    const auto users = fx::usersOf(source_);
    for (const NodeId id : blocked) removed_.insert(mainCallOf(source_, id, users));
  }

  Result<fx::ProgramPtr> run() && {
    for (const fx::InputSpec& input : source_.inputs) addInput(input);
    for (const NodeId id : source_.main().nodes) {
      const Node& node = source_.node(id);
      if (isReplaced(node)) addReplacement(node);
    }
    for (const NodeId id : source_.main().nodes) {
      const Node& node = source_.node(id);
      if (node.op == NodeOp::Placeholder || node.op == NodeOp::Output) continue;
      if (removed_.contains(id) || isReplaced(node)) continue;
      copy(builder_.main(), node);
    }
    addOutput();
    return std::move(builder_).finish();
  }

 private:
  /// A result of a blocked operation that others can take: the operation itself, or a part of its tuple.
  bool isReplaced(const Node& node) const {
    const bool value = node.val.tensor() != nullptr || node.val.symbol() != nullptr;
    if (!value) return false;
    return removed_.contains(node.id) || isPartOfRemoved(node);
  }
  bool isPartOfRemoved(const Node& node) const {
    if (node.target != "_operator.getitem" || node.args.empty()) return false;
    const NodeId* of = node.args.front().value.node();
    return of != nullptr && (removed_.contains(*of) || isPartOfRemoved(source_.node(*of)));
  }

  NodeId originOf(const Node& node) const { return source_.original ? node.origin : node.id; }

  void addInput(const fx::InputSpec& input) {
    const Node& node = source_.node(input.node);
    fx::InputSpec spec = input;
    spec.node = place(node);
    builder_.program().inputs.push_back(std::move(spec));
  }
  void addReplacement(const Node& node) { builder_.program().inputs.push_back({fx::InputKind::UserInput, place(node), {}, true, {}}); }
  NodeId place(const Node& node) {
    const NodeId added = builder_.placeholder(builder_.main(), node.name, node.val);
    builder_.node(added).origin = originOf(node);
    return newId_[node.id.index()] = added;
  }

  void copy(fx::GraphId into, const Node& node) {
    std::vector<fx::NodeArgument> args = node.args;
    for (fx::NodeArgument& argument : args)
      argument.value = fx::mapNodes(argument.value, [&](NodeId used) -> fx::Argument { return newId_[used.index()]; });
    const NodeId added = builder_.add(into, node.op, node.name, node.target, std::move(args), node.val);
    builder_.node(added).origin = originOf(node);
    newId_[node.id.index()] = added;
    if (!node.subgraph.valid()) return;
    const fx::Graph& graph = source_.graph(node.subgraph);
    const fx::GraphId sub = builder_.addSubgraphOf(added);
    builder_.graph(sub).name = graph.name;
    builder_.graph(sub).isSingleTensorReturn = graph.isSingleTensorReturn;
    // Subgraphs hold subgraphs only a few deep, and a verified program has no cycle of them.
    for (const NodeId inner : graph.nodes) copy(sub, source_.node(inner));
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
      const NodeId mapped = newId_[node->index()];
      if (!mapped.valid()) continue;
      returned.insert(*node);
      give(mapped, spec);
    }
    // What only blocked operations took would be dead.
    for (const NodeId id : removed_)
      for (const fx::NodeArgument& argument : source_.node(id).args)
        fx::forEachNode(argument.value, [&](NodeId used) {
          const Node& node = source_.node(used);
          const bool value = node.val.tensor() != nullptr || node.val.symbol() != nullptr;
          if (node.op != NodeOp::CallFunction || !value || isReplaced(node) || !returned.insert(used).second) return;
          if (!newId_[used.index()].valid()) return;
          give(newId_[used.index()], {fx::OutputKind::UserOutput, {}, {}});
        });
    builder_.program().outputs = std::move(specs);
    const NodeId output = builder_.output(builder_.main(), std::move(values));
    builder_.node(output).origin = originOf(source_.output(source_.main().id));
  }

  const fx::Program& source_;
  fx::Builder builder_;
  std::set<NodeId> removed_;
  std::vector<NodeId> newId_;  // by node of the source
};

}  // namespace

fx::NodeId mainCallOf(const fx::Program& program, fx::NodeId node, const std::vector<std::vector<fx::NodeId>>& users) {
  while (program.node(node).graph != program.main().id) {
    const NodeId holder = program.graph(program.node(node).graph).parent;
    const std::vector<NodeId>& by = users[holder.index()];
    if (by.empty()) return holder;
    node = by.front();
  }
  return node;
}

Result<fx::ProgramPtr> withoutNodes(const fx::ProgramPtr& program, const std::set<fx::NodeId>& blocked) {
  return Without(program, blocked).run();
}

}  // namespace fxs::diagnose
