// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/promotion.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace fxs::ops {
namespace {

constexpr OperandKind kTensor = OperandKind::Tensor, kZeroDim = OperandKind::ZeroDimTensor,
                      kNumber = OperandKind::Number;

std::string shown(std::optional<DType> dtype) {
  return dtype ? std::string(facts(*dtype).shortName) : "-";
}

// As torch.promote_types of PyTorch 2.13 prints them; "-" where it refuses. The 8-bit floats are
// below.
TEST(Promotion, TypesPromoteAsInPyTorch) {
  constexpr std::array kTypes{DType::UInt8,     DType::Int8,      DType::Int16,      DType::Int32,
                              DType::Int64,     DType::Float16,   DType::Float32,    DType::Float64,
                              DType::Complex32, DType::Complex64, DType::Complex128, DType::Bool,
                              DType::BFloat16,  DType::UInt16,    DType::UInt32,     DType::UInt64};
  std::string table;
  for (const DType a : kTypes) {
    for (const DType b : kTypes)
      table += (b == kTypes.front() ? "" : " ") + shown(promoteTypes(a, b));
    table += "\n";
  }
  EXPECT_EQ(table, R"(u8 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 u8 bf16 - - -
i16 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 i8 bf16 - - -
i16 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 i16 bf16 - - -
i32 i32 i32 i32 i64 f16 f32 f64 c32 c64 c128 i32 bf16 - - -
i64 i64 i64 i64 i64 f16 f32 f64 c32 c64 c128 i64 bf16 - - -
f16 f16 f16 f16 f16 f16 f32 f64 c32 c64 c128 f16 f32 f16 f16 f16
f32 f32 f32 f32 f32 f32 f32 f64 c64 c64 c128 f32 f32 f32 f32 f32
f64 f64 f64 f64 f64 f64 f64 f64 c128 c128 c128 f64 f64 f64 f64 f64
c32 c32 c32 c32 c32 c32 c64 c128 c32 c64 c128 c32 c64 - - -
c64 c64 c64 c64 c64 c64 c64 c128 c64 c64 c128 c64 c64 - - -
c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 - - -
u8 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 b8 bf16 - - -
bf16 bf16 bf16 bf16 bf16 f32 f32 f64 c64 c64 c128 bf16 bf16 bf16 bf16 bf16
- - - - - f16 f32 f64 - - - - bf16 u16 - -
- - - - - f16 f32 f64 - - - - bf16 - u32 -
- - - - - f16 f32 f64 - - - - bf16 - - u64
)");
}

TEST(Promotion, AnEightBitFloatMeetsItsOwnTypeOnly) {
  EXPECT_EQ(promoteTypes(DType::Float8E4M3FN, DType::Float8E4M3FN), DType::Float8E4M3FN);
  for (const DType other : {DType::Float8E5M2, DType::Float32, DType::Bool, DType::Complex64}) {
    EXPECT_EQ(promoteTypes(DType::Float8E4M3FN, other), std::nullopt);
    EXPECT_EQ(promoteTypes(other, DType::Float8E4M3FN), std::nullopt);
  }
}

TEST(Promotion, ALighterOperandOnlyRaisesTheCategory) {
  EXPECT_EQ(resultType({{DType::Float16, kTensor}, {DType::Float64, kZeroDim}}), DType::Float16);
  EXPECT_EQ(resultType({{DType::Int8, kTensor}, {DType::Int64, kNumber}}), DType::Int8);
  EXPECT_EQ(resultType({{DType::Int8, kZeroDim}, {DType::Float64, kNumber}}), DType::Float32);
  EXPECT_EQ(resultType({{DType::Bool, kTensor}, {DType::Int16, kZeroDim}}), DType::Int16);
  EXPECT_EQ(resultType({{DType::Int32, kTensor}, {DType::Float64, kZeroDim}}), DType::Float64);
  EXPECT_EQ(resultType({{DType::Bool, kNumber}, {DType::Int64, kNumber}}), DType::Int64);
  EXPECT_EQ(
      resultType({{DType::Bool, kTensor}, {DType::Float16, kZeroDim}, {DType::Complex64, kNumber}}),
      DType::Complex32);
}

TEST(Promotion, AComplexOperandKeepsThePrecisionOfFloats) {
  EXPECT_EQ(resultType({{DType::Float64, kTensor}, {DType::Complex64, kNumber}}),
            DType::Complex128);
  EXPECT_EQ(resultType({{DType::Float64, kTensor}, {DType::Complex64, kZeroDim}}),
            DType::Complex128);
  EXPECT_EQ(resultType({{DType::Float16, kTensor}, {DType::Complex128, kZeroDim}}),
            DType::Complex32);
  EXPECT_EQ(resultType({{DType::BFloat16, kTensor}, {DType::Complex128, kNumber}}),
            DType::Complex64);
  EXPECT_EQ(resultType({{DType::UInt16, kTensor}, {DType::Complex64, kNumber}}), DType::Complex64);
}

TEST(Promotion, WhatPyTorchRefusesHasNoResultType) {
  EXPECT_EQ(resultType({}), std::nullopt);
  EXPECT_EQ(resultType({{DType::Unknown, kTensor}}), std::nullopt);
  EXPECT_EQ(resultType({{DType::Unknown, kTensor}, {DType::Float32, kTensor}}), std::nullopt);
  EXPECT_EQ(resultType({{DType::UInt16, kTensor}, {DType::Int8, kTensor}}), std::nullopt);
  EXPECT_EQ(resultType({{DType::Bool, kTensor}, {DType::UInt16, kZeroDim}}), std::nullopt);
  EXPECT_EQ(resultType({{DType::Float8E5M2, kTensor}, {DType::Complex64, kNumber}}), std::nullopt);
}

TEST(Promotion, HalfTypesComputeInFloat) {
  EXPECT_EQ(computationType(DType::Float16), DType::Float32);
  EXPECT_EQ(computationType(DType::BFloat16), DType::Float32);
  EXPECT_EQ(computationType(DType::Complex32), DType::Complex64);
  for (const DType same : {DType::Float32, DType::Float64, DType::Complex64, DType::Bool,
                           DType::Int8, DType::Float8E5M2})
    EXPECT_EQ(computationType(same), same);
}

TEST(Promotion, FunctionsOfIntegersGiveFloats) {
  for (const DType full : {DType::Bool, DType::UInt8, DType::Int64, DType::UInt64})
    EXPECT_EQ(integerToFloat(full), DType::Float32);
  for (const DType same : {DType::Float16, DType::BFloat16, DType::Float64, DType::Complex32})
    EXPECT_EQ(integerToFloat(same), same);
}

}  // namespace
}  // namespace fxs::ops
