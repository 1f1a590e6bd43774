// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results, the spellings that torch-mlir's importer changes, and what the engine does not register.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

TEST(Operator, SeveralResultsAreTakenByGetitem) {
  EXPECT_EQ(body("x: f32[4] = placeholder\n"
                 "t: (f32[2], i64[2]) = aten.topk.default(x, 2)\n"
                 "v: f32[2] = getitem(t, 0)\n"
                 "i: i64[2] = getitem(t, 1)\n"
                 "return v, i"),
            R"(%0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%1 = "torch.constant.int"() <{value = -1 : i64}> : () -> !torch.int
%2 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
%3 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
%4:2 = "torch.aten.topk"(%arg0, %0, %1, %2, %3) : (!torch.vtensor<[4],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>)
"func.return"(%4#0, %4#1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],si64>) -> ()
)");
}
TEST(Operator, ListResultIsUnpackedOnce) {
  EXPECT_EQ(body("x: f32[4] = placeholder\n"
                 "s: (f32[2], f32[2]) = aten.split.Tensor(x, 2)\n"
                 "a: f32[2] = getitem(s, 0)\n"
                 "b: f32[2] = getitem(s, 1)\n"
                 "return a, b"),
            R"(%0 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%1 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%2 = "torch.aten.split.Tensor"(%arg0, %0, %1) : (!torch.vtensor<[4],f32>, !torch.int, !torch.int) -> !torch.list<vtensor>
%3:2 = "torch.prim.ListUnpack"(%2) : (!torch.list<vtensor>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>)
"func.return"(%3#0, %3#1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Operator, ListOfIntsIsUnpackedToInts) {
  EXPECT_EQ(body("x: f32[s0, 4] = placeholder\ns: (Sym(s0), Sym(4)) = aten.sym_size.default(x)\nn: "
                 "Sym(s0) = getitem(s, 0)\nreturn n"),
            R"(%0 = "torch.aten.size"(%arg0) : (!torch.vtensor<[?,4],f32>) -> !torch.list<int>
%1:2 = "torch.prim.ListUnpack"(%0) : (!torch.list<int>) -> (!torch.int, !torch.int)
"func.return"(%1#0) : (!torch.int) -> ()
)");
}
TEST(Operator, WithoutResultsIsOnlyAnEffect) {
  EXPECT_EQ(
      body("x: f32[2] = placeholder\na: None = aten._assert_scalar.default(True, 'no')\nreturn x"),
      R"(%0 = "torch.constant.bool"() <{value = true}> : () -> !torch.bool
%1 = "torch.aten.Int.bool"(%0) : (!torch.bool) -> !torch.int
%2 = "torch.constant.str"() <{value = "no"}> : () -> !torch.str
"torch.aten._assert_scalar"(%1, %2) : (!torch.int, !torch.str) -> ()
"func.return"(%arg0) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Operator, NumberThatNoNodeUsesIsLeftOut) {
  EXPECT_EQ(body("x: i64[] = placeholder\nn: None = aten.item.default(x)\nreturn x"),
            R"("func.return"(%arg0) : (!torch.vtensor<[],si64>) -> ()
)");
}
TEST(Operator, LiftFreshCopyIsAClone) {
  EXPECT_EQ(body("x: f32[2] = placeholder\ny: f32[2] = aten.lift_fresh_copy.default(x)\nreturn y"),
            R"(%0 = "torch.constant.none"() : () -> !torch.none
%1 = "torch.aten.clone"(%arg0, %0) : (!torch.vtensor<[2],f32>, !torch.none) -> !torch.vtensor<[2],f32>
"func.return"(%1) : (!torch.vtensor<[2],f32>) -> ()
)");
}
TEST(Operator, LocalScalarGoesByTheTensorsType) {
  EXPECT_EQ(body("x: f32[] = placeholder\ni: i64[] = placeholder\n"
                 "f: SymFloat(zuf0) = aten._local_scalar_dense.default(x)\n"
                 "n: Sym(u0) = aten._local_scalar_dense.default(i)\n"
                 "return f, n"),
            R"(%0 = "torch.aten.Float.Tensor"(%arg0) : (!torch.vtensor<[],f32>) -> !torch.float
%1 = "torch.aten.Int.Tensor"(%arg1) : (!torch.vtensor<[],si64>) -> !torch.int
"func.return"(%0, %1) : (!torch.float, !torch.int) -> ()
)");
}
TEST(Operator, AsynchronousAssertionIsDropped) {
  EXPECT_EQ(body("x: b8[] = placeholder\na: None = aten._assert_async.msg(x, 'no')\nreturn x"),
            "\"func.return\"(%arg0) : (!torch.vtensor<[],i1>) -> ()\n");
}
TEST(Operator, EmptyThatOnlyFeedsBaddbmmIsZeros) {
  EXPECT_EQ(body("x: f32[1, 2, 3] = placeholder\ny: f32[1, 3, 2] = placeholder\n"
                 "e: f32[1, 2, 2] = aten.empty.memory_format([1, 2, 2])\n"
                 "b: f32[1, 2, 2] = aten.baddbmm.default(e, x, y, beta=0)\n"
                 "return b"),
            R"(%0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%1 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%2 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%3 = "torch.prim.ListConstruct"(%0, %1, %2) : (!torch.int, !torch.int, !torch.int) -> !torch.list<int>
%4 = "torch.constant.none"() : () -> !torch.none
%5 = "torch.constant.none"() : () -> !torch.none
%6 = "torch.constant.none"() : () -> !torch.none
%7 = "torch.constant.none"() : () -> !torch.none
%8 = "torch.aten.zeros"(%3, %4, %5, %6, %7) : (!torch.list<int>, !torch.none, !torch.none, !torch.none, !torch.none) -> !torch.vtensor<[1,2,2],f32>
%9 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%10 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%11 = "torch.aten.baddbmm"(%8, %arg0, %arg1, %9, %10) : (!torch.vtensor<[1,2,2],f32>, !torch.vtensor<[1,2,3],f32>, !torch.vtensor<[1,3,2],f32>, !torch.int, !torch.int) -> !torch.vtensor<[1,2,2],f32>
"func.return"(%11) : (!torch.vtensor<[1,2,2],f32>) -> ()
)");
}
TEST(Operator, UnsafeIndexPutWithoutSomeIndexIsIndexPut) {
  EXPECT_EQ(body("x: f32[2, 3] = placeholder\ni: i64[1] = placeholder\nv: f32[2, 1] = placeholder\n"
                 "y: f32[2, 3] = aten._unsafe_index_put.default(x, [None, i], v)\n"
                 "return y"),
            R"(%0 = "torch.constant.none"() : () -> !torch.none
%1 = "torch.prim.ListConstruct"(%0, %arg1) : (!torch.none, !torch.vtensor<[1],si64>) -> !torch.list<optional<vtensor>>
%2 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
%3 = "torch.aten.index_put"(%arg0, %1, %arg2, %2) : (!torch.vtensor<[2,3],f32>, !torch.list<optional<vtensor>>, !torch.vtensor<[2,1],f32>, !torch.bool) -> !torch.vtensor<[2,3],f32>
"func.return"(%3) : (!torch.vtensor<[2,3],f32>) -> ()
)");
}
TEST(Operator, PermutationIsCountedFromTheFrontInLoweringMode) {
  const std::string program =
      "x: f32[2, 3] = placeholder\ny: f32[3, 2] = aten.permute.default(x, [-1, 0])\nreturn y";
  EXPECT_EQ(body(program), R"(%0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%1 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
%2 = "torch.prim.ListConstruct"(%0, %1) : (!torch.int, !torch.int) -> !torch.list<int>
%3 = "torch.aten.permute"(%arg0, %2) : (!torch.vtensor<[2,3],f32>, !torch.list<int>) -> !torch.vtensor<[3,2],f32>
"func.return"(%3) : (!torch.vtensor<[3,2],f32>) -> ()
)");
  EXPECT_NE(importText(program, parity(Mode::Frozen)).text.find("value = -1 : i64"),
            std::string::npos);
}
TEST(Operator, CustomOneIsWrittenAsTorchOperatorWithAFindingForAllItsNodes) {
  const Imported imported = importText(
      "x: f32[2] = placeholder\na: f32[2] = my.op.default(x, 1)\nb: f32[2] = my.op.default(a, "
      "2)\nreturn b");
  verifyWithEngine(imported.text);
  EXPECT_EQ(imported.unregisteredOps, std::vector<std::string>{"torch.my.op"});
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].count, 2u);
  EXPECT_EQ(imported.findings[0].op, "torch.my.op");
  EXPECT_EQ(imported.findings[0].severity, fx::Severity::Warning);
  EXPECT_EQ(imported.findings[0].message,
            "torch.my.op: the engine does not register this operation; it is imported as "
            "torch.operator, which is illegal in the torch "
            "stage unless an extra library or a pattern handles it");
}
TEST(Operator, WhatTheGivenEngineRegistersDecides) {
  const std::set<std::string, std::less<>> registered{"torch.my.op"};
  ImportOptions options;
  options.registeredOps = &registered;
  const Imported imported = importText(
      "x: f32[2] = placeholder\na: f32[2] = my.op.default(x)\nb: f32[2] = "
      "aten.relu.default(a)\nreturn b",
      options);
  EXPECT_EQ(imported.unregisteredOps, std::vector<std::string>{"torch.aten.relu"});
}
TEST(Operator, OneThatWritesStandsAsTorchOperatorInLoweringMode) {
  const Imported imported =
      importText("x: f32[2] = placeholder\ny: f32[2] = aten.relu_.default(x)\nreturn y");
  verifyWithEngine(imported.text);
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "'y' mutates its argument, which value semantics cannot express; it is imported as "
            "torch.operator");
}
TEST(Operator, WantedNamesAreThoseThatTheImporterAsksFor) {
  const auto program = fx::graphFrom(
      "x: f32[2] = placeholder\ny: f32[2] = aten.mul.Tensor(x, 2)\nz: f32[2] = "
      "my.op.default(y)\nreturn z");
  ASSERT_TRUE(program);
  EXPECT_EQ(wantedOps(**program, RunContext{}),
            (std::vector<std::string>{"torch.aten.mul.Scalar", "torch.my.op"}));
}
TEST(Operator, PinnedEngineRegistersWhatItShould) {
  EXPECT_TRUE(pinnedRegisteredOps().contains("torch.aten.add.Tensor"));
  EXPECT_FALSE(pinnedRegisteredOps().contains("torch.aten.squeeze.dims"));
}

}  // namespace
}  // namespace fxs::import::test
