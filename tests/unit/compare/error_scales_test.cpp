// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/error_scales.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "compare/values.h"
#include "program_from.h"
#include "tensor/judge.h"

namespace fxs::compare {
namespace {

using tensor::Tensor;
using ByName = std::map<std::string, std::vector<double>>;

/// A program and what its nodes are known to be.
class Known {
 public:
  Known(std::string_view text, const ByName& values) : program_(test::programFrom(text)) {
    for (const auto& [name, elements] : values)
      tensors_[program_->findNode(name)->id] = tensorOf(name, elements);
    scales_ = errorScales(*program_, [this](fx::NodeId id) {
      const auto found = tensors_.find(id);
      return found == tensors_.end() ? std::nullopt : std::optional(found->second);
    });
  }

  double scale(std::string_view name) const {
    return scales_[program_->findNode(name)->id.index()];
  }
  /// Of the node, for which `found` was computed.
  std::string verdict(const std::string& name, const std::vector<double>& found) const {
    const fx::NodeId id = program_->findNode(name)->id;
    const DType lowest = lowestPrecisions(*program_)[id.index()];
    return std::string(tensor::name(
        tensor::judge(tensorOf(name, found), tensors_.at(id), {lowest, scales_[id.index()], 0})
            .verdict));
  }

 private:
  Tensor tensorOf(std::string_view name, const std::vector<double>& elements) const {
    const fx::TensorMeta& meta = *program_->findNode(name)->val.tensor();
    std::vector<std::int64_t> sizes;
    for (const fx::SymInt& size : meta.sizes) sizes.push_back(size.value());
    return tensor::tensorFrom(meta.dtype, sizes, elements);
  }

  fx::ProgramPtr program_;
  std::map<fx::NodeId, Tensor> tensors_;
  std::vector<double> scales_;
};

/// sin(x)**2 + cos(x)**2 - 1, of which float32 leaves one eps here and there.
const Known kSquares(
    "x: f32[4] = placeholder\n"
    "s: f32[4] = aten.sin.default(x)\n"
    "s2: f32[4] = aten.pow.Tensor_Scalar(s, 2)\n"
    "c: f32[4] = aten.cos.default(x)\n"
    "c2: f32[4] = aten.pow.Tensor_Scalar(c, 2)\n"
    "sum: f32[4] = aten.add.Tensor(s2, c2)\n"
    "y: f32[4] = aten.sub.Tensor(sum, 1)\n"
    "e: f32[4] = aten.mul.Tensor(y, 1000)\n"
    "t: f32[4] = aten.tanh.default(e)\n"
    "z: f32[4] = aten.add.Tensor(t, x)\n"
    "return y, z",
    {{"x", {0.5, 1, -1, 2}},
     {"s", {0.48, 0.84, -0.84, 0.91}},
     {"s2", {0.23, 0.71, 0.71, 0.83}},
     {"c", {0.88, 0.54, 0.54, -0.42}},
     {"c2", {0.77, 0.29, 0.29, 0.17}},
     {"sum", {1, 1, 1, 1}},
     {"y", {0, -6e-8, 0, 0}},
     {"e", {0, -6e-5, 0, 0}},
     {"t", {0, -6e-5, 0, 0}},
     {"z", {0.5, 0.99994, -1, 2}}});

TEST(ErrorScales, OfEqualDistributionsRoundingIsLeft) {
  const Known known(
      "x: f32[4] = placeholder\n"
      "p: f32[4] = placeholder\n"
      "sum: f32[] = aten.kl_div.default(x, p, 2)\n"
      "y: f32[] = aten.div.Tensor(sum, 2)\n"
      "return y",
      {{"x", {-1.386, -1.386, -1.386, -1.386}},
       {"p", {0.25, 0.25, 0.25, 0.25}},
       {"sum", {-3e-8}},
       {"y", {-1.5e-8}}});
  EXPECT_GT(known.scale("y"), 1e-8);
  EXPECT_EQ(known.verdict("y", {2.4e-8}), "same");
  EXPECT_EQ(known.verdict("y", {2.4e-5}), "differs");
}

TEST(ErrorScales, OrthogonalVectorsHaveACosineOfRounding) {
  const Known known(
      "a: f32[2,2] = placeholder\n"
      "b: f32[2,2] = placeholder\n"
      "y: f32[2] = aten.cosine_similarity.default(a, b)\n"
      "return y",
      {{"a", {300, 100, 1, 2}}, {"b", {-1, 3, -2, 1}}, {"y", {0, 6e-8}}});
  EXPECT_NE(known.verdict("y", {3e-8, -6e-8}), "differs");
  EXPECT_EQ(known.verdict("y", {1e-3, 0}), "differs");
}

TEST(ErrorScales, WhatIsLeftOfTermsIsMeasuredByTheTerms) {
  EXPECT_EQ(kSquares.scale("s2"), 0);
  EXPECT_EQ(kSquares.scale("sum"), 0);
  EXPECT_NEAR(kSquares.scale("y"), 1, 1e-6);
  EXPECT_EQ(kSquares.verdict("y", {6e-8, 0, -6e-8, 1.2e-7}), "same");
  EXPECT_EQ(kSquares.verdict("y", {0.01, 0.01, 0.01, 0.01}), "differs");
  EXPECT_EQ(kSquares.verdict("y", {1e-4, 0, 0, 0}), "differs");
}

TEST(ErrorScales, LaterValuesTakeOverTheError) {
  EXPECT_NEAR(kSquares.scale("e"), 1000, 1e-3);
  EXPECT_NEAR(kSquares.scale("t"), 1000, 1);
  EXPECT_NEAR(kSquares.scale("z"), 1000, 1);
  EXPECT_EQ(kSquares.verdict("z", {0.50006, 1, -1.00006, 2}), "same");
  EXPECT_EQ(kSquares.verdict("z", {0.5, 1, -0.9, 2}), "differs");
}

TEST(ErrorScales, ItIsForgottenBesideLargerValues) {
  const Known known(
      "a: f32[2] = placeholder\n"
      "b: f32[2] = placeholder\n"
      "d: f32[2] = aten.sub.Tensor(a, b)\n"
      "y: f32[2] = aten.add.Tensor(d, a)\n"
      "return y",
      {{"a", {1, 2}}, {"b", {1, 2.0000002}}, {"d", {0, -2e-7}}, {"y", {1, 1.9999998}}});
  EXPECT_GT(known.scale("d"), 1);
  EXPECT_EQ(known.scale("y"), 0);
}

TEST(ErrorScales, OrdinaryProgramsHaveNone) {
  const Known known(
      "x: f32[2, 4] = placeholder\n"
      "w: f32[3, 4] = parameter \"w\"\n"
      "b: f32[3] = parameter \"b\"\n"
      "l: f32[2, 3] = aten.linear.default(x, w, b)\n"
      "m: f32[2, 1] = aten.mean.dim(l, [-1], True)\n"
      "d: f32[2, 3] = aten.sub.Tensor(l, m)\n"
      "y: f32[2, 3] = aten.softmax.int(d, -1)\n"
      "return y",
      {{"x", {1, -2, 0.5, 1, 0, 1, -1, 2}},
       {"w", {0.5, 0.5, -1, 0, 1, 0, 1, 1, -0.5, 0.25, 1, 1}},
       {"b", {0.1, 0.2, -0.1}},
       {"l", {-0.9, 2.7, 0.4, 1.6, 1.2, 1.15}},
       {"m", {0.733, 1.3167}},
       {"d", {-1.633, 1.967, -0.333, 0.283, -0.117, -0.167}},
       {"y", {0.024, 0.888, 0.089, 0.434, 0.291, 0.277}}});
  for (const char* name : {"l", "m", "d", "y"}) EXPECT_EQ(known.scale(name), 0) << name;
}

TEST(ErrorScales, TheRoundingOfALargeArgumentIsOneOnlyIfItWasComputed) {
  const auto sine = [](const std::string& definition) {
    return Known(
        "a: f32[2] = placeholder\n" + definition + "y: f32[2] = aten.sin.default(x)\nreturn y",
        {{"a", {1000, 2000}}, {"x", {1e6, 4e6}}, {"y", {std::sin(1e6), std::sin(4e6)}}});
  };
  const Known computed = sine("x: f32[2] = aten.mul.Tensor(a, a)\n");
  EXPECT_GT(computed.scale("y"), 1e5);
  EXPECT_EQ(computed.verdict("y", {std::sin(1e6 + 0.06), std::sin(4e6 - 0.25)}), "same");
  // What is given, or only moved, is the same everywhere.
  const Known moved = sine("x: f32[2] = aten.clone.default(a)\n");
  EXPECT_EQ(moved.scale("y"), 0);
  EXPECT_EQ(moved.verdict("y", {std::sin(1e6 + 0.06), std::sin(4e6)}), "differs");
  // Small arguments have no scale.
  const Known small(
      "a: f32[2] = placeholder\nx: f32[2] = aten.mul.Tensor(a, a)\ny: f32[2] = "
      "aten.sin.default(x)\nreturn y",
      {{"a", {0.5, 1}}, {"x", {0.25, 1}}, {"y", {std::sin(0.25), std::sin(1)}}});
  EXPECT_EQ(small.scale("y"), 0);
}

TEST(ErrorScales, ScoresBeyond88AreRoundedWithinAttention) {
  const auto scaleFor = [](double q) {
    const std::vector<double> queries(8, q), ones(8, 1), values{1, -1, 2, -2, 1, 1, 0, 1};
    return Known(
               "q: f32[1, 1, 2, 4] = placeholder\nk: f32[1, 1, 2, 4] = placeholder\nv: f32[1, 1, "
               "2, 4] = placeholder\n"
               "y: f32[1, 1, 2, 4] = aten.scaled_dot_product_attention.default(q, k, v)\nreturn y",
               {{"q", queries}, {"k", ones}, {"v", values}, {"y", values}})
        .scale("y");
  };
  EXPECT_EQ(scaleFor(0.5), 0);
  EXPECT_NEAR(scaleFor(100), 2 * 100 * std::sqrt(13.0 / 8), 1);
}

TEST(ErrorScales, ProductsOfMatricesCancel) {
  const Known known(
      "a: f16[1, 4] = placeholder\n"
      "b: f16[4, 1] = placeholder\n"
      "y: f16[1, 1] = aten.mm.default(a, b)\n"
      "return y",
      {{"a", {3, 3, 3, 3}}, {"b", {2, -2, 2, -2}}, {"y", {0}}});
  EXPECT_NEAR(known.scale("y"), 2 * 6 * std::sqrt(2), 1e-9);
  EXPECT_EQ(known.verdict("y", {0.012}), "same");
  EXPECT_EQ(known.verdict("y", {12}), "differs");
}

TEST(ErrorScales, AMeanIsTakenFromEachTermWithTheSameError) {
  const std::vector<double> x(100, 10.0);
  const Known known(
      "x: bf16[100] = placeholder\n"
      "m: bf16[1] = aten.mean.dim(x, [-1], True)\n"
      "d: bf16[100] = aten.sub.Tensor(x, m)\n"
      "y: bf16[] = aten.sum.dim_IntList(d, [-1])\n"
      "return y",
      {{"x", x}, {"m", {10}}, {"d", std::vector<double>(100, 0)}, {"y", {0}}});
  EXPECT_NEAR(known.scale("y"), 1000, 20);
  EXPECT_EQ(known.verdict("y", {6.25}), "same");
  EXPECT_EQ(known.verdict("y", {100}), "differs");
}

TEST(ErrorScales, VariancesOfNearlyEqualValues) {
  const Known known(
      "x: f32[4] = placeholder\n"
      "v: f32[] = aten.var.correction(x, None, correction=1)\n"
      "s: f32[] = aten.sqrt.default(v)\n"
      "return s",
      {{"x", {1000, 1000, 1000, 1000}}, {"v", {0}}, {"s", {0}}});
  EXPECT_EQ(known.verdict("v", {1e-9}), "same");
  EXPECT_EQ(known.verdict("v", {1}), "differs");
  EXPECT_EQ(known.verdict("s", {3e-5}), "same");
  EXPECT_EQ(known.verdict("s", {0.1}), "differs");
}

TEST(ErrorScales, NormalizationsOfAConstantRow) {
  const Known known(
      "x: f32[2, 3] = placeholder\n"
      "w: f32[3] = parameter \"w\"\n"
      "y: f32[2, 3] = aten.layer_norm.default(x, [3], w)\n"
      "return y",
      {{"x", {7, 7, 7, 5, 5, 5}}, {"w", {2, 2, 2}}, {"y", {0, 0, 0, 0, 0, 0}}});
  EXPECT_NEAR(known.scale("y"), 2 * std::sqrt(37.0) / std::sqrt(1e-5), 1);
  EXPECT_EQ(known.verdict("y", {1e-4, 1e-4, 1e-4, 0, 0, 0}), "same");
  EXPECT_EQ(known.verdict("y", {2, 2, 2, 2, 2, 2}), "differs");
}

TEST(ErrorScales, LogarithmsNearZero) {
  const Known known(
      "x: f32[2] = placeholder\n"
      "e: f32[2] = aten.softmax.int(x, -1)\n"
      "s: f32[] = aten.sum.default(e)\n"
      "y: f32[] = aten.log.default(s)\n"
      "return y",
      {{"x", {1, 1}}, {"e", {0.5, 0.5}}, {"s", {1}}, {"y", {0}}});
  EXPECT_EQ(known.verdict("y", {1.2e-7}), "same");
  EXPECT_EQ(known.verdict("y", {0.01}), "differs");
}

TEST(ErrorScales, AMaskIsNoMeasure) {
  const Known known(
      "x: f32[4] = placeholder\n"
      "mask: f32[4] = placeholder\n"
      "y: f32[4] = aten.add.Tensor(x, mask)\n"
      "z: f32[4] = aten.mul.Tensor(y, 0.5)\n"
      "return z",
      {{"x", {1, 2, 3, 4}},
       {"mask", {0, 0, -3e38, -3e38}},
       {"y", {1, 2, -3e38, -3e38}},
       {"z", {0.5, 1, -1.5e38, -1.5e38}}});
  EXPECT_EQ(known.scale("y"), 0);
  EXPECT_EQ(known.verdict("y", {1, 2.01, -3e38, -3e38}), "differs");
}

TEST(ErrorScales, UnknownValuesHaveNoScale) {
  const Known known(
      "a: f32[2] = placeholder\n"
      "b: f32[2] = placeholder\n"
      "y: f32[2] = aten.sub.Tensor(a, b)\n"
      "return y",
      {{"y", {1, 2}}});
  EXPECT_EQ(known.scale("y"), 0);
}

}  // namespace
}  // namespace fxs::compare
