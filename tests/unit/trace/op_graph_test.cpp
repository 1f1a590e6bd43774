// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/op_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "fx/builder.h"

namespace fxs::trace {
namespace {

using testing::ElementsAre;

/// x, then `relu` and `sum` in the modules act and head.
fx::ProgramPtr reluAndSum() {
  fx::Builder b;
  const fx::NodeId x = b.placeholder(b.main(), "x", fx::Value{});
  const fx::NodeId relu =
      b.call(b.main(), "relu", "aten.relu.default", {{"self", x, false}}, fx::Value{});
  const fx::NodeId sum =
      b.call(b.main(), "sum_1", "aten.sum.dim_IntList", {{"self", relu, false}}, fx::Value{});
  b.node(relu).meta.push_back(
      {b.intern("nn_module_stack"), b.intern("L__self__,,M;L__self___act,act,torch.nn.ReLU")});
  b.node(sum).meta.push_back(
      {b.intern("nn_module_stack"), b.intern("L__self__,,M;L__self___head,head,Head")});
  b.output(b.main(), {fx::Argument(sum)});
  b.program().inputs.push_back({fx::InputKind::UserInput, x, "", true, {}});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, fx::Argument(sum), ""});
  auto program = std::move(b).finish();
  EXPECT_TRUE(program.has_value()) << program.error().message;
  return *program;
}

/// "linalg.generic: maximumf <- x 0" for each node, with its graph in front of nodes of subgraphs.
std::vector<std::string> nodeLines(const OpGraph& graph) {
  std::vector<std::string> out;
  for (const fx::Node& node : graph.program->nodes) {
    std::string line = node.graph.index() == 0 ? "" : graph.program->graph(node.graph).name + "/";
    line += node.name;
    if (node.op == fx::NodeOp::CallFunction && !node.target.empty()) line += ": " + node.target;
    std::string operands;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value,
                      [&](fx::NodeId id) { operands += " " + graph.program->node(id).name; });
    if (!operands.empty()) line += " <-" + operands;
    out.push_back(std::move(line));
  }
  return out;
}

constexpr const char* kSumOfRelu =
    "module {\n"
    "  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<2xf32> {\n"
    "    %cst = arith.constant 0.000000e+00 : f32 loc(unknown)\n"
    "    %0 = tensor.empty() : tensor<2x3xf32> loc(\"relu\"(\"fx\":1:0))\n"
    "    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\", "
    "\"parallel\"]} ins(%arg0 : tensor<2x3xf32>) "
    "outs(%0 : tensor<2x3xf32>) {\n"
    "    ^bb0(%in: f32, %out: f32):\n"
    "      %5 = arith.maximumf %in, %cst : f32 loc(\"relu\"(\"fx\":1:0))\n"
    "      linalg.yield %5 : f32 loc(\"relu\"(\"fx\":1:0))\n"
    "    } -> tensor<2x3xf32> loc(\"relu\"(\"fx\":1:0))\n"
    "    %2 = tensor.empty() : tensor<2xf32> loc(\"sum_1\"(\"fx\":2:0))\n"
    "    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32> "
    "loc(\"sum_1\"(\"fx\":2:0))\n"
    "    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = [\"parallel\", "
    "\"reduction\"]} ins(%1 : tensor<2x3xf32>) "
    "outs(%3 : tensor<2xf32>) {\n"
    "    ^bb0(%in: f32, %out: f32):\n"
    "      %5 = arith.addf %in, %out : f32 loc(\"sum_1\"(\"fx\":2:0))\n"
    "      linalg.yield %5 : f32 loc(\"sum_1\"(\"fx\":2:0))\n"
    "    } -> tensor<2xf32> loc(\"sum_1\"(\"fx\":2:0))\n"
    "    return %4 : tensor<2xf32>\n"
    "  }\n"
    "}\n";

TEST(OpGraphTest, ConstantsAndFillsArePartOfWhatUsesThem) {
  const auto text = openText(kSumOfRelu);
  const OpGraph graph = opGraph(*text, *reluAndSum());
  EXPECT_THAT(nodeLines(graph),
              ElementsAre("x", "0", "linalg.generic: maximumf <- x 0", "fill 0",
                          "linalg.generic: addf; reduces d1 <- linalg.generic fill 0",
                          "output <- linalg.generic"));
}

TEST(OpGraphTest, EveryOperationIsShownOnceWithItsNodes) {
  const auto text = openText(kSumOfRelu);
  const OpGraph graph = opGraph(*text, *reluAndSum());
  std::set<mlir::OpId> seen;
  for (std::size_t node = 0; node < graph.opsOf.size(); ++node)
    for (const mlir::OpId op : graph.opsOf[node]) {
      EXPECT_TRUE(seen.insert(op).second);
      EXPECT_EQ(graph.nodeOf[op.index()], fx::NodeId::of(node));
    }
  EXPECT_EQ(seen.size(), text->module->ops.size() - 2) << "all but the module and the function";
  EXPECT_THAT(graph.fxNodesOf[0], ElementsAre(fx::NodeId::of(0)));
  EXPECT_THAT(graph.fxNodesOf[2], ElementsAre(fx::NodeId::of(1)));
  EXPECT_THAT(graph.fxNodesOf[4], ElementsAre(fx::NodeId::of(2)));
}

TEST(OpGraphTest, AnOperationIsInTheModulesOfItsNodes) {
  const OpGraph graph = opGraph(*openText(kSumOfRelu), *reluAndSum());
  const fx::Program& program = *graph.program;
  EXPECT_EQ(program.meta(program.nodes[2], "nn_module_stack"),
            "L__self__,,M;L__self___act,act,torch.nn.ReLU");
  EXPECT_EQ(program.meta(program.nodes[4], "nn_module_stack"),
            "L__self__,,M;L__self___head,head,Head");
}

TEST(OpGraphTest, AnOperationOfSeveralNodesIsInTheModulesThatAllAreIn) {
  const std::string fused =
      "module {\n"
      "  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
      "    %0 = tosa.clamp %arg0 : (tensor<2xf32>) -> tensor<2xf32> "
      "loc(fused[\"relu\"(\"fx\":1:0), \"sum_1\"(\"fx\":2:0)])\n"
      "    return %0 : tensor<2xf32>\n"
      "  }\n"
      "}\n";
  const OpGraph graph = opGraph(*openText(fused), *reluAndSum());
  EXPECT_EQ(graph.program->meta(graph.program->nodes[1], "nn_module_stack"), "L__self__,,M");
  EXPECT_THAT(graph.fxNodesOf[1], ElementsAre(fx::NodeId::of(1), fx::NodeId::of(2)));
}

TEST(OpGraphTest, RegionsAndCalledFunctionsAreSubgraphs) {
  const std::string text =
      "module {\n"
      "  func.func private @helper(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
      "    %0 = math.exp %arg0 : tensor<2xf32>\n"
      "    return %0 : tensor<2xf32>\n"
      "  }\n"
      "  func.func @main(%arg0: tensor<2xf32>, %arg1: i1) -> tensor<2xf32> {\n"
      "    %0 = func.call @helper(%arg0) : (tensor<2xf32>) -> tensor<2xf32>\n"
      "    %1 = scf.if %arg1 -> (tensor<2xf32>) {\n"
      "      %2 = math.sin %0 : tensor<2xf32>\n"
      "      scf.yield %2 : tensor<2xf32>\n"
      "    } else {\n"
      "      scf.yield %0 : tensor<2xf32>\n"
      "    }\n"
      "    return %1 : tensor<2xf32>\n"
      "  }\n"
      "}\n";
  const OpGraph graph = opGraph(*openText(text), *reluAndSum());
  EXPECT_THAT(
      nodeLines(graph),
      ElementsAre("helper", "helper/%arg0", "helper/math.exp <- %arg0", "helper/output <- math.exp",
                  "%arg0", "%arg1", "func.call <- helper %arg0", "region 0", "region 1",
                  "scf.if <- region 0 region 1 %arg1", "region 0/math.sin <- func.call",
                  "region 0/output <- math.sin", "region 1/output <- func.call",
                  "output <- scf.if"));
}

TEST(OpGraphTest, ASubgraphOfAnOperationWithoutASymbolIsNamedAfterTheOperation) {
  const OpGraph graph = opGraph(*openText("module {\n"
                                          "  \"a.b\"() ({\n"
                                          "    \"a.c\"() : () -> ()\n"
                                          "  }) : () -> ()\n"
                                          "  func.func @main(%arg0: tensor<2xf32>) {\n"
                                          "    return\n"
                                          "  }\n"
                                          "}\n"),
                                *reluAndSum());
  EXPECT_EQ(nodeLines(graph).front(), "a.b");
}

TEST(OpGraphTest, ListsOfTensorsLeadToTheTensors) {
  const std::string text =
      "module {\n"
      "  func.func @main(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],f32>) -> "
      "!torch.vtensor<[4],f32> {\n"
      "    %0 = torch.prim.ListConstruct %arg0, %arg1 : (!torch.vtensor<[2],f32>, "
      "!torch.vtensor<[2],f32>) -> !torch.list<vtensor>\n"
      "    %int0 = torch.constant.int 0\n"
      "    %1 = torch.aten.cat %0, %int0 : !torch.list<vtensor>, !torch.int -> "
      "!torch.vtensor<[4],f32>\n"
      "    return %1 : !torch.vtensor<[4],f32>\n"
      "  }\n"
      "}\n";
  const OpGraph graph = opGraph(*openText(text), *reluAndSum());
  EXPECT_THAT(nodeLines(graph),
              ElementsAre("%arg0", "%arg1", "0", "torch.aten.cat <- 0 %arg0 %arg1",
                          "output <- torch.aten.cat"));
}

}  // namespace
}  // namespace fxs::trace
