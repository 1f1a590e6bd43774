// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/module_parts.h"

#include <gtest/gtest.h>

#include "module/function_parts.h"
#include "module/module_program.h"

namespace fxs::module {
namespace {

/// The same operation twice, a constant that cannot be an argument, a call, and a function without
/// results.
const std::string kModule = R"(#map = affine_map<(d0) -> (d0)>
module {
  func.func private @callee(tensor<4xf32>) -> tensor<4xf32> loc(#loc)
  func.func @main(%arg0: tensor<4xf32> loc("x"(#loc)), %arg1: tensor<4xf32> loc("y"(#loc))) -> tensor<4xf32> {
    %cst = arith.constant dense<1.000000e+00> : tensor<4xf32> loc("one"(#loc))
    %0 = math.exp %arg1 : tensor<4xf32> loc("e"(#loc))
    %1 = math.exp %0 : tensor<4xf32> loc("f"(#loc))
    %2 = arith.addf %1, %cst : tensor<4xf32> loc("a"(#loc))
    %3 = func.call @callee(%2) : (tensor<4xf32>) -> tensor<4xf32> loc("c"(#loc))
    return %3 : tensor<4xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
)";

struct Divided {
  explicit Divided(const std::string& printed)
      : program(programOf(printed, {printed, 0}, mlir::Module(printed), Locating::ByLocations,
                          "m.mlir", module, {})),
        parts(module.text, *program) {}

  fx::NodeId node(std::string_view name) const { return program->findNode(name)->id; }
  std::string alone(std::string_view name) const { return parts.alone(node(name)); }
  std::string without(const std::vector<std::string_view>& names) const {
    std::set<fx::NodeId> nodes;
    for (const std::string_view name : names) nodes.insert(node(name));
    const auto out = parts.without(nodes);
    return out ? *out : out.error().message;
  }
  /// The names of the nodes of each distinct operation.
  std::string distinct() const {
    std::string out;
    for (const import::DistinctOperation& operation : parts.distinct()) {
      for (const fx::NodeId id : operation.nodes) out += program->node(id).name + " ";
      out += "| ";
    }
    return out;
  }

  read::SourceModule module;
  fx::ProgramPtr program;
  ModuleParts parts;
};

TEST(ModuleParts, OperationsWithTheSameFunctionAreOne) {
  EXPECT_EQ(Divided(kModule).distinct(), "e f | a | c | ");
}

TEST(ModuleParts, AnOperationIsAFunctionOfItsOperands) {
  const Divided f(kModule);
  EXPECT_EQ(f.alone("f"), R"(module{
  func.func @main(%0: tensor<4xf32> loc("e"("fx":3:0))) -> (tensor<4xf32>) {
    %1 = math.exp %0 : tensor<4xf32> loc("f"("fx":4:0))
    "func.return"(%1) : (tensor<4xf32>) -> () loc("output"("fx":7:0))
  } loc(unknown)
}
)");
  EXPECT_EQ(f.alone("output"), "");
  EXPECT_EQ(f.alone("x"), "");
}

TEST(ModuleParts, ConstantsComeWithItAndDeclarationsThatItNames) {
  const Divided f(kModule);
  const std::string sum = f.alone("a"), call = f.alone("c");
  EXPECT_NE(
      sum.find("(%1: tensor<4xf32> loc(\"f\"(\"fx\":4:0))) -> (tensor<4xf32>) {\n    %cst = "),
      std::string::npos)
      << sum;
  EXPECT_EQ(sum.find("@callee"), std::string::npos) << sum;
  EXPECT_NE(call.find("func.func private @callee(tensor<4xf32>) -> tensor<4xf32>\n"),
            std::string::npos)
      << call;
}

TEST(ModuleParts, AliasesThatItNamesComeWithIt) {
  const Divided f(R"(#inner = #test.inner<"a">
#map = affine_map<(d0) -> (d0)>
#outer = #test.outer<#inner>
!t = tensor<4xf32>
module {
  func.func @main(%arg0: !t loc("x"(#loc))) -> !t {
    %0 = test.op %arg0 {a = #outer} : !t -> !t loc("e"(#loc))
    return %0 : !t loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
)");
  EXPECT_EQ(f.alone("e"), R"(#inner = #test.inner<"a">
#outer = #test.outer<#inner>
!t = tensor<4xf32>
module{
  func.func @main(%arg0: !t loc("x"("fx":0:0))) -> (!t) {
    %0 = test.op %arg0 {a = #outer} : !t -> !t loc("e"("fx":1:0))
    "func.return"(%0) : (!t) -> () loc("output"("fx":2:0))
  } loc(unknown)
}
)");
}

TEST(ModuleParts, WhatIsRemovedBecomesArguments) {
  const Divided f(kModule);
  const std::string out = f.without({"f", "c"});
  EXPECT_NE(
      out.find("func.func @main(%arg1: tensor<4xf32> loc(\"y\"(\"fx\":1:0)), %1: tensor<4xf32> "
               "loc(\"f\"(\"fx\":4:0))) -> (tensor<4xf32>, tensor<4xf32>) {\n"),
      std::string::npos)
      << out;
  EXPECT_NE(out.find("\"func.return\"(%0, %2) : (tensor<4xf32>, tensor<4xf32>) -> ()"),
            std::string::npos)
      << out;
  EXPECT_EQ(out.find("math.exp %0"), std::string::npos) << out;
  EXPECT_EQ(f.without({}), f.module.text);
}

TEST(ModuleParts, FunctionsOfSeveralBlocksHaveNone) {
  EXPECT_EQ(Divided(R"(module {
  func.func @main(%arg0: i32 loc(unknown)) -> i32 {
    %0 = math.absi %arg0 : i32 loc("a"(unknown))
    cf.br ^bb1 loc(unknown)
  ^bb1:  // pred: ^bb0
    return %0 : i32 loc(unknown)
  } loc(unknown)
} loc(unknown)
)")
                .distinct(),
            "");
}

TEST(FunctionParts, AFunctionOfOneOperationHasOnlyItsOwnArguments) {
  const std::string text = R"(module {
  func.func @main(%arg0: f32, %arg1: f32, %arg2: f32) -> (f32, f32) {
    %0 = arith.addf %arg2, %arg0 : f32
    %1 = arith.mulf %0, %arg1 : f32
    return %0, %1 : f32, f32
  }
}
)";
  const mlir::Module module(text);
  const auto parts = FunctionParts::read(module, mlir::OpId::of(1));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->items(), 4U);
  EXPECT_EQ(parts->alone(0), R"(func.func @main(%arg0: f32, %arg2: f32) -> (f32) {
    %0 = arith.addf %arg2, %arg0 : f32
    "func.return"(%0) : (f32) -> ()
  })");
  EXPECT_EQ(parts->moduleWith({1, 2, 3}), R"(module {
  func.func @main(%arg1: f32, %0: f32) -> (f32) {
    %1 = arith.mulf %0, %arg1 : f32
    "func.return"(%1) : (f32) -> ()
  }
}
)");
}

/// The program of a module has no nodes for the scalars of an argument: they are at its node.
TEST(ModuleParts, ScalarsOfAnArgumentComeWithTheirOperation) {
  const Divided f(R"(module {
  func.func @main(%arg0: !torch.vtensor<[?],f32> loc("x"(#loc))) -> !torch.vtensor<[?],f32> {
    %int0 = torch.constant.int 0 loc("add"(#loc))
    %int1 = torch.constant.int 1 loc("add"(#loc))
    %0 = torch.aten.size.int %arg0, %int0 : !torch.vtensor<[?],f32>, !torch.int -> !torch.int loc("add"(#loc))
    %1 = torch.aten.neg.int %0 : !torch.int -> !torch.int loc("add"(#loc))
    %2 = torch.aten.add.Scalar %arg0, %1, %int1 : !torch.vtensor<[?],f32>, !torch.int, !torch.int -> !torch.vtensor<[?],f32> loc("add"(#loc))
    return %2 : !torch.vtensor<[?],f32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
)");
  EXPECT_EQ(f.distinct(), "add | ");
  const std::string add = f.alone("add");
  for (const char* part :
       {"aten.size.int", "aten.neg.int", "aten.add.Scalar", "-> (!torch.vtensor<[?],f32>)"})
    EXPECT_NE(add.find(part), std::string::npos) << part << "\n" << add;
  EXPECT_EQ(f.without({"add"}).find("torch.aten."), std::string::npos) << f.without({"add"});
}

TEST(FunctionParts, NumbersAreReturnedIfNothingElseIs) {
  const std::string text = R"(module {
  func.func @main(%arg0: !torch.int, %arg1: !torch.int) -> !torch.int {
    %0 = torch.aten.neg.int %arg0 : !torch.int -> !torch.int
    %1 = torch.aten.add.int %0, %arg1 : !torch.int, !torch.int -> !torch.int
    return %1 : !torch.int
  }
}
)";
  const mlir::Module module(text);
  const auto parts = FunctionParts::read(module, mlir::OpId::of(1));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->alone(0), R"(func.func @main(%arg0: !torch.int) -> (!torch.int) {
    %0 = torch.aten.neg.int %arg0 : !torch.int -> !torch.int
    "func.return"(%0) : (!torch.int) -> ()
  })");
  EXPECT_EQ(parts->alone(1),
            R"(func.func @main(%arg0: !torch.int, %arg1: !torch.int) -> (!torch.int) {
    %0 = torch.aten.neg.int %arg0 : !torch.int -> !torch.int
    %1 = torch.aten.add.int %0, %arg1 : !torch.int, !torch.int -> !torch.int
    "func.return"(%1) : (!torch.int) -> ()
  })");
}

}  // namespace
}  // namespace fxs::module
