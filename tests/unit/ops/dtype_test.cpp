// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/dtype.h"

#include <gtest/gtest.h>

namespace fxs {
namespace {

TEST(DType, NumberingsRoundTrip) {
  for (int i = 1; i <= static_cast<int>(DType::Float8E8M0FNU); ++i) {
    const DType dtype = static_cast<DType>(i);
    const DTypeFacts& f = facts(dtype);
    EXPECT_EQ(f.dtype, dtype);
    EXPECT_EQ(dtypeFromSerialized(f.serialized), dtype);
    EXPECT_EQ(dtypeFromName(f.torchName), dtype);
    EXPECT_EQ(dtypeFromName(f.shortName), dtype);
    EXPECT_EQ(dtypeFromName("torch." + std::string(f.torchName)), dtype);
    EXPECT_EQ(isFloating(dtype) + isComplex(dtype) + isIntegral(dtype) + (dtype == DType::Bool), 1)
        << f.torchName;
  }
  EXPECT_EQ(dtypeFromSerialized(0), std::nullopt);
  EXPECT_EQ(dtypeFromSerialized(14), std::nullopt);
  EXPECT_EQ(dtypeFromName("float31"), std::nullopt);
}

TEST(DType, SerializedNumbersAreNotTorchInts) {
  EXPECT_EQ(facts(DType::Float32).serialized, 7);
  EXPECT_EQ(facts(DType::Float32).torchInt, 6);
  EXPECT_EQ(facts(DType::Bool).mlir, "i1");
  EXPECT_EQ(facts(DType::Int64).mlir, "si64");
  EXPECT_EQ(torchInt(MemoryFormat::Preserve), 1);
  EXPECT_EQ(memoryFormatFromSerialized(4), MemoryFormat::Preserve);
  EXPECT_EQ(memoryFormatFromSerialized(0), std::nullopt);
  EXPECT_EQ(layoutFromSerialized(7), Layout::Strided);
  EXPECT_EQ(name(Layout::SparseCoo), "sparse_coo");
}

}  // namespace
}  // namespace fxs
