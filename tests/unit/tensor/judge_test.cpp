// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nonfinite.h"

using namespace fxs;
using namespace fxs::tensor;

namespace {

Tensor f32(const std::vector<double>& values) {
  return tensorFrom(DType::Float32, {static_cast<std::int64_t>(values.size())}, values);
}
Tensor i64(const std::vector<double>& values) {
  return tensorFrom(DType::Int64, {static_cast<std::int64_t>(values.size())}, values);
}

/// "differs, sign: 1 of 3 elements ..."
std::string said(const Difference& d) {
  return std::string(name(d.verdict)) + ", " + std::string(name(d.kind)) + ": " + d.message;
}
std::string said(const Tensor& found, const Tensor& expected, const JudgeOptions& options = {}) {
  return said(judge(found, expected, options));
}

/// Numbers of both signs without a pattern.
std::vector<double> numbers(std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(std::sin(static_cast<double>(i * i % 1009)) * 2);
  return out;
}

TEST(Judge, EqualTensorsAreTheSame) {
  EXPECT_EQ(said(f32({1, kNan, kInf}), f32({1, kNan, kInf})), "same, none: equal");
  EXPECT_EQ(said(f32({}), f32({})), "same, none: equal, without elements");
  EXPECT_EQ(said(f32({1 + 0x1p-23, 2}), f32({1, 2})),
            "same, none: equal but for rounding, relative error 5.3e-08, 0.45 eps of f32");
}

TEST(Judge, ShapesAndTypesMustBeEqual) {
  EXPECT_EQ(said(f32({1, 2}), f32({1})), "differs, shape: f32[2], expected f32[1]");
  EXPECT_EQ(said(i64({1}), f32({1})), "differs, type: i64[1], expected f32[1]");
  EXPECT_EQ(said({DType::Float32, {2}, "1234"}, f32({1, 2})),
            "differs, shape: 4 bytes found and 8 expected are not both those of f32[2]");
}

TEST(Judge, BetweenHalfOfTheToleranceAndTheToleranceIsSuspicious) {
  const std::vector<double> values = numbers(100);
  const auto noisy = [&](double eps) {
    std::vector<double> out = values;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] *= 1 + (i % 2 == 0 ? eps : -eps) * 0x1p-23;
    return f32(out);
  };
  EXPECT_EQ(judge(noisy(15), f32(values)).verdict, Verdict::Same);
  EXPECT_EQ(said(noisy(30), f32(values)),
            "suspicious, rounding: small errors, relative error 3.6e-06, 30 eps of f32; wrong is "
            "above 40 eps");
  EXPECT_EQ(said(noisy(60), f32(values)),
            "differs, rounding: small errors, relative error 7.2e-06, 60 eps of f32; wrong is "
            "above 40 eps");
  EXPECT_EQ(judge(noisy(60), f32(values), JudgeOptions{DType::Unknown, 0, 10'000}).verdict,
            Verdict::Same);
  EXPECT_EQ(judge(noisy(60), f32(values), DType::BFloat16).verdict, Verdict::Same);
}

TEST(Judge, OneWrongElementOfAMillionIsFound) {
  std::vector<double> values = numbers(1'000'000);
  const Tensor expected = f32(values);
  values[500'002] *= 1.01;
  const Difference d = judge(f32(values), expected);
  EXPECT_EQ(d.verdict, Verdict::Differs);
  EXPECT_EQ(d.kind, Kind::WrongElements);
  EXPECT_EQ(d.wrong, 1U);
  ASSERT_EQ(d.worst.size(), 1U);
  EXPECT_EQ(d.worst.front().index, (std::vector<std::int64_t>{500'002}));
}

TEST(Judge, SaysHowTheyDiffer) {
  EXPECT_EQ(
      said(f32({1, -2, 3}), f32({1, 2, 3})),
      "differs, sign: 1 of 3 elements have the other sign, relative error 1.1, 9e+06 eps of f32");
  EXPECT_EQ(said(f32({1, 4, 2, 5, 3, 6}), f32({1, 2, 3, 4, 5, 6})),
            "differs, permuted: the elements are in another order, [1] is 4 instead of 2, relative "
            "error 0.33, 2.8e+06 eps of f32");
  EXPECT_EQ(said(f32({1.0001, 2.0002, 3.0003}), f32({1, 2, 3})),
            "differs, scaled: every element is 1.0001 times the expected one, relative error "
            "0.0001, 8.4e+02 eps of f32");
  EXPECT_EQ(said(f32({0, 0, 0}), f32({1, 2, 3})),
            "differs, scaled: every element is 0, [2] is 0 instead of 3");
  EXPECT_EQ(said(f32({1, 2.5, 3}), f32({1, 2, 3})),
            "differs, wrong-elements: 1 of 3 elements differ, [1] is 2.5 instead of 2, relative "
            "error 0.13, 1.1e+06 eps of f32");
}

TEST(Judge, NanWhereAFiniteValueIsExpectedDiffers) {
  EXPECT_EQ(said(f32({1, kNan}), f32({1, 2})),
            "differs, nan: 1 of 2 elements differ by NaN where another value is expected, [1] is "
            "nan instead of 2");
  EXPECT_EQ(said(f32({1, kInf}), f32({1, 2})),
            "differs, infinity: 1 of 2 elements differ by infinity where another value is "
            "expected, [1] is inf instead of 2");
}

TEST(Judge, AMissingNanOrInfinityDiffersAtNonfinite) {
  EXPECT_EQ(said(f32({1, 2}), f32({1, kNan})),
            "differs-at-nonfinite, nan: 1 of 2 elements differ where NaN is expected, [1] is 2 "
            "instead of nan");
  EXPECT_EQ(said(f32({1, 3e38}), f32({1, kInf})),
            "differs-at-nonfinite, infinity: 1 of 2 elements differ where infinity is expected, "
            "[1] is 3e+38 instead of inf");
  EXPECT_EQ(said(f32({1, -kInf}), f32({1, kInf})),
            "differs-at-nonfinite, infinity: 1 of 2 elements differ in infinity, [1] is -inf "
            "instead of inf");
  EXPECT_EQ(said(f32({2, 2}), f32({1, kNan})),
            "differs, nan: 1 of 2 elements differ where NaN is expected, [1] is 2 instead of nan; "
            "among finite elements relative error 1, "
            "8.4e+06 eps of f32");
}

TEST(Judge, IntegersAndBoolsMustBeEqual) {
  EXPECT_EQ(said(i64({1, 2, 3}), i64({1, 2, 3})), "same, none: equal");
  EXPECT_EQ(
      said(i64({1, 2, 7}), i64({1, 2, 3})),
      "differs, wrong-elements: 1 of 3 elements differ, [2] is 7 instead of 3, largest error 4");
  Tensor large = i64({0}), next = large;
  large.bytes = std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  next.bytes = std::string("\xfe\xff\xff\xff\xff\xff\xff\x7f", 8);  // equal as doubles
  EXPECT_EQ(judge(large, next).verdict, Verdict::Differs);
  const Tensor expected = tensorFrom(DType::Bool, {2}, {1, 0}),
               found = tensorFrom(DType::Bool, {2}, {0, 1});
  EXPECT_EQ(
      said(found, expected),
      "differs, wrong-elements: all 2 elements differ, [0] is 0 instead of 1, largest error 1");
}

TEST(Judge, WhereZeroIsExpectedOnlyNoiseIsTheSame) {
  EXPECT_EQ(said(f32({1e-20, 0}), f32({0, 0})),
            "differs, wrong-elements: 1 of 2 elements differ, [0] is 1e-20 instead of 0, error "
            "1e-20 where 0 is expected");
  EXPECT_EQ(judge(f32({1e-39, 0}), f32({0, 0})).verdict, Verdict::Same);
  EXPECT_EQ(judge(f32({1e-6, 0}), f32({0, 0}), JudgeOptions{DType::Unknown, 10, 0}).verdict,
            Verdict::Same);
}

TEST(Judge, ErrorsOfACancellationAreRelativeToItsTerms) {
  const Tensor found = f32({3e-5, 1e-5}), expected = f32({1e-5, 1e-5});
  EXPECT_EQ(judge(found, expected).verdict, Verdict::Differs);
  EXPECT_EQ(judge(found, expected, JudgeOptions{DType::Unknown, 100, 0}).verdict, Verdict::Same);
}

TEST(Judge, SmallMagnitudesAreNoExcuse) {
  const std::vector<double> values = numbers(50);
  std::vector<double> tiny = values, wrong = values;
  for (double& v : tiny) v *= 1e-29;
  for (double& v : wrong) v *= 0.26e-29;
  EXPECT_EQ(judge(f32(wrong), f32(tiny)).verdict, Verdict::Differs);
}

TEST(Judge, TheFillOfAMaskHidesNothing) {
  std::vector<double> values = numbers(64);
  for (std::size_t i = 32; i < 64; ++i) values[i] = -std::numeric_limits<float>::max();
  const Tensor expected = f32(values);
  EXPECT_EQ(judge(expected, expected).verdict, Verdict::Same);
  values[3] *= 1.01;
  EXPECT_EQ(judge(f32(values), expected).verdict, Verdict::Differs);
}

TEST(Judge, HalfTypesAndFloat8HaveTheirOwnTolerance) {
  const std::vector<double> values = numbers(64);
  std::vector<double> rounded = values, flipped = values;
  for (double& v : rounded) v *= 1.004;
  for (double& v : flipped) v = -v;
  for (const DType dtype :
       {DType::BFloat16, DType::Float16, DType::Float8E4M3FN, DType::Float8E5M2}) {
    const Tensor expected = tensorFrom(dtype, {64}, values);
    EXPECT_EQ(judge(tensorFrom(dtype, {64}, rounded), expected, DType::BFloat16).verdict,
              Verdict::Same)
        << facts(dtype).torchName;
    EXPECT_EQ(judge(tensorFrom(dtype, {64}, flipped), expected).verdict, Verdict::Differs)
        << facts(dtype).torchName;
  }
}

TEST(Judge, LongSumsInHalfTypesAreNotWrong) {
  // Off by 14 eps, as a sum of 10,000 terms in order is in float16.
  const Tensor expected = tensorFrom(DType::Float16, {2}, {-13, 101}),
               found = tensorFrom(DType::Float16, {2}, {-13, 101 * (1 + 14 / 1024.)});
  const auto of = [&](std::uint64_t terms) {
    return judge(found, expected, {DType::Float16, 0, terms}).verdict;
  };
  EXPECT_EQ(of(0), Verdict::Differs);
  EXPECT_EQ(of(64), Verdict::Differs);
  EXPECT_EQ(of(1000), Verdict::Suspicious);
  EXPECT_EQ(of(10'000), Verdict::Same);
}

TEST(Judge, AComplexElementIsWrongOnce) {
  const Difference d = judge(tensorFrom(DType::Complex64, {2}, {1, 2, 5, 6}),
                             tensorFrom(DType::Complex64, {2}, {1, 2, 3, 4}));
  EXPECT_EQ(d.verdict, Verdict::Differs);
  EXPECT_EQ(d.wrong, 1U);
  EXPECT_EQ(d.worst.size(), 1U);
}

TEST(Judge, DoublesThatOverflowWhenSquaredAreCompared) {
  const auto f64 = [](const std::vector<double>& v) { return tensorFrom(DType::Float64, {2}, v); };
  EXPECT_EQ(judge(f64({1e300, 2e300}), f64({1e300, 2e300 * (1 + 1e-15)})).verdict, Verdict::Same);
  EXPECT_EQ(judge(f64({1e300, 2e300}), f64({1e300, 3e300})).verdict, Verdict::Differs);
  EXPECT_EQ(judge(f64({1e-300, 2e-300}), f64({1e-300, 3e-300})).verdict, Verdict::Differs);
}

}  // namespace
