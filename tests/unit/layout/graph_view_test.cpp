// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/graph_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "layout/levels.h"
#include "module_program.h"

namespace fxs::layout {
namespace {

using test::ModuleProgram;

ViewOptions everything() {
  ViewOptions options;
  options.everything = true;
  return options;
}

/// Boxes, edges and stubs, a line each.
std::string outline(const GraphView& view) {
  std::string text;
  for (const Box& box : view.boxes) {
    text += box.title + " | " + box.subtitle;
    if (!box.module.empty()) text += " | in " + box.module;
    for (const Chip& chip : box.chips) text += " (" + chip.text + (chip.shared ? "*" : "") + ")";
    if (!box.chipText.empty()) text += " (" + box.chipText + ")";
    if (box.frame != kNoFrame) text += " @" + view.frames[box.frame].title;
    text += "\n";
  }
  for (const Edge& edge : view.edges)
    text += view.boxes[edge.from.index()].title + " -> " + view.boxes[edge.to.index()].title +
            " : " + edge.label + (edge.binding ? " (binding)" : "") + "\n";
  for (const Stub& stub : view.stubs)
    text +=
        view.boxes[stub.at.index()].title + (stub.outgoing ? " => " : " <= ") + stub.label + "\n";
  return text;
}

TEST(GraphView, CollapsedGroupsMergeTheirEdges) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto w = p.parameter("p_l0_weight", "l0.weight");
  const auto a = p.call("a", "aten.mul.Tensor", {x, w}, "l0:Layer");
  const auto b = p.call("b", "aten.relu.default", {x}, "l0:Layer");
  const auto c = p.call("c", "aten.add.Tensor", {a, b}, "l1:Layer");
  const auto d = p.call("d", "aten.relu.default", {c}, "l1:Layer");
  const auto program = p.returning({d});
  EXPECT_EQ(outline(graphView(*program, groupTree(*program), {})),
            "x | f32[2, 4]\n"
            "l0 | Layer · 2 nodes (weight) (1 parameter)\n"
            "l1 | Layer · 2 nodes\n"
            "output | 1 value\n"
            "x -> l0 : \n"
            "l0 -> l1 : 2 values\n"
            "l1 -> output : f32[2, 4]\n");
}

TEST(GraphView, OpenGroupsShowTheirNodesInFrames) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto w = p.parameter("p_w", "tied.weight");
  const auto a = p.call("a", "aten.mul.Tensor", {x, w}, "m:Model/m.l0:Layer");
  const auto b = p.call("b", "aten.mul.Tensor", {a, w}, "m:Model/m.l0:Layer");
  const auto c = p.call("c", "aten.relu.default", {b}, "m:Model/m.act:ReLU");
  const auto program = p.returning({c});
  EXPECT_EQ(outline(graphView(*program, groupTree(*program), everything())),
            "x | f32[2, 4]\n"
            "a | aten.mul.Tensor (weight*) @l0\n"
            "b | aten.mul.Tensor (weight*) @l0\n"
            "c | aten.relu | in act @m\n"
            "output | 1 value\n"
            "x -> a : \n"
            "a -> b : f32[2, 4]\n"
            "b -> c : f32[2, 4]\n"
            "c -> output : f32[2, 4]\n");
}

TEST(GraphView, OpeningAGroupOpensItsAncestors) {
  ModuleProgram p;
  const auto x = p.input("x");
  auto value = x;
  for (const char* layer : {"m.l0", "m.l1"})
    for (int i = 0; i < 2; ++i)
      value = p.call(std::string("n_") + layer[3] + std::to_string(i), "aten.relu.default", {value},
                     std::string("m:Model/") + layer + ":Layer");
  const auto program = p.returning({value});
  const GroupTree tree = groupTree(*program);
  ViewOptions options;
  options.expanded = {tree.find("m.l1")};
  const GraphView view = graphView(*program, tree, options);
  ASSERT_EQ(view.frames.size(), 2u);
  EXPECT_EQ(view.frames[0].title, "m");
  EXPECT_EQ(view.frames[1].title, "l1");
  EXPECT_EQ(view.frames[1].parent, 0u);
  EXPECT_TRUE(view.boxes[1].collapsed());
}

TEST(GraphView, GetitemsFoldIntoTheirProducer) {
  ModuleProgram p;
  const auto x = p.input("x");
  fx::Builder& builder = p.builder();
  const auto split = builder.call(builder.main(), "split", "aten.split.Tensor", {{"", x, false}},
                                  fx::ValueList{ModuleProgram::tensor(), ModuleProgram::tensor()});
  const auto first = builder.getitem(builder.main(), "getitem", split, 0, ModuleProgram::tensor());
  const auto second =
      builder.getitem(builder.main(), "getitem_1", split, 1, ModuleProgram::tensor());
  const auto add = p.call("add", "aten.add.Tensor", {first, second});
  const auto program = p.returning({add});
  const GraphView view = graphView(*program, groupTree(*program), everything());
  EXPECT_EQ(outline(view),
            "x | f32[2, 4]\n"
            "split | aten.split.Tensor\n"
            "add | aten.add.Tensor\n"
            "output | 1 value\n"
            "x -> split : \n"
            "split -> add : 2 values\n"
            "add -> output : f32[2, 4]\n");
  EXPECT_EQ(view.boxOf[2], view.boxOf[1]);
  EXPECT_EQ(view.boxes[1].folded.size(), 2u);
}

TEST(GraphView, OperandsOfAConditionFlowThroughItsBranches) {
  ModuleProgram p;
  const auto flag = p.input("flag");
  const auto x = p.input("x");
  fx::Builder& builder = p.builder();
  fx::NodeId attribute;
  const fx::GraphId body = builder.addSubgraph(builder.main(), "true_graph_0", &attribute);
  const auto y = builder.placeholder(body, "arg0_1", ModuleProgram::tensor());
  const auto sin = p.callIn(body, "sin", "aten.sin.default", {y});
  builder.output(body, {fx::Argument(sin)});
  const auto cond = builder.call(
      builder.main(), "cond", "higher_order.cond",
      {{"", flag, false}, {"", attribute, false}, {"", fx::ArgumentList{fx::Argument(x)}, false}},
      ModuleProgram::tensor());
  const auto program = p.returning({cond});
  EXPECT_EQ(outline(graphView(*program, groupTree(*program), everything())),
            "flag | f32[2, 4]\n"
            "x | f32[2, 4]\n"
            "arg0_1 | f32[2, 4] @true_graph_0\n"
            "sin | aten.sin @true_graph_0\n"
            "output | 1 value @true_graph_0\n"
            "cond | higher_order.cond\n"
            "output | 1 value\n"
            "output -> cond :  (binding)\n"
            "x -> arg0_1 :  (binding)\n"
            "flag -> cond : \n"
            "cond -> output : f32[2, 4]\n"
            "arg0_1 -> sin : \n"
            "sin -> output : f32[2, 4]\n");
  EXPECT_EQ(outline(graphView(*program, groupTree(*program), {})),
            "flag | f32[2, 4]\n"
            "x | f32[2, 4]\n"
            "true_graph_0 | subgraph · 3 nodes\n"
            "cond | higher_order.cond\n"
            "output | 1 value\n"
            "true_graph_0 -> cond :  (binding)\n"
            "x -> true_graph_0 :  (binding)\n"
            "flag -> cond : \n"
            "cond -> output : f32[2, 4]\n");
}

TEST(GraphView, LongEdgesBecomeStubsAtBothEnds) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto table = p.call("table", "aten.sin.default", {x});
  auto value = table;
  for (int i = 0; i < 12; ++i)
    value = p.call("relu_" + std::to_string(i), "aten.relu.default", {value});
  const auto add = p.call("add", "aten.add.Tensor", {value, table});
  const auto program = p.returning({add});
  const GraphView view = graphView(*program, groupTree(*program), everything());
  const std::string text = outline(view);
  EXPECT_EQ(text.find("table -> add"), std::string::npos) << text;
  EXPECT_NE(text.find("table => add\nadd <= table\n"), std::string::npos) << text;
  ASSERT_EQ(view.stubs.size(), 2u);
  EXPECT_EQ(view.stubs[0].others, (std::vector<BoxId>{view.stubs[1].at}));
}

TEST(GraphView, AValueThatFeedsEveryLayerIsCutButKeepsThePictureOnePiece) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto table = p.call("table", "aten.arange.default", {});
  auto value = x;
  for (int i = 0; i < 40; ++i)
    value = p.call("add_" + std::to_string(i), "aten.add.Tensor", {value, table});
  const auto program = p.returning({value});
  const GraphView view = graphView(*program, groupTree(*program), everything());
  std::size_t kept = 0;
  for (const Edge& edge : view.edges)
    kept += view.boxes[edge.from.index()].title == "table" ? 1 : 0;
  EXPECT_LE(kept, 4u);
  const auto stub =
      std::find_if(view.stubs.begin(), view.stubs.end(), [](const Stub& s) { return s.outgoing; });
  ASSERT_NE(stub, view.stubs.end());
  EXPECT_EQ(stub->label, std::to_string(40 - kept) + " users");
  EXPECT_EQ(stub->others.size(), 40 - kept);
}

TEST(GraphView, UnusedParametersAreListed) {
  ModuleProgram p;
  const auto x = p.input("x");
  const auto w = p.parameter("p_w", "w");
  const auto program = p.returning({p.call("a", "aten.relu.default", {x})});
  const GraphView view = graphView(*program, groupTree(*program), {});
  EXPECT_EQ(view.unused, (std::vector<fx::NodeId>{w}));
  EXPECT_FALSE(view.boxOf[w.index()].valid());
}

/// A program of random modules, silent nodes, re-entered modules and skip connections.
fx::ProgramPtr randomProgram(std::mt19937& random) {
  const auto upTo = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n)(random);
  };
  ModuleProgram p;
  std::vector<fx::NodeId> values{p.input("x"), p.input("y")};
  std::vector<std::string> stack;
  const std::size_t count = 20 + upTo(60);
  for (std::size_t i = 0; i < count; ++i) {
    if (upTo(2) == 0 && !stack.empty()) stack.pop_back();
    if (upTo(2) == 0 && stack.size() < 4) {
      const std::string name = "m" + std::to_string(upTo(3));
      stack.push_back(stack.empty() ? name : stack.back() + "." + name);
    }
    std::string modules;
    for (const std::string& path : stack) modules += (modules.empty() ? "" : "/") + path + ":Layer";
    std::vector<fx::NodeId> operands;
    for (std::size_t k = 0; k <= upTo(2); ++k)
      operands.push_back(
          values[values.size() - 1 - std::min(values.size() - 1, upTo(upTo(3) ? 4 : 60))]);
    values.push_back(p.call("n" + std::to_string(i), "aten.add.Tensor", operands,
                            upTo(4) == 0      ? ""
                            : modules.empty() ? "-"
                                              : modules));
  }
  return p.returning({values.back()});
}

/// On every level, boxes and frames with the edges between them can be put in an order: no cycle,
/// whatever is open.
bool levelsAreAcyclic(const GraphView& view) {
  std::vector<std::size_t> frames, parents;
  for (const Box& box : view.boxes) frames.push_back(box.frame);
  for (const Frame& frame : view.frames) parents.push_back(frame.parent);
  const Levels levels(frames, parents);
  std::vector<std::vector<std::size_t>> after(levels.itemCount());
  std::vector<std::size_t> before(levels.itemCount(), 0), ready;
  for (const Edge& edge : view.edges) {
    const Levels::Crossing crossing = levels.crossing(edge.from.index(), edge.to.index());
    after[crossing.from].push_back(crossing.to);
    ++before[crossing.to];
  }
  for (std::size_t item = 0; item < levels.itemCount(); ++item)
    if (before[item] == 0) ready.push_back(item);
  std::size_t done = 0;
  while (!ready.empty()) {
    const std::size_t item = ready.back();
    ready.pop_back();
    ++done;
    for (std::size_t next : after[item])
      if (--before[next] == 0) ready.push_back(next);
  }
  return done == levels.itemCount();
}

TEST(GraphView, NoSetOfOpenGroupsMakesACycle) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const auto program = randomProgram(random);
    ASSERT_TRUE(program);
    const GroupTree tree = groupTree(*program);
    for (int choice = 0; choice < 6; ++choice) {
      ViewOptions options;
      options.longEdge = 1'000'000;
      for (const Group& group : tree.groups)
        if (group.parent.valid() && random() % 3 != 0) options.expanded.insert(group.id);
      const GraphView view = graphView(*program, tree, options);
      ASSERT_TRUE(levelsAreAcyclic(view)) << "round " << round;
      for (const Edge& edge : view.edges) ASSERT_LT(edge.from, edge.to);
      for (const fx::Node& node : program->nodes)
        ASSERT_TRUE(view.boxOf[node.id.index()].valid()) << node.name;
      ASSERT_EQ(outline(view), outline(graphView(*program, tree, options)));
    }
  }
}

TEST(GraphView, LongNamesAreCopiedInPartOnly) {
  // A megabyte of name for each of ten thousand users would be ten gigabytes.
  const std::string name(1'000, 'w');
  ModuleProgram p;
  const auto x = p.input("x");
  const auto w = p.parameter("p_w", "m." + name);
  const auto a = p.call("a", "aten.mul.Tensor", {x, w}, "l0" + name + ":Layer");
  const auto program = p.returning({p.call("b", "aten.mul.Tensor", {a, w}, "l1:Layer")});
  const GroupTree tree = groupTree(*program);
  for (const Group& group : tree.groups) EXPECT_LE(group.path.size(), 515u);
  for (const Box& box : graphView(*program, tree, everything()).boxes)
    for (const Chip& chip : box.chips) EXPECT_EQ(chip.text, std::string(512, 'w') + "…");
}

TEST(GraphView, AValueStandsOnceOnAnEdgeHoweverOftenItIsTaken) {
  ModuleProgram p;
  const auto x = p.input("x");
  std::vector<fx::NodeId> made;
  for (int i = 0; i < 100; ++i)
    made.push_back(p.call("a" + std::to_string(i), "aten.relu.default", {x}, "l0:Layer"));
  std::vector<fx::NodeId> last;
  for (int round = 0; round < 2; ++round)
    for (const fx::NodeId id : made)
      last.push_back(p.call("b", "aten.relu.default", {id}, "l1:Layer"));
  const auto program = p.returning({last.back()});
  const GraphView view = graphView(*program, groupTree(*program), {});
  std::size_t values = 0;
  for (const Edge& edge : view.edges) values = std::max(values, edge.values.size());
  EXPECT_EQ(values, 100u);
}

}  // namespace
}  // namespace fxs::layout
