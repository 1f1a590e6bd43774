// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the TOSA registry writes, and what it refuses and why.
#include "lowered_text.h"

namespace fxs::registry {
namespace {

using test::body;
using test::coverage;

TEST(Tosa, AlphaScalesTheSecondOperand) {
  EXPECT_EQ(body(R"(x: f32[2, 3] = placeholder
y: i64[3] = placeholder
add: f32[2, 3] = aten.add.Tensor(x, y, alpha=2)
return add
)"),
            R"(%0 = "tosa.cast"(%arg1) : (tensor<3xi64>) -> tensor<3xf32>
%1 = "tosa.const"() <{values = dense<2.0> : tensor<1xf32>}> : () -> tensor<1xf32>
%2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
%3 = "tosa.mul"(%0, %1, %2) : (tensor<3xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<3xf32>
%4 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%5 = "tosa.reshape"(%3, %4) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
%6 = "tosa.add"(%arg0, %5) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
"func.return"(%6) : (tensor<2x3xf32>) -> ()
)");
}

TEST(Tosa, BoolsAddAsOrAndMultiplyAsAnd) {
  EXPECT_EQ(
      body(R"(x: b8[3] = placeholder
y: b8[2, 3] = placeholder
add: b8[2, 3] = aten.add.Tensor(x, y)
mul: b8[2, 3] = aten.mul.Tensor(add, y)
return mul
)"),
      R"(%0 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%1 = "tosa.reshape"(%arg0, %0) : (tensor<3xi1>, !tosa.shape<2>) -> tensor<1x3xi1>
%2 = "tosa.logical_or"(%1, %arg1) : (tensor<1x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
%3 = "tosa.logical_and"(%2, %arg1) : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
"func.return"(%3) : (tensor<2x3xi1>) -> ()
)");
}

TEST(Tosa, HalfTypesAreComputedInSingle) {
  EXPECT_EQ(body(R"(x: f16[4] = placeholder
exp: f16[4] = aten.exp.default(x)
return exp
)"),
            R"(%0 = "tosa.cast"(%arg0) : (tensor<4xf16>) -> tensor<4xf32>
%1 = "tosa.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
%2 = "tosa.cast"(%1) : (tensor<4xf32>) -> tensor<4xf16>
"func.return"(%2) : (tensor<4xf16>) -> ()
)");
}

TEST(Tosa, DefaultsOfTheSchemaAreFilledIn) {
  // Buddy reads args[2] of mean and args[1..3] of slice as they stand, and fails where FX leaves
  // them out.
  EXPECT_EQ(
      body(R"(x: f32[2, 3, 1] = placeholder
mean: f32[2, 1] = aten.mean.dim(x, [1])
slice_1: f32[2, 1] = aten.slice.Tensor(mean)
return slice_1
)"),
      R"(%0 = "tosa.reduce_sum"(%arg0) <{axis = 1 : i32}> : (tensor<2x3x1xf32>) -> tensor<2x1x1xf32>
%1 = "tosa.const"() <{values = dense<0.3333333333333333> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
%2 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
%3 = "tosa.mul"(%0, %1, %2) : (tensor<2x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x1x1xf32>
%4 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%5 = "tosa.reshape"(%3, %4) : (tensor<2x1x1xf32>, !tosa.shape<2>) -> tensor<2x1xf32>
"func.return"(%5) : (tensor<2x1xf32>) -> ()
)");
}

TEST(Tosa, GreatestOfARowOfInfinitiesIsOne) {
  EXPECT_EQ(
      body(R"(x: f32[2, 3] = placeholder
amax: f32[2] = aten.amax.default(x, [-1])
return amax
)"),
      R"(%0 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
%1 = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
%2 = "tosa.equal"(%arg0, %1) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xi1>
%3 = "tosa.reduce_all"(%2) <{axis = 1 : i32}> : (tensor<2x3xi1>) -> tensor<2x1xi1>
%4 = "tosa.const"() <{values = dense<0xFF800000> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
%5 = "tosa.select"(%3, %4, %0) : (tensor<2x1xi1>, tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
%6 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
%7 = "tosa.reshape"(%5, %6) : (tensor<2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
"func.return"(%7) : (tensor<2xf32>) -> ()
)");
}

TEST(Tosa, StepOfASliceIsTaken) {
  EXPECT_EQ(
      body(R"(x: f32[2, 9] = placeholder
slice_1: f32[2, 3] = aten.slice.Tensor(x, -1, 1, 9223372036854775807, 3)
return slice_1
)"),
      R"(%0 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 3>}> : (tensor<2x9xf32>) -> tensor<2x3xf32>
"func.return"(%0) : (tensor<2x3xf32>) -> ()
)");
}

TEST(Tosa, FloatsAreCutOffToIntegers) {
  EXPECT_EQ(body(R"(x: f32[3] = placeholder
u: u8[3] = placeholder
a: i64[3] = prims.convert_element_type.default(x, torch.int64)
b: u8[3] = prims.convert_element_type.default(x, torch.uint8)
c: f32[3] = prims.convert_element_type.default(u, torch.float32)
return a, b, c
)"),
            R"(%0 = "arith.fptosi"(%arg0) : (tensor<3xf32>) -> tensor<3xi64>
%1 = "arith.fptosi"(%arg0) : (tensor<3xf32>) -> tensor<3xi64>
%2 = "arith.trunci"(%1) : (tensor<3xi64>) -> tensor<3xi8>
%3 = "arith.uitofp"(%arg1) : (tensor<3xi8>) -> tensor<3xf32>
"func.return"(%0, %2, %3) : (tensor<3xi64>, tensor<3xi8>, tensor<3xf32>) -> ()
)");
}

TEST(Tosa, SumOfNothingIsZero) {
  EXPECT_EQ(body(R"(x: f32[2, 0] = placeholder
sum_1: f32[2] = aten.sum.dim_IntList(x, [1])
return sum_1
)"),
            R"(%0 = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
"func.return"(%0) : (tensor<2xf32>) -> ()
)");
}

TEST(Tosa, ConvolutionIsCutToWhatItsWindowsReach) {
  EXPECT_EQ(
      body(R"(x: f32[1, 2, 5, 6] = placeholder
w: f32[4, 1, 2, 2] = placeholder
convolution: f32[1, 4, 2, 3] = aten.convolution.default(x, w, None, [2, 2], [0, 0], [1, 1], False, [0, 0], 2)
return convolution
)"),
      R"(%0 = "tosa.transpose"(%arg0) <{perms = array<i32: 0, 2, 3, 1>}> : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
%1 = "tosa.const_shape"() <{values = dense<[0, 0, 0, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
%2 = "tosa.const_shape"() <{values = dense<[1, 4, 6, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
%3 = "tosa.slice"(%0, %1, %2) : (tensor<1x5x6x2xf32>, !tosa.shape<4>, !tosa.shape<4>) -> tensor<1x4x6x2xf32>
%4 = "tosa.const"() <{values = dense<0.0> : tensor<4xf32>}> : () -> tensor<4xf32>
%5 = "tosa.transpose"(%arg1) <{perms = array<i32: 2, 3, 0, 1>}> : (tensor<4x1x2x2xf32>) -> tensor<2x2x4x1xf32>
%6 = "tosa.const_shape"() <{values = dense<[2, 2, 2, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
%7 = "tosa.reshape"(%5, %6) : (tensor<2x2x4x1xf32>, !tosa.shape<4>) -> tensor<2x2x2x2xf32>
%8 = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
%9 = "tosa.depthwise_conv2d"(%3, %7, %4, %8, %8) <{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}> : (tensor<1x4x6x2xf32>, tensor<2x2x2x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3x4xf32>
%10 = "tosa.transpose"(%9) <{perms = array<i32: 0, 3, 1, 2>}> : (tensor<1x2x3x4xf32>) -> tensor<1x4x2x3xf32>
"func.return"(%10) : (tensor<1x4x2x3xf32>) -> ()
)");
}

TEST(Tosa, ConvolutionOfDoublesIsALoop) {
  EXPECT_EQ(
      body(R"(x: f64[1, 1, 3] = placeholder
w: f64[1, 1, 2] = placeholder
b: f64[1] = placeholder
convolution: f64[1, 1, 2] = aten.convolution.default(x, w, b, [1], [0], [1], False, [0], 1)
return convolution
)"),
      R"(%0 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
%1 = "tosa.reshape"(%arg1, %0) : (tensor<1x1x2xf64>, !tosa.shape<4>) -> tensor<1x1x1x2xf64>
%2 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 3]> : tensor<4xindex>}> : () -> !tosa.shape<4>
%3 = "tosa.reshape"(%arg0, %2) : (tensor<1x1x3xf64>, !tosa.shape<4>) -> tensor<1x1x1x3xf64>
%4 = "arith.constant"() <{value = dense<0.0> : tensor<1x1x1x2xf64>}> : () -> tensor<1x1x1x2xf64>
%5 = "linalg.generic"(%3, %1, %4) <{indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d3 * 1 + d5 * 1)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 2, 1>}> ({
^bb0(%b0: f64, %b1: f64, %b2: f64):
  %6 = "arith.mulf"(%b0, %b1) : (f64, f64) -> f64
  %7 = "arith.addf"(%b2, %6) : (f64, f64) -> f64
  "linalg.yield"(%7) : (f64) -> ()
}) : (tensor<1x1x1x3xf64>, tensor<1x1x1x2xf64>, tensor<1x1x1x2xf64>) -> tensor<1x1x1x2xf64>
%8 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
%9 = "tosa.reshape"(%5, %8) : (tensor<1x1x1x2xf64>, !tosa.shape<3>) -> tensor<1x1x2xf64>
%10 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
%11 = "tosa.reshape"(%arg2, %10) : (tensor<1xf64>, !tosa.shape<3>) -> tensor<1x1x1xf64>
%12 = "tosa.add"(%9, %11) : (tensor<1x1x2xf64>, tensor<1x1x1xf64>) -> tensor<1x1x2xf64>
"func.return"(%12) : (tensor<1x1x2xf64>) -> ()
)");
}

TEST(Tosa, ResultsOfATupleAreTakenByGetitem) {
  EXPECT_EQ(
      body(R"(x: i64[2, 3] = placeholder
max_1: (i64[2], i64[2]) = aten.max.dim(x, 1)
a: i64[2] = getitem(max_1, 1)
b: i64[2] = getitem(max_1, 0)
return a, b
)"),
      R"(%0 = "tosa.reduce_max"(%arg0) <{axis = 1 : i32}> : (tensor<2x3xi64>) -> tensor<2x1xi64>
%1 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
%2 = "tosa.reshape"(%0, %1) : (tensor<2x1xi64>, !tosa.shape<1>) -> tensor<2xi64>
%3 = "tosa.argmax"(%arg0) <{axis = 1 : i32}> : (tensor<2x3xi64>) -> tensor<2xi64>
"func.return"(%3, %2) : (tensor<2xi64>, tensor<2xi64>) -> ()
)");
}

TEST(Tosa, WhatItDoesNotTakeItSaysWhy) {
  DirectOptions options;
  options.fallbacks.clear();
  EXPECT_EQ(coverage(R"(x: f32[2, 3] = placeholder
u: u8[4] = placeholder
c: c64[2] = placeholder
n: i64[3] = placeholder
e: f32[0] = placeholder
image: f32[1, 4, 4, 4] = placeholder
w: f32[4, 2, 2, 2] = placeholder
relu: u8[4] = aten.relu.default(u)
exp: c64[2] = aten.exp.default(c)
select: f32[3] = aten.select.int(x, 0, 2)
permute: f32[3, 2] = aten.permute.default(x, [1, 2])
power: i64[3] = aten.pow.Scalar(2, n)
drop: (f32[2, 3], b8[2, 3]) = aten.native_dropout.default(x, 0.5, True)
amax: f32[] = aten.amax.default(e)
div: f32[2, 3] = aten.div.Tensor_mode(x, x, rounding_mode='up')
convolution: f32[1, 4, 3, 3] = aten.convolution.default(image, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], 3)
pool: f32[1, 4, 2, 2] = aten.max_pool2d.default(image, [2, 2, 2])
bits: f32[2] = aten.view.dtype(n, torch.float32)
add: f32[2, 3] = aten.add.Tensor(x, None)
return relu
)",
                     options),
            R"(relu: refused ReluOp 1
  tosa: elements of type uint8 would be treated as signed
exp: refused ExpOp 1
  tosa: TOSA does not support element type complex64
select: refused SelectOp 1
  tosa: index 2 is out of range for size 2
permute: refused PermuteOp 1
  tosa: dimension 2 is out of range for rank 2
power: refused PowScalarOp 1
  tosa: integer powers of integers are not supported by math or TOSA
drop: refused NativeDropoutOp 1
  tosa: dropout in training is random
amax: refused AmaxOp 1
  tosa: an empty tensor has no minimum or maximum
div: refused DivTensorModeOp 1
  tosa: the rounding mode is unknown
convolution: refused Conv2dOp 1
  tosa: the channels are not divisible into 3 groups
pool: refused MaxPool2dOp 1
  tosa: argument 'kernel_size' has 3 entries for 2 dimensions
bits: refused ViewDtypeOp 1
  tosa: the bits of int64 are not those of as many float32
add: refused AddOp 1
  tosa: argument 'other' is None, not a constant number
)");
}

TEST(Tosa, SizesThatAFileClaimsDoNotOverflow) {
  DirectOptions options;
  options.fallbacks.clear();
  EXPECT_EQ(coverage(R"(x: f32[4611686018427387904, 4611686018427387904] = placeholder
y: f32[3] = placeholder
m: f32[4, 4] = placeholder
z: f32[1, 1, 4, 4] = placeholder
add: f32[4611686018427387904, 4611686018427387904] = aten.add.Tensor(x, x)
pad: f32[3] = aten.constant_pad_nd.default(y, [9223372036854775807, 9223372036854775807])
slice_1: f32[1] = aten.slice.Tensor(y, 0, 0, 3, 9223372036854775807)
repeat: f32[3] = aten.repeat.default(y, [9223372036854775807])
pool: f32[1, 1, 4, 4] = aten.max_pool2d.default(z, [9223372036854775807, 1])
split: (f32[1], f32[2]) = aten.split_with_sizes.default(y, [9223372036854775807, 9223372036854775807])
iota: i64[2] = prims.iota.default(2, start=9223372036854775807, step=9223372036854775807, dtype=torch.int64, device=cpu, requires_grad=False)
return add
)",
                     options),
            R"(add: refused AddOp 1
  tosa: f32[4611686018427387904, 4611686018427387904] has more elements than fit in memory
pad: refused ConstantPadNdOp 1
  tosa: a padding of 9223372036854775807 does not fit in memory
slice_1: lowered tosa SliceOp 1
repeat: refused RepeatOp 1
  tosa: the repeats do not match the result
pool: refused MaxPool2dOp 1
  tosa: argument 'kernel_size' has the entry 9223372036854775807
split: refused SplitWithSizesOp 1
  tosa: the pieces do not sum to size 3
iota: lowered tosa IotaOp 1
)");
}

}  // namespace
}  // namespace fxs::registry
