// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/group_tree.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "fx/module_path.h"
#include "layout/repeats.h"
#include "layout/subgraph_calls.h"
#include "layout/text_metrics.h"

namespace fxs::layout {
namespace {

// Deeper module stacks are cut, since a file may claim any depth.
constexpr std::size_t kMaxDepth = 64;
// Programs with at most kSmallProgram nodes are fully expanded. Otherwise, while there are fewer
// than kFewBoxes boxes, the largest group is expanded, up to kManyBoxes.
constexpr std::size_t kSmallProgram = 28, kFewBoxes = 7, kManyBoxes = 60;

using Stack = std::vector<fx::ModuleFrame>;

std::string relativeTo(std::string_view path, std::string_view parent) {
  if (!parent.empty() && path.size() > parent.size() + 1 && path.starts_with(parent) &&
      path[parent.size()] == '.')
    path.remove_prefix(parent.size() + 1);
  return std::string(path);
}

class TreeBuilder {
 public:
  explicit TreeBuilder(const fx::Program& program)
      : program_(program), calls_(subgraphCalls(program)) {
    tree_.groupOf.assign(program.nodes.size(), GroupId::of(0));
    open(GroupId{}, "", "");
  }

  GroupTree build() && {
    for (const fx::Graph& graph : program_.graphs) place(graph);
    mergeChains();
    count();
    foldRepeats(program_, tree_);
    label();
    return std::move(tree_);
  }

 private:
  Group& at(GroupId id) { return tree_.groups[id.index()]; }

  GroupId open(GroupId parent, std::string path, std::string type) {
    Group group;
    group.id = GroupId::of(tree_.groups.size());
    group.parent = parent;
    group.path = std::move(path);
    group.type = std::move(type);
    if (parent.valid()) at(parent).children.push_back(group.id);
    tree_.groups.push_back(std::move(group));
    return tree_.groups.back().id;
  }

  /// A node's modules below the root; null if the file does not record them. Parsed once per
  /// distinct text.
  const Stack* stackOf(const fx::Node& node) {
    const auto text = program_.meta(node, "nn_module_stack");
    if (!text || text->empty()) return nullptr;
    auto [entry, isNew] = stacks_.try_emplace(*text);
    if (isNew) {
      entry->second = fx::parseModuleStack(*text);
      std::erase_if(entry->second, [](const fx::ModuleFrame& frame) { return frame.path.empty(); });
      if (entry->second.size() > kMaxDepth) entry->second.resize(kMaxDepth);
      for (fx::ModuleFrame& frame : entry->second)
        for (std::string* part : {&frame.key, &frame.path, &frame.type})
          *part = bounded(*part);  // every call of the module is a copy
    }
    return &entry->second;
  }

  /// The groups of a graph that are open at one of its nodes, outermost first.
  struct OpenGroups {
    GroupId base;
    std::vector<std::pair<fx::ModuleFrame, GroupId>> modules;
    GroupId innermost() const { return modules.empty() ? base : modules.back().second; }
  };

  /// Closes and opens groups for the modules of a stack after the first `skip`.
  void openTo(OpenGroups& now, const Stack& stack, std::size_t skip) {
    std::size_t keep = 0;
    while (keep < now.modules.size() && skip + keep < stack.size() &&
           now.modules[keep].first == stack[skip + keep])
      ++keep;
    now.modules.resize(keep);
    for (std::size_t d = skip + keep; d < stack.size(); ++d)
      now.modules.emplace_back(stack[d],
                               open(now.innermost(), stack[d].path, lastPart(stack[d].type)));
  }

  /// The modules of the call of a subgraph.
  Stack outerStack(const fx::Graph& graph) {
    const fx::NodeId caller = calls_.callerOf[graph.id.index()];
    const Stack* const stack = caller.valid() ? stackOf(program_.node(caller)) : nullptr;
    return stack != nullptr ? *stack : Stack();
  }

  GroupId openSubgraph(const fx::Graph& graph) {
    const fx::NodeId caller = calls_.callerOf[graph.id.index()];
    const GroupId around = tree_.groupOf[(caller.valid() ? caller : graph.parent).index()];
    const GroupId group = open(around, graph.name, "subgraph");
    at(group).subgraph = graph.id;
    tree_.groupOf[graph.parent.index()] = group;
    return group;
  }

  /// By node: its stack, or else the next known one.
  static std::vector<const Stack*> withNext(std::vector<const Stack*> stacks) {
    static const Stack kNoModules;
    const Stack* next = &kNoModules;
    for (std::size_t i = stacks.size(); i-- > 0;) {
      if (stacks[i] != nullptr) next = stacks[i];
      stacks[i] = next;
    }
    return stacks;
  }

  void place(const fx::Graph& graph) {
    const bool isSubgraph = graph.parent.valid();
    OpenGroups now{isSubgraph ? openSubgraph(graph) : GroupId::of(0), {}};
    const Stack outer = isSubgraph ? outerStack(graph) : Stack();

    // The stack of each node; a missing one is inferred from both neighbours.
    std::vector<fx::NodeId> calls;
    std::vector<const Stack*> stacks;
    for (fx::NodeId id : graph.nodes) {
      const fx::Node& node = program_.node(id);
      const bool isCall = node.op == fx::NodeOp::CallFunction ||
                          (node.op == fx::NodeOp::GetAttr && !node.subgraph.valid());
      if (isCall) {
        calls.push_back(id);
        stacks.push_back(stackOf(node));
      } else if (!node.subgraph.valid()) {
        enter(now.base, id);
      }
    }
    const std::vector<const Stack*> next = withNext(stacks);

    Stack previous;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (stacks[i] != nullptr) previous = *stacks[i];
      else previous.resize(fx::commonLength(previous, *next[i]));
      openTo(now, previous, fx::commonLength(previous, outer));
      enter(now.innermost(), calls[i]);
    }
  }

  void enter(GroupId group, fx::NodeId node) {
    tree_.groupOf[node.index()] = group;
    at(group).nodes.push_back(node);
  }

  /// Merges a group that contains only one group with it: "model" and "layers" become
  /// "model.layers".
  void mergeChains() {
    std::vector<GroupId> into(tree_.groups.size());
    for (const Group& group : tree_.groups) into[group.id.index()] = group.id;
    for (std::size_t i = tree_.groups.size(); i-- > 1;) {
      Group& group = tree_.groups[i];
      if (!group.nodes.empty() || group.children.size() != 1 || group.subgraph.valid()) continue;
      Group& child = at(group.children.front());
      if (child.subgraph.valid()) continue;
      group.path = child.path;
      group.type = child.type;
      group.nodes = std::move(child.nodes);
      group.children = std::move(child.children);
      for (GroupId grandchild : group.children) at(grandchild).parent = group.id;
      into[child.id.index()] = group.id;
      child.parent = GroupId{};
    }
    // Renumbers the groups without the merged ones; parents still precede their children.
    std::vector<GroupId> renamed(tree_.groups.size());
    std::vector<Group> kept;
    for (Group& group : tree_.groups) {
      if (into[group.id.index()] != group.id) continue;
      renamed[group.id.index()] = GroupId::of(kept.size());
      kept.push_back(std::move(group));
    }
    const auto follow = [&](GroupId id) {
      while (into[id.index()] != id) id = into[id.index()];
      return renamed[id.index()];
    };
    for (Group& group : kept) {
      group.id = follow(group.id);
      if (group.parent.valid()) group.parent = follow(group.parent);
      for (GroupId& child : group.children) child = follow(child);
    }
    for (GroupId& group : tree_.groupOf) group = follow(group);
    tree_.groups = std::move(kept);
  }

  void count() {
    for (std::size_t i = tree_.groups.size(); i-- > 0;) {
      Group& group = tree_.groups[i];
      std::sort(group.nodes.begin(), group.nodes.end());
      group.totalNodes += group.nodes.size();
      if (group.parent.valid()) at(group.parent).totalNodes += group.totalNodes;
    }
    for (Group& group : tree_.groups) {
      if (group.parent.valid()) group.depth = at(group.parent).depth + 1;
      group.isLone = group.totalNodes <= 1 && !group.subgraph.valid();
    }
  }

  void label() {
    std::vector<std::string> modulePath(tree_.groups.size());
    for (Group& parent : tree_.groups) {
      std::string& around = modulePath[parent.id.index()];
      around = parent.subgraph.valid() || parent.repeats > 0 ? modulePath[parent.parent.index()]
                                                             : parent.path;
      std::map<std::string, std::size_t> seen;
      for (GroupId id : parent.children) {
        Group& child = at(id);
        if (child.repeats > 0) {
          const std::string &first = at(child.children.front()).path,
                            &last = at(child.children.back()).path;
          child.path = first + " … " + last;
          child.label = relativeTo(first, around) + " … " + relativeTo(last, around);
        } else {
          child.label = child.subgraph.valid() ? child.path : relativeTo(child.path, around);
        }
        const std::size_t call = ++seen[child.label];
        if (call > 1) child.label += " (" + std::to_string(call) + ")";
      }
    }
  }

  const fx::Program& program_;
  SubgraphCalls calls_;
  GroupTree tree_;
  std::unordered_map<std::string_view, Stack> stacks_;
};

}  // namespace

std::string lastPart(std::string_view dotted) {
  const std::size_t dot = dotted.rfind('.');
  return std::string(dot == std::string_view::npos ? dotted : dotted.substr(dot + 1));
}

std::vector<GroupId> GroupTree::pathTo(GroupId id) const {
  std::vector<GroupId> path;
  for (; id.valid() && group(id).parent.valid(); id = group(id).parent) path.push_back(id);
  std::reverse(path.begin(), path.end());
  return path;
}

GroupId GroupTree::find(std::string_view path) const {
  for (const Group& group : groups)
    if (group.parent.valid() && group.path == path) return group.id;
  for (const Group& group : groups)
    if (group.parent.valid() && group.label == path) return group.id;
  return {};
}

GroupTree groupTree(const fx::Program& program) { return TreeBuilder(program).build(); }

std::set<GroupId> initiallyExpanded(const fx::Program& program, const GroupTree& tree) {
  const auto isCall = [&](fx::NodeId id) {
    return program.node(id).op == fx::NodeOp::CallFunction;
  };
  const auto calls = static_cast<std::size_t>(
      std::count_if(program.nodes.begin(), program.nodes.end(),
                    [&](const fx::Node& node) { return isCall(node.id); }));
  if (calls <= kSmallProgram) return expandedToDepth(tree, tree.groups.size());
  std::set<GroupId> open;
  const std::vector<fx::NodeId>& direct = tree.root().nodes;
  std::size_t drawn = tree.root().children.size() +
                      static_cast<std::size_t>(std::count_if(direct.begin(), direct.end(), isCall));
  std::vector<GroupId> visible = tree.root().children;
  const auto dropRepeats = [&] {
    std::erase_if(visible, [&](GroupId id) { return tree.group(id).repeats > 0; });
  };
  for (dropRepeats(); drawn < kFewBoxes && !visible.empty(); dropRepeats()) {
    const auto largest = std::max_element(
        visible.begin(), visible.end(),
        [&](GroupId a, GroupId b) { return tree.group(a).totalNodes < tree.group(b).totalNodes; });
    const Group& group = tree.group(*largest);
    const std::size_t inside = group.nodes.size() + group.children.size();
    if (group.totalNodes < 2 || drawn - 1 + inside > kManyBoxes) break;
    visible.erase(largest);
    visible.insert(visible.end(), group.children.begin(), group.children.end());
    drawn += inside - 1;
    open.insert(group.id);
  }
  return open;
}

std::set<GroupId> expandedToDepth(const GroupTree& tree, std::size_t depth) {
  std::set<GroupId> open;
  for (const Group& group : tree.groups)
    if (group.parent.valid() && group.depth <= depth) open.insert(group.id);
  return open;
}

}  // namespace fxs::layout
