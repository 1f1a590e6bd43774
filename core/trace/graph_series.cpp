// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/graph_series.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "mlir/compare/diff.h"
#include "mlir/compare/hash.h"
#include "mlir/compare/subsequence.h"

namespace fxs::trace {
namespace {

/// Maximum positions of a series, as a multiple of the operations of each of its modules: what is
/// drawn is at least two thirds of it.
constexpr double kMostPositions = 1.5;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::size_t callsOf(const OpGraph& graph) {
  return static_cast<std::size_t>(
      std::count_if(graph.program->nodes.begin(), graph.program->nodes.end(),
                    [](const fx::Node& node) { return node.op == fx::NodeOp::CallFunction; }));
}

bool isConstant(const fx::Node& node) {
  return node.op == fx::NodeOp::GetAttr && !node.subgraph.valid();
}

/// One node of the series' graph.
struct Position {
  fx::Node node;          ///< without operands and metadata
  std::string stack;      ///< its nn_module_stack
  std::uint64_t key = 0;  ///< of the FX nodes of its last operation
  std::vector<std::size_t> operands;
  std::set<std::string> constants;
  std::size_t occupied = kNone;  ///< the last module that has an operation here
};

/// The positions of one graph: the program itself, or a subgraph.
struct Area {
  std::size_t parent = kNone;  ///< the position of its get_attr
  std::string name;
  std::vector<std::size_t> inputs,
      order;  ///< `order`: without inputs, subgraphs and the last output
  std::size_t output = kNone;
  std::map<std::pair<std::string, std::size_t>, std::size_t>
      subgraphs;  ///< by name and the position of their user
};

class SeriesBuilder {
 public:
  explicit SeriesBuilder(std::size_t first) { series_.first = first; }

  bool empty() const { return series_.positionOf.empty(); }
  /// Whether each of its modules fills enough of the graph.
  bool isCompact() const {
    return static_cast<double>(calls_) <= kMostPositions * static_cast<double>(leastCalls_);
  }

  /// `kept`: by node, the position of the operation that it was before; kNone if it is new.
  void add(const OpGraph& graph, const std::vector<std::size_t>& kept) {
    graph_ = &graph;
    module_ = series_.positionOf.size();
    position_.assign(graph.program->nodes.size(), kNone);
    const std::vector<fx::Graph>& graphs = graph.program->graphs;
    if (areas_.empty()) areas_.emplace_back();
    for (const fx::Graph& each : graphs) {
      const std::size_t parent = each.parent.valid() ? position_[each.parent.index()] : kNone;
      const auto [entry, isNew] =
          areaOfParent_.try_emplace(parent, parent == kNone ? 0 : areas_.size());
      if (parent != kNone && isNew) areas_.emplace_back();
      Area& area = areas_[entry->second];
      area.parent = parent;
      area.name = each.name;
      fill(entry->second, each, kept);
    }
    connect();
    leastCalls_ = std::min(leastCalls_, callsOf(graph));
    std::vector<fx::NodeId> positions;
    for (const std::size_t position : position_)
      positions.push_back(position == kNone ? fx::NodeId{} : fx::NodeId::of(position));
    series_.positionOf.push_back(std::move(positions));
  }

  std::size_t positionOf(fx::NodeId node) const { return position_[node.index()]; }

  GraphSeries finish() && {
    program_->strings.emplace_back("nn_module_stack");
    idOf_.resize(positions_.size());
    constants_.resize(areas_.size());
    for (std::size_t a = 0; a < areas_.size(); ++a) emitArea(a);
    for (std::size_t a = 1; a < areas_.size(); ++a) {
      fx::Graph& graph = program_->graphs[a];
      graph.parent = idOf_[areas_[a].parent];
      program_->nodes[graph.parent.index()].subgraph = graph.id;
    }
    for (std::size_t position = 0; position < positions_.size(); ++position) emitOperands(position);
    for (fx::InputSpec& input : inputs_) input.node = idOf_[input.node.index()];
    program_->inputs = std::move(inputs_);
    for (std::vector<fx::NodeId>& positions : series_.positionOf)
      for (fx::NodeId& position : positions)
        if (position.valid()) position = idOf_[position.index()];
    series_.program = std::move(program_);
    return std::move(series_);
  }

 private:
  /// Adds a graph with the nodes of an area: operations after their subgraphs.
  void emitArea(std::size_t index) {
    const Area& area = areas_[index];
    const fx::GraphId graph = fx::GraphId::of(index);
    program_->graphs.push_back({graph, area.name, {}, {}, false});
    std::multimap<std::size_t, std::size_t> subgraphs;  // by user
    for (const auto& [key, position] : area.subgraphs) subgraphs.emplace(key.second, position);
    const auto emitSubgraphs = [&](std::size_t user) {
      for (auto [it, end] = subgraphs.equal_range(user); it != end; ++it) emit(it->second, graph);
    };
    for (const std::size_t position : area.inputs) emit(position, graph);
    emitConstants(index);
    emitSubgraphs(kNone);
    for (const std::size_t position : area.order) {
      emitSubgraphs(position);
      emit(position, graph);
    }
    if (area.output != kNone) emit(area.output, graph);
  }

  void emit(std::size_t position, fx::GraphId graph) {
    fx::Node node = std::move(positions_[position].node);
    if (const std::string& stack = positions_[position].stack; !stack.empty()) {
      const auto [entry, isNew] =
          stacks_.try_emplace(stack, fx::StringId::of(program_->strings.size()));
      if (isNew) program_->strings.push_back(stack);
      node.meta.push_back({fx::StringId::of(0), entry->second});
    }
    idOf_[position] = addNode(std::move(node), graph);
  }

  fx::NodeId addNode(fx::Node node, fx::GraphId graph) {
    const fx::NodeId id = fx::NodeId::of(program_->nodes.size());
    node.id = node.origin = id;
    node.graph = graph;
    program_->graphs[graph.index()].nodes.push_back(id);
    program_->nodes.push_back(std::move(node));
    return id;
  }

  void emitConstants(std::size_t area) {
    for (const std::size_t position : areas_[area].order)
      for (const std::string& text : positions_[position].constants)
        constants_[area].try_emplace(text);
    for (auto& [text, id] : constants_[area]) {
      fx::Node node;
      node.op = fx::NodeOp::GetAttr;
      node.name = node.target = text;
      id = addNode(std::move(node), fx::GraphId::of(area));
    }
  }

  void emitOperands(std::size_t position) {
    fx::Node& node = program_->nodes[idOf_[position].index()];
    const std::map<std::string, fx::NodeId>& constants = constants_[node.graph.index()];
    fx::ArgumentList list;
    for (const std::size_t operand : positions_[position].operands)
      list.emplace_back(idOf_[operand]);
    for (const std::string& text : positions_[position].constants)
      if (const auto found = constants.find(text); found != constants.end())
        list.emplace_back(found->second);
    if (node.op == fx::NodeOp::Output) node.args.push_back({"", std::move(list), false});
    else
      for (fx::Argument& argument : list) node.args.push_back({"", std::move(argument), false});
  }

  const fx::Program& program() const { return *graph_->program; }

  std::string_view stackOf(const fx::Node& node) const {
    return program().meta(node, "nn_module_stack").value_or(std::string_view());
  }

  std::size_t addPosition(const fx::Node& node) {
    Position position;
    position.node.op = node.op;
    position.stack = stackOf(node);
    positions_.push_back(std::move(position));
    calls_ += node.op == fx::NodeOp::CallFunction;
    return positions_.size() - 1;
  }

  void occupy(std::size_t index, const fx::Node& node) {
    Position& position = positions_[index];
    if (node.name.size() > position.node.name.size()) position.node.name = node.name;
    if (node.target.size() > position.node.target.size()) position.node.target = node.target;
    position.node.val = node.val;
    position.key = keyOf(node);
    position.occupied = module_;
    position_[node.id.index()] = index;
  }

  std::uint64_t keyOf(const fx::Node& node) const {
    mlir::Hash hash(static_cast<std::uint64_t>(node.op));
    hash.add(stackOf(node));
    for (const fx::NodeId id : graph_->fxNodesOf[node.id.index()]) hash.add(id.value);
    return hash.value();
  }

  void fill(std::size_t areaIndex, const fx::Graph& graph, const std::vector<std::size_t>& kept) {
    std::vector<const fx::Node*> ops, subgraphs;
    std::size_t inputs = 0;
    for (const fx::NodeId id : graph.nodes) {
      const fx::Node& node = program().node(id);
      if (node.op == fx::NodeOp::Placeholder) takeInput(areas_[areaIndex], inputs++, node);
      else if (node.op == fx::NodeOp::GetAttr)
        (node.subgraph.valid() ? subgraphs.push_back(&node) : void());
      else if (id == graph.nodes.back()) takeOutput(areas_[areaIndex], node);
      else ops.push_back(&node);
    }
    arrange(areaIndex, ops, kept);
    for (const fx::Node* node : subgraphs) takeSubgraph(areas_[areaIndex], *node);
  }

  void takeInput(Area& area, std::size_t number, const fx::Node& node) {
    if (number == area.inputs.size()) {
      area.inputs.push_back(addPosition(node));
      if (const fx::InputSpec* input = program().inputOf(node.id)) {
        inputs_.push_back(*input);
        inputs_.back().node = fx::NodeId::of(area.inputs.back());
      }
    }
    occupy(area.inputs[number], node);
  }

  void takeOutput(Area& area, const fx::Node& node) {
    if (area.output == kNone) area.output = addPosition(node);
    occupy(area.output, node);
  }

  /// Regions are found by what has them, functions by their name.
  void takeSubgraph(Area& area, const fx::Node& node) {
    std::size_t user = kNone;
    if (node.name.starts_with("region"))
      if (const auto found = userOf(node); found.valid()) user = position_[found.index()];
    const auto [entry, isNew] = area.subgraphs.try_emplace({node.name, user}, 0);
    if (isNew) entry->second = addPosition(node);
    occupy(entry->second, node);
  }

  fx::NodeId userOf(const fx::Node& subgraph) const {
    for (const fx::NodeId id : program().graph(subgraph.graph).nodes) {
      bool uses = false;
      for (const fx::NodeArgument& argument : program().node(id).args)
        fx::forEachNode(argument.value,
                        [&](fx::NodeId operand) { uses = uses || operand == subgraph.id; });
      if (uses) return id;
    }
    return {};
  }

  /// Gives each operation of an area its position: the one that it has, a free one between those of
  /// its neighbours, or a new one there.
  void arrange(std::size_t areaIndex, const std::vector<const fx::Node*>& ops,
               const std::vector<std::size_t>& kept) {
    const std::vector<std::size_t> order = std::move(areas_[areaIndex].order);
    std::unordered_map<std::size_t, std::uint32_t> at;  // by position: its index in `order`
    for (std::size_t i = 0; i < order.size(); ++i)
      at.emplace(order[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> stays,
        stayAt;  // operations that keep their position, and its index in `order`
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const std::size_t position = kept[ops[i]->id.index()];
      const auto found = position == kNone ? at.end() : at.find(position);
      if (found == at.end() || positions_[position].node.op != ops[i]->op ||
          positions_[position].occupied == module_)
        continue;
      occupy(position, *ops[i]);
      stays.push_back(i);
      stayAt.push_back(found->second);
    }
    std::vector<std::size_t> now;
    std::uint32_t nextOp = 0, nextPosition = 0;
    const auto fillGap = [&](std::uint32_t endOp, std::uint32_t endPosition) {
      std::vector<const fx::Node*> some;
      for (; nextOp < endOp; ++nextOp)
        if (position_[ops[nextOp]->id.index()] == kNone) some.push_back(ops[nextOp]);
      place(some, std::span(order).subspan(nextPosition, endPosition - nextPosition), now);
      nextPosition = endPosition;
    };
    for (const std::uint32_t i : mlir::longestIncreasing(stayAt)) {
      fillGap(stays[i], stayAt[i]);
      now.push_back(order[stayAt[i]]);
      nextOp = stays[i] + 1;
      nextPosition = stayAt[i] + 1;
    }
    fillGap(static_cast<std::uint32_t>(ops.size()), static_cast<std::uint32_t>(order.size()));
    areas_[areaIndex].order = std::move(now);
  }

  /// Appends the positions of a gap to `now`, with those of the operations in it.
  void place(const std::vector<const fx::Node*>& ops, std::span<const std::size_t> gap,
             std::vector<std::size_t>& now) {
    std::vector<std::uint64_t> wanted, free;
    std::vector<std::size_t> freePositions;
    for (const fx::Node* node : ops) wanted.push_back(keyOf(*node));
    for (std::size_t i = 0; i < gap.size(); ++i) {
      if (positions_[gap[i]].occupied == module_) continue;
      free.push_back(positions_[gap[i]].key);
      freePositions.push_back(i);
    }
    std::size_t op = 0, at = 0;
    const auto insertUpTo = [&](std::size_t endOp, std::size_t endAt) {
      for (; op < endOp; ++op) {
        // Beside positions of its module, so that the module stays in one piece.
        const std::string_view stack = stackOf(*ops[op]);
        const auto isAt = [&](std::size_t i) { return positions_[gap[i]].stack == stack; };
        std::size_t best = at;
        if (now.empty() || positions_[now.back()].stack != stack)
          for (std::size_t i = at; i < endAt && best == at; ++i)
            if (isAt(i)) best = i;
        while (best < endAt && isAt(best)) ++best;
        for (; at < best; ++at) now.push_back(gap[at]);
        now.push_back(addPosition(*ops[op]));
        occupy(now.back(), *ops[op]);
      }
      for (; at < endAt; ++at) now.push_back(gap[at]);
    };
    for (const auto& [i, j] : mlir::commonSubsequence(wanted, free)) {
      insertUpTo(i, freePositions[j]);
      occupy(gap[at], *ops[op]);
      now.push_back(gap[at]);
      ++op, ++at;
    }
    insertUpTo(ops.size(), gap.size());
  }

  void connect() {
    for (const fx::Node& node : program().nodes) {
      const std::size_t to = position_[node.id.index()];
      if (to == kNone) continue;
      const auto add = [&](fx::NodeId id) {
        const fx::Node& operand = program().node(id);
        if (isConstant(operand)) return void(positions_[to].constants.insert(operand.name));
        const std::size_t from = position_[id.index()];
        if (from != kNone && from != to && edges_.emplace(from, to).second)
          positions_[to].operands.push_back(from);
      };
      for (const fx::NodeArgument& argument : node.args) fx::forEachNode(argument.value, add);
    }
  }

  GraphSeries series_;
  std::shared_ptr<fx::Program> program_ = std::make_shared<fx::Program>();  ///< of the series
  std::map<std::string, fx::StringId> stacks_;
  std::vector<fx::NodeId> idOf_;                              ///< by position
  std::vector<std::map<std::string, fx::NodeId>> constants_;  ///< by area
  std::vector<Position> positions_;
  std::size_t calls_ = 0,
              leastCalls_ = kNone;  // positions of operations; the fewest operations of a module
  std::vector<Area> areas_;
  std::map<std::size_t, std::size_t> areaOfParent_;  // by the position of its get_attr
  std::set<std::pair<std::size_t, std::size_t>> edges_;
  std::vector<fx::InputSpec> inputs_;  // by position
  // Of the module that is added.
  const OpGraph* graph_ = nullptr;
  std::size_t module_ = 0;
  std::vector<std::size_t> position_;  // by node
};

/// By node of `after`, the node of `before` with the same operation, if it did not move.
std::vector<fx::NodeId> keptNodes(const OpenText& textBefore, const OpGraph& before,
                                  const OpenText& textAfter, const OpGraph& after) {
  const mlir::Diff diff = mlir::diff(*textBefore.module, *textAfter.module);
  std::vector<fx::NodeId> out(after.program->nodes.size());
  for (std::size_t node = 0; node < out.size(); ++node) {
    if (after.opsOf[node].empty()) continue;
    const mlir::OpPair& pair = diff.pairs[diff.pairOfB[after.opsOf[node].front().index()]];
    if (pair.change != mlir::OpChange::Same && pair.change != mlir::OpChange::Changed) continue;
    const fx::NodeId old = before.nodeOf[pair.a.index()];
    if (old.valid() && before.opsOf[old.index()].front() == pair.a) out[node] = old;
  }
  return out;
}

}  // namespace

Result<std::vector<GraphSeries>> graphSeries(
    std::size_t modules,
    const std::function<Result<std::shared_ptr<const OpenText>>(std::size_t)>& open,
    const fx::Program& user, const RunContext& context) {
  std::vector<GraphSeries> out;
  std::shared_ptr<const OpenText> textBefore;
  OpGraph before;
  SeriesBuilder builder(0);
  for (std::size_t i = 0; i < modules; ++i) {
    FXS_TRY(std::shared_ptr<const OpenText> text, open(i));
    OpGraph graph = opGraph(*text, user, context);
    std::vector<std::size_t> kept(graph.program->nodes.size(), kNone);
    if (i > 0) {
      const std::vector<fx::NodeId> nodes = keptNodes(*textBefore, before, *text, graph);
      for (std::size_t node = 0; node < kept.size(); ++node)
        if (nodes[node].valid()) kept[node] = builder.positionOf(nodes[node]);
    }
    SeriesBuilder longer = builder;
    longer.add(graph, kept);
    if (longer.isCompact()) {
      builder = std::move(longer);
    } else {
      out.push_back(std::move(builder).finish());
      builder = SeriesBuilder(i);
      kept.assign(kept.size(), kNone);
      builder.add(graph, kept);
    }
    textBefore = std::move(text);
    before = std::move(graph);
  }
  if (!builder.empty()) out.push_back(std::move(builder).finish());
  return out;
}

}  // namespace fxs::trace
