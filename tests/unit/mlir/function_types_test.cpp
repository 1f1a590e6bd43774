// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/function_types.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fxs::mlir {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FunctionTypes, ReadsTensorTypesOfBothForms) {
  const auto torch = tensorType("!torch.vtensor<[?,4],complex<f32>>");
  ASSERT_TRUE(torch);
  EXPECT_THAT(torch->sizes, ElementsAre(kDynamic, 4));
  EXPECT_EQ(torch->element, "complex<f32>");
  const auto builtin = tensorType("tensor<?x4xcomplex<f32>, #sparse>");
  ASSERT_TRUE(builtin);
  EXPECT_THAT(builtin->sizes, ElementsAre(kDynamic, 4));
  EXPECT_EQ(builtin->element, "complex<f32>");
  EXPECT_THAT(tensorType("tensor<f32>")->sizes, IsEmpty());
  EXPECT_THAT(tensorType("!torch.vtensor<[],si64>")->sizes, IsEmpty());
  for (const char* other : {"!torch.int", "f32", "tensor<*xf32>", "!torch.vtensor",
                            "!torch.vtensor<*,f32>", "", "tensor<"})
    EXPECT_FALSE(tensorType(other)) << other;
}

TEST(FunctionTypes, ASignatureIsThatOfTheNamedFunction) {
  const Module module(
      "module {\n  func.func private @other()\n  func.func @main(%a: tensor<?xf32> loc(\"x\"), %b: "
      "i64) -> (f32, tensor<2xi1>) {\n"
      "    return %x, %y : f32, tensor<2xi1>\n  }\n}\n");
  const auto main = functionIn(module, "main");
  ASSERT_TRUE(main);
  EXPECT_THAT(main->signature.arguments, ElementsAre("tensor<?xf32>", "i64"));
  EXPECT_THAT(main->signature.results, ElementsAre("f32", "tensor<2xi1>"));
  EXPECT_FALSE(functionIn(module, "other"));
  EXPECT_FALSE(functionIn(module, "none"));
}

}  // namespace
}  // namespace fxs::mlir
