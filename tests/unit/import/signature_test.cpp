// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function: arguments and results by mode, locations, weights, mutation.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

constexpr const char* kStateful =
    "p: f32[2] = parameter 'l.weight'\n"
    "b: f32[2] = buffer 'mean'\n"
    "c: f32[2] = tensor_constant 'c0'\n"
    "x: f32[2] = placeholder\n"
    "m: f32[2] = aten.mul.Tensor(x, p)\n"
    "n: f32[2] = aten.add.Tensor(b, m)\n"
    "o: f32[2] = aten.add.Tensor(n, c)\n"
    "return (n, o, None) buffer_mutation 'mean', user_output, user_output\n";

TEST(Signature, EveryOperationArgumentAndReturnIsLocatedAtItsNode) {
  EXPECT_EQ(
      importText("x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y").text,
      "module {\n"
      "  func.func @main(%arg0: !torch.vtensor<[2],f32> loc(\"x\"(\"fx\":0:0))) -> "
      "(!torch.vtensor<[2],f32>) attributes "
      "{torch.assume_strict_symbolic_shapes} {\n"
      "    %0 = \"torch.aten.relu\"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> "
      "loc(\"y\"(\"fx\":1:0))\n"
      "    \"func.return\"(%0) : (!torch.vtensor<[2],f32>) -> () loc(\"output\"(\"fx\":2:0))\n"
      "  } loc(\"x\"(\"fx\":0:0))\n"
      "}\n");
}
TEST(Signature, LoweringFreezesStateReturnsMutatedValuesFirstAndDropsNone) {
  EXPECT_EQ(withoutLocations(importText(kStateful).text),
            R"(module {
  func.func @main(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"l.weight"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %1 = "torch.aten.mul.Tensor"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    %2 = "torch.vtensor.literal"() <{value = dense_resource<"mean"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %3 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %4 = "torch.aten.add.Tensor"(%2, %1, %3) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    %5 = "torch.vtensor.literal"() <{value = dense_resource<"c0"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %6 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %7 = "torch.aten.add.Tensor"(%4, %5, %6) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    "func.return"(%4, %7) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> ()
  }
}
)");
}
TEST(Signature, FrozenTakesBuffersAsArgumentsAndKeepsNone) {
  EXPECT_EQ(withoutLocations(importText(kStateful, parity(Mode::Frozen)).text),
            R"(module {
  func.func @main(%arg0: !torch.vtensor<[2],f32>, %arg1: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.none) {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"l.weight"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %1 = "torch.aten.mul.Tensor"(%arg1, %0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    %2 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %3 = "torch.aten.add.Tensor"(%arg0, %1, %2) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    %4 = "torch.vtensor.literal"() <{value = dense_resource<"c0"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %5 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %6 = "torch.aten.add.Tensor"(%3, %4, %5) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    %7 = "torch.constant.none"() : () -> !torch.none
    "func.return"(%3, %6, %7) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.none) -> ()
  }
}
)");
}
TEST(Signature, ProgramReturnsUserOutputsOnlyAndSaysWhatIsLost) {
  const Imported imported = importText(kStateful, parity(Mode::Program));
  EXPECT_EQ(withoutLocations(imported.text),
            R"(module {
  func.func @main(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.none) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"l.weight"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %1 = "torch.aten.mul.Tensor"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    %2 = "torch.vtensor.literal"() <{value = dense_resource<"mean"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %3 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %4 = "torch.aten.add.Tensor"(%2, %1, %3) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    %5 = "torch.vtensor.literal"() <{value = dense_resource<"c0"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %6 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %7 = "torch.aten.add.Tensor"(%4, %5, %6) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
    %8 = "torch.constant.none"() : () -> !torch.none
    "func.return"(%7, %8) : (!torch.vtensor<[2],f32>, !torch.none) -> ()
  }
}
)");
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "the new value of 'mean' cannot be stored in program mode, where weights are frozen; "
            "lowering mode returns it");
}
TEST(Signature, WeightWithoutATensorIsAFinding) {
  const Imported imported =
      importText("p: None = parameter 'w'\ny: f32[2] = aten.relu.default(p)\nreturn y");
  ASSERT_FALSE(imported.findings.empty());
  EXPECT_EQ(imported.findings.front().message,
            "weight 'w' is not a tensor, so it cannot be a literal");
}

TEST(Signature, MutatedInputIsOverwrittenInProgramMode) {
  EXPECT_EQ(withoutLocations(importText("x: f32[2] = placeholder\ny: f32[2] = aten.add.Tensor(x, "
                                        "1)\nreturn (y, y) user_input_mutation 'x', user_output\n",
                                        parity(Mode::Program))
                                 .text),
            R"(module {
  func.func @main(%arg0: !torch.tensor<[2],f32>) -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.copy.to_vtensor"(%arg0) : (!torch.tensor<[2],f32>) -> !torch.vtensor<[2],f32>
    %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %2 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %3 = "torch.aten.add.Scalar"(%0, %1, %2) : (!torch.vtensor<[2],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2],f32>
    "torch.overwrite.tensor.contents"(%3, %arg0) : (!torch.vtensor<[2],f32>, !torch.tensor<[2],f32>) -> ()
    "func.return"(%3) : (!torch.vtensor<[2],f32>) -> ()
  }
}
)");
}
TEST(Signature, NamesThatAreNoIdentifiersAreQuoted) {
  ImportOptions options;
  options.functionName = "my main";
  const Imported imported = importText("'x \"y\"': f32[2] = placeholder\nreturn (1,)", options);
  verifyWithEngine(imported.text);
  EXPECT_EQ(imported.text,
            R"(module {
  func.func @"my main"(%arg0: !torch.vtensor<[2],f32> loc("x \22y\22"("fx":0:0))) -> (!torch.int) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int loc("output"("fx":1:0))
    "func.return"(%0) : (!torch.int) -> () loc("output"("fx":1:0))
  } loc("x \22y\22"("fx":0:0))
}
)");
}
TEST(Signature, DynamicSizesAreQuestionMarks) {
  EXPECT_EQ(
      body("x: f32[s0, 4] = placeholder\ny: f32[s0, 4] = aten.relu.default(x)\nreturn y"),
      R"(%0 = "torch.aten.relu"(%arg0) : (!torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
"func.return"(%0) : (!torch.vtensor<[?,4],f32>) -> ()
)");
}
TEST(Signature, SymbolsAndShapesAreWrittenOnRequest) {
  ImportOptions options;
  options.symbolicShapes = true;
  EXPECT_EQ(
      body("x: f32[2*s0, s1] = placeholder\ny: f32[2*s0, s1] = aten.relu.default(x)\nreturn y\n\n"
           "Range constraints: {s0: VR[2, 8], s1: VR[0, int_oo]}",
           options),
      R"(%0 = "torch.symbolic_int"() <{symbol_name = "s0", min_val = 2 : i64, max_val = 8 : i64}> : () -> !torch.int
%1 = "torch.symbolic_int"() <{symbol_name = "s1", min_val = 0 : i64, max_val = 9223372036854775807 : i64}> : () -> !torch.int
"torch.bind_symbolic_shape"(%arg0, %0, %1) <{shape_expressions = affine_map<()[s0, s1] -> ((2 * s0), s1)>}> : (!torch.vtensor<[?,?],f32>, !torch.int, !torch.int) -> ()
%2 = "torch.aten.relu"(%arg0) : (!torch.vtensor<[?,?],f32>) -> !torch.vtensor<[?,?],f32>
"torch.bind_symbolic_shape"(%2, %0, %1) <{shape_expressions = affine_map<()[s0, s1] -> ((2 * s0), s1)>}> : (!torch.vtensor<[?,?],f32>, !torch.int, !torch.int) -> ()
"func.return"(%2) : (!torch.vtensor<[?,?],f32>) -> ()
)");
}
TEST(Signature, WeightsCannotBeEmbeddedWithoutTheirFile) {
  const auto program = fx::graphFrom("x: f32[2] = placeholder\nreturn x");
  ASSERT_TRUE(program);
  ImportOptions options;
  options.embedWeights = true;
  const auto imported = importProgram(**program, options, RunContext{});
  ASSERT_FALSE(imported);
  EXPECT_EQ(imported.error().message,
            "weights cannot be embedded: the program was opened without their data");
}

class Weights : public ::testing::Test {
 protected:
  /// A program of stored weights: each 8 bytes for an f32[2], 1 for a bool, counting up.
  Imported import(std::string_view text, bool embed, Mode mode = Mode::Lowering) {
    const auto parsed = fx::graphFrom(text);
    if (!parsed) {
      ADD_FAILURE() << toString(parsed.error());
      return {};
    }
    fx::Program program = **parsed;
    for (fx::Weight& weight : program.weights) {
      weight.readable = true;
      weight.file = shared_ ? "weight_0" : "weight_" + weight.fqn;
      weight.fileBytes = 64;
    }
    ImportOptions options;
    options.mode = mode;
    options.embedWeights = embed;
    options.weights = [this](const fx::Weight& weight) -> Result<std::string> {
      if (broken_) return fail(ErrorCode::InvalidInput, "weight_0 is cut off");
      std::string bytes(
          weight.elements() * static_cast<std::size_t>(facts(weight.dtype).bytes) + extra_, '\0');
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i);
      return bytes;
    };
    const auto imported = importProgram(program, options, RunContext{});
    if (!imported) {
      ADD_FAILURE() << toString(imported.error());
      return {};
    }
    verifyWithEngine((*imported)->text);
    return **imported;
  }
  bool shared_ = false;
  bool broken_ = false;
  std::size_t extra_ = 0;
};

TEST_F(Weights, EmbeddedDataOpenWithTheirAlignment) {
  EXPECT_EQ(withoutLocations(import("p: f32[2] = parameter 'l.weight'\nreturn p", true).text),
            R"(module {
  func.func @main() -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"l.weight"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    "func.return"(%0) : (!torch.vtensor<[2],f32>) -> ()
  }
}
{-#
  dialect_resources: {
    builtin: {
      "l.weight": "0x040000000001020304050607"
    }
  }
#-}
)");
}
TEST_F(Weights, SmallIntegersAndSingleElementsStandInline) {
  EXPECT_EQ(
      withoutLocations(
          import("i: i16[2, 2] = buffer 'i'\nf: f32[1] = buffer 'f'\nreturn i, f", false).text),
      R"(module {
  func.func @main() -> (!torch.vtensor<[2,2],si16>, !torch.vtensor<[1],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense<[[256, 770], [1284, 1798]]> : tensor<2x2xsi16>}> : () -> !torch.vtensor<[2,2],si16>
    %1 = "torch.vtensor.literal"() <{value = dense<"0x00010203"> : tensor<1xf32>}> : () -> !torch.vtensor<[1],f32>
    "func.return"(%0, %1) : (!torch.vtensor<[2,2],si16>, !torch.vtensor<[1],f32>) -> ()
  }
}
)");
}
TEST_F(Weights, BooleansAreBytesThatAreConverted) {
  EXPECT_EQ(withoutLocations(import("b: b8[2] = buffer 'b'\nreturn b", false).text),
            R"(module {
  func.func @main() -> (!torch.vtensor<[2],i1>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense<[0, 1]> : tensor<2xui8>}> : () -> !torch.vtensor<[2],ui8>
    %1 = "torch.constant.int"() <{value = 11 : i64}> : () -> !torch.int
    %2 = "torch.prims.convert_element_type"(%0, %1) : (!torch.vtensor<[2],ui8>, !torch.int) -> !torch.vtensor<[2],i1>
    "func.return"(%2) : (!torch.vtensor<[2],i1>) -> ()
  }
}
)");
}
TEST_F(Weights, SmallBytesThatAreOnlyConvertedStandAsInt32) {
  EXPECT_EQ(withoutLocations(
                import("b: u8[2] = buffer 'b'\na = aten._assert_tensor_metadata.default(b, "
                       "dtype=torch.uint8)\n"
                       "f: f32[2] = prims.convert_element_type.default(b, torch.float32)\nreturn f",
                       false)
                    .text),
            R"(module {
  func.func @main() -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense<[0, 1]> : tensor<2xsi32>}> : () -> !torch.vtensor<[2],si32>
    %1 = "torch.constant.int"() <{value = 6 : i64}> : () -> !torch.int
    %2 = "torch.prims.convert_element_type"(%0, %1) : (!torch.vtensor<[2],si32>, !torch.int) -> !torch.vtensor<[2],f32>
    "func.return"(%2) : (!torch.vtensor<[2],f32>) -> ()
  }
}
)");
}
TEST_F(Weights, BytesThatAreComputedWithStandInAHandle) {
  EXPECT_EQ(withoutLocations(import("b: u8[2] = buffer 'b'\nreturn b", false).text),
            R"(module {
  func.func @main() -> (!torch.vtensor<[2],ui8>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"b"> : tensor<2xui8>}> : () -> !torch.vtensor<[2],ui8>
    "func.return"(%0) : (!torch.vtensor<[2],ui8>) -> ()
  }
}
)");
}
TEST_F(Weights, EmptyOneIsAnEmptyLiteral) {
  EXPECT_EQ(withoutLocations(import("e: f32[0, 3] = buffer 'e'\nreturn e", true).text),
            R"(module {
  func.func @main() -> (!torch.vtensor<[0,3],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense<> : tensor<0x3xf32>}> : () -> !torch.vtensor<[0,3],f32>
    "func.return"(%0) : (!torch.vtensor<[0,3],f32>) -> ()
  }
}
)");
}
TEST_F(Weights, TiedOnesShareOneHandle) {
  shared_ = true;
  EXPECT_EQ(
      withoutLocations(
          import("a: f32[2] = parameter 'a'\nb: f32[2] = parameter 'b'\nreturn a, b", true).text),
      R"(module {
  func.func @main() -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.vtensor.literal"() <{value = dense_resource<"a"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    %1 = "torch.vtensor.literal"() <{value = dense_resource<"a"> : tensor<2xf32>}> : () -> !torch.vtensor<[2],f32>
    "func.return"(%0, %1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> ()
  }
}
{-#
  dialect_resources: {
    builtin: {
      "a": "0x040000000001020304050607"
    }
  }
#-}
)");
}
TEST_F(Weights, UnreadableOneStaysAHandleAndSaysWhy) {
  broken_ = true;
  const Imported imported = import("p: f32[2] = parameter 'l.weight'\nreturn p", true);
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "weight 'l.weight' is a resource handle without data: weight_0 is cut off");
  EXPECT_EQ(imported.findings[0].severity, fx::Severity::Note);
}
TEST_F(Weights, BlobOfAnotherSizeIsNotWritten) {
  extra_ = 1;
  const Imported imported = import("p: f32[2] = parameter 'l.weight'\nreturn p", true);
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "weight 'l.weight' is a resource handle without data: it has 9 bytes, but its type "
            "requires 8");
}

}  // namespace
}  // namespace fxs::import::test
