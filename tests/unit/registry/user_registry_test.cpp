// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/user_registry.h"

#include "lowered_text.h"

namespace fxs::registry::test {
namespace {

constexpr std::string_view kAcme = R"(# A comment.
registry acme
title Acme's operators

op acme.scale.default (x, beta)
  when float(x) and rank(x) >= 1
  when size(x, -1) != 1
  body
    // Scaled by a constant.
    %beta_splat = "arith.constant"() <{value = dense<${float beta}> : ${type x}}> : () -> ${type x}
    %r = "arith.mulf"(%x, %beta_splat) : (${type x}, ${type x}) -> tensor<${shape x}${element x}>
    return %r
  end

op SqrtOp (self)
  when element(self) == f64
  body
    return %self
  end
)";

std::shared_ptr<const Registry> acme(std::string_view text = kAcme) {
  const auto registry = readUserRegistry(text, "acme.fxreg");
  EXPECT_TRUE(registry) << (registry ? "" : registry.error().message);
  return registry ? *registry : nullptr;
}

DirectOptions with(std::shared_ptr<const Registry> registry) {
  DirectOptions options;
  options.user.push_back(std::move(registry));
  return options;
}

TEST(UserRegistry, AddsAnOperatorThatTheOthersLack) {
  EXPECT_EQ(
      body("x: f32[2, 3] = placeholder\ny: f32[2, 3] = acme.scale.default(x=x, beta=2)\nreturn y",
           with(acme())),
      "%n1_beta_splat = \"arith.constant\"() <{value = dense<2.0> : tensor<2x3xf32>}> : () -> "
      "tensor<2x3xf32>\n"
      "%n1_r = \"arith.mulf\"(%arg0, %n1_beta_splat) : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
      "tensor<2x3xf32>\n"
      "\"func.return\"(%n1_r) : (tensor<2x3xf32>) -> ()\n");
}

TEST(UserRegistry, EveryLineIsLocatedAtItsNode) {
  const std::string text =
      lowered(
          "x: f32[2, 3] = placeholder\ny: f32[2, 3] = acme.scale.default(x=x, beta=2)\nreturn y",
          with(acme()))
          .text;
  EXPECT_NE(text.find("%n1_r = \"arith.mulf\"(%arg0, %n1_beta_splat) : (tensor<2x3xf32>, "
                      "tensor<2x3xf32>) -> tensor<2x3xf32> "
                      "loc(\"y\"(\"fx\":1:0))\n"),
            std::string::npos)
      << text;
}

TEST(UserRegistry, AnExternalFunctionIsDeclaredOnceForItsTypes) {
  const std::string text =
      lowered(
          "x: f32[2] = placeholder\n"
          "a: f32[2] = acme.turn.default(x=x, angle=0.5, by=None)\n"
          "b: f32[2] = acme.turn.default(x=a, angle=0.5, by=None)\n"
          "c: (f32[2], f32[2]) = acme.turn.default(x=b, angle=0.5, by=b)\n"
          "d: f32[2] = getitem(c, 1)\nreturn d",
          with(acme(
              "registry acme\ntitle A\nop acme.turn.default (x, angle, by)\n  external turn\n")))
          .text;
  const std::string first =
      "\"func.call\"(%arg0, %0) <{callee = @turn}> : (tensor<2xf32>, f64) -> tensor<2xf32>";
  EXPECT_NE(text.find(first), std::string::npos) << text;
  EXPECT_NE(text.find("<{callee = @turn_1}> : (tensor<2xf32>, f64, tensor<2xf32>) -> "
                      "(tensor<2xf32>, tensor<2xf32>)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  }) : () -> () loc(\"x\"(\"fx\":0:0))\n"
                      "  \"func.func\"() <{function_type = (tensor<2xf32>, f64) -> "
                      "(tensor<2xf32>), sym_name = \"turn\", "
                      "sym_visibility = \"private\"}> ({\n  }) : () -> ()\n"
                      "  \"func.func\"() <{function_type = (tensor<2xf32>, f64, tensor<2xf32>) -> "
                      "(tensor<2xf32>, tensor<2xf32>), "
                      "sym_name = \"turn_1\", sym_visibility = \"private\"}> ({\n  }) : () -> "
                      "()\n}) : () -> ()\n"),
            std::string::npos)
      << text;
}

TEST(UserRegistry, AnExternalFunctionTakesTensorsAndNumbersOnly) {
  EXPECT_EQ(
      coverage(
          "x: f32[2] = placeholder\na: f32[2] = acme.turn.default(x=x, mode='left')\nreturn a",
          with(acme("registry acme\ntitle A\nop acme.turn.default (x, mode)\n  external turn\n"))),
      "a: refused 1\n  acme: an external function accepts tensors and numbers; 'mode' is "
      "neither\n");
}

TEST(UserRegistry, TwoCallsDoNotShareNames) {
  EXPECT_EQ(coverage("x: f32[2] = placeholder\na: f32[2] = acme.scale.default(x=x, beta=2)\nb: "
                     "f32[2] = acme.scale.default(x=a, beta=0.5)\nreturn b",
                     with(acme())),
            "a: lowered acme 2\nb: lowered acme 2\n");
}

TEST(UserRegistry, ACallThatDoesNotMeetItsConditionsIsRefusedInItsWords) {
  EXPECT_EQ(
      coverage("x: i64[2] = placeholder\ny: i64[2] = acme.scale.default(x=x, beta=2)\nreturn y",
               with(acme())),
      "y: refused 1\n  acme: condition not met: float(x)\n");
  EXPECT_EQ(
      coverage(
          "x: f32[2, 1] = placeholder\ny: f32[2, 1] = acme.scale.default(x=x, beta=2)\nreturn y",
          with(acme())),
      "y: refused 1\n  acme: condition not met: size(x, -1) != 1\n");
}

TEST(UserRegistry, AnOpClassIsAskedBeforeTheBuiltInRegistries) {
  EXPECT_EQ(
      coverage("x: f64[2] = placeholder\ny: f64[2] = aten.sqrt.default(x)\nreturn y", with(acme())),
      "y: lowered acme SqrtOp 0\n");
  EXPECT_EQ(
      coverage("x: f32[2] = placeholder\ny: f32[2] = aten.sqrt.default(x)\nreturn y", with(acme())),
      "y: lowered math SqrtOp 1\n  acme: condition not met: element(self) == f64\n");
}

TEST(UserRegistry, TheNextEntryOfAnOperatorIsAskedWhenOneDoesNotFit) {
  const auto registry = acme(
      "registry two\nop acme.f.default (x)\nwhen rank(x) == 1\nbody\nreturn %x\nend\n"
      "op acme.f.default (x)\nwhen integer(x)\nbody\nreturn %x\nend\n");
  EXPECT_EQ(coverage("x: i64[2, 2] = placeholder\ny: i64[2, 2] = acme.f.default(x=x)\nreturn y",
                     with(registry)),
            "y: lowered two 0\n");
  EXPECT_EQ(
      coverage("x: f32[2, 2] = placeholder\ny: f32[2, 2] = acme.f.default(x=x)\nreturn y",
               with(registry)),
      "y: refused 1\n  two: condition not met: rank(x) == 1; condition not met: integer(x)\n");
}

TEST(UserRegistry, ResultsOfAnotherTypeAreRefused) {
  const auto registry = acme("registry wrong\nop acme.f.default (x)\nbody\nreturn %x\nend\n");
  EXPECT_EQ(coverage("x: f32[2] = placeholder\ny: f32[3] = acme.f.default(x=x)\nreturn y",
                     with(registry)),
            "y: refused 1\n  wrong: its handler returns (tensor<2xf32>), but the program records "
            "(tensor<3xf32>)\n");
}

TEST(UserRegistry, RegionsAndPrettyFormsAreRenamedAndLocatedWhereTheyEnd) {
  const auto registry = acme(R"(registry loops
op acme.twice.default (x)
  body
    %e = tensor.empty() : ${type x}
    %a, %b = arith.addui_extended %x, %x : ${type x}, tensor<${shape x}i1>
    %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
        iterator_types = ["parallel"]} ins(%a : ${type x}) outs(%e : ${type x}) {
    ^bb0(%in: ${element x}, %out: ${element x}):
      linalg.yield %in : ${element x}
    } -> ${type x}
    return %r
  end
)");
  EXPECT_EQ(
      body("x: i64[4] = placeholder\ny: i64[4] = acme.twice.default(x=x)\nreturn y",
           with(registry)),
      "%n1_e = tensor.empty() : tensor<4xi64>\n"
      "%n1_a, %n1_b = arith.addui_extended %arg0, %arg0 : tensor<4xi64>, tensor<4xi1>\n"
      "%n1_r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
      "(d0)>],\n"
      "iterator_types = [\"parallel\"]} ins(%n1_a : tensor<4xi64>) outs(%n1_e : tensor<4xi64>) {\n"
      "^bb0(%n1_in: i64, %n1_out: i64):\n"
      "linalg.yield %n1_in : i64\n"
      "} -> tensor<4xi64>\n"
      "\"func.return\"(%n1_r) : (tensor<4xi64>) -> ()\n");
}

struct Wrong {
  std::string text, message;
};

class WrongRegistry : public testing::TestWithParam<Wrong> {};

TEST_P(WrongRegistry, HasOneClearError) {
  const auto registry = readUserRegistry(GetParam().text, "a.fxreg");
  ASSERT_FALSE(registry);
  EXPECT_EQ(registry.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(registry.error().message, GetParam().message);
}

std::string entry(const std::string& inside) {
  return "registry r\nop acme.f.default (x, y)\n" + inside;
}
std::string bodyOf(const std::string& lines) { return entry("body\n" + lines + "\nend\n"); }
std::string when(const std::string& condition) {
  return entry("when " + condition + "\nbody\nreturn %x\nend\n");
}

INSTANTIATE_TEST_SUITE_P(
    Texts, WrongRegistry,
    testing::Values(
        Wrong{"", "a.fxreg:1: expected 'registry NAME'; this file is empty"},
        Wrong{"title x\n", "a.fxreg:1: expected 'registry NAME', found 'title'"},
        Wrong{"registry\n", "a.fxreg:1: '' is not a registry name; use letters, digits and _"},
        Wrong{"registry my-ops\n",
              "a.fxreg:1: 'my-ops' is not a registry name; use letters, digits and _"},
        Wrong{"registry tosa\n", "a.fxreg:1: registry 'tosa' is built in; choose another name"},
        Wrong{"registry a\nregistry b\n",
              "a.fxreg:2: a file defines one registry; this is the second 'registry'"},
        Wrong{"registry a\ntitle x\ntitle y\n", "a.fxreg:3: the title is given twice"},
        Wrong{"registry a\n\n",
              "a.fxreg:2: registry 'a' has no entry; one begins with: op aten.relu.default (self)"},
        Wrong{"registry a\nopp x\n", "a.fxreg:2: expected 'op' or 'title', found 'opp'"},
        Wrong{"registry a\nop aten.relu.default\n",
              "a.fxreg:2: an entry begins with its operator and its arguments: op "
              "aten.relu.default (self)"},
        Wrong{"registry a\nop aten-relu (x)\n",
              "a.fxreg:2: 'aten-relu' is not an operator; write an FX target (aten.add.Tensor) or "
              "an op class (AddOp)"},
        Wrong{"registry a\nop AdOp (x)\n",
              "a.fxreg:2: 'AdOp' is not an op class; did you mean 'AddOp'?"},
        Wrong{"registry a\nop aten.rellu.default (self)\n",
              "a.fxreg:2: PyTorch has no 'aten.rellu.default'; did you mean 'aten.relu.default'?"},
        Wrong{"registry a\nop aten.relu (self)\n",
              "a.fxreg:2: 'aten.relu' lacks an overload; write 'aten.relu.default'"},
        Wrong{"registry a\nop aten.relu.default (x)\n",
              "a.fxreg:2: aten.relu.default has no argument 'x'; it has self"},
        Wrong{"registry a\nop a.f.default (1x)\n", "a.fxreg:2: '1x' is not an argument name"},
        Wrong{"registry a\nop a.f.default (x, x)\n", "a.fxreg:2: argument 'x' is repeated"},
        Wrong{"registry a\nop a.f.default (x,)\n",
              "a.fxreg:2: expected an argument after the comma"},
        Wrong{"registry a\nop a.f.default (result)\n",
              "a.fxreg:2: an argument cannot be named 'result', which refers to the node's result"},
        Wrong{entry(""), "a.fxreg:2: entry 'acme.f.default' has no body"},
        Wrong{entry("wehn float(x)\n"),
              "a.fxreg:3: expected 'when', 'body' or 'external', found 'wehn'"},
        Wrong{when(""), "a.fxreg:3: 'when' requires a condition, such as: when float(x)"},
        Wrong{when("flaot(x)"), "a.fxreg:3: unknown condition 'flaot'; did you mean 'float'?"},
        Wrong{when("float x"), "a.fxreg:3: unknown condition 'float x'; did you mean 'float'?"},
        Wrong{when("float"), "a.fxreg:3: condition 'float' requires arguments in parentheses"},
        Wrong{when("float(x, y)"), "a.fxreg:3: condition 'float' takes 1 argument, not 2"},
        Wrong{when("float(z)"),
              "a.fxreg:3: 'z' is not an argument of this entry; did you mean 'x'?"},
        Wrong{when("float(x) == 1"),
              "a.fxreg:3: '== 1' after condition 'float'; conditions are joined by 'and'"},
        Wrong{when("rank(x)"),
              "a.fxreg:3: condition 'rank' requires a comparison, such as rank(..) == 2"},
        Wrong{when("rank(x) == two"), "a.fxreg:3: 'two' is not an integer"},
        Wrong{when("size(x) == 2"), "a.fxreg:3: condition 'size' expects 2 arguments, got 1"},
        Wrong{when("size(x, last) == 2"), "a.fxreg:3: 'last' is not a dimension"},
        Wrong{when("element(x) < f32"),
              "a.fxreg:3: element types can only be compared with == or !="},
        Wrong{when("element(x) == "), "a.fxreg:3: '' is not an element type"},
        Wrong{entry("body\nreturn %x\n"), "a.fxreg:3: this body has no 'end'"},
        Wrong{bodyOf("%r = tosa.abs %x : t"),
              "a.fxreg:5: this body does not end with 'return' and the node's results"},
        Wrong{bodyOf("return"),
              "a.fxreg:4: 'return' requires the node's results, such as: return %r"},
        Wrong{bodyOf("return ${type x}"), "a.fxreg:4: 'return' expects values, such as %x"},
        Wrong{bodyOf("return %x\n%r = tosa.abs %x : t"),
              "a.fxreg:5: unexpected text after 'return'"},
        Wrong{bodyOf("%rest = tosa.abs %x : t\nreturn %resd"),
              "a.fxreg:5: %resd is neither an argument of this entry nor defined in its body; did "
              "you mean '%rest'?"},
        Wrong{bodyOf("%x = tosa.abs %y : t\nreturn %x"),
              "a.fxreg:4: %x is an argument and cannot be defined again"},
        Wrong{bodyOf("%r = tosa.abs % : t\nreturn %r"), "a.fxreg:4: '%' without a name"},
        Wrong{bodyOf("%r = tosa.abs %x : ${type x\nreturn %r"),
              "a.fxreg:4: '${' without '}' on its line"},
        Wrong{bodyOf("%r = tosa.abs %x : ${}\nreturn %r"),
              "a.fxreg:4: ${} is empty; write ${type x}, or ${x} for a constant argument"},
        Wrong{bodyOf("%r = tosa.abs %x : ${typ x}\nreturn %r"),
              "a.fxreg:4: unknown fact 'typ' in ${typ x}; did you mean 'type'?"},
        Wrong{bodyOf("%r = tosa.abs %x : ${type z}\nreturn %r"),
              "a.fxreg:4: 'z' is not an argument of this entry; did you mean 'x'?"},
        Wrong{bodyOf("%r = tosa.abs %x : ${z}\nreturn %r"),
              "a.fxreg:4: 'z' is not an argument of this entry; did you mean 'x'?"},
        Wrong{bodyOf("%r = tosa.abs %x : ${size x}\nreturn %r"),
              "a.fxreg:4: ${size x} requires a dimension: ${size x 0}"},
        Wrong{bodyOf("%r = tosa.abs %x : ${rank x 1}\nreturn %r"),
              "a.fxreg:4: unexpected '1' after 'x' in ${rank x 1}"},
        Wrong{bodyOf("%r = tosa.abs %x : ${float result}\nreturn %r"),
              "a.fxreg:4: 'float' applies to an argument, not to a result"},
        Wrong{bodyOf("%r = \"tosa.abs(%x) : t\nreturn %r"), "a.fxreg:4: unterminated string"},
        Wrong{bodyOf("%r = tosa.abs %x) : t\nreturn %r"), "a.fxreg:4: unmatched closing bracket"}));

}  // namespace
}  // namespace fxs::registry::test
