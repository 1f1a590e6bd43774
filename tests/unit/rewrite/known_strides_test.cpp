// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/known_strides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"
#include "rewrite/rewrite.h"

namespace fxs::rewrite {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The program with one operator decomposed.
fx::ProgramPtr decomposed(const char* text, const char* op = "aten.scaled_dot_product_attention") {
  RewriteOptions options;
  options.decompositions = Decompositions::None;
  options.decompose = {op};
  const auto done = rewrite(fxs::test::programFrom(text), options, {});
  if (!done) throw std::runtime_error(done.error().message);
  return (*done)->program;
}
std::vector<std::string> reshapedIn(const fx::ProgramPtr& program) {
  std::vector<fx::NodeId> changed;
  const fx::ProgramPtr out = withReshapes(program, changed);
  std::vector<std::string> names;
  for (const fx::NodeId id : changed)
    names.push_back(out->node(id).name + ": " + out->node(id).target);
  return names;
}
std::string stridesOf(const fx::ProgramPtr& program, const char* node) {
  const auto known = KnownStrides(*program).of(program->findNode(node)->id);
  std::string out;
  for (const fx::SymInt& stride : known ? known->strides : std::vector<fx::SymInt>())
    out += (out.empty() ? "" : ",") + stride.text();
  return known ? out : "unknown";
}

// PyTorch lays the result of attention out with the heads inside, so that this view is one; a
// product is row-major.
constexpr const char* kAttention =
    "q: f32[2, 3, 5, 4] = placeholder\n"
    "m: b8[2, 1, 5, 5] = placeholder\n"
    "a: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.scaled_dot_product_attention.default(q, q, q, "
    "m)\n"
    "t: f32[2, 5, 3, 4] stride=[60, 12, 4, 1] = aten.transpose.int(a, 1, 2)\n"
    "v: f32[2, 5, 12] = aten.view.default(t, [2, 5, 12])\n"
    "w: f32[10, 12] = aten.view.default(v, [10, 12])\n"
    "return w";

TEST(KnownStrides, AViewOfWhatIsLaidOutOtherwiseNowIsAReshape) {
  // What the reshape copies is row-major, so that w is a view of it.
  EXPECT_THAT(reshapedIn(decomposed(kAttention)), ElementsAre("v: aten.reshape.default"));
  EXPECT_THAT(reshapedIn(decomposed(kAttention, "aten.gelu")), IsEmpty());
  EXPECT_EQ(stridesOf(decomposed(kAttention, "aten.gelu"), "t"), "60,12,4,1");
}

TEST(KnownStrides, OtherViewsBecomeReshapesToo) {
  const std::string start = std::string(kAttention).substr(0, std::string(kAttention).find("v: "));
  const auto program = decomposed(
      (start + "k: f32[2, 5, 3, 4] stride=[60, 12, 4, 1] = aten.cumsum.default(t, 0)\n"
               "u: f32[2, 5, 3, 2, 2] stride=[60, 12, 4, 2, 1] = aten.unflatten.int(k, 3, [2, 2])\n"
               "w: f32[2, 5, 3, 4] = aten.view_as.default(k, k)\n"
               "return u, w")
          .c_str());
  std::vector<fx::NodeId> changed;
  const fx::ProgramPtr out = withReshapes(program, changed);
  EXPECT_THAT(reshapedIn(program),
              ElementsAre("u: aten.reshape.default", "w: aten.reshape_as.default"));
  ASSERT_FALSE(changed.empty());
  EXPECT_EQ(fx::dumpArgument(*out, out->node(changed.front()).args.at(1).value), "[2, 5, 3, 2, 2]");
  EXPECT_THAT(readUnknownStrides(*out), IsEmpty());
}

TEST(KnownStrides, AViewOfWhatIsLaidOutAsBeforeStays) {
  const fx::ProgramPtr program = decomposed(
      "x: f32[2, 6] = placeholder\n"
      "w: f32[4, 6] = placeholder\n"
      "b: f32[4] = placeholder\n"
      "y: f32[2, 4] = aten.addmm.default(b, x, w)\n"
      "v: f32[8] = aten.view.default(y, [8])\n"
      "return v",
      "aten.addmm");
  EXPECT_THAT(reshapedIn(program), IsEmpty());
}

TEST(KnownStrides, OfViewsAndElementwiseCallsFollowTheirOperands) {
  const fx::ProgramPtr program = decomposed(
      "x: f32[2, 3, 4] = placeholder\n"
      "y: f32[2, 3] = placeholder\n"
      "g: f32[2, 3] = aten.gelu.default(y)\n"
      "p: f32[4, 2, 3] stride=[1, 12, 4] = aten.permute.default(x, [2, 0, 1])\n"
      "n: f32[4, 2, 3] stride=[1, 12, 4] = aten.neg.default(p)\n"
      "s: f32[4, 2, 2] stride=[1, 12, 4] = aten.slice.Tensor(n, 2, 0, 2)\n"
      "return s, g",
      "aten.gelu");
  EXPECT_EQ(stridesOf(program, "n"), "1,12,4");
  EXPECT_EQ(stridesOf(program, "s"), "1,12,4");
}

TEST(KnownStrides, AnOperatorThatIsNotUnderstoodHasUnknownOnes) {
  const fx::ProgramPtr program = decomposed(
      "q: f32[2, 3, 5, 4] = placeholder\n"
      "a: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.scaled_dot_product_attention.default(q, q, "
      "q)\n"
      "c: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.cumsum.default(a, 0)\n"
      "z: f32[5] = aten.as_strided.default(c, [5], [12])\n"
      "return z");
  EXPECT_EQ(stridesOf(program, "c"), "unknown");
  ASSERT_EQ(readUnknownStrides(*program).size(), 1U);
  EXPECT_EQ(program->node(readUnknownStrides(*program).front()).name, "z");
}

TEST(KnownStrides, OfADimensionOfSizeOneDoNotMatterToAReshape) {
  const fx::ProgramPtr program = decomposed(
      "x: f32[5, 1, 3, 4] = placeholder\n"
      "g: f32[5, 1, 3, 4] = aten.gelu.default(x)\n"
      "p: f32[1, 5, 3, 4] stride=[12, 12, 4, 1] = aten.permute.default(g, [1, 0, 2, 3])\n"
      "r: f32[1, 5, 12] = aten.reshape.default(p, [1, 5, 12])\n"
      "v: f32[5, 12] = aten.view.default(r, [5, 12])\n"
      "return v",
      "aten.gelu");
  EXPECT_EQ(stridesOf(program, "p"), "12,12,4,1");
  EXPECT_EQ(stridesOf(program, "r"), "60,12,1");
  EXPECT_THAT(reshapedIn(program), IsEmpty());
}

TEST(KnownStrides, AReductionIsRowMajor) {
  const fx::ProgramPtr program = decomposed(
      "x: f32[2, 3, 4] = placeholder\n"
      "p: f32[4, 2, 3] stride=[1, 12, 4] = aten.permute.default(x, [2, 0, 1])\n"
      "c: f32[4, 2, 3] stride=[1, 12, 4] = aten.cumsum.default(p, 0)\n"
      "s: f32[4, 3] = aten.sum.dim_IntList(c, [1])\n"
      "return s");
  EXPECT_EQ(stridesOf(program, "s"), "3,1");
}

/// `rest` after u, a call whose strides are unknown.
fx::ProgramPtr afterUnknownStrides(const std::string& rest) {
  return decomposed(("q: f32[2, 3, 5, 4] = placeholder\n"
                     "a: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = "
                     "aten.scaled_dot_product_attention.default(q, q, q)\n"
                     "k: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.cumsum.default(a, 0)\n"
                     "u: f32[3, 5, 4] stride=[4, 12, 1] = aten.select.int(k, 0, 0)\n" +
                     rest)
                        .c_str());
}

TEST(KnownStrides, AViewOfARowMajorTensorReadsNoneThatAreUnknown) {
  const fx::ProgramPtr program = afterUnknownStrides(
      "c: f32[3, 5, 8] stride=[8, 24, 1] = aten.cat.default([u, u], 2)\n"
      "v: f32[3, 5, 4, 2] = aten.unflatten.int(c, 2, [4, 2])\n"
      "z: f32[5] = aten.as_strided.default(c, [5], [1])\n"
      "return v, z");
  EXPECT_EQ(stridesOf(program, "u"), "unknown");
  EXPECT_EQ(stridesOf(program, "c"), "40,8,1");
  const std::vector<fx::NodeId> readers = readUnknownStrides(*program);
  ASSERT_EQ(readers.size(), 1U);
  EXPECT_EQ(program->node(readers.front()).name, "z");
}

TEST(KnownStrides, AProductIsRowMajorUnlessItIsTransposed) {
  const fx::ProgramPtr program = afterUnknownStrides(
      "t: f32[2, 3, 4, 5] stride=[60, 20, 1, 4] = aten.transpose.int(q, 2, 3)\n"
      "m: f32[2, 3, 5, 5] = aten.matmul.default(u, t)\n"
      "w: f32[5, 4] = aten.select.int(u, 0, 0)\n"
      "n: f32[2, 3, 5, 5] = aten.matmul.default(w, t)\n"
      "return m, n");
  EXPECT_EQ(stridesOf(program, "u"), "unknown");
  EXPECT_EQ(stridesOf(program, "m"), "75,25,5,1");
  EXPECT_EQ(stridesOf(program, "n"), "unknown");
}

TEST(KnownStrides, ACatOfImagesMayBeLaidOutAsTheyAre) {
  const fx::ProgramPtr program = afterUnknownStrides(
      "i: f32[1, 3, 5, 4] = aten.unsqueeze.default(u, 0)\n"
      "c: f32[2, 3, 5, 4] = aten.cat.default([i, i], 0)\n"
      "z: c64[2, 3, 5, 2] = aten.view.dtype(c, torch.complex64)\n"
      "return z");
  EXPECT_EQ(stridesOf(program, "c"), "unknown");
  EXPECT_EQ(readUnknownStrides(*program).size(), 1U);
}

TEST(KnownStrides, WhatIsPaddedIsRowMajorUnlessItIsAnImage) {
  const fx::ProgramPtr program = afterUnknownStrides(
      "p: f32[3, 5, 6] stride=[6, 18, 1] = aten.constant_pad_nd.default(u, [1, 1], 0.0)\n"
      "s: f32[3, 5, 3] stride=[3, 9, 1] = aten.constant_pad_nd.default(u, [0, -1], 0.0)\n"
      "i: f32[1, 3, 5, 4] = aten.unsqueeze.default(u, 0)\n"
      "o: f32[1, 3, 5, 6] = aten.constant_pad_nd.default(i, [1, 1], 0.0)\n"
      "w: f32[1, 3, 5, 6] = aten.unsqueeze.default(p, 0)\n"
      "l: f32[1, 3, 5, 8] = aten.constant_pad_nd.default(w, [1, 1], 0.0)\n"
      "return s, o, l");
  EXPECT_EQ(stridesOf(program, "p"), "30,6,1");
  EXPECT_EQ(stridesOf(program, "s"), "unknown");
  EXPECT_EQ(stridesOf(program, "o"), "unknown");
  EXPECT_EQ(stridesOf(program, "l"), "120,40,8,1");
}

TEST(KnownStrides, ATensorLikeAnotherIsLaidOutAsItIsNow) {
  const fx::ProgramPtr program = decomposed(
      "q: f32[2, 3, 5, 4] = placeholder\n"
      "a: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.scaled_dot_product_attention.default(q, q, "
      "q)\n"
      "z: f32[2, 3, 5, 4] stride=[60, 4, 12, 1] = aten.zeros_like.default(a)\n"
      "return z");
  EXPECT_EQ(stridesOf(program, "z"), "60,20,4,1");
}

}  // namespace
}  // namespace fxs::rewrite
