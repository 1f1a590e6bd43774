// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values as files and as arguments of iree-run-module.
#include "execute/iree_module.h"

#include <gtest/gtest.h>

namespace fxs::test {
namespace {

using execute::ValueType;
using tensor::Tensor;

TEST(IreeModule, TakesTensorsFromFilesAndNumbersAsText) {
  const ValueType floats{DType::Float32, "f32", false, {2, -1}};
  const Tensor tensor = tensor::tensorFrom(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(execute::ireeValue(tensor, floats, "x.npy"), "@x.npy");
  EXPECT_EQ(execute::ireeValue({DType::Float32, {2, 0}, {}}, floats, "x.npy"), "2x0xf32");
  const ValueType halves{DType::BFloat16, "bf16", false, {3}};
  EXPECT_EQ(
      execute::ireeValue(tensor::tensorFrom(DType::BFloat16, {3}, {1, 2, 3}), halves, "x.bin"),
      "3xbf16=@x.bin");
  const ValueType number{DType::Int64, "i64", true, {}};
  EXPECT_EQ(execute::ireeValue(tensor::tensorFrom(DType::Int64, {}, {-7}), number, ""), "-7");
}

TEST(IreeModule, WritesElementsAsTheyAreWhereNumPyHasNoDtype) {
  EXPECT_EQ(execute::fileEnding(DType::Float32), ".npy");
  EXPECT_EQ(execute::fileEnding(DType::BFloat16), ".bin");
  EXPECT_EQ(execute::fileEnding(DType::Unknown), ".bin");
  const Tensor value = tensor::tensorFrom(DType::BFloat16, {2}, {1, 2});
  EXPECT_EQ(execute::fileOf(value).value_or(""), value.bytes);
  EXPECT_TRUE(execute::fileOf(tensor::tensorFrom(DType::Int8, {1}, {1}))
                  .value_or("")
                  .starts_with("\x93NUMPY"));
}

TEST(IreeModule, NeedsIree) {
  PosixCommandRunner runner;
  const auto modules = execute::IreeModules::make({}, "", runner, {});
  ASSERT_FALSE(modules);
  EXPECT_EQ(modules.error().message,
            "IREE is not installed; run 'fxscope-cli engine fetch --numbers' to install it (a "
            "download of 99 MB)");
}

}  // namespace
}  // namespace fxs::test
