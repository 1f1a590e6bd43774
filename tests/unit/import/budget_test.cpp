// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the import writes is bounded before it is written.
#include <gtest/gtest.h>

#include "import/import.h"
#include "imported_text.h"

namespace fxs::import {
namespace {

/// The message with which the import of a text ends when it may write that much; "" when it does
/// not.
std::string messageOf(const std::string& text, std::uint64_t bytes,
                      const ImportOptions& options = {}) {
  const auto program = fx::graphFrom(text);
  if (!program) return program.error().message;
  RunContext context;
  BudgetLimits limits;
  limits[Resource::Text] = bytes;
  context.budget = std::make_shared<const Budget>(limits);
  try {
    return importProgram(**program, options, context) ? "" : "an error";
  } catch (const Abandoned& abandoned) {
    return abandoned.error.message;
  }
}

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += (i == 0 ? "" : ", ") + part;
  return out;
}

TEST(ImportBudget, ALongTypeThatIsTakenOftenIsCountedEachTime) {
  const std::string type = "f32[" + repeated("2", 1000) + "]";
  EXPECT_EQ(messageOf("x: " + type + " = placeholder\ncat: " + type + " = aten.cat.default([" +
                          repeated("x", 1000) + "])\nreturn cat\n",
                      1'000'000),
            "\"cat\": exceeds the limit of 1,000,000 bytes of text for one input; if you trust it, "
            "raise the limit with --limit text=..");
}

TEST(ImportBudget, ALongNameIsCountedAtEachOperation) {
  const std::string name(1000, 'n');
  EXPECT_EQ(messageOf("x: f32[2] = placeholder\n" + name + ": f32[2] = aten.view.default(x, [" +
                          repeated("1", 1000) + "])\nreturn " + name + "\n",
                      1'000'000),
            "\"" + name +
                "\": exceeds the limit of 1,000,000 bytes of text for one input; if you trust it, "
                "raise the limit with --limit text=..");
}

TEST(ImportBudget, AnOrdinaryProgramIsFarFromIt) {
  EXPECT_EQ(messageOf("x: f32[2] = placeholder\nrelu: f32[2] = aten.relu.default(x)\nreturn relu\n",
                      1'000),
            "");
}

TEST(ImportBudget, ATowerOfPowersIsNoShape) {
  // x ** 16 is written as multiplications: eight times over it would be four billion of them.
  std::string size = "s0";
  for (int i = 0; i < 8; ++i) size = "(" + size + ")**16";
  ImportOptions options;
  options.symbolicShapes = true;
  const Imported imported =
      test::importText("x: f32[s0] = placeholder\ny: f32[" + size +
                           "] = my.op.default(x)\nreturn y\n\nRange constraints: {s0: VR[2, 9]}",
                       options);
  EXPECT_LT(imported.text.size(), 10'000u);
  ASSERT_FALSE(imported.findings.empty());
  EXPECT_TRUE(imported.findings.back().message.ends_with(
      "is not an affine expression, so the shape is not bound"))
      << imported.findings.back().message;
}

}  // namespace
}  // namespace fxs::import
