// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/graph_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/counted.h"
#include "base/safe_text.h"
#include "layout/box_sizes.h"
#include "layout/long_edges.h"
#include "layout/subgraph_calls.h"
#include "layout/text_metrics.h"

namespace fxs::layout {
namespace {

constexpr std::size_t kChipsShown = 3, kIncomingStubs = 4;

std::string shortTarget(const fx::Node& node) {
  std::string_view target = node.target;
  if (target.ends_with(".default")) target.remove_suffix(8);
  return std::string(target);
}

std::string subtitleOf(const Group& group) {
  return printable(group.type) + (group.type.empty() ? "" : " · ") +
         counted(group.totalNodes, "node") +
         (group.differs.empty() ? "" : " · " + printable(group.differs));
}

/// Main's nodes in execution order, each subgraph's nodes just before the op that calls it.
std::vector<fx::NodeId> drawingOrder(const fx::Program& program, const SubgraphCalls& calls) {
  std::unordered_map<fx::NodeId, std::vector<fx::GraphId>> calledBy;
  std::vector<fx::GraphId> roots{fx::GraphId::of(0)};
  for (const fx::Graph& graph : program.graphs) {
    if (graph.id.index() == 0) continue;
    const fx::NodeId caller = calls.callerOf[graph.id.index()];
    if (caller.valid()) calledBy[caller].push_back(graph.id);
    else roots.push_back(graph.id);
  }
  struct Position {
    fx::GraphId graph;
    std::size_t next;
    std::size_t subgraph;
  };
  std::vector<fx::NodeId> order;
  order.reserve(program.nodes.size());
  for (fx::GraphId root : roots) {
    std::vector<Position> stack{{root, 0, 0}};
    while (!stack.empty()) {
      const std::vector<fx::NodeId>& nodes = program.graph(stack.back().graph).nodes;
      if (stack.back().next == nodes.size()) {
        stack.pop_back();
        continue;
      }
      const fx::NodeId id = nodes[stack.back().next];
      const auto called = calledBy.find(id);
      if (called != calledBy.end() && stack.back().subgraph < called->second.size()) {
        const fx::GraphId graph = called->second[stack.back().subgraph++];
        stack.push_back({graph, 0, 0});
        continue;
      }
      order.push_back(id);
      ++stack.back().next;
      stack.back().subgraph = 0;
    }
  }
  return order;
}

class ViewBuilder {
 public:
  ViewBuilder(const fx::Program& program, const GroupTree& tree, const ViewOptions& options)
      : program_(program), tree_(tree), options_(options), calls_(subgraphCalls(program)) {}

  GraphView build() && {
    openGroups();
    findChips();
    placeBoxes();
    connect();
    placeChips();
    findHandedChips();
    dropEmptyFrames();
    std::vector<bool> small;
    for (Edge& edge : view_.edges) {
      edge.label = labelOf(edge);
      small.push_back(std::all_of(edge.values.begin(), edge.values.end(),
                                  [&](fx::NodeId id) { return program_.node(id).val.symbol(); }));
    }
    for (Box& box : view_.boxes) finish(box);
    cutEdges(options_.isCut ? chosenCut() : cutLongEdges(view_, small, options_.longEdge));
    return std::move(view_);
  }

 private:
  Cut chosenCut() const {
    Cut cut;
    for (const Edge& edge : view_.edges)
      cut.edge.push_back(
          options_.isCut(view_.boxes[edge.from.index()], view_.boxes[edge.to.index()]));
    return cut;
  }

  bool isChip(const fx::Node& node) const {
    if (node.op == fx::NodeOp::GetAttr) return !node.subgraph.valid();
    return node.op == fx::NodeOp::Placeholder &&
           (chipText_[node.id.index()] || chipOf_[node.id.index()] != node.id);
  }
  bool isGetitem(const fx::Node& node) const {
    return node.op == fx::NodeOp::CallFunction && node.target == fx::kGetitem &&
           !node.args.empty() && node.args[0].value.node();
  }
  void openGroups() {
    std::vector<bool> wanted(tree_.groups.size(), options_.everything);
    for (GroupId id : options_.expanded)
      for (GroupId up = id; up.valid() && !wanted[up.index()]; up = tree_.group(up).parent)
        wanted[up.index()] = true;
    collapsedInto_.resize(tree_.groups.size());
    frameOf_.assign(tree_.groups.size(), kNoFrame);
    for (const Group& group : tree_.groups) {
      if (!group.parent.valid()) continue;
      const std::size_t i = group.id.index();
      collapsedInto_[i] = collapsedInto_[group.parent.index()];
      frameOf_[i] = frameOf_[group.parent.index()];
      if (collapsedInto_[i].valid() || group.isLone) continue;
      if (!wanted[i]) {
        collapsedInto_[i] = group.id;
        continue;
      }
      Frame frame{group.id, frameOf_[i], printable(group.label), subtitleOf(group), 0};
      frame.captionWidth =
          std::min(kWidestCaption, textWidth(frame.title, kTitleSize, Weight::Bold) +
                                       textWidth(frame.subtitle, kTextSize) + 2 * kBoxPadding +
                                       kBadgeRoom + kModuleGap);
      frameOf_[i] = view_.frames.size();
      view_.frames.push_back(std::move(frame));
    }
  }

  void findChips() {
    chipText_.assign(program_.nodes.size(), nullptr);
    for (const fx::InputSpec& input : program_.inputs)
      if (input.kind != fx::InputKind::UserInput && input.node.valid())
        chipText_[input.node.index()] = &input.target;
    chipOf_.resize(program_.nodes.size());
    for (const fx::Node& node : program_.nodes) chipOf_[node.id.index()] = node.id;
    // A parameter passed to a subgraph is also a chip there.
    for (const auto& bindings : calls_.bindings)
      for (const auto& [operand, placeholder] : bindings)
        if (isChip(program_.node(operand))) {
          chipText_[placeholder.index()] = chipText_[operand.index()];
          chipOf_[placeholder.index()] = chipOf_[operand.index()];
        }
  }

  bool isBox(const fx::Node& node) const {
    return !isChip(node) && !node.subgraph.valid() &&
           (options_.only.empty() || options_.only[node.id.index()]);
  }

  void placeBoxes() {
    view_.boxOf.assign(program_.nodes.size(), BoxId{});
    std::vector<BoxId> boxOfGroup(tree_.groups.size());
    for (fx::NodeId id : drawingOrder(program_, calls_)) {
      const fx::Node& node = program_.node(id);
      if (!isBox(node)) continue;
      BoxId& shown = view_.boxOf[id.index()];
      if (isGetitem(node)) shown = view_.boxOf[node.args[0].value.node()->index()];
      if (shown.valid()) {
        view_.boxes[shown.index()].folded.push_back(id);
        continue;
      }
      const GroupId collapsed = collapsedInto_[tree_.groupOf[id.index()].index()];
      if (!collapsed.valid()) {
        shown = addBox(nodeBox(node));
        continue;
      }
      BoxId& ofGroup = boxOfGroup[collapsed.index()];
      if (!ofGroup.valid()) ofGroup = addBox(groupBox(tree_.group(collapsed)));
      shown = ofGroup;
    }
  }

  BoxId addBox(Box box) {
    box.id = BoxId::of(view_.boxes.size());
    view_.boxes.push_back(std::move(box));
    return view_.boxes.back().id;
  }

  Box groupBox(const Group& group) const {
    Box box;
    box.group = group.id;
    box.frame = frameOf_[group.parent.index()];
    box.title = printable(group.label);
    box.subtitle = subtitleOf(group);
    return box;
  }

  Box nodeBox(const fx::Node& node) const {
    const GroupId group = tree_.groupOf[node.id.index()];
    Box box;
    box.node = node.id;
    box.frame = frameOf_[group.index()];
    box.title = printable(node.name);
    box.isInput = node.op == fx::NodeOp::Placeholder;
    box.isOutput = node.op == fx::NodeOp::Output;
    if (box.isInput) box.subtitle = printable(valueLabel(node.val));
    else if (box.isOutput) box.subtitle = counted(operandsOf(node).size(), "value");
    else box.subtitle = printable(shortTarget(node));
    for (GroupId up = group; up.valid() && tree_.group(up).isLone; up = tree_.group(up).parent)
      box.module = printable(tree_.group(up).label) + (box.module.empty() ? "" : ".") + box.module;
    return box;
  }

  void connect() {
    chipUsers_.resize(program_.nodes.size());
    for (const fx::Node& node : program_.nodes) {
      const BoxId to = view_.boxOf[node.id.index()];
      if (!to.valid()) continue;
      const std::vector<fx::NodeId> bound = connectSubgraphs(node, to);
      for (fx::NodeId operand : operandsOf(node))
        if (!program_.node(operand).subgraph.valid() &&
            !std::binary_search(bound.begin(), bound.end(), operand))
          take(operand, to, false);
    }
  }

  /// Returns the operands that the subgraphs of a node take, sorted.
  std::vector<fx::NodeId> connectSubgraphs(const fx::Node& node, BoxId to) {
    std::vector<fx::NodeId> bound;
    for (fx::NodeId operand : operandsOf(node)) {
      const fx::GraphId subgraph = program_.node(operand).subgraph;
      if (!subgraph.valid()) continue;
      const fx::NodeId result = program_.output(subgraph).id;
      join(view_.boxOf[result.index()], to, operand, true);
      if (calls_.callerOf[subgraph.index()] != node.id) continue;
      for (const SubgraphCalls::Binding& binding : calls_.bindings[subgraph.index()]) {
        if (!isChip(program_.node(binding.placeholder)))
          take(binding.operand, view_.boxOf[binding.placeholder.index()], true);
        bound.push_back(binding.operand);
      }
    }
    std::sort(bound.begin(), bound.end());
    return bound;
  }

  void placeChips() {
    for (const fx::Node& node : program_.nodes) {
      if (!isChip(node) || chipOf_[node.id.index()] != node.id) continue;
      const std::vector<BoxId>& users = chipUsers_[node.id.index()];
      if (users.empty()) view_.unused.push_back(node.id);
      else view_.boxOf[node.id.index()] = users.front();
      const std::string* target = chipText_[node.id.index()];
      for (BoxId user : users)
        view_.boxes[user.index()].chips.push_back(
            {node.id,
             bounded(printable(target && !target->empty() ? lastPart(*target) : node.name)),
             users.size() > 1});
    }
  }

  /// Resolves placeholders of subgraphs to the parameters passed to them.
  void findHandedChips() {
    for (const fx::Node& node : program_.nodes)
      if (chipOf_[node.id.index()] != node.id)
        view_.boxOf[node.id.index()] = view_.boxOf[chipOf_[node.id.index()].index()];
  }

  /// `known` is an index of `list` for all but its first few elements.
  template <class Id>
  static void addOnce(std::vector<Id>& list, Id id, std::set<std::pair<std::size_t, Id>>& known,
                      std::size_t number) {
    constexpr std::ptrdiff_t kFew = 32;
    const auto few = list.begin() + std::min(std::ssize(list), kFew);
    if (std::find(list.begin(), few, id) != few) return;
    if (std::ssize(list) >= kFew && !known.emplace(number, id).second) return;
    list.push_back(id);
  }

  void take(fx::NodeId operand, BoxId to, bool binding) {
    if (!to.valid()) return;
    const fx::Node& node = program_.node(operand);
    if (!isChip(node)) return join(view_.boxOf[operand.index()], to, operand, binding);
    std::vector<BoxId>& users = chipUsers_[chipOf_[operand.index()].index()];
    addOnce(users, to, usersKnown_, chipOf_[operand.index()].index());
  }

  void join(BoxId from, BoxId to, fx::NodeId value, bool binding) {
    if (!from.valid() || !to.valid() || from == to) return;
    const auto [entry, isNew] = edgeOf_.try_emplace({from, to}, view_.edges.size());
    if (isNew) view_.edges.push_back({from, to, "", {}, binding});
    Edge& edge = view_.edges[entry->second];
    edge.binding = edge.binding && binding;
    addOnce(edge.values, value, valuesKnown_, entry->second);
  }

  void dropEmptyFrames() {
    std::vector<bool> used(view_.frames.size(), false);
    for (const Box& box : view_.boxes)
      for (std::size_t frame = box.frame; frame != kNoFrame && !used[frame];
           frame = view_.frames[frame].parent)
        used[frame] = true;
    std::vector<std::size_t> renamed(view_.frames.size(), kNoFrame);
    std::vector<Frame> kept;
    for (std::size_t i = 0; i < view_.frames.size(); ++i) {
      if (!used[i]) continue;
      renamed[i] = kept.size();
      if (view_.frames[i].parent != kNoFrame)
        view_.frames[i].parent = renamed[view_.frames[i].parent];
      kept.push_back(std::move(view_.frames[i]));
    }
    for (Box& box : view_.boxes)
      if (box.frame != kNoFrame) box.frame = renamed[box.frame];
    view_.frames = std::move(kept);
  }

  std::string labelOf(const Edge& edge) const {
    if (view_.boxes[edge.from.index()].isInput) return "";
    if (edge.values.size() > 1) return counted(edge.values.size(), "value");
    const fx::Node& value = program_.node(edge.values.front());
    return value.subgraph.valid() ? "" : bounded(printable(valueLabel(value.val)));
  }

  void finish(Box& box) {
    double width = textWidth(box.title, kTitleSize, Weight::Bold);
    if (!box.module.empty()) width += textWidth(box.module, kSmallSize) + kModuleGap;
    if (box.collapsed()) width += kBadgeRoom;
    width = std::max(width, textWidth(box.subtitle, kTextSize));
    box.height = 2 * kVerticalPadding + kTitleLine + (box.subtitle.empty() ? 0 : kSubtitleLine);
    if (!box.chips.empty()) {
      double row = 0;
      if (box.collapsed()) {
        box.chipText = counted(box.chips.size(), "parameter");
        row = textWidth(box.chipText, kSmallSize) + 2 * kChipPadding;
      } else {
        if (box.chips.size() > kChipsShown) box.moreChips = box.chips.size() - kChipsShown;
        for (std::size_t i = 0; i < std::min(box.chips.size(), kChipsShown); ++i)
          row += chipWidth(box.chips[i].text) + (i ? kChipGap : 0);
        if (box.moreChips) row += chipWidth("+" + std::to_string(box.moreChips)) + kChipGap;
      }
      width = std::max(width, row);
      box.height += kChipLine;
    }
    box.width = std::clamp(width + 2 * kBoxPadding, kNarrowestBox, kWidestBox);
  }

  void cutEdges(const Cut& cut) {
    std::map<std::pair<BoxId, fx::NodeId>, std::vector<BoxId>> leaving;     // producer, value
    std::map<BoxId, std::map<std::pair<BoxId, fx::NodeId>, int>> arriving;  // consumer
    std::vector<Edge> kept;
    for (std::size_t e = 0; e < view_.edges.size(); ++e) {
      Edge& edge = view_.edges[e];
      if (!cut.edge[e]) {
        kept.push_back(std::move(edge));
        continue;
      }
      for (fx::NodeId value : edge.values) {
        leaving[{edge.from, value}].push_back(edge.to);
        arriving[edge.to][{edge.from, value}] = 0;
      }
    }
    view_.edges = std::move(kept);
    view_.order = cut.order;
    for (const auto& [box, sources] : arriving) {
      std::size_t shown = 0;
      Stub rest{box, false, {}, "", {}, 0, 0};
      for (const auto& [source, unused] : sources) {
        const bool fits = sources.size() <= kIncomingStubs || shown + 1 < kIncomingStubs;
        if (fits) {
          add({box,
               false,
               {source.first},
               bounded(printable(program_.node(source.second).name)),
               source.second,
               0,
               0});
          ++shown;
          continue;
        }
        rest.others.push_back(source.first);
        rest.value = source.second;
      }
      if (rest.others.empty()) continue;
      rest.label = std::to_string(sources.size() - shown) + " more";
      std::sort(rest.others.begin(), rest.others.end());
      rest.others.erase(std::unique(rest.others.begin(), rest.others.end()), rest.others.end());
      add(std::move(rest));
    }
    for (auto& [source, users] : leaving) {
      std::string label = users.size() == 1 ? bounded(view_.boxes[users.front().index()].title)
                                            : counted(users.size(), "user");
      add({source.first, true, std::move(users), std::move(label), source.second, 0, 0});
    }
    std::stable_sort(view_.stubs.begin(), view_.stubs.end(), [](const Stub& a, const Stub& b) {
      return std::pair(a.at, a.outgoing) < std::pair(b.at, b.outgoing);
    });
  }

  void add(Stub stub) {
    stub.width = std::min(textWidth(stub.label, kSmallSize) + kStubPadding, kWidestStub);
    stub.height = kStubHeight;
    view_.stubs.push_back(std::move(stub));
  }

  static double chipWidth(std::string_view text) {
    return textWidth(text, kSmallSize) + 2 * kChipPadding;
  }

  const fx::Program& program_;
  const GroupTree& tree_;
  const ViewOptions& options_;
  SubgraphCalls calls_;
  std::set<std::pair<std::size_t, BoxId>> usersKnown_;        // of chips
  std::set<std::pair<std::size_t, fx::NodeId>> valuesKnown_;  // of edges
  GraphView view_;
  std::vector<GroupId> collapsedInto_;  // by group: the outermost collapsed group around it
  std::vector<std::size_t> frameOf_;    // by group: the innermost frame around it or of it
  std::vector<const std::string*>
      chipText_;                    // by node: text of a placeholder that is not a user input
  std::vector<fx::NodeId> chipOf_;  // by node: for a subgraph's placeholder, the parameter passed
                                    // to it; else the node itself
  std::vector<std::vector<BoxId>> chipUsers_;  // by node
  std::map<std::pair<BoxId, BoxId>, std::size_t> edgeOf_;
};

}  // namespace

std::string valueLabel(const fx::Value& value) {
  if (const fx::TensorMeta* tensor = value.tensor()) return tensor->text();
  if (const fx::ValueList* list = value.list()) return counted(list->size(), "value");
  if (const fx::SymValue* symbol = value.symbol()) {
    if (symbol->expr) return fx::infix(*symbol->expr);
    if (const auto* integer = std::get_if<std::int64_t>(&symbol->constant))
      return std::to_string(*integer);
    if (symbol->kind == fx::SymKind::Bool) return "bool";
    return symbol->kind == fx::SymKind::Float ? "float" : "int";
  }
  if (const auto* object = std::get_if<fx::CustomObject>(&value)) return lastPart(object->classFqn);
  if (std::holds_alternative<fx::NoneValue>(value)) return "None";
  return std::holds_alternative<fx::Token>(value) ? "token" : "";
}

GraphView graphView(const fx::Program& program, const GroupTree& tree, const ViewOptions& options) {
  return ViewBuilder(program, tree, options).build();
}

}  // namespace fxs::layout
