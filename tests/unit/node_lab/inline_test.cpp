// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each case is one that line-based inlining gets wrong; the texts are as the engine prints them.
#include "node_lab/inline.h"

#include <gtest/gtest.h>

namespace fxs::node_lab {
namespace {

struct Caller {
  std::vector<Argument> arguments;
  std::vector<Call> calls;
};

/// The module that calls each function in turn with the caller's arguments and returns all results
/// of the last.
std::string inlined(const std::vector<Argument>& arguments, const std::vector<Call>& calls,
                    const std::string& location = {}) {
  Composition composition("main", arguments);
  std::vector<TypedValue> results;
  for (const Call& call : calls) {
    auto made = composition.inlineCall(call, composition.arguments());
    if (!made) return made.error().message;
    results = *std::move(made);
  }
  return std::move(composition).finish(results, location);
}
std::string inlined(const std::vector<Argument>& arguments, std::string_view module) {
  return inlined(arguments, {{module, "f", "", ""}});
}

TEST(Inline, EveryResultIsReturnedUnderItsNewName) {
  EXPECT_EQ(inlined({{"x", "tensor<4xf32>", ""}}, R"(module {
  func.func @f(%arg0: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
    %0:2 = "d.topk"(%arg0) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    %1, %2 = "d.swap"(%0#1, %0#0) : (tensor<4xi64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    return %1, %0#1 : tensor<4xf32>, tensor<4xi64>
  }
})"),
            R"(module {
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
    %0:2 = "d.topk"(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    %1, %2 = "d.swap"(%0#1, %0#0) : (tensor<4xi64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi64>)
    return %1, %0#1 : tensor<4xf32>, tensor<4xi64>
  }
}
)");
}

constexpr const char* kRelu = R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.cmpf ugt, %in, %cst : f32
      %3 = arith.select %2, %in, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
)";

TEST(Inline, NamesOfASecondBodyAreFreshAndAliasesAreSpeltOut) {
  EXPECT_EQ(inlined({{"", "tensor<4xf32>", ""}}, {{kRelu, "f", "", ""}, {kRelu, "f", "relu", ""}}),
            R"(module {
  func.func @main(%arg0: tensor<4xf32>) -> (tensor<4xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.cmpf ugt, %in, %cst : f32
      %3 = arith.select %2, %in, %cst : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    %relu.cst = arith.constant 0.000000e+00 : f32
    %relu.0 = tensor.empty() : tensor<4xf32>
    %relu.1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%relu.0 : tensor<4xf32>) {
    ^bb0(%relu.in: f32, %relu.out: f32):
      %relu.2 = arith.cmpf ugt, %relu.in, %relu.cst : f32
      %relu.3 = arith.select %relu.2, %relu.in, %relu.cst : f32
      linalg.yield %relu.3 : f32
    } -> tensor<4xf32>
    return %relu.1 : tensor<4xf32>
  }
}
)");
}

TEST(Inline, AliasesOfEveryKindAreSpeltOut) {
  EXPECT_EQ(inlined({{"", "tensor<4xf32, #d.enc<1>>", ""}}, R"(#loc1 = loc("x.py":1:0)
#enc = #d.enc<1>
#set = affine_set<(d0) : (d0 >= 0)>
!t = tensor<4xf32, #enc>
module {
  func.func @f(%arg0: !t loc("x"(#loc1))) -> !t {
    %0 = "d.if"(%arg0) {condition = #set, note = "#set !t %arg0 } @g"} : (!t) -> !t loc(#loc3)
    return %0 : !t loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("y"("fx":3:0))
#loc3 = loc(fused["x"(#loc1), #loc2])
)"),
            R"(module {
  func.func @main(%arg0: tensor<4xf32, #d.enc<1>>) -> (tensor<4xf32, #d.enc<1>>) {
    %0 = "d.if"(%arg0) {condition = affine_set<(d0) : (d0 >= 0)>, note = "#set !t %arg0 } @g"} : (tensor<4xf32, #d.enc<1>>) -> tensor<4xf32, #d.enc<1>> loc(fused["x"("x.py":1:0), "y"("fx":3:0)])
    return %0 : tensor<4xf32, #d.enc<1>>
  }
}
)");
}

TEST(Inline, NamesBoundInsideAnOperationsSyntaxAreFresh) {
  EXPECT_EQ(inlined({{"arg2", "index", ""}, {"arg3", "tensor<4xf32>", ""}}, R"(module {
  func.func @f(%arg0: index, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %c0 = arith.constant 0 : index
    %0 = scf.for %arg2 = %c0 to %arg0 step %arg0 iter_args(%arg3 = %arg1) -> (tensor<4xf32>) {
      %2 = affine.for %arg4 = 0 to %arg2 iter_args(%arg5 = %arg3) -> (tensor<4xf32>) {
        affine.yield %arg5 : tensor<4xf32>
      }
      scf.yield %2 : tensor<4xf32>
    }
    %1 = scf.forall (%arg2) in (%arg0) shared_outs(%arg3 = %0) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg1 into %arg3[%arg2] [4] [1] : tensor<4xf32> into tensor<4xf32>
      }
    }
    return %1 : tensor<4xf32>
  }
}
)"),
            R"(module {
  func.func @main(%arg2: index, %arg3: tensor<4xf32>) -> (tensor<4xf32>) {
    %c0 = arith.constant 0 : index
    %0 = scf.for %arg2_0 = %c0 to %arg2 step %arg2 iter_args(%arg3_0 = %arg3) -> (tensor<4xf32>) {
      %2 = affine.for %arg4 = 0 to %arg2_0 iter_args(%arg5 = %arg3_0) -> (tensor<4xf32>) {
        affine.yield %arg5 : tensor<4xf32>
      }
      scf.yield %2 : tensor<4xf32>
    }
    %1 = scf.forall (%arg2_1) in (%arg2) shared_outs(%arg3_1 = %0) -> (tensor<4xf32>) {
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %arg3 into %arg3_1[%arg2_1] [4] [1] : tensor<4xf32> into tensor<4xf32>
      }
    }
    return %1 : tensor<4xf32>
  }
}
)");
}

constexpr const char* kRandom = R"(module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func private @next(%arg0: tensor<i64>) -> tensor<i64> {
    ml_program.global_store @global_seed = %arg0 : tensor<i64>
    return %arg0 : tensor<i64>
  }
  func.func @f() -> tensor<i64> {
    %global_seed = ml_program.global_load @global_seed : tensor<i64>
    %0 = call @next(%global_seed) : (tensor<i64>) -> tensor<i64>
    return %0 : tensor<i64>
  }
}
)";

TEST(Inline, SymbolsComeAlongOnceWhenTheyAreEqualAndUnderNewNamesWhenTheyAreNot) {
  std::string other = kRandom;
  other.replace(other.find("dense<0>"), 8, "dense<7>");
  EXPECT_EQ(inlined({}, {{kRandom, "f", "a", ""}, {kRandom, "f", "b", ""}, {other, "f", "c", ""}}),
            R"(module {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func private @next(%arg0: tensor<i64>) -> tensor<i64> {
    ml_program.global_store @global_seed = %arg0 : tensor<i64>
    return %arg0 : tensor<i64>
  }
  ml_program.global private mutable @global_seed_0(dense<7> : tensor<i64>) : tensor<i64>
  func.func private @next_0(%arg0: tensor<i64>) -> tensor<i64> {
    ml_program.global_store @global_seed_0 = %arg0 : tensor<i64>
    return %arg0 : tensor<i64>
  }
  func.func @main() -> (tensor<i64>) {
    %a.global_seed = ml_program.global_load @global_seed : tensor<i64>
    %a.0 = call @next(%a.global_seed) : (tensor<i64>) -> tensor<i64>
    %b.global_seed = ml_program.global_load @global_seed : tensor<i64>
    %b.0 = call @next(%b.global_seed) : (tensor<i64>) -> tensor<i64>
    %c.global_seed = ml_program.global_load @global_seed_0 : tensor<i64>
    %c.0 = call @next_0(%c.global_seed) : (tensor<i64>) -> tensor<i64>
    return %c.0 : tensor<i64>
  }
}
)");
}

TEST(Inline, ASymbolOfTheCallersNameGetsAnotherOne) {
  EXPECT_EQ(inlined({}, R"(module {
  func.func @f() -> f32 {
    %0 = call @main() : () -> f32
    return %0 : f32
  }
  func.func private @main() -> f32 {
    %cst = arith.constant 1.0 : f32
    return %cst : f32
  }
})"),
            R"(module {
  func.func @main() -> (f32) {
    %0 = call @main_0() : () -> f32
    return %0 : f32
  }
  func.func private @main_0() -> f32 {
    %cst = arith.constant 1.0 : f32
    return %cst : f32
  }
}
)");
}

TEST(Inline, AFunctionThatCallsItselfComesAlongToo) {
  EXPECT_EQ(inlined({{"", "f32", ""}}, {{R"(module {
  func.func @f(%arg0: f32) -> f32 {
    %0 = call @f(%arg0) : (f32) -> f32
    return %0 : f32
  }
})",
                                         "f", "node", ""}}),
            R"(module {
  func.func private @node(%arg0: f32) -> f32 {
    %0 = call @node(%arg0) : (f32) -> f32
    return %0 : f32
  }
  func.func @main(%arg0: f32) -> (f32) {
    %node.0 = call @node(%arg0) : (f32) -> f32
    return %node.0 : f32
  }
}
)");
}

std::string withResource(const std::string& data) {
  return R"(module {
  func.func @f() -> tensor<2xf32> {
    %cst = arith.constant dense_resource<w> : tensor<2xf32>
    return %cst : tensor<2xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      unused: "0x0400000000000000",
      w: ")" +
         data + R"("
    }
  }
#-}
)";
}

TEST(Inline, ResourcesAreCarriedSharedAndRenamed) {
  const std::string first = withResource("0x04000000AAAAAAAAAAAAAAAA"),
                    second = withResource("0x04000000BBBBBBBBBBBBBBBB");
  EXPECT_EQ(inlined({}, {{first, "f", "a", ""}, {first, "f", "b", ""}, {second, "f", "c", ""}}),
            R"(module {
  func.func @main() -> (tensor<2xf32>) {
    %a.cst = arith.constant dense_resource<w> : tensor<2xf32>
    %b.cst = arith.constant dense_resource<w> : tensor<2xf32>
    %c.cst = arith.constant dense_resource<w_0> : tensor<2xf32>
    return %c.cst : tensor<2xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x04000000AAAAAAAAAAAAAAAA",
      w_0: "0x04000000BBBBBBBBBBBBBBBB"
    }
  }
#-}
)");
}

TEST(Inline, AFunctionOfSeveralBlocksIsCalled) {
  EXPECT_EQ(inlined({{"p", "i1", ""}}, {{R"(module {
  func.func @f(%arg0: i1) -> (i1, i1) {
    cf.cond_br %arg0, ^bb1, ^bb2(%arg0 : i1)
  ^bb1:
    cf.br ^bb2(%arg0 : i1)
  ^bb2(%0: i1):
    return %0, %arg0 : i1, i1
  }
})",
                                         "f", "cond", ""}}),
            R"(module {
  func.func private @cond(%arg0: i1) -> (i1, i1) {
    cf.cond_br %arg0, ^bb1, ^bb2(%arg0 : i1)
  ^bb1:
    cf.br ^bb2(%arg0 : i1)
  ^bb2(%0: i1):
    return %0, %arg0 : i1, i1
  }
  func.func @main(%p: i1) -> (i1, i1) {
    %cond.call:2 = func.call @cond(%p) : (i1) -> (i1, i1)
    return %cond.call#0, %cond.call#1 : i1, i1
  }
}
)");
}

std::string castText(const std::string& from, const std::string& to) {
  return inlined({{"x", from, ""}}, {{"func.func @f(%arg0: " + to + ") -> " + to +
                                          " {\n  return %arg0 : " + to + "\n}\n",
                                      "f", "", "\"n\""}});
}
/// Its operations.
std::string cast(const std::string& from, const std::string& to) {
  const std::string text = castText(from, to);
  const std::size_t begin = text.find("{\n", text.find("@main"));
  if (begin == std::string::npos) return text;
  return text.substr(begin + 2, text.find("    return") - begin - 2);
}

TEST(Inline, OperandsOfOtherTypesAreCast) {
  EXPECT_EQ(cast("tensor<4xf32>", "tensor<4xf32>"), "");
  EXPECT_EQ(cast("tensor<4x?xf32>", "tensor<?x8xf32>"),
            "    %cast = tensor.cast %x : tensor<4x?xf32> to tensor<?x8xf32> loc(\"n\")\n");
  EXPECT_EQ(cast("!torch.vtensor<[4,8],si64>", "!torch.vtensor<[?,8],si64>"),
            "    %cast = torch.tensor_static_info_cast %x : !torch.vtensor<[4,8],si64> to "
            "!torch.vtensor<[?,8],si64> loc(\"n\")\n");
  EXPECT_EQ(cast("tensor<4xi64>", "!torch.vtensor<[?],si64>"),
            "    %cast = torch_c.from_builtin_tensor %x : tensor<4xi64> -> "
            "!torch.vtensor<[4],si64> loc(\"n\")\n"
            "    %cast_0 = torch.tensor_static_info_cast %cast : !torch.vtensor<[4],si64> to "
            "!torch.vtensor<[?],si64> loc(\"n\")\n");
  EXPECT_EQ(cast("!torch.vtensor<[4],f32>", "tensor<?xf32>"),
            "    %cast = torch_c.to_builtin_tensor %x : !torch.vtensor<[4],f32> -> tensor<4xf32> "
            "loc(\"n\")\n"
            "    %cast_0 = tensor.cast %cast : tensor<4xf32> to tensor<?xf32> loc(\"n\")\n");
  EXPECT_EQ(cast("i64", "!torch.int"),
            "    %cast = \"torch_c.from_i64\"(%x) : (i64) -> !torch.int loc(\"n\")\n");
  EXPECT_EQ(cast("!torch.float", "f64"),
            "    %cast = \"torch_c.to_f64\"(%x) : (!torch.float) -> f64 loc(\"n\")\n");
  EXPECT_EQ(cast("index", "!torch.int"),
            "    %cast = \"arith.index_cast\"(%x) : (index) -> i64 loc(\"n\")\n"
            "    %cast_0 = \"torch_c.from_i64\"(%cast) : (i64) -> !torch.int loc(\"n\")\n");
}

TEST(Inline, TypesThatCannotBeCastAreRefused) {
  EXPECT_EQ(castText("tensor<4xf32>", "tensor<5xf32>"),
            "a value of type tensor<4xf32> cannot be cast to type tensor<5xf32>");
  EXPECT_EQ(castText("tensor<4xf32>", "tensor<4xf16>"),
            "a value of type tensor<4xf32> cannot be cast to type tensor<4xf16>");
  EXPECT_EQ(castText("index", "tensor<1x1xf32>"),
            "a value of type index cannot be cast to type tensor<1x1xf32>");
  EXPECT_EQ(castText("tensor<4xi32>", "!torch.vtensor<[4],si64>"),
            "a value of type tensor<4xi32> cannot be cast to type !torch.vtensor<[4],si64>");
}

TEST(Inline, WhatHasNoLocationGetsTheCallsAndAttributesOfTheFunctionStay) {
  EXPECT_EQ(inlined({{"x", "f32", "\"x\"(\"fx\":0:0)"}},
                    {{R"(module {
  func.func @f(%arg0: f32) -> f32 attributes {torch.assume_strict_symbolic_shapes, a = "} {"} {
    %0 = arith.addf %arg0, %arg0 : f32
    %1 = arith.addf %0, %0 : f32 loc("own"("fx":2:0))
    %2 = scf.execute_region -> f32 {
      scf.yield %1 : f32
    } loc(#loc)
    %3 = arith.addf %2, %2 : f32 loc(unknown)
    return %3 : f32 loc(#loc)
  }
}
#loc = loc(unknown))",
                      "f", "n", "\"n\"(\"fx\":1:0)"}},
                    "\"output\"(\"fx\":2:0)"),
            R"(module {
  func.func @main(%x: f32 loc("x"("fx":0:0))) -> (f32) attributes {torch.assume_strict_symbolic_shapes, a = "} {"} {
    %n.0 = arith.addf %x, %x : f32 loc("n"("fx":1:0))
    %n.1 = arith.addf %n.0, %n.0 : f32 loc("own"("fx":2:0))
    %n.2 = scf.execute_region -> f32 {
      scf.yield %n.1 : f32 loc("n"("fx":1:0))
    } loc("n"("fx":1:0))
    %n.3 = arith.addf %n.2, %n.2 : f32 loc("n"("fx":1:0))
    return %n.3 : f32 loc("output"("fx":2:0))
  } loc("output"("fx":2:0))
}
)");
}

TEST(Inline, TheGenericFormIsInlinedToo) {
  EXPECT_EQ(inlined({{"x", "f32", ""}}, R"("builtin.module"() ({
  "ml_program.global"() <{is_mutable, sym_name = "main", sym_visibility = "private", type = f32}> : () -> ()
  "func.func"() <{function_type = (f32) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: f32):
    %0 = "ml_program.global_load"() <{global = @main}> : () -> f32
    "func.return"(%0) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
)"),
            R"(module {
  "ml_program.global"() <{is_mutable, sym_name = "main_0", sym_visibility = "private", type = f32}> : () -> ()
  func.func @main(%x: f32) -> (f32) {
    %0 = "ml_program.global_load"() <{global = @main_0}> : () -> f32
    return %0 : f32
  }
}
)");
}

TEST(Inline, CommentsAndStringsArePassedOver) {
  EXPECT_EQ(inlined({{"x", "f32", ""}}, R"(// func.func @f(%arg0: i32) {
module {
  func.func @f(%arg0: f32) -> f32 { // {
    cf.assert %true, "%arg0 = } broken // \22"
    %true = arith.constant true // } %nowhere
    return %arg0 : f32
  }
})"),
            R"(module {
  func.func @main(%x: f32) -> (f32) {
    cf.assert %true, "%arg0 = } broken // \22"
    %true = arith.constant true
    return %x : f32
  }
}
)");
}

TEST(Inline, WhatCannotBeInlinedSaysWhy) {
  const auto wrong = [](std::string_view module, std::vector<Argument> arguments = {}) {
    return inlined(arguments, module);
  };
  EXPECT_EQ(wrong("module {\n}\n"), "the module has no function @f");
  EXPECT_EQ(wrong("module {\n  func.func private @f()\n}\n"), "function @f has no body");
  EXPECT_EQ(wrong("func.func @f() {\n  \"d.end\"() : () -> ()\n}\n"),
            "function @f does not end in a return");
  EXPECT_EQ(wrong("func.func @f(%arg0: f32) {\n  return\n}\n"),
            "function @f: expected 1 arguments, got 0");
  EXPECT_EQ(wrong("func.func @f() {\n  \"d.use\"(%nothing) : (f32) -> ()\n  return\n}\n"),
            "it uses %nothing, which is not defined in the function");
  EXPECT_EQ(wrong("func.func @f() -> f32 {\n  return %nothing : f32\n}\n"),
            "function @f returns %nothing, which is not defined");
  std::string deep = "func.func @f() {\n";
  for (int i = 0; i < 300; ++i) deep += "d.r {\n";
  EXPECT_EQ(wrong(deep), "its regions are nested deeper than 256");
  std::string explosion;
  for (int i = 0; i < 40; ++i) {
    const std::string inner = i == 0 ? "f32" : "!t" + std::to_string(i - 1);
    explosion += "!t" + std::to_string(i) + " = tuple<" + inner + ", " + inner + ">\n";
  }
  EXPECT_EQ(wrong(explosion + "func.func @f(%arg0: !t39) {\n  return\n}\n", {{"", "f32", ""}}),
            "the alias !t39 is too long to be expanded");
}

TEST(Inline, NothingIsWrittenWhenItFails) {
  Composition composition("main", {{"x", "f32", ""}});
  const std::string module =
      std::string(kRandom).replace(std::string(kRandom).find("%0 :"), 2, "%9");
  EXPECT_FALSE(composition.inlineCall({module, "f", "", ""}, {}).has_value());
  EXPECT_EQ(std::move(composition).finish({}, ""),
            "module {\n  func.func @main(%x: f32) {\n    return\n  }\n}\n");
}

}  // namespace
}  // namespace fxs::node_lab
