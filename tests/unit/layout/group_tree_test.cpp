// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/group_tree.h"

#include <gtest/gtest.h>

#include "module_program.h"

namespace fxs::layout {
namespace {

using test::ModuleProgram;

/// One line a group: its label, type, path and the names of the nodes directly in it.
std::string outline(const fx::Program& program, const GroupTree& tree) {
  std::string text;
  std::vector<GroupId> pending{tree.root().id};
  while (!pending.empty()) {
    const Group& group = tree.group(pending.back());
    pending.pop_back();
    text += std::string(2 * group.depth, ' ') + (group.parent.valid() ? group.label : "(root)") +
            " " + group.type + " [" + std::to_string(group.totalNodes) + "]";
    for (fx::NodeId node : group.nodes) text += " " + program.node(node).name;
    text += "\n";
    pending.insert(pending.end(), group.children.rbegin(), group.children.rend());
  }
  return text;
}

TEST(GroupTree, FollowsTheModuleStack) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, "m:Model/m.l0:Layer");
  const auto b = p.call("b", "aten.relu.default", {a}, "m:Model/m.l0:Layer");
  const auto c = p.call("c", "aten.relu.default", {b}, "m:Model/m.l1:Layer");
  const auto d = p.call("d", "aten.relu.default", {c}, "m:Model");
  const auto program = p.returning({d});
  EXPECT_EQ(outline(*program, groupTree(*program)),
            "(root)  [6] x output\n"
            "  m Model [4] d\n"
            "    l0 Layer [2] a b\n"
            "    l1 Layer [1] c\n");
}

TEST(GroupTree, AModuleCalledAgainLaterIsASecondGroup) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, "l:Layer");
  const auto b = p.call("b", "aten.relu.default", {a}, "n:Norm");
  const auto c = p.call("c", "aten.relu.default", {b}, "l:Layer");
  const auto program = p.returning({c});
  EXPECT_EQ(outline(*program, groupTree(*program)),
            "(root)  [5] x output\n"
            "  l Layer [1] a\n"
            "  n Norm [1] b\n"
            "  l (2) Layer [1] c\n");
}

TEST(GroupTree, TwoCallsInARowAreToldApartByTheirKey) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, "l:Layer");
  const auto b = p.call("b", "aten.relu.default", {a}, "l@1:Layer");
  const auto program = p.returning({b});
  EXPECT_EQ(outline(*program, groupTree(*program)),
            "(root)  [4] x output\n"
            "  l Layer [1] a\n"
            "  l (2) Layer [1] b\n");
}

TEST(GroupTree, ASilentNodeLiesWhereItsNeighboursMeet) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, "m:Model/m.l0:Layer");
  const auto inside = p.call("inside", "aten.relu.default", {a});
  const auto b = p.call("b", "aten.relu.default", {inside}, "m:Model/m.l0:Layer");
  const auto between = p.call("between", "aten.relu.default", {b});
  const auto c = p.call("c", "aten.relu.default", {between}, "m:Model/m.l1:Layer");
  const auto last = p.call("last", "aten.relu.default", {c});
  const auto program = p.returning({last});
  EXPECT_EQ(outline(*program, groupTree(*program)),
            "(root)  [8] x last output\n"
            "  m Model [5] between\n"
            "    l0 Layer [3] a inside b\n"
            "    l1 Layer [1] c\n");
}

TEST(GroupTree, AGroupThatHoldsOneGroupIsOneWithIt) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, "m:Model/m.body:Body/m.body.l:Layer");
  const auto b = p.call("b", "aten.relu.default", {a}, "m:Model/m.body:Body/m.body.l:Layer");
  const auto program = p.returning({b});
  const GroupTree tree = groupTree(*program);
  EXPECT_EQ(outline(*program, tree),
            "(root)  [4] x output\n"
            "  m.body.l Layer [2] a b\n");
  EXPECT_EQ(tree.find("m.body.l"), tree.groupOf[a.index() + 0]);
}

TEST(GroupTree, ASubgraphIsAGroupBesideItsCaller) {
  ModuleProgram p;
  const auto x = p.input("x");
  fx::NodeId attribute;
  fx::Builder& builder = p.builder();
  const fx::GraphId body = builder.addSubgraph(builder.main(), "true_graph_0", &attribute);
  const auto y = builder.placeholder(body, "arg0_1", ModuleProgram::tensor());
  const auto sin = p.callIn(body, "sin", "aten.sin.default", {y}, "m:Model/m.branch:Branch");
  builder.output(body, {fx::Argument(sin)});
  const auto cond = builder.call(
      builder.main(), "cond", "higher_order.cond",
      {{"", x, false}, {"", attribute, false}, {"", fx::ArgumentList{fx::Argument(x)}, false}},
      ModuleProgram::tensor());
  p.setModules(cond, "m:Model");
  const auto relu = p.call("relu", "aten.relu.default", {cond}, "m:Model");
  const auto program = p.returning({relu});
  const GroupTree tree = groupTree(*program);
  EXPECT_EQ(outline(*program, tree),
            "(root)  [7] x output\n"
            "  m Model [5] cond relu\n"
            "    true_graph_0 subgraph [3] arg0_1 output\n"
            "      branch Branch [1] sin\n");
}

TEST(GroupTree, AHostileStackDepthIsCut) {
  std::string modules;
  for (int i = 0; i < 500; ++i) modules += (i ? "/m" : "m") + std::to_string(i) + ":M";
  ModuleProgram p;
  const auto x = p.input("x");
  const auto a = p.call("a", "aten.relu.default", {x}, modules);
  const auto program = p.returning({a});
  EXPECT_EQ(groupTree(*program).groups.size(), 2u);
}

TEST(GroupTree, ASmallProgramIsShownOpenALargeOneIsNot) {
  const auto make = [](int layers) {
    ModuleProgram p;
    auto value = p.input("x");
    for (int layer = 0; layer < layers; ++layer)
      for (int i = 0; i < 4; ++i)
        value = p.call("n" + std::to_string(layer) + "_" + std::to_string(i), "aten.relu.default",
                       {value}, "m:Model/m.l" + std::to_string(layer) + ":Layer");
    return p.returning({value});
  };
  const auto small = make(3), large = make(30);
  const GroupTree smallTree = groupTree(*small), largeTree = groupTree(*large);
  EXPECT_EQ(initiallyExpanded(*small, smallTree).size(), 4u);
  // The wrapper opens, its thirty layers stay closed.
  EXPECT_EQ(initiallyExpanded(*large, largeTree), (std::set<GroupId>{largeTree.find("m")}));
}

}  // namespace
}  // namespace fxs::layout
