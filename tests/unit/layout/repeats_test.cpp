// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/repeats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layout/graph_view.h"
#include "module_program.h"

namespace fxs::layout {
namespace {

using test::ModuleProgram;

/// Layers of two nodes, one after the other; layer `odd` has another activation. `between` adds a
/// node of the model after each.
fx::ProgramPtr layers(int count, int odd = -1, bool between = false) {
  ModuleProgram p;
  auto last = p.input("x");
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), module = "m:Model/m.layers." + n + ":Layer";
    last = p.call("neg_" + n, "aten.neg.default", {last}, module);
    last = p.call("act_" + n, i == odd ? "aten.relu.default" : "aten.gelu.default", {last}, module);
    if (between) last = p.call("abs_" + n, "aten.abs.default", {last}, "m:Model");
  }
  last = p.call("last", "aten.neg.default", {last}, "m:Model");
  return p.returning({last});
}

std::vector<std::string> childrenOf(const GroupTree& tree, GroupId id) {
  std::vector<std::string> out;
  for (const GroupId child : tree.group(id).children) {
    const Group& group = tree.group(child);
    out.push_back(group.label + " " + group.type +
                  (group.differs.empty() ? "" : ": " + group.differs));
  }
  return out;
}

TEST(Repeats, IdenticalLayersAreOneGroup) {
  const fx::ProgramPtr program = layers(6);
  const GroupTree tree = groupTree(*program);
  const GroupId model = tree.find("m");
  EXPECT_THAT(childrenOf(tree, model), testing::ElementsAre("layers.0 … layers.5 6 × Layer"));
  const Group& folded = tree.group(tree.group(model).children.front());
  EXPECT_EQ(folded.repeats, 6U);
  EXPECT_EQ(folded.totalNodes, 12U);
  EXPECT_EQ(childrenOf(tree, folded.id).size(), 6U);
  EXPECT_EQ(tree.group(tree.find("m.layers.3")).parent, folded.id);
}

TEST(Repeats, EveryNodeKeepsItsModule) {
  const fx::ProgramPtr program = layers(6);
  const GroupTree tree = groupTree(*program);
  for (const Group& group : tree.groups) {
    for (const fx::NodeId node : group.nodes) EXPECT_EQ(tree.groupOf[node.index()], group.id);
    if (group.parent.valid()) {
      EXPECT_LT(group.parent, group.id);
      EXPECT_THAT(tree.group(group.parent).children, testing::Contains(group.id));
      EXPECT_EQ(group.depth, tree.group(group.parent).depth + 1);
    }
  }
}

TEST(Repeats, ADifferentLayerIsLeftOutAndSaysWhy) {
  const GroupTree tree = groupTree(*layers(9, 4));
  EXPECT_THAT(childrenOf(tree, tree.find("m")),
              testing::ElementsAre("layers.0 … layers.3 4 × Layer",
                                   "layers.4 Layer: aten.relu instead of aten.gelu",
                                   "layers.5 … layers.8 4 × Layer"));
}

TEST(Repeats, FewLayersAndLayersWithNodesBetweenAreNot) {
  EXPECT_EQ(childrenOf(groupTree(*layers(3)), groupTree(*layers(3)).find("m")).size(), 3U);
  EXPECT_EQ(
      childrenOf(groupTree(*layers(6, -1, true)), groupTree(*layers(6, -1, true)).find("m")).size(),
      6U);
}

TEST(Repeats, ALargeModelOpensFoldedAndEveryLayerCanBeExpanded) {
  const fx::ProgramPtr program = layers(272, 100);
  const GroupTree tree = groupTree(*program);
  ViewOptions options;
  options.expanded = initiallyExpanded(*program, tree);
  EXPECT_LT(graphView(*program, tree, options).boxes.size(), 60U);
  options.expanded.insert(tree.find("m.layers.271"));
  const GraphView view = graphView(*program, tree, options);
  EXPECT_TRUE(std::any_of(view.boxes.begin(), view.boxes.end(),
                          [](const Box& box) { return box.title == "act_271"; }));
}

}  // namespace
}  // namespace fxs::layout
