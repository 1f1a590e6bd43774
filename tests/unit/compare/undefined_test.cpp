// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/undefined.h"

#include <gtest/gtest.h>

#include <limits>

#include "program_from.h"

namespace fxs::compare {
namespace {

using Values = std::map<std::string, tensor::Tensor>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

tensor::Tensor floats(const std::vector<double>& values) {
  return tensor::tensorFrom(DType::Float32, {static_cast<std::int64_t>(values.size())}, values);
}
tensor::Tensor integers(const std::vector<double>& values) {
  return tensor::tensorFrom(DType::Int64, {static_cast<std::int64_t>(values.size())}, values);
}
tensor::Tensor truths(const std::vector<double>& values) {
  return tensor::tensorFrom(DType::Bool, {static_cast<std::int64_t>(values.size())}, values);
}

/// The nodes with elements that are not defined, then the message.
std::string undefinedOf(std::string_view text, const Values& values) {
  const auto program = test::programFrom(text);
  const Undefined found =
      undefinedIn(*program, [&](fx::NodeId id) -> std::optional<tensor::Tensor> {
        const auto value = values.find(program->node(id).name);
        return value == values.end() ? std::nullopt : std::optional(value->second);
      });
  std::string out;
  for (const fx::NodeId id : found.nodes) out += program->node(id).name + " ";
  return out + found.message;
}

constexpr std::string_view kReaches =
    "the conversion to int64 at i is of -inf, which PyTorch does not define";

TEST(Undefined, AnElementThatIsReturned) {
  EXPECT_EQ(undefinedOf(
                "x: f32[2] = placeholder\n"
                "i: i64[2] = aten.to.dtype(x, dtype=torch.int64)\n"
                "y: i64[2] = aten.add.Tensor(i, 1)\nreturn y",
                {{"x", floats({-kInfinite, 1})}, {"i", integers({0, 1})}, {"y", integers({1, 2})}}),
            kReaches);
  EXPECT_EQ(undefinedOf("x: f32[2] = placeholder\n"
                        "i: i64[2] = aten.to.dtype(x, dtype=torch.int64)\nreturn i",
                        {{"x", floats({3, 1})}, {"i", integers({3, 1})}}),
            "");
}

constexpr std::string_view kBuckets =
    "x: f32[3] = placeholder\nc: b8[3] = placeholder\n"
    "i: i64[3] = aten.to.dtype(x, dtype=torch.int64)\n"
    "m: i64[3] = aten.full_like.default(i, 15)\n"
    "a: i64[3] = aten.min.other(i, m)\n"
    "s: i64[3] = aten.add.Tensor(a, 8)\n"
    "y: i64[3] = aten.where.self(c, m, s)\nreturn y";

TEST(Undefined, AnElementThatAChoiceLeavesOutStopsNothing) {
  Values values{{"x", floats({-kInfinite, 1, 2})}, {"c", truths({1, 0, 0})},
                {"i", integers({0, 1, 2})},        {"m", integers({15, 15, 15})},
                {"a", integers({0, 1, 2})},        {"s", integers({8, 9, 10})},
                {"y", integers({15, 9, 10})}};
  EXPECT_EQ(undefinedOf(kBuckets, values), "i a s ");
  values["c"] = truths({0, 1, 1});
  EXPECT_EQ(undefinedOf(kBuckets, values), kReaches);
  values.erase("c");
  EXPECT_EQ(undefinedOf(kBuckets, values), kReaches) << "a choice that is not known";
}

TEST(Undefined, WhatMixesElementsMayCarryAnyOfThem) {
  EXPECT_EQ(undefinedOf("x: f32[2] = placeholder\nc: b8[2] = placeholder\n"
                        "i: i64[2] = aten.to.dtype(x, dtype=torch.int64)\n"
                        "f: i64[2] = aten.flip.default(i, [0])\n"
                        "y: i64[2] = aten.where.self(c, i, f)\nreturn y",
                        {{"x", floats({-kInfinite, 1})},
                         {"c", truths({0, 1})},
                         {"i", integers({0, 1})},
                         {"f", integers({1, 0})},
                         {"y", integers({1, 1})}}),
            kReaches);
}

TEST(Undefined, WhatIsWrittenInPlaceMayBeReadByAnotherName) {
  EXPECT_EQ(undefinedOf("x: f32[2] = placeholder\nb: i64[2] = placeholder\n"
                        "i: i64[2] = aten.to.dtype(x, dtype=torch.int64)\n"
                        "w: i64[2] = aten.copy_.default(b, i)\nreturn b",
                        {{"x", floats({-kInfinite, 1})},
                         {"b", integers({0, 1})},
                         {"i", integers({0, 1})},
                         {"w", integers({0, 1})}}),
            kReaches);
}

TEST(Undefined, AConditionIsBroadcast) {
  Values values{{"x", tensor::tensorFrom(DType::Float32, {2, 2}, {-kInfinite, -kInfinite, 1, 2})},
                {"c", tensor::tensorFrom(DType::Bool, {2, 1}, {0, 1})},
                {"z", tensor::tensorFrom(DType::Int64, {2, 2}, {0, 0, 0, 0})},
                {"i", tensor::tensorFrom(DType::Int64, {2, 2}, {0, 0, 1, 2})},
                {"y", tensor::tensorFrom(DType::Int64, {2, 2}, {0, 0, 1, 2})}};
  constexpr std::string_view kText =
      "x: f32[2, 2] = placeholder\nc: b8[2, 1] = placeholder\nz: i64[2, 2] = placeholder\n"
      "i: i64[2, 2] = aten.to.dtype(x, dtype=torch.int64)\n"
      "y: i64[2, 2] = aten.where.self(c, i, z)\nreturn y";
  EXPECT_EQ(undefinedOf(kText, values), "i ");
  values["c"] = tensor::tensorFrom(DType::Bool, {2, 1}, {1, 0});
  EXPECT_EQ(undefinedOf(kText, values), kReaches);
}

}  // namespace
}  // namespace fxs::compare
