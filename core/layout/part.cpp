// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/part.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "layout/label_places.h"
#include "layout/subgraph_calls.h"

namespace fxs::layout {
namespace {

/// How much wider than its place a box may be; neighbours are further apart.
constexpr double kWiderThanPlace = kNodeGap / 2;

}  // namespace

GroupTree partTree(const GroupTree& whole, const fx::Program& part,
                   const std::vector<fx::NodeId>& placeOf) {
  GroupTree tree = whole;
  tree.groupOf.assign(part.nodes.size(), GroupId::of(0));
  for (Group& group : tree.groups) {
    group.nodes.clear();
    group.totalNodes = 0;
  }
  for (const fx::Node& node : part.nodes) {
    if (!placeOf[node.id.index()].valid()) continue;
    const GroupId group = tree.groupOf[node.id.index()] =
        whole.groupOf[placeOf[node.id.index()].index()];
    if (node.subgraph.valid()) tree.groups[group.index()].subgraph = node.subgraph;
    else tree.groups[group.index()].nodes.push_back(node.id);
  }
  // A constant is in the group of its first user.
  for (std::size_t i = part.nodes.size(); i-- > 0;)
    for (const fx::NodeId operand : operandsOf(part.nodes[i]))
      if (!placeOf[operand.index()].valid()) tree.groupOf[operand.index()] = tree.groupOf[i];
  for (std::size_t i = tree.groups.size(); i-- > 0;) {
    Group& group = tree.groups[i];
    group.totalNodes += group.nodes.size();
    if (group.parent.valid()) tree.groups[group.parent.index()].totalNodes += group.totalNodes;
  }
  return tree;
}

Part partOf(const Whole& whole, const fx::Program& part, const GroupTree& tree, ViewOptions options,
            const std::vector<fx::NodeId>& placeOf) {
  std::unordered_map<GroupId, BoxId> boxOfGroup;
  for (const Box& box : whole.view.boxes)
    if (box.collapsed()) boxOfGroup.emplace(box.group, box.id);
  const auto wholeBox = [&](const Box& box) {
    return box.collapsed() ? boxOfGroup.at(box.group)
                           : whole.view.boxOf[placeOf[box.node.index()].index()];
  };
  std::map<std::pair<BoxId, BoxId>, std::size_t> edges;
  for (std::size_t e = 0; e < whole.view.edges.size(); ++e)
    edges.emplace(std::pair(whole.view.edges[e].from, whole.view.edges[e].to), e);
  options.isCut = [&](const Box& from, const Box& to) {
    return !edges.contains({wholeBox(from), wholeBox(to)});
  };
  Part out{graphView(part, tree, options), {}};

  out.layout.bounds = whole.layout.bounds;
  for (Box& box : out.view.boxes) {
    const Rect& place = whole.layout.boxes[wholeBox(box).index()];
    box.width = std::min(box.width, place.width + kWiderThanPlace);
    box.height = place.height;
    out.layout.boxes.push_back({place.centreX() - box.width / 2, place.y, box.width, box.height});
  }
  std::unordered_map<GroupId, std::size_t> frameOf;
  for (std::size_t i = 0; i < whole.view.frames.size(); ++i)
    frameOf.emplace(whole.view.frames[i].group, i);
  for (const Frame& frame : out.view.frames)
    out.layout.frames.push_back(whole.layout.frames[frameOf.at(frame.group)]);
  for (std::size_t e = 0; e < out.view.edges.size(); ++e) {
    const Edge& edge = out.view.edges[e];
    const std::size_t there = edges.at(
        {wholeBox(out.view.boxes[edge.from.index()]), wholeBox(out.view.boxes[edge.to.index()])});
    out.layout.edges.push_back({e, whole.layout.edges[there].spline, {}});
  }
  placeStubs(out.view, out.layout);
  placeLabels(out.view, out.layout);
  return out;
}

}  // namespace fxs::layout
