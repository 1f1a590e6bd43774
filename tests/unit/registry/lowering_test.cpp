// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program through the chain of registries: the whole text, arguments in each order, weights,
// coverage and what is not lowered.
#include "lowered_text.h"
#include "registry/stub.h"
#include "registry/user_registry.h"

namespace fxs::registry {
namespace {

using test::body;
using test::coverage;
using test::lowered;
using test::verify;

constexpr std::string_view kScaled = R"(p_w: f32[3] = parameter "l.weight"
x: f32[2, 3] = placeholder
mul: f32[2, 3] = aten.mul.Tensor(x, p_w)
add: f32[2, 3] = aten.add.Tensor(mul, x)
relu: f32[2, 3] = aten.relu.default(add)
return relu
)";

/// The bytes of any weight: 1, 2, 3 .. as floats.
Result<std::string> counting(const fx::Weight& weight) {
  std::string out;
  for (std::uint64_t i = 1; i <= weight.elements(); ++i) {
    const float value = static_cast<float>(i);
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return out;
}

TEST(DirectLowering, EveryOperationIsAtItsNode) {
  const DirectLowering lowering = lowered(kScaled);
  verify(lowering.text);
  EXPECT_TRUE(lowering.complete);
  EXPECT_EQ(lowering.text, R"("builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32> loc("x"("fx":1:0))):
    %0 = "tosa.const"() <{values = dense_resource<"l.weight"> : tensor<3xf32>}> : () -> tensor<3xf32> loc("p_w"("fx":0:0))
    %1 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("mul"("fx":2:0))
    %2 = "tosa.reshape"(%0, %1) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32> loc("mul"("fx":2:0))
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8> loc("mul"("fx":2:0))
    %4 = "tosa.mul"(%arg0, %2, %3) : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32> loc("mul"("fx":2:0))
    %5 = "tosa.add"(%4, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("add"("fx":3:0))
    %6 = "tosa.const"() <{values = dense<0.0> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("relu"("fx":4:0))
    %7 = "tosa.maximum"(%5, %6) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32> loc("relu"("fx":4:0))
    "func.return"(%7) : (tensor<2x3xf32>) -> () loc("output"("fx":5:0))
  }) : () -> () loc("p_w"("fx":0:0))
}) : () -> ()
)");
}

TEST(DirectLowering, WeightsComeFirstInBuddysOrder) {
  DirectOptions options;
  options.arguments = Arguments::Buddy;
  options.functionName = "forward";
  const DirectLowering lowering = lowered(kScaled, options);
  verify(lowering.text);
  EXPECT_EQ(lowering.text.substr(0, lowering.text.find("    %0")), R"("builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "forward"}> ({
  ^bb0(%arg0: tensor<3xf32> loc("p_w"("fx":0:0)), %arg1: tensor<2x3xf32> loc("x"("fx":1:0))):
)");
}

TEST(DirectLowering, WeightsOfATypeArePackedIntoOneArgument) {
  DirectOptions options;
  options.arguments = Arguments::Packed;
  constexpr std::string_view kLayers = R"(p_w: f32[2, 3] = parameter "l.weight"
p_s: f32[] = parameter "l.scale"
b_n: i64[] = buffer "n"
b_m: f32[3] = buffer "m"
x: f32[2, 3] = placeholder
add: f32[2, 3] = aten.add.Tensor(x, p_w)
add_1: f32[2, 3] = aten.add.Tensor(add, p_s)
add_2: f32[2, 3] = aten.add.Tensor(add_1, b_m)
add_3: f32[2, 3] = aten.add.Tensor(add_2, b_n)
return add_3
)";
  EXPECT_EQ(
      body(kLayers, options),
      R"(%0 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 6>, static_strides = array<i64: 1>}> : (tensor<10xf32>) -> tensor<6xf32>
%1 = "tensor.expand_shape"(%0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 3>}> : (tensor<6xf32>) -> tensor<2x3xf32>
%2 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 6>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<10xf32>) -> tensor<1xf32>
%3 = "tensor.collapse_shape"(%2) <{reassociation = []}> : (tensor<1xf32>) -> tensor<f32>
%4 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 7>, static_sizes = array<i64: 3>, static_strides = array<i64: 1>}> : (tensor<10xf32>) -> tensor<3xf32>
%5 = "tensor.extract_slice"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xi64>) -> tensor<1xi64>
%6 = "tensor.collapse_shape"(%5) <{reassociation = []}> : (tensor<1xi64>) -> tensor<i64>
%7 = "tosa.add"(%arg2, %1) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
%8 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%9 = "tosa.reshape"(%3, %8) : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
%10 = "tosa.add"(%7, %9) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
%11 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%12 = "tosa.reshape"(%4, %11) : (tensor<3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
%13 = "tosa.add"(%10, %12) : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
%14 = "tosa.cast"(%6) : (tensor<i64>) -> tensor<f32>
%15 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
%16 = "tosa.reshape"(%14, %15) : (tensor<f32>, !tosa.shape<2>) -> tensor<1x1xf32>
%17 = "tosa.add"(%13, %16) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
"func.return"(%17) : (tensor<2x3xf32>) -> ()
)");
  std::vector<std::string> packing;
  for (const PackedArgument& packed : lowered(kLayers, options).packing)
    packing.push_back(packed.text());
  EXPECT_EQ(packing,
            (std::vector<std::string>{"f32[10]: l.weight at 0 (6), l.scale at 6 (1), m at 7 (3)",
                                      "i64[1]: n at 0 (1)"}));
}

TEST(DirectLowering, DataOfWeightsStandAtTheEndWhenTheyAreWanted) {
  DirectOptions options;
  options.embedWeights = true;
  options.weights = counting;
  const DirectLowering lowering = lowered(kScaled, options);
  verify(lowering.text);
  EXPECT_EQ(lowering.text.substr(lowering.text.find("{-#")), R"({-#
  dialect_resources: {
    builtin: {
      "l.weight": "0x040000000000803F0000004000004040"
    }
  }
#-}
)");
}

TEST(DirectLowering, SmallWeightsAreWrittenOut) {
  DirectOptions options;
  options.weights = [](const fx::Weight& weight) -> Result<std::string> {
    return weight.dtype == DType::Float32 ? std::string("\0\0\x20\x40", 4)
                                          : std::string("\1\0\1", 3);
  };
  EXPECT_EQ(
      body(R"(p_s: f32[] = parameter "scale"
b_m: b8[3] = buffer "mask"
x: f32[3] = placeholder
mul: f32[3] = aten.mul.Tensor(x, p_s)
mul_1: f32[3] = aten.mul.Tensor(mul, b_m)
return mul_1
)",
           options),
      R"(%0 = "tosa.const"() <{values = dense<"0x00002040"> : tensor<f32>}> : () -> tensor<f32>
%1 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
%2 = "tosa.reshape"(%0, %1) : (tensor<f32>, !tosa.shape<1>) -> tensor<1xf32>
%3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
%4 = "tosa.mul"(%arg0, %2, %3) : (tensor<3xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<3xf32>
%5 = "tosa.const"() <{values = dense<[true, false, true]> : tensor<3xi1>}> : () -> tensor<3xi1>
%6 = "arith.uitofp"(%5) : (tensor<3xi1>) -> tensor<3xf32>
%7 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
%8 = "tosa.mul"(%4, %6, %7) : (tensor<3xf32>, tensor<3xf32>, tensor<1xi8>) -> tensor<3xf32>
"func.return"(%8) : (tensor<3xf32>) -> ()
)");
}

TEST(DirectLowering, WhatNothingLowersIsShownAndNamed) {
  constexpr std::string_view kProgram = R"(x: f32[2, 3] = placeholder
y: f32[s0, 3] = placeholder
u: u8[2] = placeholder
frob: f32[2, 3] = custom.frob.default(x)
tan: f32[2, 3] = aten.poisson.default(frob)
tanh: f32[2, 3] = aten.tanhh.default(tan)
sort: (f32[s0, 3], i64[s0, 3]) = aten.sort.default(y, 1)
relu: u8[2] = aten.relu.default(u)
return tanh, sort, relu
)";
  EXPECT_EQ(coverage(kProgram), R"(frob: unmapped 1
tan: no-lowering PoissonOp 1
tanh: unmapped 1
sort: refused SortOp 1
  linalg: its handler supports static sizes only
relu: refused ReluOp 1
  tosa: elements of type uint8 would be treated as signed
)");
  EXPECT_EQ(
      body(kProgram),
      R"(%0 = "fxscope.unmapped"(%arg0) <{target = "custom.frob.default"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
%1 = "fxscope.unmapped"(%0) <{target = "aten.poisson.default"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
%2 = "fxscope.unmapped"(%1) <{target = "aten.tanhh.default"}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
%3:2 = "fxscope.unmapped"(%arg1) <{target = "aten.sort.default"}> : (tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>)
%4 = "fxscope.unmapped"(%arg2) <{target = "aten.relu.default"}> : (tensor<2xi8>) -> tensor<2xi8>
"func.return"(%2, %3#0, %3#1, %4) : (tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xi64>, tensor<2xi8>) -> ()
)");
  std::string messages;
  for (const fx::Finding& finding : lowered(kProgram).findings)
    messages += finding.nodeName + " " + finding.kind + ": " + finding.message + "\n";
  EXPECT_EQ(
      messages,
      R"(frob unmapped: 'custom.frob.default' belongs to no op class; add a handler in a user registry (--stub writes a beginning)
tan no-lowering: 'aten.poisson.default' (PoissonOp) has no handler in tosa, linalg, math, func; add one in a user registry (--stub writes a beginning)
tanh unmapped: 'aten.tanhh.default' belongs to no op class (did you mean 'aten.tanh.default'?); add a handler in a user registry (--stub writes a beginning)
sort refused: 'aten.sort.default' (SortOp) is not supported; linalg: its handler supports static sizes only
relu refused: 'aten.relu.default' (ReluOp) is not supported; tosa: elements of type uint8 would be treated as signed
)");
}

TEST(DirectLowering, WhatARefusalAdvisesLowersTheProgram) {
  for (const std::string_view program :
       {"x: f32[3, 3] = placeholder\ny: (f32[3, 3], f32[3, 3]) = aten.linalg_qr.default(x, "
        "'reduced')\nreturn y\n",
        "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.poisson.default(x)\nreturn y\n",
        "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.frac.default(x)\nreturn y\n",
        "x: f32[3, 3] = placeholder\ny: f32[3] = aten._linalg_eigvals.default(x)\nreturn y\n"}) {
    const auto parsed = fx::graphFrom(program);
    ASSERT_TRUE(parsed) << parsed.error().message;
    const DirectLowering without = lowered(program);
    ASSERT_EQ(without.findings.size(), 1u) << program;
    EXPECT_NE(without.findings[0].message.find("(--stub writes a beginning)"), std::string::npos)
        << without.findings[0].message;
    const auto stub = readUserRegistry(stubRegistry(without, **parsed), "stub.fxreg");
    ASSERT_TRUE(stub) << program << stub.error().message;
    DirectOptions options;
    options.user = {*stub};
    const DirectLowering with = lowered(program, options);
    EXPECT_TRUE(with.complete) << program;
    verify(with.text);
  }
}

TEST(DirectLowering, OperatorThatWritesIsRefused) {
  constexpr std::string_view kProgram = R"(x: f32[2] = placeholder
y: f32[2, 2] = placeholder
addbmm_: f32[2, 2] = aten.bitwise_and_.Tensor(y, y)
return addbmm_
)";
  EXPECT_EQ(lowered(kProgram).findings.at(0).message,
            "'aten.bitwise_and_.Tensor' (BitwiseAndTensorOp) mutates its arguments; functionalize "
            "the program first");
}

TEST(DirectLowering, UnknownRegistryIsAUsageError) {
  DirectOptions options;
  options.primary = "tossa";
  const auto program = fx::graphFrom(kScaled);
  const auto lowering = lowerByRegistries(**program, options, RunContext{});
  ASSERT_FALSE(lowering);
  EXPECT_EQ(toString(lowering.error()), "unknown registry 'tossa'; did you mean 'tosa'?");
  options.primary = "hexagon";
  EXPECT_EQ(toString(lowerByRegistries(**program, options, RunContext{}).error()),
            "unknown registry 'hexagon'; there are tosa, linalg, math, func");
}

TEST(DirectLowering, TensorWithoutElementsIsAConstant) {
  EXPECT_EQ(
      body(R"(x: f32[0, 3] = placeholder
mul: f32[0, 3] = aten.mul.Tensor(x, 2)
return mul
)"),
      "%0 = \"arith.constant\"() <{value = dense<> : tensor<0x3xf32>}> : () -> tensor<0x3xf32>\n"
      "\"func.return\"(%0) : (tensor<0x3xf32>) -> ()\n");
}

TEST(DirectLowering, UserRegistryIsAskedFirst) {
  const auto mine = std::make_shared<Registry>();
  mine->name = "mine";
  mine->handlers["ReluOp"] = [](Call&) -> Handled { return refuse("not today"); };
  mine->handlers["MulOp"] = [](Call& call) -> Handled {
    FXS_TAKE(self, call.operand("self"));
    call.emit.op("mine.gone", {}, self.tensor);
    return Values{self};
  };
  DirectOptions options;
  options.user = {mine};
  EXPECT_EQ(coverage(kScaled, options), R"(mul: lowered mine MulOp 1
add: lowered tosa AddOp 1
relu: lowered tosa ReluOp 2
  mine: not today
)");
}

TEST(DirectLowering, HandlerThatGivesAnotherTypeIsRefused) {
  const auto mine = std::make_shared<Registry>();
  mine->name = "mine";
  mine->handlers["MulOp"] = [](Call& call) -> Handled {
    return Values{call.emit.splat({{2}, "f32"}, 1.0)};
  };
  DirectOptions options;
  options.user = {mine};
  EXPECT_EQ(coverage(kScaled, options), R"(mul: lowered tosa MulOp 4
  mine: its handler returns (tensor<2xf32>), but the program records (tensor<2x3xf32>)
add: lowered tosa AddOp 1
relu: lowered tosa ReluOp 2
)");
}

}  // namespace
}  // namespace fxs::registry
