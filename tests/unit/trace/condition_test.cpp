// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/condition.h"

#include <gtest/gtest.h>

namespace fxs::trace {
namespace {

std::string wrongOf(std::string_view text) {
  const auto condition = conditionFrom(text);
  return condition ? "it is one" : condition.error().message;
}

TEST(Condition, IsTermsAndAnEvent) {
  const auto condition =
      conditionFrom("  op=linalg.* text~/dims = \\[0/ node=\"a b\" type=f16 vanishes ");
  ASSERT_TRUE(condition.has_value()) << condition.error().message;
  EXPECT_EQ(condition->text, "op=linalg.* text~/dims = \\[0/ node=\"a b\" type=f16 vanishes");
  EXPECT_EQ(condition->event, Event::Vanishes);
  ASSERT_EQ(condition->terms.size(), 4u);
  EXPECT_TRUE(condition->terms[0].pattern->matches("linalg.generic"));
  EXPECT_FALSE(condition->terms[0].pattern->matches("xlinalg.generic"));
  EXPECT_FALSE(condition->terms[0].pattern->matches("linalgxgeneric"));
  EXPECT_TRUE(condition->terms[1].pattern->matches("{dims = [0]}"));
  EXPECT_EQ(condition->terms[2].node, "a b");
  EXPECT_EQ(condition->terms[3].type, "f16");
}

TEST(Condition, HasOtherForms) {
  const auto count = conditionFrom("count(op=a.b) >= 12");
  ASSERT_TRUE(count.has_value()) << count.error().message;
  EXPECT_EQ(count->comparison, Comparison::AtLeast);
  EXPECT_EQ(count->count, 12u);
  EXPECT_TRUE(conditionFrom("count(text~\"(\")<3").has_value());
  const auto cast = conditionFrom("type f32 -> bf16 appears");
  ASSERT_TRUE(cast.has_value()) << cast.error().message;
  EXPECT_EQ(cast->terms.front().type + cast->terms.front().toType, "f32bf16");
  EXPECT_EQ(conditionFrom("size static")->event, Event::SizeStatic);
  EXPECT_EQ(conditionFrom("type  changes")->event, Event::TypeChanges);
  EXPECT_EQ(conditionFrom("node=\"a b\" size static")->event, Event::SizeStatic);
  EXPECT_EQ(conditionFrom("node=x type changes")->terms.front().node, "x");
  EXPECT_EQ(conditionFrom("type=f32 changes")->event, Event::Changes);
  EXPECT_EQ(conditionFrom("origins  lost")->event, Event::OriginsLost);
  EXPECT_EQ(conditionFrom("fails")->event, Event::Fails);
  EXPECT_TRUE(conditionFrom("match /a b/")->expression->matches("xA by"));
  EXPECT_TRUE(conditionFrom("match a.b")->expression->matches("axb"));
}

TEST(Condition, HasTermsThatAreReadAlone) {
  const auto terms = opTermsFrom("op=a.* line=12");
  ASSERT_TRUE(terms.has_value()) << terms.error().message;
  EXPECT_EQ((*terms)[1].number, 12u);
  EXPECT_EQ(opTermsFrom("line=x").error().message, "condition: line=: expected a number, got 'x'");
  EXPECT_EQ(wrongOf("line=12 changes"),
            "condition: line=: lines are those of one module, and a condition is about all");
}

TEST(Condition, SaysWhatIsWrong) {
  constexpr std::string_view kExpected =
      "expected one such as 'op=linalg.generic appears', 'node=softmax changes', "
      "'count(op=linalg.*) > 3', 'type=f64 vanishes', 'type f32 -> f16 appears', 'size static', "
      "'type changes', 'origins lost', 'match /dense<1/' or 'fails'";
  EXPECT_EQ(wrongOf(" "), "condition: " + std::string(kExpected));
  EXPECT_EQ(wrongOf("fail"),
            "condition: 'fail': " + std::string(kExpected) + "; did you mean 'fails'?");
  EXPECT_EQ(wrongOf("op=a.b apears"),
            "condition: 'apears': expected appears, vanishes or changes at the end; did you mean "
            "'appears'?");
  EXPECT_EQ(wrongOf("op=a.b"),
            "condition: 'op=a.b': expected appears, vanishes or changes at the end");
  EXPECT_EQ(
      wrongOf("nod=a changes"),
      "condition: unknown key 'nod'; keys are op, text, node, type, line; did you mean 'node'?");
  EXPECT_EQ(wrongOf("linalg.generic appears"),
            "condition: 'linalg.generic': expected op=.., text~.., node=.. or type=..");
  EXPECT_EQ(wrongOf("appears"), "condition: expected op=.., text~.., node=.. or type=..");
  EXPECT_EQ(wrongOf("op= appears"), "condition: op=: expected a value");
  EXPECT_EQ(wrongOf("op~/( appears"), "condition: expected a closing /");
  EXPECT_EQ(wrongOf("op~/(/ appears"), "condition: not a regular expression: missing ): (");
  EXPECT_EQ(wrongOf("type=float32 appears"),
            "condition: unknown element type 'float32'; expected one of MLIR, such as f32, bf16, "
            "i64, si64 or index; did you mean 'f32'?");
  EXPECT_EQ(wrongOf("type f32 f16 appears"),
            "condition: type: expected 'type f32 -> f16', or type=f32 for one type");
  EXPECT_EQ(wrongOf("size dynamic"), "condition: expected 'size static'");
  EXPECT_EQ(wrongOf("match a b"),
            "condition: match: put an expression with spaces between slashes: match /a b/");
  EXPECT_EQ(wrongOf("count(op=a) = 3"),
            "condition: expected count(op=..) and then >, >=, ==, <= or < with a number, such as "
            "'count(op=linalg.*) > 3'");
  EXPECT_EQ(wrongOf(std::string(10'001, 'a')), "condition: at most 10000 characters");
}

}  // namespace
}  // namespace fxs::trace
