// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/repeats.h"

#include <algorithm>
#include <map>
#include <utility>

#include "layout/graph_view.h"
#include "layout/subgraph_calls.h"

namespace fxs::layout {
namespace {

/// Without the number that tells nodes of one name apart: "add_3" is "add".
std::string_view plainName(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last != std::string_view::npos && last + 1 < name.size() && name[last] == '_'
             ? name.substr(0, last)
             : name;
}

class RepeatFolder {
 public:
  RepeatFolder(const fx::Program& program, GroupTree& tree) : program_(program), tree_(tree) {}

  void fold() {
    members_.resize(tree_.groups.size());
    for (std::size_t i = tree_.groups.size(); i-- > 0;) {
      std::vector<fx::NodeId>& members = members_[i];
      members.insert(members.end(), tree_.groups[i].nodes.begin(), tree_.groups[i].nodes.end());
      std::sort(members.begin(), members.end());
      if (const GroupId parent = tree_.groups[i].parent; parent.valid())
        members_[parent.index()].insert(members_[parent.index()].end(), members.begin(),
                                        members.end());
    }
    std::vector<Run> runs;
    for (const Group& group : tree_.groups) findRuns(group, runs);
    if (!runs.empty()) insert(runs);
  }

 private:
  struct Run {
    GroupId parent;
    std::size_t begin = 0, end = 0;  ///< of the parent's children
  };

  bool isCall(fx::NodeId id) const { return program_.node(id).op == fx::NodeOp::CallFunction; }

  /// What each node of a group computes, from what; operands outside the group by their type only.
  std::vector<std::string> computationOf(GroupId id) const {
    const std::vector<fx::NodeId>& members = members_[id.index()];
    std::vector<std::string> out;
    for (const fx::NodeId member : members) {
      const fx::Node& node = program_.node(member);
      if (!isCall(member)) continue;
      std::string text =
          std::string(plainName(node.name)) + " " + node.target + " : " + valueLabel(node.val);
      for (const fx::NodeId operand : operandsOf(node)) {
        const auto at = std::lower_bound(members.begin(), members.end(), operand);
        text += at != members.end() && *at == operand && isCall(operand)
                    ? " %" + std::to_string(at - members.begin())
                    : " " + valueLabel(program_.node(operand).val);
      }
      out.push_back(std::move(text));
    }
    return out;
  }

  /// Whether nodes of the parent itself run between two neighbours.
  bool isApart(const Group& parent, GroupId first, GroupId second) const {
    const std::vector<fx::NodeId>&a = members_[first.index()], &b = members_[second.index()];
    if (a.empty() || b.empty()) return true;
    return std::any_of(parent.nodes.begin(), parent.nodes.end(), [&](fx::NodeId id) {
      return isCall(id) && a.back() < id && id < b.front();
    });
  }

  void findRuns(const Group& parent, std::vector<Run>& runs) {
    if (parent.children.size() < kFewestRepeats) return;
    std::vector<std::vector<std::string>> computations;
    for (const GroupId child : parent.children)
      computations.push_back(tree_.group(child).subgraph.valid() ? std::vector<std::string>{}
                                                                 : computationOf(child));
    std::map<std::string, std::size_t> typical;  // by class: a child that is repeated
    const std::size_t before = runs.size();
    for (std::size_t begin = 0, end = 0; begin < parent.children.size(); begin = end) {
      end = begin + 1;
      while (end < parent.children.size() && computations[begin].size() > 1 &&
             computations[end] == computations[begin] &&
             !isApart(parent, parent.children[end - 1], parent.children[end]))
        ++end;
      if (end - begin < kFewestRepeats) continue;
      runs.push_back({parent.id, begin, end});
      typical.emplace(tree_.group(parent.children[begin]).type, begin);
    }
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
      const auto like = typical.find(tree_.group(parent.children[i]).type);
      const bool isInRun =
          std::any_of(runs.begin() + static_cast<std::ptrdiff_t>(before), runs.end(),
                      [&](const Run& run) { return run.begin <= i && i < run.end; });
      if (like == typical.end() || isInRun || computations[i] == computations[like->second])
        continue;
      tree_.groups[parent.children[i].index()].differs =
          difference(computations[i], computations[like->second]);
    }
  }

  /// "aten.relu instead of aten.gelu", "2 nodes more", "other types".
  static std::string difference(const std::vector<std::string>& some,
                                const std::vector<std::string>& others) {
    const auto content = [](const std::string& text) {
      std::string_view rest = std::string_view(text).substr(0, text.find(" : "));
      const std::string_view target = rest.substr(rest.find(' ') + 1);
      rest = target.empty() ? rest.substr(0, rest.find(' ')) : target;
      if (rest.ends_with(".default")) rest.remove_suffix(8);
      return std::string(rest);
    };
    if (some.size() > others.size())
      return std::to_string(some.size() - others.size()) + " nodes more";
    if (some.size() < others.size())
      return std::to_string(others.size() - some.size()) + " nodes less";
    for (std::size_t i = 0; i < some.size(); ++i)
      if (content(some[i]) != content(others[i]))
        return content(some[i]) + " instead of " + content(others[i]);
    return "other types";
  }

  /// The ids of groups when the groups of each run are in a new group.
  struct NewIds {
    std::map<GroupId, std::size_t> runOf;  ///< by child
    std::vector<GroupId> renamed;          ///< by group
    std::vector<GroupId> wrapper;          ///< by run: the new group
    std::size_t count = 0;
  };

  NewIds newIds(const std::vector<Run>& runs) const {
    NewIds ids;
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (std::size_t i = runs[r].begin; i < runs[r].end; ++i)
        ids.runOf[tree_.group(runs[r].parent).children[i]] = r;
    ids.renamed.resize(tree_.groups.size());
    ids.wrapper.resize(runs.size());
    for (const Group& group : tree_.groups) {
      if (const auto run = ids.runOf.find(group.id);
          run != ids.runOf.end() && !ids.wrapper[run->second].valid())
        ids.wrapper[run->second] = GroupId::of(ids.count++);
      ids.renamed[group.id.index()] = GroupId::of(ids.count++);
    }
    return ids;
  }

  static std::vector<GroupId> childrenOf(const Group& group, const NewIds& ids) {
    std::vector<GroupId> out;
    for (const GroupId child : group.children) {
      const auto run = ids.runOf.find(child);
      if (run == ids.runOf.end()) out.push_back(ids.renamed[child.index()]);
      else if (out.empty() || out.back() != ids.wrapper[run->second])
        out.push_back(ids.wrapper[run->second]);
    }
    return out;
  }

  void insert(const std::vector<Run>& runs) {
    const NewIds ids = newIds(runs);
    std::vector<Group> groups(ids.count);
    for (Group& group : tree_.groups) {
      const auto run = ids.runOf.find(group.id);
      group.id = ids.renamed[group.id.index()];
      if (group.parent.valid()) group.parent = ids.renamed[group.parent.index()];
      group.children = childrenOf(group, ids);
      if (run != ids.runOf.end()) {
        Group& around = groups[ids.wrapper[run->second].index()];
        around.id = ids.wrapper[run->second];
        around.repeats = runs[run->second].end - runs[run->second].begin;
        around.parent = std::exchange(group.parent, around.id);
        around.depth = group.depth;
        around.children.push_back(group.id);
        around.totalNodes += group.totalNodes;
        around.type = std::to_string(around.repeats) + " × " + group.type;
      }
      groups[group.id.index()] = std::move(group);
    }
    for (Group& group : groups)
      if (group.parent.valid()) group.depth = groups[group.parent.index()].depth + 1;
    for (GroupId& id : tree_.groupOf) id = ids.renamed[id.index()];
    tree_.groups = std::move(groups);
  }

  const fx::Program& program_;
  GroupTree& tree_;
  std::vector<std::vector<fx::NodeId>> members_;  // by group, with those of its children
};

}  // namespace

void foldRepeats(const fx::Program& program, GroupTree& tree) {
  RepeatFolder(program, tree).fold();
}

}  // namespace fxs::layout
