#pragma once
// The modules of a program as a tree of groups, from each node's nn_module_stack. A group is one contiguous call: the nodes
// between entering and leaving a module, in execution order. So a module that is called again later is a second group
// ("layer (2)"), and whatever set of groups is collapsed, no cycle can appear between the boxes. Nodes without a module stack
// are in the innermost module that contains both neighbours. The subgraphs of higher-order ops are groups too,
// inside the group of the op that calls them.
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fx/program.h"

namespace fxs::layout {

using GroupId = StrongId<struct GroupTag>;  ///< index into GroupTree::groups

/// "GPT2Block" of "transformers.models.gpt2.GPT2Block".
std::string lastPart(std::string_view dotted);

struct Group {
  GroupId id;
  GroupId parent;                 ///< invalid for the root
  std::string label;              ///< path relative to the parent's, "h.3"; the second call of a module is "h.3 (2)"
  std::string path;               ///< "transformer.h.3"; of a subgraph its name
  std::string type;               ///< "GPT2Block", without its Python module; of a subgraph "subgraph"
  fx::GraphId subgraph;           ///< of a group that is a subgraph
  std::vector<GroupId> children;  ///< in execution order
  std::vector<fx::NodeId> nodes;  ///< directly in it, in execution order; the get_attr of a subgraph is its group itself
  std::size_t totalNodes = 0;     ///< with those of all children
  std::size_t depth = 0;          ///< of the root 0
};
struct GroupTree {
  std::vector<Group> groups;     ///< groups[0] is the root; parents precede their children
  std::vector<GroupId> groupOf;  ///< by NodeId: the innermost
  const Group& group(GroupId id) const { return groups[id.index()]; }
  const Group& root() const { return groups.front(); }
  /// From the root's child down to the group itself; empty for the root.
  std::vector<GroupId> pathTo(GroupId) const;
  /// By module path ("transformer.h.3"), or by path and call ("layer (2)"); nothing found: invalid.
  GroupId find(std::string_view path) const;
};
GroupTree groupTree(const fx::Program&);

/// The groups to show open in the first picture: none, as long as that shows enough to be worth looking at; a small program
/// opens entirely, and a wrapper around everything opens by itself.
std::set<GroupId> initiallyExpanded(const fx::Program&, const GroupTree&);
/// All groups less deep than `depth`: 0 opens none, 1 the root's children ..
std::set<GroupId> expandedToDepth(const GroupTree&, std::size_t depth);

}  // namespace fxs::layout
