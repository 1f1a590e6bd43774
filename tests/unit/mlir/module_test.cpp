// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/module.h"

#include <gtest/gtest.h>

#include "module_dump.h"
#include "random_module.h"

namespace fxs::mlir {
namespace {

/// The dump of a text, with what must hold of any text checked on the way.
std::string dumped(std::string_view text) {
  const Module module = readModule(text);
  EXPECT_EQ(test::problemOf(module), "");
  return test::dump(module);
}

TEST(MlirModule, ReadsThePrettyFormWithLocationAliases) {
  const std::string_view text = R"(#loc2 = loc("fx":2:0)
#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<4xf32> loc("x"(#loc2))) -> (tensor<4xf32> {tf.a = "}"}) attributes {torch.assume_strict_symbolic_shapes} {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc)
    %0 = tensor.empty() : tensor<4xf32> loc(#loc3)
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32 loc("x"(#loc2)), %out: f32 loc(#loc3)):
      %2 = arith.cmpf ugt, %in, %cst : f32 loc(#loc3)
      %3 = arith.select %2, %in, %cst : f32 loc(#loc3)
      linalg.yield %3 : f32 loc(#loc3)
    } -> tensor<4xf32> loc(#loc3)
    return %1 : tensor<4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc3 = loc("relu"("fx":3:0))
)";
  EXPECT_EQ(dumped(text), R"(builtin.module @#loc
{
  func.func @#loc
  {
  ^1 %arg0[0]:tensor<4xf32>@"x"(#loc2)
    arith.constant -> %cst[1]:f32 @#loc
    tensor.empty -> %0[2]:tensor<4xf32> @#loc3
    linalg.generic %arg0[0] %0[2] -> %1[3]:tensor<4xf32> @#loc3
    {
    ^2^bb0 %in[4]:f32@"x"(#loc2) %out[5]:f32@#loc3
      arith.cmpf %in[4] %cst[1] -> %2[6] @#loc3
      arith.select %2[6] %in[4] %cst[1] -> %3[7]:f32 @#loc3
      linalg.yield %3[7] @#loc3
    }
    func.return %1[3] @#loc
  }
}
)");
  const Module module = readModule(text);
  EXPECT_EQ(module.aliasBody("#map"), "affine_map<(d0) -> (d0)>");
  EXPECT_EQ(module.aliasBody("#map1"), "");
  EXPECT_EQ(module.aliasBody("#loc3"), "\"relu\"(\"fx\":3:0)");
  EXPECT_EQ(module.op(OpId{4}).head.of(text).substr(0, 20), "%1 = linalg.generic ");
  EXPECT_TRUE(module.op(OpId{4}).head.of(text).ends_with("outs(%0 : tensor<4xf32>)"));
}

TEST(MlirModule, ReadsTheGenericForm) {
  EXPECT_EQ(dumped(R"("builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (i1) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: i1 loc("a")):
    %0:2 = "scf.if"(%arg0) ({
      %1 = "arith.constant"() <{value = dense<"0x{}%5"> : tensor<2xf32>}> : () -> tensor<2xf32> loc(unknown)
      "scf.yield"(%1, %1) : (tensor<2xf32>, tensor<2xf32>) -> () loc("y")
    }, {
      %1:2 = "test.two"() {"quoted key" = 1 : i32} : () -> (f32, f32) loc("z")
      "scf.yield"(%1#1, %1#0) : (f32, f32) -> ()
    }) : (i1) -> (f32, f32) loc(fused<"k">["if", callsite("a" at "f.py":1:2)])
    "func.return"(%0#1) : (f32) -> ()
  }) : () -> ()
  "test.empty"() ({
  }) : () -> ()
}) : () -> ()
)"),
            R"(builtin.module
{
  func.func
  {
  ^1^bb0 %arg0[0]:i1@"a"
    scf.if %arg0[0] -> %0[1]:f32, %0[2]:f32 @fused<"k">["if", callsite("a" at "f.py":1:2)]
    {
      arith.constant -> %1[3]:tensor<2xf32> @unknown
      scf.yield %1[3] %1[3] @"y"
    }
    {
      test.two -> %1[4]:f32, %1[5]:f32 @"z"
      scf.yield %1[5] %1[4]
    }
    func.return %0[2]
  }
  test.empty
  {
  }
}
)");
}

TEST(MlirModule, ArgumentsDefinedInAHeadBelongToTheFirstRegionAndAreSeenInAll) {
  EXPECT_EQ(dumped(R"(func.func @f(%n: index, %t: tensor<4xf32>, %m: tensor<f32>) {
  %0:2 = scf.while (%a = %n, %b = %t) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    scf.condition(%c) %a, %b : index, tensor<4xf32>
  } do {
  ^bb0(%a: index, %b: tensor<4xf32>):
    scf.yield %a, %b : index, tensor<4xf32>
  }
  %1 = scf.for %i = %n to %n step %n iter_args(%x = %t) -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  }
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    scf.reduce
  }
  %2 = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  %3 = linalg.reduce ins(%t : tensor<4xf32>) outs(%m : tensor<f32>) dimensions = [0]
    (%in: f32, %init: f32) {
      linalg.yield %in : f32
    }
  %4 = stablehlo.while(%iterArg = %n) : index
   cond {
    stablehlo.return %iterArg : index
  } do {
    stablehlo.return %iterArg : index
  }
  return
}
)"),
            R"(func.func
{
^0 %n[0]:index %t[1]:tensor<4xf32> %m[2]:tensor<f32>
  scf.while %n[0] %t[1] -> %0[3]:index, %0[4]:tensor<4xf32>
  {
  ^1 %a[5] %b[6]
    scf.condition ?%c %a[5] %b[6]
  }
  {
  ^2^bb0 %a[7]:index %b[8]:tensor<4xf32>
    scf.yield %a[7] %b[8]
  }
  scf.for %n[0] %n[0] %n[0] %t[1] -> %1[9]:tensor<4xf32>
  {
  ^3 %i[10] %x[11]
    scf.yield %x[11]
  }
  scf.parallel %n[0] %n[0] %n[0] %n[0] %n[0] %n[0]
  {
  ^4 %i[12] %j[13]
    scf.reduce
  }
  scf.forall %t[1] -> %2[14]:tensor<4xf32>
  {
  ^5 %i[15] %o[16]
    scf.forall.in_parallel
    {
    }
  }
  linalg.reduce %t[1] %m[2] -> %3[17]
  {
  ^6 %in[18]:f32 %init[19]:f32
    linalg.yield %in[18]
  }
  stablehlo.while %n[0] -> %4[20]:index
  {
  ^7 %iterArg[21]
    stablehlo.return %iterArg[21]
  }
  {
    stablehlo.return %iterArg[21]
  }
  func.return
}
)");
}

TEST(MlirModule, SuccessorsAndValuesMayStandBeforeWhatTheyName) {
  EXPECT_EQ(dumped(R"("test.graph"() ({
  %0 = "test.use"(%1) : (i1) -> i1
  %1 = "test.def"() : () -> i1
  "test.cfg"() ({
    cf.cond_br %0, ^bb2(%0 : i1), ^bb1
  ^bb1:  // pred: ^bb0
    cf.switch %0 : i1, [
      default: ^bb2(%1 : i1),
      1: ^bb3
    ]
  ^bb2(%2: i1):  // 2 preds: ^bb0, ^bb1
    "test.inner"() ({
      cf.br ^bb1
    ^bb1:
      test.end %2
    }) : () -> ()
  }) : () -> ()
}) : () -> ()
)"),
            R"(test.graph
{
  test.use %1[1] -> %0[0]:i1
  test.def -> %1[1]:i1
  test.cfg
  {
    cf.cond_br %0[0] %0[0] ^3 ^2
  ^2^bb1
    cf.switch %0[0] %1[1] ^3 ?^bb3
  ^3^bb2 %2[2]:i1
    test.inner
    {
      cf.br ^5
    ^5^bb1
      test.end %2[2]
    }
  }
}
)");
}

TEST(MlirModule, PrefixesThatAreLeftOutAreSpeltOut) {
  EXPECT_EQ(dumped(R"(module @outer attributes {a} {
  module {
  }
  func.func @f() {
    %f = constant @f : () -> ()
    %0 = scf.index_switch %n -> f32
    case 2 {
      scf.yield %f : f32
    }
    default {
      func.call @f() : () -> ()
    }
    call @f() : () -> ()
    return
  }
  pdl.pattern @p : benefit(1) {
    %0 = type
    %1 = operation "x"  -> (%0 : !pdl.type)
    rewrite %1 {
      erase %1
    }
  }
  async.func @g() -> !async.token {
    return
  }
}
)"),
            R"(builtin.module
{
  builtin.module
  {
  }
  func.func
  {
    func.constant -> %f[0]
    scf.index_switch -> %0[1]:f32
    {
    ^2 %n[2]
      scf.yield %f[0]
    }
    {
      func.call
    }
    func.call
    func.return
  }
  pdl.pattern
  {
    pdl.type -> %0[3]
    pdl.operation %0[3] -> %1[4]
    pdl.rewrite %1[4]
    {
      pdl.erase %1[4]
    }
  }
  async.func
  {
    async.return
  }
}
)");
}

TEST(MlirModule, RegionsMayStandOnOneLine) {
  EXPECT_EQ(
      dumped(
          R"(module { func.func @f(%a: i1) { %0 = scf.if %a -> i1 { scf.yield %a : i1 } else { scf.yield %a : i1 } loc("if") return loc("r") } })"),
      R"(builtin.module
{
  func.func
  {
  ^1 %a[0]:i1
    scf.if %a[0] -> %0[1]:i1 @"if"
    {
      scf.yield %a[0]
    }
    {
      scf.yield %a[0]
    }
    func.return @"r"
  }
}
)");
}

TEST(MlirModule, AttributesAreNoRegions) {
  const std::string_view text = R"(%0 = "a.b"() {
    x = {y = "{"},
    z = [1,
         2]
  } : () -> i1
%1 = a.c {unit} <{p = {q}}> {"k.l" = @s} : i1 loc("l")
%2 = a.d {} : i1
%3 = linalg.map { math.absf } ins(%1 : i1) -> i1
)";
  EXPECT_EQ(dumped(text), R"(a.b -> %0[0]:i1
a.c -> %1[1]:i1 @"l"
a.d -> %2[2]:i1
linalg.map %1[1] -> %3[3]:i1
)");
}

TEST(MlirModule, TextWithoutAModuleWithCarriageReturnsOrCutOffIsRead) {
  EXPECT_EQ(dumped("// -----// IR Dump After Canonicalizer: canonicalize //----- //\r\nfunc.func "
                   "@f(%a: i1) {\r\n  %0 = a.b %a : i1 "
                   "loc(#loc)\r\n}\r\n\r\n"
                   "func.func @g() {\r\n  return\r\n}\r\n"),
            "func.func\n{\n^0 %a[0]:i1\n  a.b %a[0] -> %0[1]:i1 @#loc\n}\nfunc.func\n{\n  "
            "func.return\n}\n");
  const std::string_view full =
      "module {\n  func.func @f(%a: i1 loc(\"a\")) {\n    %0 = a.b %a {x = \"y\"} : i1 "
      "loc(\"b\"(\"f\":1:2))\n";
  EXPECT_EQ(dumped(full),
            "builtin.module\n{\n  func.func\n  {\n  ^1 %a[0]:i1@\"a\"\n    a.b %a[0] -> %0[1]:i1 "
            "@\"b\"(\"f\":1:2)\n  }\n}\n");
  for (std::size_t size = 0; size < full.size(); ++size) dumped(full.substr(0, size));
  EXPECT_EQ(dumped(""), "");
  EXPECT_EQ(dumped("}}}\n)]\"\n%\n^bb0:\n%0 = \nstray text {\n"), "");
}

TEST(MlirModule, ResourcesAreSkipped) {
  EXPECT_EQ(dumped("a.b\n\n{-#\n  dialect_resources: {\n    builtin: {\n      w: \"0x04000000\"\n  "
                   "  }\n  }\n#-}\na.c\n"),
            "a.b\na.c\n");
}

TEST(MlirModule, LocationsMayBeAttributes) {
  EXPECT_EQ(dumped("a.b {l = loc(\"x\")} loc(\"y\")\na.c loc(\"x\") : i1 loc(\"z\")\na.d "
                   "\"loc(1)\" allocloc(2)\n"),
            "a.b @\"y\"\na.c @\"z\"\na.d\n");
}

TEST(MlirModule, DeepNestingCostsNoStack) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "\"a.b\"() ({\n";
  const Module module = readModule(text);
  EXPECT_EQ(module.ops.size(), 200'000u);
  EXPECT_EQ(module.ops.back().parent, OpId{199'998});
  const std::string brackets(1'000'000, '(');
  EXPECT_EQ(readModule("a.b " + brackets).ops.size(), 1u);
}

TEST(MlirModule, ManyResultsAreNoMoreThanTheText) {
  const std::string_view huge = "%0:4000000000 = a.b\n%1:4000000000 = a.b\n";
  EXPECT_LE(readModule(huge).values.size(), huge.size() + 2);
  EXPECT_EQ(readModule("%0:3 = a.b : i1, i1, i1\na.c %0#2, %0#3\n").operands[1].value, ValueId{});
}

TEST(MlirModule, FindsWhatStandsAtAPlace) {
  const std::string_view text =
      "module {\n  func.func @f(%a: i1) {\n    %0 = a.b %a : i1\n\n    a.c %0 : i1\n  }\n}\n";
  const Module module = readModule(text);
  const auto name = [&](OpId id) { return id.valid() ? std::string(module.nameOf(id)) : "none"; };
  EXPECT_EQ(name(module.opAt(text.find("a.b"))), "a.b");
  EXPECT_EQ(name(module.opAt(text.find("\n    a.c"))), "func.func");
  EXPECT_EQ(name(module.opAt(text.size() - 1)), "none");
  EXPECT_EQ(name(module.opOfLine(2)), "a.b");
  EXPECT_EQ(name(module.opOfLine(3)), "func.func");
  EXPECT_EQ(name(module.opOfLine(6)), "builtin.module");
  EXPECT_EQ(name(module.opOfLine(7)), "none");
  EXPECT_EQ(name(module.opOfLine(99)), "none");
  EXPECT_EQ(module.valueAt(text.find("%a:")), ValueId{0});
  EXPECT_EQ(module.valueAt(text.find("%a : ") + 1), ValueId{0});
  EXPECT_EQ(module.valueAt(text.find("%0 : ")), ValueId{1});
  EXPECT_EQ(module.valueAt(text.find("a.c")), ValueId{});
  EXPECT_EQ(module.usesOf(ValueId{1}).size(), 1u);
  EXPECT_EQ(module.op(OpId{2}).firstLine, 2u);
  EXPECT_EQ(module.op(OpId{1}).lastLine, 5u);
}

TEST(MlirModule, WhatWasPrintedIsRead) {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const test::RandomModule made = test::randomModule(seed, 30);
    const test::Printed printed = test::print(made, {.seed = seed,
                                                     .generic = seed % 2 == 0,
                                                     .locations = seed % 3 != 0,
                                                     .aliases = seed % 5 == 0});
    ASSERT_EQ(dumped(printed.text), printed.dump) << seed << "\n" << printed.text;
  }
}

}  // namespace
}  // namespace fxs::mlir
