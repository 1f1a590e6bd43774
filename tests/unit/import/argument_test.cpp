// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kind of argument as a value, by the schema's formal type.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

TEST(Argument, DefaultsAreFilledInFromTheSchema) {
  EXPECT_EQ(body("x: f32[2] = placeholder\ny: f32[2] = aten.add.Tensor(x, x)\nreturn y"),
            R"(%0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%1 = "torch.aten.add.Tensor"(%arg0, %arg0, %0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
"func.return"(%1) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, NumberForATensorOperandTakesTheScalarOverload) {
  EXPECT_EQ(body("x: f32[2] = placeholder\ny: f32[2] = aten.mul.Tensor(x, 2)\nreturn y"),
            R"(%0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%1 = "torch.aten.mul.Scalar"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
"func.return"(%1) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, NumberForAnyOtherTensorFormalBecomesARankZeroTensor) {
  EXPECT_EQ(
      body("x: f32[2] = placeholder\ny: f32[2] = aten.maximum.default(x, 0.5)\nreturn y"),
      R"(%0 = "torch.constant.float"() <{value = 0x3FE0000000000000 : f64}> : () -> !torch.float
%1 = "torch.prim.NumToTensor.Scalar"(%0) : (!torch.float) -> !torch.vtensor<[],f32>
%2 = "torch.aten.maximum"(%arg0, %1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[2],f32>
"func.return"(%2) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, IntegerForAFloatFormalBecomesAFloat) {
  EXPECT_EQ(
      body("x: f32[2] = placeholder\ny: f32[2] = aten.dropout.default(x, 0, False)\nreturn y"),
      R"(%0 = "torch.constant.float"() <{value = 0x0000000000000000 : f64}> : () -> !torch.float
%1 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
%2 = "torch.aten.dropout"(%arg0, %0, %1) : (!torch.vtensor<[2],f32>, !torch.float, !torch.bool) -> !torch.vtensor<[2],f32>
"func.return"(%2) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, FloatsAreWrittenAsTheirBits) {
  EXPECT_EQ(
      body("x: f32[2] = placeholder\ny: f32[2] = aten.clamp.default(x, inf, nan)\nreturn y"),
      R"(%0 = "torch.constant.float"() <{value = 0x7FF0000000000000 : f64}> : () -> !torch.float
%1 = "torch.constant.float"() <{value = 0x7FF8000000000000 : f64}> : () -> !torch.float
%2 = "torch.aten.clamp"(%arg0, %0, %1) : (!torch.vtensor<[2],f32>, !torch.float, !torch.float) -> !torch.vtensor<[2],f32>
"func.return"(%2) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, BoolForANumberIsConverted) {
  EXPECT_EQ(body("x: i64[2] = placeholder\ny: i64[2] = aten.add.Tensor(x, True)\nreturn y"),
            R"(%0 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
%1 = "torch.aten.Int.bool"(%0) : (!torch.bool) -> !torch.int
%2 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%3 = "torch.aten.add.Scalar"(%arg0, %1, %2) : (!torch.vtensor<[2],si64>, !torch.int, !torch.int) -> !torch.vtensor<[2],si64>
"func.return"(%3) : (!torch.vtensor<[2],si64>) -> ()
)");
}
TEST(Argument, EnumsAreTheirTorchNumbersAndDevicesAreNamed) {
  EXPECT_EQ(body("x: f32[2] = placeholder\n"
                 "y: bf16[2] = aten._to_copy.default(x, dtype=torch.bfloat16, "
                 "layout=torch.strided, device=cpu, "
                 "memory_format=torch.channels_last)\n"
                 "return y"),
            R"(%0 = "torch.constant.int"() <{value = 15 : i64}> : () -> !torch.int
%1 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%2 = "torch.constant.device"() <{value = "cpu"}> : () -> !torch.Device
%3 = "torch.constant.none"() : () -> !torch.none
%4 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
%5 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%6 = "torch.aten._to_copy"(%arg0, %0, %1, %2, %3, %4, %5) : (!torch.vtensor<[2],f32>, !torch.int, !torch.int, !torch.Device, !torch.none, !torch.bool, !torch.int) -> !torch.vtensor<[2],bf16>
"func.return"(%6) : (!torch.vtensor<[2],bf16>) -> ()
)");
}
TEST(Argument, ListsOfIntsFloatsAndTensors) {
  EXPECT_EQ(body("x: f32[1, 2, 4, 4] = placeholder\n"
                 "y: f32[1, 2, 8, 8] = aten.upsample_nearest2d.vec(x, None, [2.0, 2])\n"
                 "z: f32[1, 4, 8, 8] = aten.cat.default([y, y], 1)\n"
                 "return z"),
            R"(%0 = "torch.constant.none"() : () -> !torch.none
%1 = "torch.constant.float"() <{value = 0x4000000000000000 : f64}> : () -> !torch.float
%2 = "torch.constant.float"() <{value = 0x4000000000000000 : f64}> : () -> !torch.float
%3 = "torch.prim.ListConstruct"(%1, %2) : (!torch.float, !torch.float) -> !torch.list<float>
%4 = "torch.aten.upsample_nearest2d.vec"(%arg0, %0, %3) : (!torch.vtensor<[1,2,4,4],f32>, !torch.none, !torch.list<float>) -> !torch.vtensor<[1,2,8,8],f32>
%5 = "torch.prim.ListConstruct"(%4, %4) : (!torch.vtensor<[1,2,8,8],f32>, !torch.vtensor<[1,2,8,8],f32>) -> !torch.list<vtensor>
%6 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%7 = "torch.aten.cat"(%5, %6) : (!torch.list<vtensor>, !torch.int) -> !torch.vtensor<[1,4,8,8],f32>
"func.return"(%7) : (!torch.vtensor<[1,4,8,8],f32>) -> ()
)");
}
TEST(Argument, OptionalTensorsInAListMayBeNone) {
  EXPECT_EQ(body("x: f32[2, 3] = placeholder\ni: i64[4] = placeholder\ny: f32[2, 4] = "
                 "aten.index.Tensor(x, [None, i])\nreturn y"),
            R"(%0 = "torch.constant.none"() : () -> !torch.none
%1 = "torch.prim.ListConstruct"(%0, %arg1) : (!torch.none, !torch.vtensor<[4],si64>) -> !torch.list<optional<vtensor>>
%2 = "torch.aten.index.Tensor"(%arg0, %1) : (!torch.vtensor<[2,3],f32>, !torch.list<optional<vtensor>>) -> !torch.vtensor<[2,4],f32>
"func.return"(%2) : (!torch.vtensor<[2,4],f32>) -> ()
)");
}
TEST(Argument, EmptyListTakesItsElementFromTheSchema) {
  EXPECT_EQ(body("x: f32[2] = placeholder\ny: f32[] = aten.sum.dim_IntList(x, [])\nreturn y"),
            R"(%0 = "torch.prim.ListConstruct"() : () -> !torch.list<int>
%1 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
%2 = "torch.constant.none"() : () -> !torch.none
%3 = "torch.aten.sum.dim_IntList"(%arg0, %0, %1, %2) : (!torch.vtensor<[2],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[],f32>
"func.return"(%3) : (!torch.vtensor<[],f32>) -> ()
)");
}
TEST(Argument, OneNumberForAListIsAListOfOne) {
  EXPECT_EQ(body("x: f32[2, 3] = placeholder\ny: f32[2] = aten.sum.dim_IntList(x, 1)\nreturn y"),
            R"(%0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%1 = "torch.prim.ListConstruct"(%0) : (!torch.int) -> !torch.list<int>
%2 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
%3 = "torch.constant.none"() : () -> !torch.none
%4 = "torch.aten.sum.dim_IntList"(%arg0, %1, %2, %3) : (!torch.vtensor<[2,3],f32>, !torch.list<int>, !torch.bool, !torch.none) -> !torch.vtensor<[2],f32>
"func.return"(%4) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, SymbolicSizesStandInListsBesideNumbers) {
  EXPECT_EQ(body("x: f32[s0, 4] = placeholder\n"
                 "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                 "y: f32[s0, 2, 2] = aten.view.default(x, [n, 2, 2])\n"
                 "return y"),
            R"(%0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%1 = "torch.aten.size.int"(%arg0, %0) : (!torch.vtensor<[?,4],f32>, !torch.int) -> !torch.int
%2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%4 = "torch.prim.ListConstruct"(%1, %2, %3) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
%5 = "torch.aten.view"(%arg0, %4) : (!torch.vtensor<[?,4],f32>, !torch.list<int>) -> !torch.vtensor<[?,2,2],f32>
"func.return"(%5) : (!torch.vtensor<[?,2,2],f32>) -> ()
)");
}
TEST(Argument, SymbolicNumberForATensorFormalBecomesATensor) {
  EXPECT_EQ(body("x: f32[s0] = placeholder\nn: Sym(s0) = aten.sym_size.int(x, 0)\ny: f32[s0] = "
                 "aten.where.self(x, n, x)\nreturn y"),
            R"(%0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%1 = "torch.aten.size.int"(%arg0, %0) : (!torch.vtensor<[?],f32>, !torch.int) -> !torch.int
%2 = "torch.prim.NumToTensor.Scalar"(%1) : (!torch.int) -> !torch.vtensor<[],si64>
%3 = "torch.aten.where.self"(%arg0, %2, %arg0) : (!torch.vtensor<[?],f32>, !torch.vtensor<[],si64>, !torch.vtensor<[?],f32>) -> !torch.vtensor<[?],f32>
"func.return"(%3) : (!torch.vtensor<[?],f32>) -> ()
)");
}
TEST(Argument, ComplexNumberForATensorIsALiteral) {
  EXPECT_EQ(
      body("x: c64[2] = placeholder\ny: c64[2] = aten.mul.Tensor(x, (1+2j))\nreturn y"),
      R"(%0 = "torch.vtensor.literal"() <{value = dense<"0x0000803F00000040"> : tensor<complex<f32>>}> : () -> !torch.vtensor<[],complex<f32>>
%1 = "torch.aten.mul.Tensor"(%arg0, %0) : (!torch.vtensor<[2],complex<f32>>, !torch.vtensor<[],complex<f32>>) -> !torch.vtensor<[2],complex<f32>>
"func.return"(%1) : (!torch.vtensor<[2],complex<f32>>) -> ()
)");
}
TEST(Argument, StringsAreEscaped) {
  EXPECT_EQ(body("x: f32[2] = placeholder\ny: f32[2] = aten.gelu.default(x, "
                 "approximate='ta\"nh')\nreturn y"),
            R"(%0 = "torch.constant.str"() <{value = "ta\22nh"}> : () -> !torch.str
%1 = "torch.aten.gelu"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.str) -> !torch.vtensor<[2],f32>
"func.return"(%1) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Argument, ComplexNumberForAScalarIsAFinding) {
  const Imported imported =
      importText("x: c64[2] = placeholder\ny: c64[2] = aten.fill.Scalar(x, 2j)\nreturn y");
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "'y' has a complex number for a scalar operand, which the torch dialect cannot "
            "represent; use a tensor");
  EXPECT_EQ(imported.findings[0].nodeName, "y");
  EXPECT_EQ(imported.findings[0].severity, fx::Severity::Error);
}

}  // namespace
}  // namespace fxs::import::test
