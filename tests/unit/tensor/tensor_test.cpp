// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "nonfinite.h"
#include "tensor/statistics.h"

using namespace fxs;
using namespace fxs::tensor;

namespace {

double through(DType dtype, double value) { return elementAt(tensorFrom(dtype, {}, {value}), 0); }

Tensor allPatterns(DType dtype) {
  const auto item = static_cast<std::size_t>(facts(dtype).bytes);
  const std::size_t count = std::size_t{1} << (8 * item);
  Tensor out{dtype, {static_cast<std::int64_t>(count)}, std::string(count * item, '\0')};
  for (std::size_t i = 0; i < count; ++i) std::memcpy(out.bytes.data() + i * item, &i, item);
  return out;
}

TEST(Tensor, EveryPatternOfSmallFloatsSurvivesDouble) {
  for (const DType dtype : {DType::Float16, DType::BFloat16, DType::Float8E4M3FN, DType::Float8E5M2,
                            DType::Float8E4M3FNUZ, DType::Float8E5M2FNUZ, DType::Float8E8M0FNU}) {
    const Tensor all = allPatterns(dtype);
    const std::vector<double> values = elementsOf(all);
    const Tensor again = tensorFrom(dtype, all.sizes, values);
    const auto item = static_cast<std::size_t>(facts(dtype).bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isnan(values[i])) {
        EXPECT_EQ(again.bytes.substr(i * item, item), all.bytes.substr(i * item, item))
            << facts(dtype).torchName << " " << i;
      } else {
        EXPECT_TRUE(std::isnan(elementAt(again, i)));
      }
    }
  }
}

TEST(Tensor, HalfwayRoundsToEven) {
  EXPECT_EQ(through(DType::Float16, 2049), 2048);
  EXPECT_EQ(through(DType::Float16, 2051), 2052);
  EXPECT_EQ(through(DType::BFloat16, 257), 256);
  EXPECT_EQ(through(DType::BFloat16, 259), 260);
  EXPECT_EQ(through(DType::Float8E5M2, 9), 8);
  EXPECT_EQ(through(DType::Int32, 2.5), 2);
  EXPECT_EQ(through(DType::Int32, 3.5), 4);
  EXPECT_EQ(through(DType::Float32, 16777217), 16777216);
}

TEST(Tensor, TooLargeFloatsBecomeWhatPyTorchMakesOfThem) {
  EXPECT_EQ(through(DType::Float16, 65519.99), 65504);
  EXPECT_EQ(through(DType::Float16, 65520), kInf);
  EXPECT_EQ(through(DType::BFloat16, -1e300), -kInf);
  EXPECT_EQ(through(DType::Float8E4M3FN, 1e6), 448);
  EXPECT_EQ(through(DType::Float8E4M3FN, -kInf), -448);
  EXPECT_EQ(through(DType::Float8E5M2, 1e6), kInf);
  EXPECT_TRUE(std::isnan(through(DType::Float8E4M3FNUZ, 1e6)));
  EXPECT_TRUE(std::isnan(through(DType::Float8E5M2FNUZ, kInf)));
  EXPECT_TRUE(std::isnan(through(DType::Float8E8M0FNU, std::ldexp(1.5, 127))));
}

TEST(Tensor, SubnormalsAndZerosKeepTheirSign) {
  EXPECT_EQ(through(DType::Float16, std::ldexp(3, -24)), std::ldexp(3, -24));
  EXPECT_TRUE(std::signbit(through(DType::Float16, -0.0)));
  EXPECT_TRUE(std::signbit(through(DType::BFloat16, -1e-60)));
  EXPECT_FALSE(std::signbit(through(DType::Float8E4M3FNUZ, -0.0)));
}

TEST(Tensor, IntegersSaturateAndNanBecomesZero) {
  EXPECT_EQ(through(DType::Int8, 300), 127);
  EXPECT_EQ(through(DType::Int8, -kInf), -128);
  EXPECT_EQ(through(DType::UInt16, -1), 0);
  EXPECT_EQ(tensorFrom(DType::Int64, {}, {1e30}).bytes,
            std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8));
  EXPECT_EQ(tensorFrom(DType::UInt64, {}, {kInf}).bytes, std::string(8, '\xff'));
  EXPECT_EQ(through(DType::Int32, kNan), 0);
  EXPECT_EQ(through(DType::Bool, -0.5), 1);
}

TEST(Tensor, ComplexElementsHaveTwoParts) {
  for (const DType dtype : {DType::Complex32, DType::Complex64, DType::Complex128}) {
    const Tensor t = tensorFrom(dtype, {2}, {1, -2, 3, 4});
    EXPECT_EQ(t.bytes.size(), 2 * static_cast<std::size_t>(facts(dtype).bytes));
    EXPECT_EQ(elementsOf(t), (std::vector<double>{1, -2, 3, 4}));
    EXPECT_EQ(elementAt(t, 1), 3);
  }
}

TEST(Tensor, CountsThatDoNotFitAreNone) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 32;
  EXPECT_EQ(elementCount({}), 1U);
  EXPECT_EQ(elementCount({2, 3}), 6U);
  EXPECT_EQ(elementCount({kLarge, kLarge}), std::nullopt);
  EXPECT_EQ(elementCount({kLarge, kLarge, 0}), 0U);
  EXPECT_EQ(elementCount({0, -1}), std::nullopt);
}

TEST(Tensor, TheTypeIsWrittenAsInGraphs) {
  EXPECT_EQ(typeText(tensorFrom(DType::BFloat16, {2, 3}, std::vector<double>(6))), "bf16[2, 3]");
  EXPECT_EQ(typeText(tensorFrom(DType::Int64, {}, {0})), "i64[]");
}

TEST(Statistics, LeaveOutWhatIsNotFinite) {
  const Statistics s = statisticsOf(tensorFrom(DType::Float32, {6}, {-3, 4, kNan, kInf, -kInf, 0}));
  EXPECT_EQ(s.elements, 6U);
  EXPECT_EQ(s.nans, 1U);
  EXPECT_EQ(s.infinities, 2U);
  EXPECT_EQ(s.min, -3);
  EXPECT_EQ(s.max, 4);
  EXPECT_NEAR(s.mean, 1.0 / 3, 1e-15);
  EXPECT_EQ(s.norm, 5);
  EXPECT_EQ(s.histogram,
            (std::array<std::uint64_t, 16>{1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(Statistics, OfExtremesAndOfNothingAreFinite) {
  const double most = std::numeric_limits<double>::max();
  const Statistics wide = statisticsOf(tensorFrom(DType::Float64, {2}, {-most, most}));
  EXPECT_EQ(wide.mean, 0);
  EXPECT_EQ(wide.histogram.front() + wide.histogram.back(), 2U);
  const Statistics none = statisticsOf(tensorFrom(DType::Float32, {0}, {}));
  EXPECT_EQ(none.elements, 0U);
  EXPECT_EQ(none.max, 0);
  EXPECT_EQ(statisticsOf(tensorFrom(DType::Complex64, {1}, {3, -4})).max, 5);
}

}  // namespace
