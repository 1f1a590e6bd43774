// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of passes are written only if they pass, and fail without the pass.
#include "lit/pass_test.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "table_runner.h"

namespace fxs::lit {
namespace {

struct Programs {
  std::string before = "\"a.b\"() : () -> ()\n", after = "\"a.c\"() : () -> ()\n";
  int fails = 0;            ///< exit code of the pass
  std::string checks = "";  ///< what FileCheck finds in its input; "": nothing
};

Result<std::string> written(const Programs& programs, bool hasFileCheck = true) {
  test::TableRunner runner;
  runner.on("/b/opt", [&](const Command& command) {
    const bool passes = std::any_of(command.argv.begin(), command.argv.end(), [](const auto& word) {
      return word == "--pass-pipeline=builtin.module(p)";
    });
    if (passes && programs.fails != 0)
      return test::exited(programs.fails, "", "x:1:1: error: illegal\n");
    return test::exited(0, passes ? programs.after : programs.before);
  });
  runner.on("/b/FileCheck", [&](const Command& command) {
    const bool found =
        !programs.checks.empty() && command.stdinText.find(programs.checks) != std::string::npos;
    return test::exited(found ? 0 : 1, "",
                        found ? "" : "input.mlir:3:11: error: CHECK: expected string not found\n");
  });
  Settings settings;
  settings.programs = {{"mlir-opt", "/b/opt"}};
  if (hasFileCheck) settings.programs["FileCheck"] = "/b/FileCheck";
  else settings.missing["FileCheck"] = "FileCheck-22 is not installed";
  settings.temporaryDir = testing::TempDir() + "fxs-pass-test";
  return writePassTest({"\"a.b\"() : () -> () loc(\"x\")\n", "mlir-opt", "builtin.module(p)"},
                       settings, runner, {});
}
std::string refusal(const Programs& programs, ErrorCode code, bool hasFileCheck = true) {
  const auto out = written(programs, hasFileCheck);
  EXPECT_FALSE(out.has_value());
  if (out) return *out;
  EXPECT_EQ(out.error().code, code);
  return out.error().message;
}

TEST(PassTest, HasThePassInItsRunLineAndNoLocations) {
  Programs programs;
  programs.checks = "a.c";
  const auto out = written(programs);
  ASSERT_TRUE(out.has_value()) << out.error().message;
  EXPECT_EQ(*out,
            "// RUN: mlir-opt '--pass-pipeline=builtin.module(p)' %s | FileCheck %s\n\n"
            "// CHECK: \"a.c\"() : () -> ()\n\n"
            "\"a.b\"() : () -> ()\n");
}

TEST(PassTest, IsRefusedIfItSaysNothingOfThePass) {
  Programs programs;
  programs.checks = "a.";
  EXPECT_EQ(refusal(programs, ErrorCode::Usage),
            "the test passes without 'builtin.module(p)' too, since CHECK lines name only what it "
            "leaves; it is not written");
}

TEST(PassTest, IsRefusedIfItDoesNotPass) {
  EXPECT_EQ(refusal({}, ErrorCode::Unsupported),
            "the test does not pass, so it is not written: line 3: CHECK: expected string not "
            "found");
  Programs failing;
  failing.fails = 1;
  EXPECT_EQ(refusal(failing, ErrorCode::InvalidInput),
            "the test cannot be made: mlir-opt ended with exit code 1, expected 0: x:1:1: error: "
            "illegal");
}

TEST(PassTest, IsNotWrittenUnverified) {
  EXPECT_EQ(refusal({}, ErrorCode::EngineFailed, false),
            "the test cannot be verified: line 1: the RUN: line runs 'FileCheck', which was not "
            "found: FileCheck-22 is not installed; it is not run");
}

}  // namespace
}  // namespace fxs::lit
