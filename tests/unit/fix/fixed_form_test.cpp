// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fix/fixed_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::fix {
namespace {

using fxs::test::programFrom;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FixedForm, WeightsHaveNamesThatAreAttributesInPython) {
  std::vector<fx::NodeId> changed;
  const fx::ProgramPtr program =
      withAttributeNames(programFrom("p: f32[4] = parameter 'blocks.lambda.weight'\n"
                                     "q: f32[4] = parameter 'blocks.lambda_.weight'\n"
                                     "b: f32[4] = buffer 'a,b.0'\n"
                                     "x: f32[4] = placeholder\n"
                                     "y: f32[4] = aten.add.Tensor(x, p)\n"
                                     "return y"),
                         changed);
  std::vector<std::string> names;
  for (const fx::InputSpec& input : program->inputs) names.push_back(input.target);
  EXPECT_THAT(names, ElementsAre("blocks.lambda_.weight_", "blocks.lambda_.weight", "a,b.0", ""));
  EXPECT_EQ(changed.size(), 1U);
}

TEST(FixedForm, ResultsThatAreConstantsAreLeftOut) {
  std::vector<std::string> results;
  const fx::ProgramPtr program =
      withoutConstantResults(programFrom("x: f32[4] = placeholder\n"
                                         "y: f32[4] = aten.neg.default(x)\n"
                                         "return None, y, 3, 'it\\'s', inf, True, x"),
                             results);
  EXPECT_THAT(results, ElementsAre("None", "", "3", "\"it's\"", "float('inf')", "True", ""));
  EXPECT_EQ(program->outputs.size(), 2U);
  EXPECT_TRUE(fx::verify(*program));
  results.clear();
  const fx::ProgramPtr none = programFrom("x: f32[4] = placeholder\nreturn None, 3");
  EXPECT_EQ(withoutConstantResults(none, results), none);
  EXPECT_THAT(results, IsEmpty());
}

/// The scalars of a program that is made importable, by name, and what its result takes.
std::string scalarsOf(const std::string& function) {
  const auto program = withImportableForm(programFrom("x: f32[s0] = placeholder\n"
                                                      "y: f32[s1] = placeholder\n"
                                                      "a: Sym(s0) = aten.sym_size.int(x, 0)\n"
                                                      "b: Sym(s1) = aten.sym_size.int(y, 0)\n"
                                                      "more: Sym(s0 + 3) = _operator.add(a, 3)\n"
                                                      "m: " +
                                                      function +
                                                      "\n"
                                                      "z: f32[s2] = aten.zeros.default([m])\n"
                                                      "return z"),
                                          {});
  EXPECT_TRUE(program) << program.error().message;
  if (!program) return {};
  EXPECT_TRUE(fx::verify(**program));
  std::string out;
  for (const fx::Node& node : (*program)->nodes) {
    if (node.name == "z") out += "z" + fx::dumpArgument(**program, node.args.front().value);
    if (!node.target.starts_with("_operator.") || node.name == "more") continue;
    out += node.name + " = " + node.target.substr(node.target.find('.') + 1);
    for (const fx::NodeArgument& argument : node.args)
      out += " " + fx::dumpArgument(**program, argument.value);
    out += " : " + fx::dumpValue(node.val) + "\n";
  }
  return out;
}

TEST(FixedForm, TheLargerOfSizesIsComputedByWhatTheImporterHas) {
  EXPECT_EQ(scalarsOf("Sym(Max(s0, s1)) = torch.sym_max(a, b)"),
            "sub = sub %a %b : Sym(s0 - s1)\n"
            "floordiv = floordiv %sub 1099511627776 : Sym(((s0 - s1)//1099511627776))\n"
            "add = add %floordiv 1 : Sym((((s0 - s1)//1099511627776)) + 1)\n"
            "mul = mul %sub %add : Sym(s0*(((s0 - s1)//1099511627776)) + s0 - s1*(((s0 - "
            "s1)//1099511627776)) - s1)\n"
            "add_1 = add %b %mul : Sym(Max(s0, s1))\n"
            "z[%add_1]");
  EXPECT_EQ(scalarsOf("Sym(Min(4, s0)) = torch.sym_min(a, 4)"),
            "sub = sub %a 4 : Sym(s0 - 4)\n"
            "floordiv = floordiv %sub 1099511627776 : Sym(((s0 - 4)//1099511627776))\n"
            "add = add %floordiv 1 : Sym((((s0 - 4)//1099511627776)) + 1)\n"
            "mul = mul %sub %add : Sym(s0*(((s0 - 4)//1099511627776)) + s0 - 4*(((s0 - "
            "4)//1099511627776)) - 4)\n"
            "sub_1 = sub %a %mul : Sym(Min(4, s0))\n"
            "z[%sub_1]");
  // A difference that is a number says which is the larger.
  EXPECT_EQ(scalarsOf("Sym(s0 + 3) = torch.sym_max(a, more)"), "z[%more]");
  EXPECT_EQ(scalarsOf("Sym(s0) = torch.sym_min(a, more)"), "z[%a]");
}

TEST(FixedForm, FillsOfBytesAreConversions) {
  std::vector<fx::NodeId> changed;
  const auto program = withConvertedFills(
      programFrom("x: u8[3] = placeholder\n"
                  "f: u8[3] = aten.full.default([3], 4, dtype=torch.uint8, device=cpu)\n"
                  "g: f32[3] = aten.full.default([3], 4, dtype=torch.float32, device=cpu)\n"
                  "y: u8[3] = aten.add.Tensor(x, f)\n"
                  "return y, g"),
      changed, {});
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ((*program)
                ->node((*program)->findNode("y")->args[1].value.node() != nullptr
                           ? *(*program)->findNode("y")->args[1].value.node()
                           : fx::NodeId{})
                .target,
            "prims.convert_element_type.default");
}

TEST(FixedForm, UnusedNumbersAreLeftOut) {
  const auto program = withoutUnusedNumbers(programFrom("x: f32[4] = placeholder\n"
                                                        "m: i64[] = aten.mul.Tensor(2, 2)\n"
                                                        "n: None = aten.item.default(m)\n"
                                                        "y: f32[4] = aten.neg.default(x)\n"
                                                        "return y"),
                                            {});
  ASSERT_TRUE(program.has_value());
  std::vector<std::string> targets;
  for (const fx::Node& node : (*program)->nodes)
    if (node.op == fx::NodeOp::CallFunction) targets.push_back(node.target);
  EXPECT_THAT(targets, ElementsAre("aten.neg.default"));
}

TEST(FixedForm, MutatedInputsHaveNamesThatPyTorchFinds) {
  auto given =
      std::make_shared<fx::Program>(*programFrom("input: f32[4] = placeholder\n"
                                                 "input_1: f32[4] = aten.add.Tensor(input, 1)\n"
                                                 "return input_1, input_1"));
  given->outputs[0].kind = fx::OutputKind::UserInputMutation;
  given->outputs[0].target = "input";
  const fx::ProgramPtr program = withFoundMutations(given);
  EXPECT_EQ(program->outputs[0].target, "input_2");
  EXPECT_EQ(program->node(program->inputs[0].node).name, "input_2");
}

TEST(FixedForm, ViewsAreThoseOfAten) {
  const fx::ProgramPtr program =
      withAtenViews(programFrom("x: f32[1, 4] = placeholder\n"
                                "y: f32[1, 4] = prims.view_of.default(x)\n"
                                "z: f32[4] = prims.squeeze.default(y, [0])\n"
                                "return z"));
  std::vector<std::string> targets;
  for (const fx::Node& node : program->nodes)
    if (node.op == fx::NodeOp::CallFunction) targets.push_back(node.target);
  EXPECT_THAT(targets, ElementsAre("aten.alias.default", "aten.squeeze.dims"));
}

}  // namespace
}  // namespace fxs::fix
