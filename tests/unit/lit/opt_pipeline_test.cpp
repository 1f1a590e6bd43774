// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pipeline of a command, as its program prints it.
#include "lit/opt_pipeline.h"

#include <gtest/gtest.h>

#include "base/subprocess.h"
#include "real_engine.h"
#include "table_runner.h"

namespace fxs::lit {
namespace {

using test::exited;
using test::TableRunner;

Plan planOf(const std::string& line) {
  Settings settings;
  settings.programs = {{"mlir-opt", "/b/mlir-opt-22"}, {"FileCheck", "/b/FileCheck-22"}};
  settings.file = "/t/x.mlir";
  settings.temporaryDir = testing::TempDir() + "fxs-lit";
  return plan(parseTest("// RUN: " + line + "\n"), settings);
}

std::string pipeline(const Plan& plan, std::size_t stage, TableRunner& runner) {
  const auto out = pipelineOf(plan, stage, runner, {});
  return out ? *out : out.error().message;
}

TEST(OptPipeline, IsAskedOfTheProgramOnAnEmptyModule) {
  TableRunner runner;
  runner.on("/b/mlir-opt-22", [](const Command&) {
    return exited(0, "module {\n}\n",
                  "Pass Manager with 2 passes:\nbuiltin.module(\n  func.func(\n    "
                  "canonicalize{  max-iterations=10 top-down=true}\n  ),\n  cse\n)\n\n");
  });
  const Plan plan = planOf("mlir-opt %s -canonicalize -cse | FileCheck %s");
  EXPECT_EQ(pipeline(plan, 0, runner),
            "builtin.module(func.func(canonicalize{max-iterations=10 top-down=true}),cse)");
  ASSERT_EQ(runner.asked().size(), 1U);
  EXPECT_EQ(runner.asked()[0].argv,
            (std::vector<std::string>{"/b/mlir-opt-22", "x.mlir", "-canonicalize", "-cse",
                                      "--dump-pass-pipeline"}));
  EXPECT_EQ(runner.asked()[0].stdinText, "");
}

TEST(OptPipeline, IsPrintedByTheEngineWhateverElseTheLineAsksOfIt) {
  const auto engine = test::realEngine();
  if (!engine) GTEST_SKIP() << test::kNoEngine;
  PosixCommandRunner runner;
  Settings settings;
  settings.programs = {{"torch-mlir-opt", engine->path}};
  settings.file = "/t/x.mlir";
  settings.temporaryDir = testing::TempDir() + "fxs-lit";
  for (const char* options : {"", "-split-input-file", "-verify-diagnostics",
                              "-split-input-file -verify-diagnostics", "< %s -split-input-file"}) {
    const bool isRedirected = options[0] == '<';
    const std::string line = std::string("// RUN: torch-mlir-opt -convert-torch-to-linalg ") +
                             (isRedirected ? "" : "%s ") + options + "\n";
    const auto out = pipelineOf(plan(parseTest(line), settings), 0, runner, {});
    ASSERT_TRUE(out) << options << ": " << out.error().message;
    EXPECT_EQ(*out, "builtin.module(func.func(convert-torch-to-linalg{allow-non-finites=true}))")
        << options;
  }
}

TEST(OptPipeline, SaysWhyThereIsNone) {
  TableRunner runner;
  runner.on("-nope", [](const Command&) {
    return exited(1, "", "mlir-opt-22: Unknown command line argument '-nope'\nmore\n");
  });
  runner.on("/b/mlir-opt-22", [](const Command&) {
    return exited(0, "module {\n}\n", "Pass Manager with 0 passes:\nbuiltin.module(\n\n)\n");
  });
  EXPECT_EQ(
      pipeline(planOf("mlir-opt %s -nope"), 0, runner),
      "/b/mlir-opt-22 does not print its pipeline: mlir-opt-22: Unknown command line argument "
      "'-nope'");
  EXPECT_EQ(pipeline(planOf("mlir-opt %s"), 0, runner),
            "/b/mlir-opt-22 runs no passes in this line");
  EXPECT_EQ(pipeline(planOf("mlir-opt %s | FileCheck %s"), 1, runner),
            "/b/FileCheck-22 runs no pass pipeline");
}

TEST(Runs, OneIsRunWithThoseThatMayWriteItsFiles) {
  const lit::Test test = parseTest(
      "// RUN: mlir-opt %s -o %t\n// RUN: mlir-opt %s | FileCheck %s\n// RUN: FileCheck %s < %t\n");
  EXPECT_EQ(runsFor(test, 2), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(runsFor(test, 1), (std::vector<std::size_t>{1}));
  Settings settings;
  settings.programs = {{"mlir-opt", "/b/mlir-opt-22"}, {"FileCheck", "/b/FileCheck-22"}};
  settings.file = "/t/x.mlir";
  const Plan some = withRuns(plan(test, settings), runsFor(test, 2));
  ASSERT_EQ(some.stages.size(), 2U);
  EXPECT_EQ(some.stages[0].run, 0U);
  EXPECT_EQ(some.stages[1].run, 2U);
}

}  // namespace
}  // namespace fxs::lit
