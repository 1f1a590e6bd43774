#include "session/fixed_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "program_from.h"

namespace fxs::session {
namespace {

using fxs::test::programFrom;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(FixedForm, WeightsHaveNamesThatAreAttributesInPython) {
  std::vector<fx::NodeId> changed;
  const fx::ProgramPtr program = withAttributeNames(programFrom("p: f32[4] = parameter 'blocks.lambda.weight'\n"
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
  const fx::ProgramPtr program = withoutConstantResults(programFrom("x: f32[4] = placeholder\n"
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

TEST(FixedForm, FillsOfBytesAreConversions) {
  std::vector<fx::NodeId> changed;
  const auto program = withConvertedFills(programFrom("x: u8[3] = placeholder\n"
                                                      "f: u8[3] = aten.full.default([3], 4, dtype=torch.uint8, device=cpu)\n"
                                                      "g: f32[3] = aten.full.default([3], 4, dtype=torch.float32, device=cpu)\n"
                                                      "y: u8[3] = aten.add.Tensor(x, f)\n"
                                                      "return y, g"),
                                          changed, {});
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ((*program)
                ->node((*program)->findNode("y")->args[1].value.node() != nullptr ? *(*program)->findNode("y")->args[1].value.node()
                                                                                  : fx::NodeId{})
                .target,
            "prims.convert_element_type.default");
}

}  // namespace
}  // namespace fxs::session
