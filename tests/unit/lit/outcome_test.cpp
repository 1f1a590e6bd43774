// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ends of RUN lines say of a test with and without conditions.
#include "lit/outcome.h"

#include <gtest/gtest.h>

#include <string>

#include "table_runner.h"

namespace fxs::lit {
namespace {

std::string outcome(const std::string& text) {
  test::TableRunner runner;
  runner.on("fail", [](const Command&) { return test::exited(1, ""); });
  runner.on("/b", [](const Command&) { return test::exited(0, ""); });
  Settings settings;
  settings.programs = {{"mlir-opt", "/b/opt"}};
  settings.temporaryDir = testing::TempDir() + "fxs-lit-outcome";
  Test test = parseTest(text);
  skipUnsupported(test);
  const Plan planned = plan(test, settings);
  const auto ran = run(planned, text, runner, {});
  EXPECT_TRUE(ran.has_value());
  return ran ? std::string(name(outcomeOf(test, planned, *ran))) : std::string();
}

constexpr const char* kPasses = "// RUN: mlir-opt %s\n";
constexpr const char* kFails = "// RUN: mlir-opt fail\n";
constexpr const char* kIsSkipped = "// RUN: unknown\n";

TEST(LitOutcome, LinesThatAreNotRunDoNotFail) {
  EXPECT_EQ(outcome(kPasses), "passed");
  EXPECT_EQ(outcome(std::string(kPasses) + kIsSkipped), "passed");
  EXPECT_EQ(outcome(std::string(kPasses) + kFails), "failed");
  EXPECT_EQ(outcome(kIsSkipped), "not run");
  EXPECT_EQ(outcome("no test\n"), "not run");
}

TEST(LitOutcome, XfailIsExpectedToFail) {
  const std::string xfail = "// XFAIL: *\n";
  EXPECT_EQ(outcome(xfail + kFails), "failed as expected");
  EXPECT_EQ(outcome(xfail + kPasses), "passed unexpectedly");
  EXPECT_EQ(outcome(xfail + kPasses + kIsSkipped), "not run") << "the other line may fail";
  EXPECT_EQ(outcome(std::string("// XFAIL: windows\n") + kFails), "failed");
  EXPECT_TRUE(isFailure(TestOutcome::UnexpectedPass));
  EXPECT_FALSE(isFailure(TestOutcome::ExpectedFailure));
}

TEST(LitOutcome, ATestThatRunsNowhereIsNotRun) {
  EXPECT_EQ(outcome(std::string("// UNSUPPORTED: *\n") + kPasses), "not run");
  EXPECT_EQ(outcome(std::string("// REQUIRES: false\n") + kPasses), "not run");
  EXPECT_EQ(outcome(std::string("// UNSUPPORTED: windows\n// REQUIRES: asserts\n") + kPasses),
            "passed");
}

}  // namespace
}  // namespace fxs::lit
