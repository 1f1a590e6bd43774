// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contract/beyond_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mlir/text/document.h"
#include "output_type.h"
#include "program_from.h"

namespace fxs::contract {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> notesOn(const fx::Program& program, const std::string& text,
                                 import::Mode mode = import::Mode::Lowering) {
  const mlir::Document document(text);
  std::vector<std::string> out;
  for (const fx::Finding& f :
       beyondOutputs(program, mode, *test::outputType("tosa").operator->(), textOf(document))) {
    EXPECT_EQ(f.kind, "beyond-outputs");
    EXPECT_EQ(f.severity, fx::Severity::Note);
    out.push_back(f.nodeName + ": " + f.message);
  }
  return out;
}
std::vector<std::string> notesOn(const fx::ProgramPtr& program, const std::string& text) {
  return notesOn(*program, text);
}

TEST(BeyondOutputs, NothingIsSaidOfAProgramThatOnlyComputes) {
  EXPECT_THAT(notesOn(test::programFrom(
                          "x: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn y\n"),
                      "module {\n}\n"),
              IsEmpty());
}

TEST(BeyondOutputs, UpdatedStateIsReturnedNotStored) {
  fx::Program program = *test::programFrom(
      "k: f32[2] = placeholder\nx: f32[2] = placeholder\ny: f32[2] = aten.relu.default(x)\nreturn "
      "y, y\n");
  program.outputs[0].kind = fx::OutputKind::BufferMutation;
  program.outputs[0].target = "cache.k";
  EXPECT_THAT(
      notesOn(program, "module {\n}\n"),
      ElementsAre(
          "y: the program updates cache.k; the text returns the new values first, and starts "
          "every call from the stored ones"));
  EXPECT_THAT(notesOn(program, "module {\n}\n", import::Mode::Frozen), IsEmpty());
  program.outputs[0].kind = fx::OutputKind::UserInputMutation;
  program.outputs[0].target = "x";
  EXPECT_THAT(
      notesOn(program, "module {\n}\n"),
      ElementsAre(
          "y: the program writes to its inputs x; the text returns the new values first instead"));
}

TEST(BeyondOutputs, RandomNumbersAreDrawnOrConstants) {
  const auto program = test::programFrom(
      "x: f32[2] = placeholder\ny: f32[2] = aten.rand_like.default(x)\nreturn y\n");
  EXPECT_THAT(
      notesOn(program, "module {\n  %0 = stablehlo.rng %a, %b, %c : tensor<2xf32>\n}\n"),
      ElementsAre("y: the random numbers of y are not those of PyTorch: the text draws its own"));
  EXPECT_THAT(
      notesOn(program, "module {\n  %0 = tosa.log %a : (tensor<2xf32>) -> tensor<2xf32>\n}\n"),
      ElementsAre(
          "y: the random numbers of y are constants in the text: they are the same in every call"));
  // Neither is random in evaluation.
  for (const char* call :
       {"aten.dropout.default(x, 0.5, False)", "aten.rrelu.default(x, 0.1, 0.3, False)"})
    EXPECT_THAT(notesOn(test::programFrom("x: f32[2] = placeholder\ny: f32[2] = " +
                                          std::string(call) + "\nreturn y\n"),
                        "module {\n}\n"),
                IsEmpty());
  EXPECT_EQ(notesOn(test::programFrom("x: f32[2] = placeholder\ny: f32[2] = "
                                      "aten.dropout.default(x, 0.5, True)\nreturn y\n"),
                    "module {\n}\n")
                .size(),
            1u);
}

TEST(BeyondOutputs, AnAssertionIsInTheTextOrNot) {
  const auto program = test::programFrom(
      "x: f32[2] = placeholder\nc: Sym(1) = aten.sym_size.int(x, 0)\na = "
      "aten._assert_scalar.default(c, 'positive')\ny: f32[2] = "
      "aten.relu.default(x)\nreturn y\n");
  EXPECT_THAT(
      notesOn(program, "module {\n  cf.assert %c, \"positive\" loc(\"a\"(\"fx\":2:0))\n}\n"),
      IsEmpty());
  EXPECT_THAT(notesOn(program, "module {\n}\n"),
              ElementsAre("a: 1 assertion on data is not in the text, which computes on where "
                          "PyTorch raises an error"));
}

}  // namespace
}  // namespace fxs::contract
