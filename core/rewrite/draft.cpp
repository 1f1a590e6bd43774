// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/draft.h"

#include <map>
#include <optional>
#include <utility>

#include "fx/builder.h"
#include "fx/cost.h"
#include "ops/schema.h"

namespace fxs::rewrite {
namespace {

/// Every name in a source graph, so that a new node does not take the name of a later one.
std::unordered_set<std::string> namesOf(const fx::Program& source, const fx::Graph& graph) {
  std::unordered_set<std::string> names;
  for (fx::NodeId id : graph.nodes) names.insert(source.node(id).name);
  return names;
}

}  // namespace

Draft::Draft(const fx::Program& source, const RunContext& context) : context_(context) {
  program_.ranges = source.ranges;
  program_.weights = source.weights;
  program_.guards = source.guards;
  program_.inputNames = source.inputNames;
  program_.torchVersion = source.torchVersion;
  program_.schemaVersion = source.schemaVersion;
  program_.dialect = source.dialect;
  program_.strings = source.strings;
  program_.original = source.original;
  program_.nodes.reserve(source.nodes.size() + source.nodes.size() / 4);
  addGraph(source, source.main());
}

fx::GraphId Draft::addGraph(const fx::Program& source, const fx::Graph& like) {
  const fx::GraphId id = fx::GraphId::of(program_.graphs.size());
  fx::Graph graph;
  graph.id = id;
  graph.name = like.name;
  graph.isSingleTensorReturn = like.isSingleTensorReturn;
  program_.graphs.push_back(std::move(graph));
  names_.push_back({{}, namesOf(source, like), {}});
  return id;
}

fx::NodeId Draft::place(fx::GraphId graph, fx::Node node) {
  const fx::NodeId id = fx::NodeId::of(program_.nodes.size());
  node.id = id;
  node.graph = graph;
  fx::spendNode(program_, node, context_);
  program_.nodes.push_back(std::move(node));
  program_.graphs[graph.index()].nodes.push_back(id);
  return id;
}

std::string Draft::Names::take(const std::string& wanted, bool isNew) {
  const auto isFree = [&](const std::string& name) {
    return !used.contains(name) && !(isNew && reserved.contains(name));
  };
  std::string name = wanted;
  if (!isFree(name)) {
    std::uint32_t& suffix = suffixes[wanted];
    do name = wanted + "_" + std::to_string(++suffix);
    while (!isFree(name));
  }
  used.insert(name);
  return name;
}

fx::NodeId Draft::append(fx::GraphId graph, fx::Node node) {
  node.name = names_[graph.index()].take(node.name, false);
  return place(graph, std::move(node));
}

fx::NodeId Draft::appendNew(fx::GraphId graph, fx::Node node) {
  node.name = names_[graph.index()].take(node.name, true);
  return place(graph, std::move(node));
}

namespace {

bool isOfPython(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("math.") ||
         target.starts_with("torch.");
}

}  // namespace

bool hasEffect(const fx::Node& node) {
  if (node.op != fx::NodeOp::CallFunction) return node.op != fx::NodeOp::GetAttr;
  const std::string_view target = node.target;
  if (isOfPython(target)) return false;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
  if (!schema || schema->isMutable || schema->returns.empty()) return true;
  // Ops with side effects that their schema does not show: assertions, symbol constraints, random
  // numbers.
  for (std::string_view word : {"_assert", "sym_constrain", "bernoulli", "rand", "normal",
                                "uniform", "dropout", "multinomial"})
    if (schema->packet.find(word) != std::string_view::npos) return true;
  return false;
}

namespace {

/// Which nodes of a program have users, by index.
std::vector<bool> usedNodes(const fx::Program& program) {
  std::vector<bool> used(program.nodes.size(), false);
  for (const fx::Node& node : program.nodes)
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) { used[id.index()] = true; });
  return used;
}

/// Which nodes of the draft are live: those with side effects, those that were unused in the user's
/// program already, unless all unused ones are to be removed, and their operands.
std::vector<bool> liveNodes(const fx::Program& draft, const fx::Program& user, Unused unused) {
  const std::vector<bool> used = usedNodes(user);
  std::vector<bool> live(draft.nodes.size(), false);
  std::vector<fx::NodeId> work;
  const auto mark = [&](fx::NodeId id) {
    if (!live[id.index()]) {
      live[id.index()] = true;
      work.push_back(id);
    }
  };
  const auto isRoot = [&](const fx::Node& node) {
    if (node.op != fx::NodeOp::CallFunction) return node.op != fx::NodeOp::GetAttr;
    const fx::Node& origin = user.node(node.origin);
    const bool isCopy = node.target == origin.target && node.name == origin.name;
    return isCopy && (hasEffect(node) || (unused == Unused::New && !used[origin.id.index()]));
  };
  // A subgraph is live if its get_attr is, so start from main.
  std::vector<bool> graphSeen(draft.graphs.size(), false);
  std::vector<fx::GraphId> graphs{fx::GraphId::of(0)};
  graphSeen[0] = true;
  while (!graphs.empty() || !work.empty()) {
    if (work.empty()) {
      const fx::GraphId graph = graphs.back();
      graphs.pop_back();
      for (fx::NodeId id : draft.graph(graph).nodes)
        if (isRoot(draft.node(id))) mark(id);
      continue;
    }
    const fx::Node& node = draft.node(work.back());
    work.pop_back();
    for (const fx::NodeArgument& argument : node.args) fx::forEachNode(argument.value, mark);
    if (node.subgraph.valid() && !graphSeen[node.subgraph.index()]) {
      graphSeen[node.subgraph.index()] = true;
      graphs.push_back(node.subgraph);
    }
  }
  return live;
}

/// PyTorch computes a symbolic size once, by the first call of the main graph that does.
class ComputedSizes {
 public:
  explicit ComputedSizes(bool areOnce) : areOnce_(areOnce) {}

  /// The call that computes what `node` does, if one before it does.
  std::optional<fx::NodeId> before(const fx::Node& node, bool isOfMain) {
    const fx::SymValue* symbol = node.op == fx::NodeOp::CallFunction ? node.val.symbol() : nullptr;
    const bool isSize = areOnce_ && isOfMain && symbol != nullptr &&
                        symbol->kind == fx::SymKind::Int && symbol->expr;
    last_ = isSize ? fx::infix(*symbol->expr) : "";
    const auto known = calls_.find(last_);
    if (known == calls_.end() || !isOfPython(node.target) || node.target == fx::kGetitem) return {};
    return known->second;
  }
  /// What the node of the last before() became.
  void add(fx::NodeId made) {
    if (!last_.empty()) calls_.emplace(last_, made);
  }

 private:
  bool areOnce_;
  std::string last_;                         // "s27**2"
  std::map<std::string, fx::NodeId> calls_;  // by size
};

template <typename Map>
std::vector<fx::NodeArgument> mapArguments(const std::vector<fx::NodeArgument>& args,
                                           const Map& map) {
  std::vector<fx::NodeArgument> out;
  out.reserve(args.size());
  for (const fx::NodeArgument& a : args) out.push_back({a.name, map(a.value), a.keyword});
  return out;
}

}  // namespace

Result<fx::ProgramPtr> finish(fx::Program draft, fx::ProgramPtr user, const RunContext& run,
                              Unused unused) {
  const std::vector<bool> live = liveNodes(draft, *user, unused);
  fx::Builder builder(run);
  fx::Program& out = builder.program();
  std::vector<fx::NodeId> moved(draft.nodes.size());
  const auto map = [&](const fx::Argument& argument) {
    return fx::mapNodes(argument, [&](fx::NodeId id) -> fx::Argument { return moved[id.index()]; });
  };
  ComputedSizes computed(unused == Unused::All);
  // Breadth first over graphs; Builder::finish puts them in order.
  std::vector<std::pair<fx::GraphId, fx::GraphId>> graphs{{fx::GraphId::of(0), builder.main()}};
  builder.graph(builder.main()).name = draft.main().name;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const auto [from, to] = graphs[g];
    builder.graph(to).isSingleTensorReturn = draft.graph(from).isSingleTensorReturn;
    for (fx::NodeId id : draft.graph(from).nodes) {
      if (!live[id.index()]) continue;
      fx::Node& node = draft.nodes[id.index()];
      if (const auto known = computed.before(node, g == 0)) {
        moved[id.index()] = *known;
        continue;
      }
      std::vector<fx::MetaString> meta = std::move(node.meta);
      const fx::NodeId origin = node.origin;
      fx::NodeId made;
      if (node.subgraph.valid()) {
        const fx::GraphId sub = builder.addSubgraph(to, node.name, &made);
        graphs.emplace_back(node.subgraph, sub);
      } else {
        made = builder.add(to, node.op, node.name, node.target, mapArguments(node.args, map),
                           std::move(node.val));
      }
      builder.node(made).meta = std::move(meta);
      builder.node(made).origin = origin;
      moved[id.index()] = made;
      computed.add(made);
    }
  }
  out.ranges = std::move(draft.ranges);
  out.weights = std::move(draft.weights);
  out.guards = std::move(draft.guards);
  out.inputNames = std::move(draft.inputNames);
  out.torchVersion = std::move(draft.torchVersion);
  out.schemaVersion = std::move(draft.schemaVersion);
  out.dialect = std::move(draft.dialect);
  out.strings = std::move(draft.strings);
  out.inputs = std::move(draft.inputs);
  for (fx::InputSpec& input : out.inputs) input.node = moved[input.node.index()];
  out.outputs = std::move(draft.outputs);
  for (fx::OutputSpec& output : out.outputs) output.value = map(output.value);
  out.original = std::move(user);
  return std::move(builder).finish();
}

}  // namespace fxs::rewrite
