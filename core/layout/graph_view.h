#pragma once
// What a person looks at: the graph grouped by module, each group collapsed or expanded, parameters as chips, long edges cut
// into labelled stubs. A pure function of the program and the set of expanded groups.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/ids.h"
#include "fx/program.h"

namespace fxs::layout {

using GroupId = StrongId<struct GroupTag>;   ///< index into GroupTree::groups
using BoxId = StrongId<struct BoxTag>;       ///< index into GraphView::boxes

/// The module tree of the main graph, from nn_module_stack; nodes without one belong to the root. Modules called several
/// times in a row with other modules between are one group per contiguous call ("layer", "layer (2)"), so that no cycle appears
/// between groups. Subgraphs of higher-order ops are groups too.
struct Group {
  GroupId id;
  GroupId parent;                      ///< invalid for the root
  std::string label;                   ///< "h.3", last part of the module path
  std::string path;                    ///< "transformer.h.3"
  std::string type;                    ///< "GPT2Block"
  std::vector<GroupId> children;
  std::vector<fx::NodeId> nodes;       ///< directly in it
  std::size_t totalNodes = 0;          ///< with those of all children
};
struct GroupTree {
  std::vector<Group> groups;           ///< groups[0] is the root
  std::vector<GroupId> groupOf;        ///< by NodeId: the innermost
};
GroupTree groupTree(const fx::Program&);

struct Box {
  BoxId id;
  fx::NodeId node;                     ///< of a node box
  GroupId group;                       ///< of a collapsed group; else the group it is drawn in is `inside`
  GroupId inside;                      ///< the innermost expanded group around it; root when none
  std::string title;                   ///< node name or group label
  std::string subtitle;                ///< target, or "GPT2Block · 34 nodes"
  std::vector<fx::NodeId> chips;       ///< parameters, buffers, constants that only this box uses: drawn on it
  double width = 0, height = 0;        ///< in points, from the text
  bool isInput = false, isOutput = false;
};
struct Edge {
  BoxId from, to;
  std::string label;                   ///< "f32[1, 16, 96]", or "3 values"
  std::vector<fx::NodeId> values;      ///< the producing nodes
};
/// One end of a cut edge: "-> 9 users" at the producer, "<- rotary_cos" at a consumer.
struct Stub {
  BoxId at;
  bool outgoing = true;
  std::vector<BoxId> others;           ///< where it goes
  std::string label;
  fx::NodeId value;
};
struct GraphView {
  std::vector<Box> boxes;
  std::vector<Edge> edges;
  std::vector<Stub> stubs;
  std::vector<GroupId> expanded;       ///< drawn as frames, outermost first
};

struct ViewOptions {
  std::set<GroupId> expanded;          ///< groups to show open; their ancestors are open too
  bool everything = false;             ///< all groups open
  std::size_t longEdge = 10;           ///< ranks over which an edge becomes stubs
};
GraphView graphView(const fx::Program&, const GroupTree&, const ViewOptions&);

}  // namespace fxs::layout
