// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "execute/weights_as_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execute/signature.h"

namespace fxs::execute {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(WeightsAsArguments, ConstantsOfEveryDialectBecomeArguments) {
  const auto out = weightsAsArguments(R"(module {
  func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %cst = arith.constant dense_resource<a.weight> : tensor<2xf32>
    %0 = "tosa.const"() <{values = dense_resource<"b weight"> : tensor<2xf32>}> : () -> tensor<2xf32>
    %1 = tosa.add %arg0, %cst : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %2 = tosa.add %1, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
)",
                                      "main");
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_THAT(out->handles, ElementsAre("a.weight", "b weight"));
  EXPECT_EQ(out->text, R"(module {
  func.func @main(%arg0: tensor<2xf32>, %fxscope_weight_0: tensor<2xf32>, %fxscope_weight_1: tensor<2xf32>) -> tensor<2xf32> {
    
    
    %1 = tosa.add %arg0, %fxscope_weight_0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %2 = tosa.add %1, %fxscope_weight_1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
)");
}

TEST(WeightsAsArguments, TiedWeightsAreOneArgumentAndMayBeTheResult) {
  const auto out = weightsAsArguments(
      R"(func.func @main() -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) {
  %0 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %1 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return %0, %1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
})",
      "main");
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_THAT(out->handles, ElementsAre("w"));
  EXPECT_THAT(out->text, HasSubstr("@main(%fxscope_weight_0: !torch.vtensor<[2],f32>) -> "));
  EXPECT_THAT(out->text, HasSubstr("return %fxscope_weight_0, %fxscope_weight_0 : "));
}

TEST(WeightsAsArguments, ConstantsInRegionsAreReplacedAndThoseOfOtherFunctionsRefused) {
  const auto inside =
      weightsAsArguments(R"(func.func @main(%c: i1, %x: tensor<2xf32>) -> tensor<2xf32> {
  %r = scf.if %c -> (tensor<2xf32>) {
    %w = stablehlo.constant dense_resource<w> : tensor<2xf32>
    scf.yield %w : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
})",
                         "main");
  ASSERT_TRUE(inside.has_value()) << inside.error().message;
  EXPECT_THAT(inside->text, HasSubstr("scf.yield %fxscope_weight_0 : tensor<2xf32>"));

  const auto other = weightsAsArguments(R"(func.func private @f() -> tensor<2xf32> {
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  return %w : tensor<2xf32>
}
func.func @main() -> tensor<2xf32> {
  %0 = call @f() : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
})",
                                        "main");
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(other.error().message, "the weight 'w' is used outside of 'main'");
}

TEST(WeightsAsArguments, TextWithoutWeightsStays) {
  const std::string text = "func.func @main(%x: f32) -> f32 {\n  return %x : f32\n}";
  const auto out = weightsAsArguments(text, "main");
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(out->text, text);
  EXPECT_THAT(out->handles, IsEmpty());
  EXPECT_FALSE(weightsAsArguments(text, "forward").has_value());
}

TEST(Signature, TensorsAndNumbersOfEveryDialect) {
  const auto out = signatureOf(
      R"(func.func @main(%a: !torch.vtensor<[2,?],si64>, %b: !torch.vtensor<[],ui8>, %n: !torch.int, %f: f64, %c: tensor<?x3xcomplex<f32>>) -> (tensor<4xbf16>, i1) {
  %0:2 = "x.y"(%a) : (!torch.vtensor<[2,?],si64>) -> (tensor<4xbf16>, i1)
  return %0#0, %0#1 : tensor<4xbf16>, i1
})",
      "main");
  ASSERT_TRUE(out.has_value()) << out.error().message;
  ASSERT_EQ(out->arguments.size(), 5u);
  EXPECT_EQ(out->arguments[0].dtype, DType::Int64);
  EXPECT_EQ(out->arguments[0].element, "i64");
  EXPECT_THAT(out->arguments[0].sizes, ElementsAre(2, -1));
  EXPECT_EQ(out->arguments[1].dtype, DType::UInt8);
  EXPECT_THAT(out->arguments[1].sizes, IsEmpty());
  EXPECT_FALSE(out->arguments[1].number);
  EXPECT_TRUE(out->arguments[2].number);
  EXPECT_EQ(out->arguments[3].dtype, DType::Float64);
  EXPECT_TRUE(out->arguments[3].number);
  EXPECT_EQ(out->arguments[4].dtype, DType::Complex64);
  ASSERT_EQ(out->results.size(), 2u);
  EXPECT_EQ(out->results[0].dtype, DType::BFloat16);
  EXPECT_EQ(out->results[1].dtype, DType::Bool);
  EXPECT_TRUE(out->results[1].number);
}

TEST(Signature, TypesThatCannotBePassedAreNamed) {
  const auto out = signatureOf(
      "func.func @main(%a: !torch.list<int>) -> i64 {\n  %0 = x.y %a : i64\n  return %0 : i64\n}",
      "main");
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().message, "values of type !torch.list<int> cannot be passed");
}

}  // namespace
}  // namespace fxs::execute
