// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/dataflow.h"

#include <gtest/gtest.h>

#include <random>

#include "base/joined.h"
#include "layout/subgraph_calls.h"
#include "module_program.h"

namespace fxs::layout {
namespace {

using test::ModuleProgram;

std::string names(const fx::Program& program, const std::vector<fx::NodeId>& nodes) {
  std::vector<std::string> out;
  for (const fx::NodeId node : nodes) out.push_back(program.node(node).name);
  return joined(out, " ");
}

struct Diamond {
  Diamond() {
    const auto x = p.input("x");
    const auto top = p.call("top", "aten.relu.default", {x});
    const auto left = p.call("left", "aten.relu.default", {top});
    const auto right = p.call("right", "aten.relu.default", {top});
    const auto aside = p.call("aside", "aten.relu.default", {x});
    program = p.returning({p.call("bottom", "aten.add.Tensor", {left, right}), aside});
  }
  std::vector<fx::NodeId> node(const char* name) const { return {program->findNode(name)->id}; }
  ModuleProgram p;
  fx::ProgramPtr program;
};

TEST(Dataflow, ANeighbourhoodIsStepsUpAndStepsDown) {
  const Diamond d;
  const Dataflow flow(*d.program);
  const auto around = [&](const char* name, std::size_t steps) {
    return names(*d.program, flow.around(d.node(name), steps));
  };
  EXPECT_EQ(around("left", 0), "left");
  EXPECT_EQ(around("left", 1), "top left bottom");
  // Not its sibling: a step up and a step down do not add up.
  EXPECT_EQ(around("left", 9), "x top left bottom output");
  EXPECT_EQ(around("x", 1), "x top aside");
}

TEST(Dataflow, PathsHaveEveryNodeThatIsOnOne) {
  const Diamond d;
  const Dataflow flow(*d.program);
  const auto between = [&](const char* from, const char* to) {
    return names(*d.program, flow.between(d.node(from), d.node(to)));
  };
  EXPECT_EQ(between("x", "bottom"), "x top left right bottom");
  EXPECT_EQ(between("left", "bottom"), "left bottom");
  EXPECT_EQ(between("top", "top"), "top");
  EXPECT_EQ(between("left", "right"), "");
  EXPECT_EQ(between("bottom", "x"), "") << "edges have a direction";
}

TEST(Dataflow, AValueGoesThroughTheSubgraphThatItIsPassedTo) {
  ModuleProgram p;
  const auto flag = p.input("flag"), x = p.input("x");
  fx::Builder& builder = p.builder();
  fx::NodeId attribute;
  const fx::GraphId body = builder.addSubgraph(builder.main(), "true_graph_0", &attribute);
  const auto inside = builder.placeholder(body, "inside", ModuleProgram::tensor());
  builder.output(body, {fx::Argument(p.callIn(body, "sin", "aten.sin.default", {inside}))});
  const auto cond = builder.call(
      builder.main(), "cond", "higher_order.cond",
      {{"", flag, false}, {"", attribute, false}, {"", fx::ArgumentList{fx::Argument(x)}, false}},
      ModuleProgram::tensor());
  const auto program = p.returning({cond});
  ASSERT_TRUE(program);
  const std::vector<fx::NodeId> from{program->findNode("x")->id}, to{program->findNode("cond")->id};
  EXPECT_EQ(names(*program, Dataflow(*program).between(from, to)), "x cond inside sin output");
}

/// By its definition: whether some path from `from` leads to each node, edge by edge.
std::vector<bool> reachedFrom(const fx::Program& program, fx::NodeId from) {
  std::vector<bool> reached(program.nodes.size(), false);
  reached[from.index()] = true;
  for (const fx::Node& node : program.nodes)
    for (const fx::NodeId operand : operandsOf(node))
      if (reached[operand.index()]) reached[node.id.index()] = true;
  return reached;
}

TEST(Dataflow, RandomGraphsHaveTheNodesOfTheDefinition) {
  std::mt19937 random(20);
  for (int round = 0; round < 20; ++round) {
    ModuleProgram p;
    std::vector<fx::NodeId> nodes{p.input("x")};
    const auto any = [&] { return nodes[random() % nodes.size()]; };
    for (int i = 0; i < 40; ++i)
      nodes.push_back(p.call("n" + std::to_string(i), "aten.add.Tensor", {any(), any()}));
    const auto program = p.returning({nodes.back()});
    const Dataflow flow(*program);
    const std::vector<fx::NodeId> from{any()}, to{any()};
    std::vector<fx::NodeId> expected;
    const std::vector<bool> below = reachedFrom(*program, from[0]);
    for (const fx::Node& node : program->nodes)
      if (below[node.id.index()] && reachedFrom(*program, node.id)[to[0].index()])
        expected.push_back(node.id);
    EXPECT_EQ(flow.between(from, to), expected);
  }
}

TEST(Dataflow, FiftyThousandNodesTakeLinearTime) {
  // Every two nodes in a row have a path for each subset of the diamonds between them: 2^25000 of
  // them, none of which is walked by itself.
  ModuleProgram p;
  const auto x = p.input("x");
  auto value = x;
  for (int i = 0; i < 25'000; ++i) {
    const std::string name = std::to_string(i);
    value = p.call("a" + name, "aten.add.Tensor",
                   {value, p.call("b" + name, "aten.relu.default", {value})});
  }
  const auto program = p.returning({value});
  const Dataflow flow(*program);
  const std::vector<fx::NodeId> from{x}, to{value};
  EXPECT_EQ(flow.between(from, to).size(), 50'001u);
  EXPECT_EQ(flow.around(to, 1'000'000).size(), 50'002u);
}

}  // namespace
}  // namespace fxs::layout
