// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// helion-mlir's example: the addmm of a tiled matrix product, in the body of a loop over tiles,
// lowered by itself and inlined into a function that works on tiles of known sizes.
#include <gtest/gtest.h>

#include "fx/text.h"
#include "import/import.h"
#include "lower/batch.h"
#include "lower/engine_run.h"
#include "mlir/text/shown_text.h"
#include "node_lab/inline.h"
#include "node_lab/node_program.h"
#include "real_engine.h"

namespace fxs::node_lab {
namespace {

constexpr const char* kKernel =
    "%graph_0 : [num_users=1] = get_attr[target=graph_0]\n"
    "%_for_loop : (f32[u0, u1],) [num_users=0] = "
    "call_function[target=helion.language._tracing_ops._for_loop](args = (%graph_0, [0]), "
    "kwargs = {})\n"
    "return (None,)\n"
    "\n"
    "graph graph_0():\n"
    "%arg0_1 : f32[u0, u1] [num_users=1] = placeholder[target=arg0_1]\n"
    "%load : f32[u0, u2] [num_users=1] = "
    "call_function[target=helion.language.memory_ops.load](args = ('x',), kwargs = {})\n"
    "%load_1 : f32[u2, u1] [num_users=1] = "
    "call_function[target=helion.language.memory_ops.load](args = ('y',), kwargs = {})\n"
    "%acc : f32[u0, u1] [num_users=1] = call_function[target=torch.ops.aten.addmm.default](args = "
    "(%arg0_1, %load, %load_1), kwargs = {})\n"
    "return (acc,)\n";

TEST(Addmm, AMatmulAndAnAddAreInlinedUnderFreshNames) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  PosixCommandRunner runner;
  const auto kernel = fx::graphFrom(kKernel);
  ASSERT_TRUE(kernel.has_value()) << kernel.error().message;
  const auto alone = programOf(*kernel, (*kernel)->findNode("acc")->id);
  ASSERT_TRUE(alone.has_value()) << alone.error().message;
  const auto imported = import::importProgram(*alone->program, {}, {});
  ASSERT_TRUE(imported.has_value());
  const auto lowered = lower::lowerBatch({(*imported)->text}, **kernel, *engine, {}, runner, {});
  ASSERT_TRUE(lowered.has_value());
  ASSERT_TRUE(lowered->front().ok()) << lowered->front().message;

  Composition tile("tile", {{"acc", "tensor<64x128xf32>", ""},
                            {"0", "tensor<64x32xf32>", ""},
                            {"c0", "tensor<32x128xf32>", ""}});
  const auto results =
      tile.inlineCall({lowered->front().text, "main", "", "\"acc\"(\"fx\":9:0)"}, tile.arguments());
  ASSERT_TRUE(results.has_value()) << results.error().message;
  const std::string text = std::move(tile).finish(*results, "");
  EXPECT_EQ(mlir::shownText(text), R"(module {
  func.func @tile(%acc: tensor<64x128xf32>, %0: tensor<64x32xf32>, %c0: tensor<32x128xf32>) -> (tensor<?x?xf32>) {
    %cast = tensor.cast %acc : tensor<64x128xf32> to tensor<?x?xf32>
    %cast_0 = tensor.cast %0 : tensor<64x32xf32> to tensor<?x?xf32>
    %cast_1 = tensor.cast %c0 : tensor<32x128xf32> to tensor<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = tensor.dim %cast_0, %c0_0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %cast_1, %c1 : tensor<?x?xf32>
    %1 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %3 = linalg.matmul ins(%cast_0, %cast_1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%2 : tensor<?x?xf32>) -> tensor<?x?xf32>
    %dim_1 = tensor.dim %cast, %c0_0 : tensor<?x?xf32>
    %dim_2 = tensor.dim %cast, %c1 : tensor<?x?xf32>
    %4 = tensor.empty(%dim_1, %dim_2) : tensor<?x?xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%cast, %3 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%4 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %6 = arith.addf %in, %in_3 : f32
      linalg.yield %6 : f32
    } -> tensor<?x?xf32>
    return %5 : tensor<?x?xf32>
  }
}
)");
  EXPECT_EQ(lower::runEngine(*engine, {""}, text, {}, runner, {}).front().outcome,
            lower::RunOutcome::Ok);
}

}  // namespace
}  // namespace fxs::node_lab
