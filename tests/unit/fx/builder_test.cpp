// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/builder.h"

#include <gtest/gtest.h>

#include "fx/text.h"

namespace fxs::fx {
namespace {

Value f32(std::vector<SymInt> sizes) {
  TensorMeta t;
  t.dtype = DType::Float32;
  t.strides = contiguousStrides(sizes);
  t.sizes = std::move(sizes);
  t.device.type = "cpu";
  return t;
}

void input(Builder& b, NodeId id) {
  b.program().inputs.push_back({InputKind::UserInput, id, "", true, None{}});
}
void returned(Builder& b, NodeId id) {
  b.program().outputs.push_back({OutputKind::UserOutput, id, ""});
  b.output(b.main(), {id});
}

TEST(Builder, NamesAreMadeUnique) {
  Builder b;
  NodeId x = b.placeholder(b.main(), "x", f32({2}));
  input(b, x);
  for (int i = 0; i < 3; ++i)
    x = b.call(b.main(), "relu", "aten.relu.default", {{"self", x, false}}, f32({2}));
  EXPECT_EQ(b.node(x).name, "relu_2");
  EXPECT_EQ(b.uniqueName(b.main(), "relu"), "relu_3");
  EXPECT_EQ(b.uniqueName(b.main(), "gelu"), "gelu");
}

TEST(Builder, SubgraphsFollowMainDepthFirst) {
  Builder b;
  NodeId x = b.placeholder(b.main(), "x", f32({2}));
  input(b, x);
  NodeId firstHolder;
  GraphId first = b.addSubgraph(b.main(), "first", &firstHolder);
  GraphId second = b.addSubgraph(b.main(), "second");
  GraphId inner = b.addSubgraph(first, "inner");
  for (GraphId g : {second, inner, first})
    b.output(g,
             {b.call(g, "zero", "aten.zeros.default", {{"size", ArgumentList{}, false}}, f32({}))});
  NodeId call = b.call(b.main(), "call", "higher_order.wrap",
                       {{"", firstHolder, false}, {"", x, false}}, f32({2}));
  returned(b, call);
  Result<ProgramPtr> program = std::move(b).finish();
  ASSERT_TRUE(program) << program.error().message;
  std::vector<std::string> graphs;
  for (const Graph& g : (*program)->graphs) graphs.push_back(g.name);
  EXPECT_EQ(graphs, (std::vector<std::string>{"main", "first", "inner", "second"}));
  for (std::size_t i = 0; i < (*program)->nodes.size(); ++i) {
    EXPECT_EQ((*program)->nodes[i].id.index(), i);
    EXPECT_EQ((*program)->nodes[i].origin.index(), i);
  }
  EXPECT_EQ((*program)->findNode("first.inner")->subgraph, (*program)->graphs[2].id);
  EXPECT_EQ((*program)->findNode("second.inner"), nullptr);
  EXPECT_EQ((*program)->findNode("second.zero")->graph.index(), 3u);
}

TEST(Builder, NodesTakenOffAGraphAreLeftOut) {
  Builder b;
  NodeId x = b.placeholder(b.main(), "x", f32({2}));
  input(b, x);
  NodeId dead = b.call(b.main(), "dead", "aten.relu.default", {{"self", x, false}}, f32({2}));
  NodeId y = b.call(b.main(), "y", "aten.sin.default", {{"self", x, false}}, f32({2}));
  returned(b, y);
  std::erase(b.graph(b.main()).nodes, dead);
  Result<ProgramPtr> program = std::move(b).finish();
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(dump(**program),
            "graph():\n"
            "    %x : f32[2] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[2] [num_users=1] = call_function[target=torch.ops.aten.sin.default](args "
            "= (%x,), kwargs = {})\n"
            "    return (y,)\n");
}

std::string problemOf(Builder b) {
  Result<ProgramPtr> program = std::move(b).finish();
  return program ? "none" : program.error().message;
}

TEST(Verify, EachProblemNamesItsNode) {
  auto start = [](NodeId& x) {
    Builder b;
    x = b.placeholder(b.main(), "x", f32({2}));
    input(b, x);
    return b;
  };
  NodeId x;
  {
    Builder b = start(x);
    NodeId y = b.call(b.main(), "y", "aten.sin.default", {{"self", x, false}}, f32({2}));
    returned(b, y);
    std::erase(b.graph(b.main()).nodes, y);
    EXPECT_EQ(problemOf(std::move(b)),
              "node 'output' uses 'y', which is in no graph of the program");
  }
  {
    Builder b = start(x);
    NodeId y = b.call(b.main(), "y", "aten.sin.default", {{"self", x, false}}, f32({2}));
    NodeId z = b.call(b.main(), "z", "aten.sin.default", {{"self", x, false}}, f32({2}));
    b.node(y).args[0].value = z;
    returned(b, z);
    EXPECT_EQ(problemOf(std::move(b)), "node 'y' of graph 'main' uses 'z' before it is defined");
  }
  {
    Builder b = start(x);
    GraphId sub = b.addSubgraph(b.main(), "sub");
    b.output(sub, {x});
    returned(b, x);
    EXPECT_EQ(problemOf(std::move(b)),
              "node 'output' of graph 'sub' uses 'x' of graph 'main', which is out of scope");
  }
  {
    Builder b = start(x);
    b.addSubgraph(b.main(), "sub");
    returned(b, x);
    EXPECT_EQ(problemOf(std::move(b)), "graph 'sub' has no output");
  }
  {
    Builder b = start(x);
    b.placeholder(b.main(), "y", f32({2}));
    returned(b, x);
    EXPECT_EQ(problemOf(std::move(b)), "placeholder 'y' has no input spec: there are 1");
  }
  {
    Builder b = start(x);
    b.output(b.main(), {x});
    EXPECT_EQ(problemOf(std::move(b)), "there are 0 output specs for 1 outputs");
  }
  {
    Builder b = start(x);
    b.program().outputs.push_back({OutputKind::UserOutput, None{}, ""});
    b.output(b.main(), {x});
    EXPECT_EQ(problemOf(std::move(b)), "output spec 0 does not name the returned value, 'x'");
  }
  {
    Builder b = start(x);
    NodeId y = b.call(b.main(), "y", "aten.sin.default", {{"self", x, false}}, f32({2}));
    b.node(y).name = "x";
    returned(b, y);
    EXPECT_EQ(problemOf(std::move(b)), "graph 'main': two nodes are named 'x'");
  }
  {
    Builder b = start(x);
    b.program().original = std::make_shared<const Program>();
    returned(b, x);
    EXPECT_EQ(problemOf(std::move(b)),
              "node 'x' of graph 'main' has no origin in the user's program");
  }
  {
    Builder b = start(x);
    NodeId y =
        b.call(b.main(), "y", "aten.sin.default", {{"self", NodeId::of(99), false}}, f32({2}));
    returned(b, y);
    EXPECT_EQ(problemOf(std::move(b)), "node 'y' uses a node, which is in no graph of the program");
  }
}

TEST(Program, UsersAreListedOnceInOrder) {
  Result<ProgramPtr> program = graphFrom(
      "x: f32[2] = placeholder\ny: f32[2] = aten.add.Tensor(x, x)\nz: f32[2] = "
      "aten.sin.default(x)\nreturn y, z\n");
  ASSERT_TRUE(program);
  const auto users = usersOf(**program);
  EXPECT_EQ(users[0], (std::vector<NodeId>{NodeId::of(1), NodeId::of(2)}));
  EXPECT_EQ(users[1], (std::vector<NodeId>{NodeId::of(3)}));
}

TEST(Program, ElementsOfAWeightSaturate) {
  Weight w;
  w.sizes = {std::int64_t{1} << 40, std::int64_t{1} << 40};
  EXPECT_EQ(w.elements(), std::numeric_limits<std::uint64_t>::max());
  w.sizes = {3, 0};
  EXPECT_EQ(w.elements(), 0u);
  w.sizes = {};
  EXPECT_EQ(w.elements(), 1u);
}

}  // namespace
}  // namespace fxs::fx
