// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rules make of a node, whole dumps: results, shapes, types, and what they leave alone. Values
// are checked against PyTorch by tests/oracle/decompositions_match_torch.py.
#include <gtest/gtest.h>

#include "rewritten.h"

namespace fxs::rewrite {
namespace {

TEST(Decompositions, SqueezeDimsTakesOnlyTheDimensionsOfSizeOne) {
  EXPECT_EQ(rewritten("x: f32[1, 3, 1] = placeholder\n"
                      "y: f32[3, 1] = aten.squeeze.dims(x, [0, 1])\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[1, 3, 1] [num_users=1] = placeholder[target=x]\n"
            "    %squeeze : f32[3, 1] [num_users=1] = "
            "call_function[target=torch.ops.prims.squeeze.default](args = (%x, [0]), kwargs = {})\n"
            "    return (squeeze,)\n");
}

TEST(Decompositions, FullIsFilledAsInPyTorchsTable) {
  RewriteOptions options = withoutDecompositions();
  options.decompose = {"aten.full"};
  EXPECT_EQ(
      rewritten("x: f32[s0] = placeholder\n"
                "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                "y: u8[2, s0] = aten.full.default([2, n], 4, dtype=torch.uint8, device=cpu)\n"
                "return y\n",
                options),
      "graph():\n"
      "    %x : f32[s0] [num_users=1] = placeholder[target=x]\n"
      "    %n : Sym(s0) [num_users=1] = call_function[target=torch.ops.aten.sym_size.int](args = "
      "(%x, 0), kwargs = {})\n"
      "    %empty_strided : u8[2, s0] [num_users=1] = "
      "call_function[target=torch.ops.aten.empty_strided.default](args = ([2, %n], [%n, "
      "1]), kwargs = {dtype: torch.uint8, layout: torch.strided, device: cpu, pin_memory: False})\n"
      "    %fill : u8[2, s0] [num_users=1] = call_function[target=torch.ops.aten.fill.Scalar](args "
      "= (%empty_strided, 4), kwargs = {})\n"
      "    return (fill,)\n");
}

TEST(Decompositions, NumbersOfElementsAreProductsOfSizes) {
  EXPECT_EQ(
      rewritten("x: f32[s0, 3] = placeholder\n"
                "n: Sym(3*s0) = aten.sym_numel.default(x)\n"
                "y: f32[s0, 3] = aten.div.Tensor(x, n)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[s0, 3] [num_users=2] = placeholder[target=x]\n"
      "    %sym_size : Sym(s0) [num_users=1] = call_function[target=torch.ops.aten.sym_size.int]("
      "args = (%x, 0), kwargs = {})\n"
      "    %mul : Sym(3*s0) [num_users=1] = call_function[target=operator.mul](args = (%sym_size, "
      "3), kwargs = {})\n"
      "    %y : f32[s0, 3] [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = "
      "(%x, %mul), kwargs = {})\n"
      "    return (y,)\n");
}

TEST(Decompositions, SqueezeOfNothingIsTheTensorItself) {
  EXPECT_EQ(rewritten("x: f32[2, 3] = placeholder\n"
                      "y: f32[2, 3] = aten.squeeze.dims(x, [0])\n"
                      "z: f32[2, 3] = aten.neg.default(y)\n"
                      "return z\n",
                      {}),
            "graph():\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    %z : f32[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})\n"
            "    return (z,)\n");
}

TEST(Decompositions, InferenceBatchNormHasNoStatisticsOfItsOwn) {
  EXPECT_EQ(
      rewritten(
          "x: f32[2, 4] = placeholder\n"
          "m: f32[4] = buffer \"mean\"\n"
          "v: f32[4] = buffer \"var\"\n"
          "bn: (f32[2, 4], f32[0], f32[0]) = aten._native_batch_norm_legit_no_training.default(x, "
          "None, None, m, v, 0.1, 1e-05)\n"
          "y: f32[2, 4] = operator.getitem(bn, 0)\n"
          "return y\n",
          {}),
      "graph():\n"
      "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
      "    %m : f32[4] [num_users=1] = placeholder[target=m] buffer 'mean'\n"
      "    %v : f32[4] [num_users=1] = placeholder[target=v] buffer 'var'\n"
      "    %batch_norm : f32[2, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.batch_norm.default](args = (%x, None, None, %m, %v, "
      "False, 0.1, 1e-05, False), kwargs = {})\n"
      "    return (batch_norm,)\n");
}

TEST(Decompositions, WhatReplacesANodeKeepsItsRecordedStrides) {
  EXPECT_EQ(
      rewritten("x: f32[2, 3] = placeholder\n"
                "i: i64[2] = placeholder\n"
                "y: f32[2, 3] stride=[1, 2] = aten.index_copy.default(x, 0, i, x)\n"
                "z: f32[3] = aten.as_strided.default(y, [3], [2])\n"
                "return z\n",
                {}),
      "graph():\n"
      "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
      "    %i : i64[2] [num_users=1] = placeholder[target=i]\n"
      "    %index_put : f32[2, 3] stride=[1, 2] [num_users=1] = "
      "call_function[target=torch.ops.aten.index_put.default](args = (%x, [%i], "
      "%x, False), kwargs = {})\n"
      "    %permute : f32[3, 2] [num_users=1] = "
      "call_function[target=torch.ops.aten.permute.default](args = (%index_put, [1, 0]), kwargs = "
      "{})\n"
      "    %reshape : f32[6] [num_users=1] = "
      "call_function[target=torch.ops.aten.reshape.default](args = (%permute, [-1]), kwargs = {})\n"
      "    %arange : i64[3] [num_users=1] = "
      "call_function[target=torch.ops.aten.arange.start_step](args = (0, 6, 2), kwargs = {dtype: "
      "torch.int64, device: cpu, pin_memory: False})\n"
      "    %index_select : f32[3] [num_users=1] = "
      "call_function[target=torch.ops.aten.index_select.default](args = (%reshape, 0, %arange), "
      "kwargs = {})\n"
      "    return (index_select,)\n");
}

TEST(Decompositions, IndexCopyIsAnIndexPutAtItsDimension) {
  EXPECT_EQ(rewritten("x: f32[2, 4] = placeholder\n"
                      "i: i64[3] = placeholder\n"
                      "s: f32[2, 3] = placeholder\n"
                      "y: f32[2, 4] = aten.index_copy.default(x, -1, i, s)\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
            "    %i : i64[3] [num_users=1] = placeholder[target=i]\n"
            "    %s : f32[2, 3] [num_users=1] = placeholder[target=s]\n"
            "    %index_put : f32[2, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.index_put.default](args = (%x, [None, %i], %s, "
            "False), kwargs = {})\n"
            "    return (index_put,)\n");
}

TEST(Decompositions, IndexAddScalesItsSource) {
  EXPECT_EQ(rewritten("x: f32[4] = placeholder\n"
                      "i: i64[3] = placeholder\n"
                      "s: f32[3] = placeholder\n"
                      "y: f32[4] = aten.index_add.default(x, 0, i, s, alpha=2)\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[4] [num_users=1] = placeholder[target=x]\n"
            "    %i : i64[3] [num_users=1] = placeholder[target=i]\n"
            "    %s : f32[3] [num_users=1] = placeholder[target=s]\n"
            "    %mul : f32[3] [num_users=1] = "
            "call_function[target=torch.ops.aten.mul.Tensor](args = (%s, 2), kwargs = {})\n"
            "    %index_put : f32[4] [num_users=1] = "
            "call_function[target=torch.ops.aten.index_put.default](args = (%x, [%i], %mul, True), "
            "kwargs = {})\n"
            "    return (index_put,)\n");
}

TEST(Decompositions, DiffOfASymbolicSizeEndsBeforeTheLast) {
  EXPECT_EQ(
      rewritten("x: f32[2, s0] = placeholder\n"
                "y: f32[2, s0 - 1] = aten.diff.default(x)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[2, s0] [num_users=2] = placeholder[target=x]\n"
      "    %slice : f32[2, s0 - 1] stride=[s0, 1] offset=1 [num_users=1] = "
      "call_function[target=torch.ops.aten.slice.Tensor](args = (%x, "
      "1, 1, 9223372036854775807, 1), kwargs = {})\n"
      "    %slice_1 : f32[2, s0 - 1] stride=[s0, 1] [num_users=1] = "
      "call_function[target=torch.ops.aten.slice.Tensor](args = (%x, 1, 0, "
      "-1, 1), kwargs = {})\n"
      "    %sub : f32[2, s0 - 1] [num_users=1] = "
      "call_function[target=torch.ops.aten.sub.Tensor](args = (%slice, %slice_1), kwargs = {})\n"
      "    return (sub,)\n");
}

TEST(Decompositions, DiffOfTruthIsExclusiveOr) {
  EXPECT_EQ(
      rewritten("x: b8[3] = placeholder\n"
                "y: b8[2] = aten.diff.default(x)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : b8[3] [num_users=2] = placeholder[target=x]\n"
      "    %slice : b8[2] offset=1 [num_users=1] = "
      "call_function[target=torch.ops.aten.slice.Tensor](args = (%x, 0, 1, "
      "9223372036854775807, 1), kwargs = {})\n"
      "    %slice_1 : b8[2] [num_users=1] = call_function[target=torch.ops.aten.slice.Tensor](args "
      "= (%x, 0, 0, -1, 1), kwargs = {})\n"
      "    %logical_xor : b8[2] [num_users=1] = "
      "call_function[target=torch.ops.aten.logical_xor.default](args = (%slice, %slice_1), "
      "kwargs = {})\n"
      "    return (logical_xor,)\n");
}

TEST(Decompositions, AsStridedReadsTheStorageOfATransposedValue) {
  EXPECT_EQ(
      rewritten("x: f32[4, 2] stride=[1, 4] = placeholder\n"
                "y: f32[2] = aten.as_strided.default(x, [2], [4], 1)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[4, 2] stride=[1, 4] [num_users=1] = placeholder[target=x]\n"
      "    %permute : f32[2, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.permute.default](args = (%x, [1, 0]), kwargs = {})\n"
      "    %reshape : f32[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.reshape.default](args = (%permute, [-1]), kwargs = {})\n"
      "    %arange : i64[2] [num_users=1] = "
      "call_function[target=torch.ops.aten.arange.start_step](args = (1, 9, 4), kwargs = {dtype: "
      "torch.int64, device: cpu, pin_memory: False})\n"
      "    %index_select : f32[2] [num_users=1] = "
      "call_function[target=torch.ops.aten.index_select.default](args = (%reshape, 0, %arange), "
      "kwargs = {})\n"
      "    return (index_select,)\n");
}

TEST(Decompositions, AsStridedOutsideItsBaseStays) {
  EXPECT_EQ(rewritten("x: f32[4] = placeholder\n"
                      "y: f32[3] = aten.as_strided.default(x, [3], [2])\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[4] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[3] [num_users=1] = "
            "call_function[target=torch.ops.aten.as_strided.default](args = (%x, [3], [2]), kwargs "
            "= {})\n"
            "    return (y,)\n");
}

TEST(Decompositions, AsStridedPastTheLastNumberStays) {
  EXPECT_EQ(rewritten("x: f32[4, 6] = placeholder\n"
                      "y: f32[2, 2] stride=[6, 1] = aten.as_strided.default(x, [2, 2], [6, 1], "
                      "9223372036854775807)\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[4, 6] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[2, 2] stride=[6, 1] [num_users=1] = "
            "call_function[target=torch.ops.aten.as_strided.default](args = (%x, [2, 2], "
            "[6, 1], 9223372036854775807), kwargs = {})\n"
            "    return (y,)\n");
}

TEST(Decompositions, AsStridedOfAHoleStays) {
  EXPECT_EQ(rewritten("x: f32[2, 2] stride=[8, 1] = placeholder\n"
                      "y: f32[2] = aten.as_strided.default(x, [2], [2])\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[2, 2] stride=[8, 1] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[2] [num_users=1] = "
            "call_function[target=torch.ops.aten.as_strided.default](args = (%x, [2], [2]), kwargs "
            "= {})\n"
            "    return (y,)\n");
}

TEST(Decompositions, ADiagonalFarFromEveryMatrixStays) {
  for (const std::string_view call : {"aten.diagflat.default(x, -9223372036854775808)",
                                      "aten.diag.default(x, -9223372036854775808)",
                                      "aten.diag_embed.default(x, -9223372036854775808, -2, -1)"})
    EXPECT_EQ(
        rewritten("x: f32[4] = placeholder\ny: f32[4, 4] = " + std::string(call) + "\nreturn y\n",
                  {}),
        "graph():\n"
        "    %x : f32[4] [num_users=1] = placeholder[target=x]\n"
        "    %y : f32[4, 4] [num_users=1] = call_function[target=torch.ops." +
            std::string(call.substr(0, call.find("(x"))) + "](args = (%x" +
            std::string(call.substr(call.find(", "), call.size() - call.find(", ") - 1)) +
            "), kwargs = {})\n    return (y,)\n");
}

TEST(Decompositions, LinearInterpolationReadsTwoPositions) {
  EXPECT_EQ(
      rewritten("x: f32[1, 1, 4] = placeholder\n"
                "y: f32[1, 1, 8] = aten.upsample_linear1d.vec(x, None, False, [2.0])\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[1, 1, 4] [num_users=2] = placeholder[target=x]\n"
      "    %arange : i64[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.arange.start_step](args = (0, 8, 1), kwargs = {dtype: "
      "torch.int64, device: cpu, pin_memory: False})\n"
      "    %convert_element_type : f32[8] [num_users=1] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args = "
      "(%arange, torch.float32), kwargs = {})\n"
      "    %add : f32[8] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = "
      "(%convert_element_type, 0.5), kwargs = "
      "{})\n"
      "    %mul : f32[8] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = "
      "(%add, 0.5), kwargs = {})\n"
      "    %sub : f32[8] [num_users=1] = call_function[target=torch.ops.aten.sub.Tensor](args = "
      "(%mul, 0.5), kwargs = {})\n"
      "    %clamp : f32[8] [num_users=2] = call_function[target=torch.ops.aten.clamp.default](args "
      "= (%sub, 0.0, None), kwargs = {})\n"
      "    %convert_element_type_1 : i64[8] [num_users=1] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args = "
      "(%clamp, torch.int64), kwargs = {})\n"
      "    %clamp_1 : i64[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%convert_element_type_1, 0), "
      "kwargs = {})\n"
      "    %clamp_2 : i64[8] [num_users=3] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%clamp_1, None, 3), kwargs = "
      "{})\n"
      "    %add_1 : i64[8] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = "
      "(%clamp_2, 1), kwargs = {})\n"
      "    %clamp_3 : i64[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%add_1, 0), kwargs = {})\n"
      "    %clamp_4 : i64[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%clamp_3, None, 3), kwargs = "
      "{})\n"
      "    %convert_element_type_2 : f32[8] [num_users=1] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args = "
      "(%clamp_2, torch.float32), kwargs = {})\n"
      "    %sub_1 : f32[8] [num_users=1] = call_function[target=torch.ops.aten.sub.Tensor](args = "
      "(%clamp, %convert_element_type_2), "
      "kwargs = {})\n"
      "    %clamp_5 : f32[8] [num_users=1] = "
      "call_function[target=torch.ops.aten.clamp.default](args = (%sub_1, 0.0, 1.0), kwargs = {})\n"
      "    %reshape : f32[1, 1, 8] [num_users=2] = "
      "call_function[target=torch.ops.aten.reshape.default](args = (%clamp_5, [1, 1, 8]), "
      "kwargs = {})\n"
      "    %index_select : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.index_select.default](args = (%x, 2, "
      "%clamp_2), kwargs = {})\n"
      "    %index_select_1 : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.index_select.default](args = (%x, 2, "
      "%clamp_4), kwargs = {})\n"
      "    %rsub : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.rsub.Scalar](args = (%reshape, 1.0), kwargs = {})\n"
      "    %mul_1 : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.mul.Tensor](args = (%index_select, %rsub), kwargs = "
      "{})\n"
      "    %mul_2 : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.mul.Tensor](args = (%index_select_1, %reshape), kwargs "
      "= {})\n"
      "    %add_2 : f32[1, 1, 8] [num_users=1] = "
      "call_function[target=torch.ops.aten.add.Tensor](args = (%mul_1, %mul_2), kwargs = {})\n"
      "    return (add_2,)\n");
}

TEST(Decompositions, AdaptiveMeansOfEqualWindowsStayPools) {
  EXPECT_EQ(rewritten("x: f32[1, 2, 6, 6] = placeholder\n"
                      "y: f32[1, 2, 3, 3] = aten.adaptive_avg_pool2d.default(x, [3, 3])\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %x : f32[1, 2, 6, 6] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[1, 2, 3, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.adaptive_avg_pool2d.default](args = (%x, [3, "
            "3]), kwargs = {})\n"
            "    return (y,)\n");
}

TEST(Decompositions, ACellIsItsFormula) {
  EXPECT_EQ(
      rewritten("x: f32[2, 4] = placeholder\n"
                "h: f32[2, 3] = placeholder\n"
                "w: f32[3, 4] = parameter \"w_ih\"\n"
                "u: f32[3, 3] = parameter \"w_hh\"\n"
                "y: f32[2, 3] = aten.rnn_tanh_cell.default(x, h, w, u)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
      "    %h : f32[2, 3] [num_users=1] = placeholder[target=h]\n"
      "    %w : f32[3, 4] [num_users=1] = placeholder[target=w] parameter 'w_ih'\n"
      "    %u : f32[3, 3] [num_users=1] = placeholder[target=u] parameter 'w_hh'\n"
      "    %linear : f32[2, 3] [num_users=1] = "
      "call_function[target=torch.ops.aten.linear.default](args = (%x, %w), kwargs = {})\n"
      "    %linear_1 : f32[2, 3] [num_users=1] = "
      "call_function[target=torch.ops.aten.linear.default](args = (%h, %u), kwargs = {})\n"
      "    %add : f32[2, 3] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = "
      "(%linear, %linear_1), kwargs = {})\n"
      "    %tanh : f32[2, 3] [num_users=1] = "
      "call_function[target=torch.ops.aten.tanh.default](args = (%add,), kwargs = {})\n"
      "    return (tanh,)\n");
}

TEST(Decompositions, LossOfIgnoredTargetsIsZero) {
  EXPECT_EQ(
      rewritten("x: f32[2, 4] = placeholder\n"
                "t: i64[2] = placeholder\n"
                "y: f32[] = aten.nll_loss_nd.default(x, t, None, 1, -100)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[2, 4] [num_users=1] = placeholder[target=x]\n"
      "    %t : i64[2] [num_users=2] = placeholder[target=t]\n"
      "    %ne : b8[2] [num_users=3] = call_function[target=torch.ops.aten.ne.Scalar](args = (%t, "
      "-100), kwargs = {})\n"
      "    %where : i64[2] [num_users=1] = "
      "call_function[target=torch.ops.aten.where.ScalarOther](args = (%ne, %t, 0), kwargs = {})\n"
      "    %unsqueeze : i64[2, 1] [num_users=1] = "
      "call_function[target=torch.ops.aten.unsqueeze.default](args = (%where, 1), kwargs = {})\n"
      "    %gather : f32[2, 1] [num_users=1] = "
      "call_function[target=torch.ops.aten.gather.default](args = (%x, 1, %unsqueeze), kwargs = "
      "{})\n"
      "    %squeeze : f32[2] [num_users=1] = call_function[target=torch.ops.aten.squeeze.dim](args "
      "= (%gather, 1), kwargs = {})\n"
      "    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = "
      "([], 0.0), kwargs = {dtype: "
      "torch.float32, device: cpu, pin_memory: False})\n"
      "    %neg : f32[2] [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = "
      "(%squeeze,), kwargs = {})\n"
      "    %convert_element_type : f32[2] [num_users=1] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args = (%ne, "
      "torch.float32), kwargs = {})\n"
      "    %where_1 : f32[2] [num_users=1] = call_function[target=torch.ops.aten.where.self](args "
      "= (%ne, %neg, %full), kwargs = {})\n"
      "    %sum : f32[] [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args "
      "= (%convert_element_type, [0], False), "
      "kwargs = {})\n"
      "    %sum_1 : f32[] [num_users=1] = "
      "call_function[target=torch.ops.aten.sum.dim_IntList](args = (%where_1, [0], False), kwargs "
      "= "
      "{})\n"
      "    %div : f32[] [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = "
      "(%sum_1, %sum), kwargs = {})\n"
      "    return (div,)\n");
}

TEST(Decompositions, CastToTheSameTypeIsNothing) {
  EXPECT_EQ(rewritten("x: f32[3] = placeholder\n"
                      "y: f32[3] = aten.to.dtype(x, torch.float32)\n"
                      "z: f16[3] = aten.to.dtype(y, torch.float16)\n"
                      "return z\n",
                      {}),
            "graph():\n"
            "    %x : f32[3] [num_users=1] = placeholder[target=x]\n"
            "    %convert_element_type : f16[3] [num_users=1] = "
            "call_function[target=torch.ops.prims.convert_element_type.default](args = "
            "(%x, torch.float16), kwargs = {})\n"
            "    return (convert_element_type,)\n");
}

TEST(Decompositions, AttentionIsDecomposedOnRequestOnly) {
  EXPECT_EQ(rewritten("q: f32[1, 2, 5, 4] = placeholder\n"
                      "y: f32[1, 2, 5, 4] = aten.scaled_dot_product_attention.default(q, q, q)\n"
                      "return y\n",
                      {}),
            "graph():\n"
            "    %q : f32[1, 2, 5, 4] [num_users=1] = placeholder[target=q]\n"
            "    %y : f32[1, 2, 5, 4] [num_users=1] = "
            "call_function[target=torch.ops.aten.scaled_dot_product_attention.default](args = "
            "(%q, %q, %q), kwargs = {})\n"
            "    return (y,)\n");
}

TEST(Decompositions, CausalAttentionMasksTheColumnsBehindTheRow) {
  EXPECT_EQ(
      rewritten("q: f32[1, 2, 5, 4] = placeholder\n"
                "y: f32[1, 2, 5, 4] = aten.scaled_dot_product_attention.default(q, q, q, None, "
                "0.0, True)\n"
                "return y\n",
                {.decompose = {"aten.scaled_dot_product_attention"}}),
      "graph():\n"
      "    %q : f32[1, 2, 5, 4] [num_users=3] = placeholder[target=q]\n"
      "    %transpose : f32[1, 2, 4, 5] stride=[40, 20, 1, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.transpose.int](args = "
      "(%q, 2, 3), kwargs = {})\n"
      "    %matmul : f32[1, 2, 5, 5] [num_users=1] = "
      "call_function[target=torch.ops.aten.matmul.default](args = (%q, %transpose), kwargs = "
      "{})\n"
      "    %mul : f32[1, 2, 5, 5] [num_users=1] = "
      "call_function[target=torch.ops.aten.mul.Tensor](args = (%matmul, 0.5), kwargs = {})\n"
      "    %full : f32[] [num_users=1] = call_function[target=torch.ops.aten.full.default](args = "
      "([], -inf), kwargs = {dtype: "
      "torch.float32, device: cpu, pin_memory: False})\n"
      "    %arange : i64[5] [num_users=1] = "
      "call_function[target=torch.ops.aten.arange.start_step](args = (0, 5, 1), kwargs = {dtype: "
      "torch.int64, device: cpu, pin_memory: False})\n"
      "    %unsqueeze : i64[1, 5] [num_users=1] = "
      "call_function[target=torch.ops.aten.unsqueeze.default](args = (%arange, 0), kwargs = "
      "{})\n"
      "    %arange_1 : i64[5] [num_users=1] = "
      "call_function[target=torch.ops.aten.arange.start_step](args = (0, 5, 1), kwargs = {dtype: "
      "torch.int64, device: cpu, pin_memory: False})\n"
      "    %unsqueeze_1 : i64[5, 1] [num_users=1] = "
      "call_function[target=torch.ops.aten.unsqueeze.default](args = (%arange_1, 1), kwargs = "
      "{})\n"
      "    %gt : b8[5, 5] [num_users=1] = call_function[target=torch.ops.aten.gt.Tensor](args = "
      "(%unsqueeze, %unsqueeze_1), kwargs = {})\n"
      "    %where : f32[1, 2, 5, 5] [num_users=1] = "
      "call_function[target=torch.ops.aten.where.self](args = (%gt, %full, %mul), kwargs = "
      "{})\n"
      "    %_softmax : f32[1, 2, 5, 5] [num_users=1] = "
      "call_function[target=torch.ops.aten._softmax.default](args = (%where, 3, False), "
      "kwargs = {})\n"
      "    %matmul_1 : f32[1, 2, 5, 4] [num_users=1] = "
      "call_function[target=torch.ops.aten.matmul.default](args = (%_softmax, %q), kwargs "
      "= {})\n"
      "    return (matmul_1,)\n");
}

TEST(Decompositions, HalfTypesAreComputedInFloat32) {
  EXPECT_EQ(
      rewritten("x: f16[3] = placeholder\n"
                "y: f16[3] = aten.gelu.default(x, approximate='none')\n"
                "return y\n",
                {.decompose = {"aten.gelu"}}),
      "graph():\n"
      "    %x : f16[3] [num_users=1] = placeholder[target=x]\n"
      "    %convert_element_type : f32[3] [num_users=2] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args = "
      "(%x, torch.float32), kwargs = {})\n"
      "    %mul : f32[3] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = "
      "(%convert_element_type, 0.5), kwargs "
      "= {})\n"
      "    %mul_1 : f32[3] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = "
      "(%convert_element_type, "
      "0.7071067811865476), kwargs = {})\n"
      "    %erf : f32[3] [num_users=1] = call_function[target=torch.ops.aten.erf.default](args = "
      "(%mul_1,), kwargs = {})\n"
      "    %add : f32[3] [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = "
      "(%erf, 1.0), kwargs = {})\n"
      "    %mul_2 : f32[3] [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = "
      "(%mul, %add), kwargs = {})\n"
      "    %convert_element_type_1 : f16[3] [num_users=1] = "
      "call_function[target=torch.ops.prims.convert_element_type.default](args "
      "= (%mul_2, torch.float16), kwargs = {})\n"
      "    return (convert_element_type_1,)\n");
}

TEST(Decompositions, DimensionOutOfRangeLeavesTheNodeAlone) {
  EXPECT_EQ(
      rewritten("x: f32[2, 3] = placeholder\n"
                "y: f32[2, 3] = aten.swapaxes.default(x, 0, 2)\n"
                "return y\n",
                {}),
      "graph():\n"
      "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
      "    %y : f32[2, 3] [num_users=1] = "
      "call_function[target=torch.ops.aten.swapaxes.default](args = (%x, 0, 2), kwargs = {})\n"
      "    return (y,)\n");
}

TEST(Decompositions, NumbersThatAFileCannotMeanLeaveTheNodeAlone) {
  const auto isLeft = [](const std::string& call, const std::string& target) {
    const std::string x = "x: f32[1, 4, 4] = placeholder\n",
                      read = "v: f32[1] = _operator.getitem(y, 0)\nreturn v\n";
    RewriteOptions options;
    options.decompose = {target};
    return rewritten((x + call + read).c_str(), options).find("torch.ops." + target) !=
           std::string::npos;
  };
  const std::string pool = "aten.max_pool2d_with_indices.default";
  EXPECT_TRUE(isLeft("y: (f32[1], i64[1]) = " + pool + "(x, [2, 2])\n", pool))
      << "results of another rank";
  EXPECT_TRUE(isLeft(
      "y: (f32[1, 2, 2], i64[1, 2, 2]) = " + pool + "(x, [2, 2], [9223372036854775807, 1])\n",
      pool));
  EXPECT_TRUE(isLeft("y: (f32[1, 2, 2], i64[1, 2, 2]) = " + pool +
                         "(x, [2, 2], [1, 1], [0, 0], [9223372036854775807, 1])\n",
                     pool));
  const std::string topk = "aten.topk.default";
  EXPECT_TRUE(isLeft("y: (f32[1, 4, 2], i64[1, 4, 2]) = " + topk + "(x, -5)\n", topk));
}

TEST(Decompositions, OperandsThatDoNotBroadcastLeaveTheNodeAlone) {
  EXPECT_EQ(rewritten("x: f32[2, 3] = placeholder\n"
                      "y: f32[4] = placeholder\n"
                      "z: f32[2, 3] = aten.addr.default(x, y, y)\n"
                      "return z\n",
                      {}),
            "graph():\n"
            "    %x : f32[2, 3] [num_users=1] = placeholder[target=x]\n"
            "    %y : f32[4] [num_users=1] = placeholder[target=y]\n"
            "    %z : f32[2, 3] [num_users=1] = "
            "call_function[target=torch.ops.aten.addr.default](args = (%x, %y, %y), kwargs = {})\n"
            "    return (z,)\n");
}

}  // namespace
}  // namespace fxs::rewrite
