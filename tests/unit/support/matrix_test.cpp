// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/matrix.h"

#include <gtest/gtest.h>

#include "fx/text.h"
#include "output_type.h"
#include "support/agreement.h"

namespace fxs::support {
namespace {

using State = Outcome::State;

// Programs of aten.relu.default: f32 static, f16 static, f32 dynamic, f16 dynamic.
constexpr std::string_view kRelu =
    "operator aten.relu.default\n"
    "f32 f16\tstatic\t1\ta: T[2, 3]\tr: T[2, 3] = aten.relu.default(a)\treturn r\n"
    "f32 f16\tdynamic\t1\ta: T[s0, s1]\tr: T[s0, s1] = aten.relu.default(a)\treturn r\n";

class MatrixTest : public testing::Test {
 protected:
  Calls calls_ = *Calls::parse(kRelu);
  Matrix matrix_{calls_, {"LLVM 23.0.0git", std::string(64, 'a'), "2026.10"}, {"tosa"}};
  const Operator& relu_ = calls_.operators().front();

  void setAll(std::initializer_list<State> states) {
    std::size_t program = 0;
    for (const State state : states)
      matrix_.set(relu_, program++, 0, {state, diagnose::Kind::NoPattern});
  }
  std::string message() const { return verdictOf(matrix_, relu_, 0).message; }
};

TEST_F(MatrixTest, VerdictNamesSizesAndElementTypes) {
  EXPECT_EQ(message(), "not measured");
  setAll({State::Lowers, State::Lowers, State::Lowers, State::Lowers});
  EXPECT_EQ(message(), "lowers");
  setAll({State::OnlyRewritten, State::OnlyRewritten, State::OnlyRewritten, State::OnlyRewritten});
  EXPECT_EQ(message(), "lowers; only with rewrites");
  setAll({State::Lowers, State::Lowers, State::Blocked, State::Blocked});
  EXPECT_EQ(message(), "only static sizes");
  setAll({State::Lowers, State::Blocked, State::Lowers, State::Blocked});
  EXPECT_EQ(message(), "only f32");
  setAll({State::Lowers, State::Blocked, State::Blocked, State::Blocked});
  EXPECT_EQ(message(), "only f32; only static sizes");
  setAll({State::Lowers, State::Lowers, State::Lowers, State::Blocked});
  EXPECT_EQ(message(), "only static sizes for f16");
  setAll({State::Blocked, State::Lowers, State::Lowers, State::Lowers});
  EXPECT_EQ(message(), "some forms: 3 of 4 measured programs lower");
  setAll({State::Blocked, State::Blocked, State::Blocked, State::Blocked});
  EXPECT_EQ(message(),
            "never lowers (" + std::string(diagnose::title(diagnose::Kind::NoPattern)) + ")");
}

TEST_F(MatrixTest, PrintedMatrixParsesToTheSame) {
  setAll({State::Lowers, State::OnlyRewritten, State::OnlyExported, State::Blocked});
  const std::string text = matrix_.print();
  EXPECT_EQ(text, "fxscope-support 1\nengine " + std::string(64, 'a') +
                      "\nversion LLVM 23.0.0git\nrelease 2026.10\ncalls " + calls_.checksum() +
                      "\ntargets tosa\naten.relu.default LRXd\n");
  const auto parsed = Matrix::parse(text, "m.txt", calls_);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->print(), text);
  EXPECT_EQ(parsed->missing(), 0U);
}

TEST_F(MatrixTest, AnotherTextIsRefused) {
  const auto message = [&](const std::string& text) {
    return Matrix::parse(text, "m.txt", calls_).error().message;
  };
  const std::string again = "; measure again with 'fxscope-cli support --measure'";
  EXPECT_EQ(message("nothing"), "m.txt: expected 'fxscope-support 1' in line 1" + again);
  EXPECT_EQ(message("fxscope-support 1\n"), "m.txt: expected the line 'engine ..'" + again);
  EXPECT_EQ(message("fxscope-support 1\nengine e\nversion v\nrelease \ncalls 0\n"),
            "m.txt: it was measured with the calls of another version of fxscope" + again);
  std::string text = matrix_.print();
  EXPECT_EQ(message(text + "aten.relu.default L\n"),
            "m.txt: a line is not an operator with its outcomes" + again);
  EXPECT_EQ(message(text + "aten.relu.default LLL~\n"),
            "m.txt: a line is not an operator with its outcomes" + again);
  EXPECT_EQ(message(text + "aten.exp.default LLLL\n"),
            "m.txt: a line is not an operator with its outcomes" + again);
}

TEST_F(MatrixTest, SinceTheOldestEngineWithTheSameStanding) {
  const auto of = [&](const std::string& release, State state) {
    Matrix matrix(calls_, {"LLVM 23.0.0git", release, release}, {"tosa"});
    for (std::size_t i = 0; i < relu_.programs(); ++i)
      matrix.set(relu_, i, 0, {state, diagnose::Kind::NoPattern});
    return matrix;
  };
  const Matrix old = of("2026.9.30", State::Blocked), middle = of("2026.10.9", State::Lowers),
               newest = of("2026.11.1", State::Lowers);
  EXPECT_EQ(sinceWhen({&newest, &old, &middle}, relu_, "tosa")->title(), "2026.10.9");
  EXPECT_FALSE(sinceWhen({&newest, &middle}, relu_, "tosa"));
  EXPECT_FALSE(sinceWhen({&newest}, relu_, "tosa"));
}

TEST_F(MatrixTest, ACallOfAnotherFormIsToldApart) {
  setAll({State::Lowers, State::Lowers, State::Lowers, State::Lowers});
  const auto program = fx::graphFrom(
      "x: f32[4, 5] = placeholder\nz: f32[5] = placeholder\ny: f32[4, 5] = "
      "aten.relu.default(x)\nw: f32[5] = aten.relu.default(z)\n"
      "return y, w\n");
  ASSERT_TRUE(program) << program.error().message;
  diagnose::Diagnosis diagnosis;
  diagnosis.targets.emplace_back().target = test::outputType("tosa");
  diagnosis.targets.back().lowers = true;
  diagnosis.support.push_back({"aten.relu.default", {{2, 0, true, 0}}});
  std::vector<Compared> compared = compare(matrix_, **program, diagnosis);
  ASSERT_EQ(compared.size(), 2U);
  EXPECT_EQ(name(compared[0].agreement), "same-form");
  EXPECT_EQ(name(compared[1].agreement), "other-form");
  diagnose::Blocked blocked;
  blocked.target = test::outputType("tosa");
  blocked.nodes = {compared[0].node, compared[1].node};
  diagnosis.blocked.push_back(blocked);
  compared = compare(matrix_, **program, diagnosis);
  EXPECT_EQ(name(compared[0].agreement), "differs");
  EXPECT_EQ(name(compared[1].agreement), "other-result");
}

TEST(BuiltinMatrix, IsOfEveryBuiltInCall) {
  const Matrix* matrix = Matrix::builtin();
  ASSERT_NE(matrix, nullptr);
  EXPECT_EQ(matrix->targets().size(), 3U);
  EXPECT_LE(matrix->missing() * 100, matrix->programs());
}

}  // namespace
}  // namespace fxs::support
