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

GroupTree partTree(const GroupTree& full, const fx::Program& part,
                   const std::vector<fx::NodeId>& positionOf) {
  GroupTree tree = full;
  tree.groupOf.assign(part.nodes.size(), GroupId::of(0));
  for (Group& group : tree.groups) {
    group.nodes.clear();
    group.totalNodes = 0;
  }
  for (const fx::Node& node : part.nodes) {
    if (!positionOf[node.id.index()].valid()) continue;
    const GroupId group = tree.groupOf[node.id.index()] =
        full.groupOf[positionOf[node.id.index()].index()];
    if (node.subgraph.valid()) tree.groups[group.index()].subgraph = node.subgraph;
    else tree.groups[group.index()].nodes.push_back(node.id);
  }
  // A constant is in the group of its first user.
  for (std::size_t i = part.nodes.size(); i-- > 0;)
    for (const fx::NodeId operand : operandsOf(part.nodes[i]))
      if (!positionOf[operand.index()].valid()) tree.groupOf[operand.index()] = tree.groupOf[i];
  for (std::size_t i = tree.groups.size(); i-- > 0;) {
    Group& group = tree.groups[i];
    group.totalNodes += group.nodes.size();
    if (group.parent.valid()) tree.groups[group.parent.index()].totalNodes += group.totalNodes;
  }
  return tree;
}

Part partOf(const Full& full, const fx::Program& part, const GroupTree& tree, ViewOptions options,
            const std::vector<fx::NodeId>& positionOf) {
  std::unordered_map<GroupId, BoxId> boxOfGroup;
  for (const Box& box : full.view.boxes)
    if (box.collapsed()) boxOfGroup.emplace(box.group, box.id);
  const auto fullBox = [&](const Box& box) {
    return box.collapsed() ? boxOfGroup.at(box.group)
                           : full.view.boxOf[positionOf[box.node.index()].index()];
  };
  std::map<std::pair<BoxId, BoxId>, std::size_t> edges;
  for (std::size_t e = 0; e < full.view.edges.size(); ++e)
    edges.emplace(std::pair(full.view.edges[e].from, full.view.edges[e].to), e);
  options.isCut = [&](const Box& from, const Box& to) {
    return !edges.contains({fullBox(from), fullBox(to)});
  };
  Part out{graphView(part, tree, options), {}};

  out.layout.bounds = full.layout.bounds;
  for (Box& box : out.view.boxes) {
    const Rect& position = full.layout.boxes[fullBox(box).index()];
    box.width = std::min(box.width, position.width + kWiderThanPlace);
    box.height = position.height;
    out.layout.boxes.push_back(
        {position.centreX() - box.width / 2, position.y, box.width, box.height});
  }
  std::unordered_map<GroupId, std::size_t> frameOf;
  for (std::size_t i = 0; i < full.view.frames.size(); ++i)
    frameOf.emplace(full.view.frames[i].group, i);
  for (const Frame& frame : out.view.frames)
    out.layout.frames.push_back(full.layout.frames[frameOf.at(frame.group)]);
  for (std::size_t e = 0; e < out.view.edges.size(); ++e) {
    const Edge& edge = out.view.edges[e];
    const std::size_t there = edges.at(
        {fullBox(out.view.boxes[edge.from.index()]), fullBox(out.view.boxes[edge.to.index()])});
    out.layout.edges.push_back({e, full.layout.edges[there].spline, {}});
  }
  placeStubs(out.view, out.layout);
  placeLabels(out.view, out.layout);
  return out;
}

}  // namespace fxs::layout
