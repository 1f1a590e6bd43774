// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The graph to display: grouped by module, each group collapsed or expanded, parameters as chips,
// long edges cut into labelled stubs. A pure function of the program and the set of expanded
// groups; text sizes come from a table of character widths (text_metrics.h), so that no font is
// needed.
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "layout/group_tree.h"

namespace fxs::layout {

using BoxId = StrongId<struct BoxTag>;  ///< index into GraphView::boxes
constexpr std::size_t kNoFrame = std::numeric_limits<std::size_t>::max();

struct Chip {
  fx::NodeId node;      ///< the placeholder or get_attr that it represents
  std::string text;     ///< last part of the parameter's name: "weight"
  bool shared = false;  ///< other boxes show the same parameter
};
struct Box {
  BoxId id;
  fx::NodeId node;  ///< invalid for a collapsed group
  GroupId group;    ///< the collapsed group; invalid for a node
  std::size_t frame =
      kNoFrame;  ///< the enclosing frame: index into GraphView::frames; kNoFrame at the top level
  std::string title;   ///< node name or group label
  std::string module;  ///< if the node is the only one of its module, the module's label: "q_proj"
  std::string
      subtitle;  ///< target ("aten.linear" for aten.linear.default), or "GPT2Block · 34 nodes"
  std::string chipText;     ///< of a collapsed group: "12 parameters", "" if it has none
  std::vector<Chip> chips;  ///< parameters, buffers and constants of a node box; those not shown
                            ///< are counted in `moreChips`
  std::size_t moreChips = 0;
  std::vector<fx::NodeId> folded;  ///< getitem nodes drawn as part of this box
  double width = 0, height = 0;    ///< in points
  bool isInput = false, isOutput = false;
  bool collapsed() const { return group.valid(); }
};
/// An expanded group, drawn as a frame around its boxes.
struct Frame {
  GroupId group;
  std::size_t parent = kNoFrame;  ///< index into GraphView::frames
  std::string title;
  std::string subtitle;
  double captionWidth = 0;  ///< points
};
struct Edge {
  BoxId from, to;
  std::string label;               ///< "f32[1, 16, 96]", or "3 values"
  std::vector<fx::NodeId> values;  ///< the producing nodes
  bool binding = false;  ///< passes an operand of a higher-order op to its subgraph, or returns the
                         ///< subgraph's result
};
/// One end of a cut edge, labelled "9 users" at the producer and "rotary_cos" at a consumer.
struct Stub {
  BoxId at;
  bool outgoing = true;
  std::vector<BoxId> others;  ///< boxes at the other end, without duplicates
  std::string label;
  fx::NodeId value;
  double width = 0, height = 0;  ///< points
};
struct GraphView {
  std::vector<Box> boxes;  ///< in execution order
  std::vector<Edge> edges;
  std::vector<Stub> stubs;    ///< sorted by box, incoming first
  std::vector<Frame> frames;  ///< expanded groups, a parent before its children
  std::vector<std::pair<BoxId, BoxId>>
      order;  ///< keeps the second box below the first although the edges between them are cut
  std::vector<BoxId> boxOf;  ///< by NodeId: the box that shows it (its own, the one it is folded
                             ///< into, or the first with its chip)
  std::vector<fx::NodeId>
      unused;  ///< parameters, buffers and constants that no node uses, which are not drawn
};

struct ViewOptions {
  std::set<GroupId> expanded;  ///< groups to expand; their ancestors are expanded too
  bool everything = false;     ///< expand all groups
  std::size_t longEdge = 10;   ///< edges over more ranks become stubs
  std::vector<bool>
      only;  ///< by NodeId: the nodes to show, with the parameters that they use; empty for all
  /// If set, which edges become stubs instead.
  std::function<bool(const Box& from, const Box& to)> isCut;
};
/// Up to so many nodes, a part of a graph (ViewOptions::only) has every group expanded unless the
/// user says otherwise.
constexpr std::size_t kExpandedPart = 300;
GraphView graphView(const fx::Program&, const GroupTree&, const ViewOptions&);

/// "f32[1, 16, 96]" for a tensor, "2 values" for a tuple, the expression of a symbolic scalar, ""
/// if nothing is known.
std::string valueLabel(const fx::Value&);

}  // namespace fxs::layout
