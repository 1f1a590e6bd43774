// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Higher-order operators: functions, branches, loops, wrappers, and what the dialect has no form
// for.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

std::string moduleText(std::string_view program, ImportOptions options = {}) {
  const Imported imported = importText(program, options);
  verifyWithEngine(imported.text);
  return withoutLocations(imported.text);
}

TEST(ControlFlow, CondCallsItsBranchesFromAnIf) {
  EXPECT_EQ(moduleText("p: b8[] = placeholder\nx: f32[2] = placeholder\n"
                       "yes = get_attr\nno = get_attr\n"
                       "c: (f32[2],) = higher_order.cond(p, yes, no, [x])\n"
                       "g: f32[2] = getitem(c, 0)\n"
                       "return g\n"
                       "graph yes():\n  a: f32[2] = placeholder\n  b: f32[2] = "
                       "aten.relu.default(a)\n  return (b,)\n"
                       "graph no():\n  a: f32[2] = placeholder\n  return (a,)\n"),
            R"(module {
  func.func private @no(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>) {
    "func.return"(%arg0) : (!torch.vtensor<[2],f32>) -> ()
  }
  func.func private @yes(%arg0: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>) {
    %0 = "torch.aten.relu"(%arg0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    "func.return"(%0) : (!torch.vtensor<[2],f32>) -> ()
  }
  func.func @main(%arg0: !torch.vtensor<[],i1>, %arg1: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "torch.aten.Bool.Tensor"(%arg0) : (!torch.vtensor<[],i1>) -> !torch.bool
    %1 = "torch.prim.If"(%0) ({
      %2 = "func.call"(%arg1) <{callee = @yes}> : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
      "torch.prim.If.yield"(%2) : (!torch.vtensor<[2],f32>) -> ()
    }, {
      %3 = "func.call"(%arg1) <{callee = @no}> : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
      "torch.prim.If.yield"(%3) : (!torch.vtensor<[2],f32>) -> ()
    }) : (!torch.bool) -> !torch.vtensor<[2],f32>
    "func.return"(%1) : (!torch.vtensor<[2],f32>) -> ()
  }
}
)");
}
TEST(ControlFlow, WhileLoopCarriesItsValuesAndTakesAdditionalOnesFromOutside) {
  EXPECT_EQ(moduleText("n: i64[] = placeholder\nx: f32[2] = placeholder\nw: f32[2] = placeholder\n"
                       "test = get_attr\nstep = get_attr\n"
                       "l: (i64[], f32[2]) = higher_order.while_loop(test, step, [n, x], [w])\n"
                       "g: f32[2] = getitem(l, 1)\n"
                       "return g\n"
                       "graph test():\n  i: i64[] = placeholder\n  a: f32[2] = placeholder\n  v: "
                       "f32[2] = placeholder\n"
                       "  t: b8[] = aten.gt.Scalar(i, 0)\n  return t\n"
                       "graph step():\n  i: i64[] = placeholder\n  a: f32[2] = placeholder\n  v: "
                       "f32[2] = placeholder\n"
                       "  j: i64[] = aten.sub.Tensor(i, 1)\n  b: f32[2] = aten.mul.Tensor(a, v)\n  "
                       "return j, b\n"),
            R"(module {
  func.func private @step(%arg0: !torch.vtensor<[],si64>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) {
    %0 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %1 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %2 = "torch.aten.sub.Scalar"(%arg0, %0, %1) : (!torch.vtensor<[],si64>, !torch.int, !torch.int) -> !torch.vtensor<[],si64>
    %3 = "torch.aten.mul.Tensor"(%arg1, %arg2) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
    "func.return"(%2, %3) : (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> ()
  }
  func.func private @test(%arg0: !torch.vtensor<[],si64>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[],i1>) {
    %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %1 = "torch.aten.gt.Scalar"(%arg0, %0) : (!torch.vtensor<[],si64>, !torch.int) -> !torch.vtensor<[],i1>
    "func.return"(%1) : (!torch.vtensor<[],i1>) -> ()
  }
  func.func @main(%arg0: !torch.vtensor<[],si64>, %arg1: !torch.vtensor<[2],f32>, %arg2: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>) attributes {torch.assume_strict_symbolic_shapes} {
    %0 = "func.call"(%arg0, %arg1, %arg2) <{callee = @test}> : (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[],i1>
    %1 = "torch.aten.Bool.Tensor"(%0) : (!torch.vtensor<[],i1>) -> !torch.bool
    %2 = "torch.constant.int"() <{value = 9223372036854775807 : i64}> : () -> !torch.int
    %3:2 = "torch.prim.Loop"(%2, %1, %arg0, %arg1) ({
    ^bb0(%iter0: !torch.int, %iter1: !torch.vtensor<[],si64>, %iter2: !torch.vtensor<[2],f32>):
      %4:2 = "func.call"(%iter1, %iter2, %arg2) <{callee = @step}> : (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>)
      %5 = "func.call"(%4#0, %4#1, %arg2) <{callee = @test}> : (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[],i1>
      %6 = "torch.aten.Bool.Tensor"(%5) : (!torch.vtensor<[],i1>) -> !torch.bool
      "torch.prim.Loop.condition"(%6, %4#0, %4#1) : (!torch.bool, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> ()
    }) : (!torch.int, !torch.bool, !torch.vtensor<[],si64>, !torch.vtensor<[2],f32>) -> (!torch.vtensor<[],si64>, !torch.vtensor<[2],f32>)
    "func.return"(%3#1) : (!torch.vtensor<[2],f32>) -> ()
  }
}
)");
}
TEST(ControlFlow, OperatorWithoutAFormIsAFindingAndItsSubgraphIsLeftOut) {
  const Imported imported = importText(
      "x: f32[2, 3] = placeholder\nf = get_attr\n"
      "m: (f32[2, 3],) = higher_order.map_impl(f, [x], [])\n"
      "g: f32[2, 3] = getitem(m, 0)\n"
      "return g\n"
      "graph f():\n  a: f32[3] = placeholder\n  return (a,)\n");
  verifyWithEngine(imported.text);
  EXPECT_EQ(imported.text.find("func.func private"), std::string::npos);
  ASSERT_EQ(imported.findings.size(), 1u);
  EXPECT_EQ(imported.findings[0].message,
            "'m' (higher_order.map_impl): the torch dialect cannot represent "
            "higher_order.map_impl; write the loop with while_loop, or "
            "unroll it");
}

}  // namespace
}  // namespace fxs::import::test
