// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The modules of a program as a tree of groups, from each node's nn_module_stack. A group is one
// contiguous call: the nodes between entering and leaving a module, in execution order. A second
// call of the same module is therefore a group of its own
// ("layer (2)"), and collapsing any set of groups never creates a cycle between boxes. Nodes
// without a module stack are in the innermost module that contains both neighbours. The subgraphs
// of higher-order ops are groups too, inside the group of the op that calls them. Identical
// siblings in a row are the children of one group; see repeats.h.
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fx/program.h"

namespace fxs::layout {

using GroupId = StrongId<struct GroupTag>;  ///< index into GroupTree::groups

/// "GPT2Block" for "transformers.models.gpt2.GPT2Block".
std::string lastPart(std::string_view dotted);

struct Group {
  GroupId id;
  GroupId parent;  ///< invalid for the root
  std::string
      label;  ///< path relative to the parent's, "h.3"; "h.3 (2)" for the second call of a module
  std::string path;  ///< "transformer.h.3"; for a subgraph its name
  std::string type;  ///< class without its Python module, "GPT2Block"; for a subgraph "subgraph"
  fx::GraphId subgraph;           ///< invalid unless the group is a subgraph
  std::vector<GroupId> children;  ///< in execution order
  std::vector<fx::NodeId> nodes;  ///< direct members in execution order, without the get_attr of a
                                  ///< subgraph, which is a group instead
  std::size_t totalNodes = 0;     ///< including those of all descendants
  std::size_t depth = 0;          ///< 0 for the root
  bool isLone = false;            ///< contains one node, which is drawn without the group
  std::size_t repeats = 0;        ///< for a group of identical siblings, their number
  std::string differs;  ///< of a sibling of such a group that is of the same class: how it differs,
                        ///< "aten.relu instead of aten.gelu"
};
struct GroupTree {
  std::vector<Group> groups;     ///< groups[0] is the root; parents precede their children
  std::vector<GroupId> groupOf;  ///< by NodeId: the innermost group
  const Group& group(GroupId id) const { return groups[id.index()]; }
  const Group& root() const { return groups.front(); }
  /// From the root's child down to the group itself; empty for the root.
  std::vector<GroupId> pathTo(GroupId) const;
  /// Finds a group by module path ("transformer.h.3"), or by path and call ("layer (2)"); invalid
  /// if there is none.
  GroupId find(std::string_view path) const;
};
GroupTree groupTree(const fx::Program&);

/// The groups to expand initially: all for a small program; otherwise the largest visible groups,
/// while few boxes are visible and expanding them does not show too many.
std::set<GroupId> initiallyExpanded(const fx::Program&, const GroupTree&);
/// All groups up to `depth`: 0 expands none, 1 the root's children ..
std::set<GroupId> expandedToDepth(const GroupTree&, std::size_t depth);

}  // namespace fxs::layout
