// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fx/text.h"
#include "lower/split_run.h"
#include "output_type.h"
#include "real_engine.h"
#include "table_runner.h"

namespace fxs::lower {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Outcome = SplitPart::Outcome;

constexpr const char* kFailed =
    "module {\n}\n\n{-#\n  external_resources: {\n    mlir_reproducer: {\n    }\n  }\n#-}\n";

TEST(SplitRun, PartsAreToldApartInOrder) {
  const std::string out = std::string("module @a {\n}\n\n// -----\n") + kFailed +
                          "// -----\nmodule @c {\n}\n// -----\n" + kFailed;
  const std::string err =
      "fx:1:0: error: first\nx: note: Pipeline failed while executing [`A` on ..]\n"
      "fx:2:0: error: second\nx: note: Pipeline failed while executing [`B` on ..]\n";
  const auto parts = splitParts(out, err, 4);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].outcome, Outcome::Ok);
  EXPECT_EQ(parts[0].out, "module @a {\n}\n\n");
  EXPECT_EQ(parts[1].outcome, Outcome::Failed);
  EXPECT_EQ(parts[1].out, "module {\n}\n\n");
  EXPECT_THAT(parts[1].err, HasSubstr("first"));
  EXPECT_EQ(parts[2].outcome, Outcome::Ok);
  EXPECT_EQ(parts[3].outcome, Outcome::Failed);
  EXPECT_THAT(parts[3].err, HasSubstr("second"));
  EXPECT_THAT(parts[3].err, testing::Not(HasSubstr("first")));
}

TEST(SplitRun, WordsOfAnInvalidModuleAreNotTakenForItsNeighbours) {
  const std::string out = std::string("// -----\n") + kFailed + "// -----\n" + kFailed;
  const std::string err =
      "<stdin>:1:1: error: expected operation name\n"
      "fx:1:0: error: first\nx: note: Pipeline failed while executing [`A` on ..]\n"
      "fx:2:0: error: second\nx: note: Pipeline failed while executing [`B` on ..]\n";
  const auto parts = splitParts(out, err, 3);
  EXPECT_EQ(parts[0].outcome, Outcome::Unclear);
  EXPECT_EQ(parts[1].outcome, Outcome::Unclear);
  EXPECT_EQ(parts[2].outcome, Outcome::Failed);
}

TEST(SplitRun, OutputThatDoesNotFitAnswersNothing) {
  for (const SplitPart& part : splitParts("module {\n}\n", "", 2))
    EXPECT_EQ(part.outcome, Outcome::Unanswered);
  for (const SplitPart& part : splitParts("", "", 1)) EXPECT_EQ(part.outcome, Outcome::Unanswered);
}

/// Of an engine that is killed while it prints its last module; the text has as many parts as there
/// are modules.
TEST(SplitRun, WhatWasNotPrintedToItsEndIsNotAnswered) {
  const std::string_view modules[] = {"module @a {\n}\n", "module @b {\n}\n"};
  const auto cut = [](Exit exit) {
    exit.out = "module @a {\n}\n// -----\nmodule @b {\n  func.func @ma";
    return exit;
  };
  Exit killed, aborted;
  killed.reason = aborted.reason = ExitReason::Signalled;
  killed.signal = 9;
  aborted.signal = 6;
  Exit late;
  late.reason = ExitReason::TimedOut;
  for (const Exit& exit : {cut(killed), cut(aborted), cut(late), cut(test::exited(137, "")),
                           cut(test::exited(2, ""))}) {
    test::TableRunner runner;
    runner.on("-", [&](const Command&) { return exit; });
    const auto parts =
        runSplit({"/e", "LLVM 1", "", {}}, {{"", {modules[0], modules[1]}}}, {}, runner, {});
    ASSERT_TRUE(parts.has_value());
    for (const SplitPart& part : parts->front()) EXPECT_EQ(part.outcome, Outcome::Unanswered);
  }
}

/// An engine that is killed in the process of several modules, and then prints each by itself.
TEST(Batch, ModulesOfAKilledProcessAreRunAgain) {
  const auto program =
      fx::graphFrom("x: f32[4, 8] = placeholder\nn1: f32[4, 8] = aten.relu.default(x)\nreturn n1");
  ASSERT_TRUE(program.has_value());
  const std::string first = "module {\n  func.func @main() {\n    return\n  }\n}\n";
  for (const bool shared : {true, false}) {
    test::TableRunner runner;
    runner.on("-", [&](const Command& c) {
      if (shared && c.stdinText.find("// -----") == std::string::npos)
        return test::exited(0, c.stdinText);
      Exit exit = test::exited(0, c.stdinText.substr(0, c.stdinText.size() - 8));
      exit.reason = ExitReason::Signalled;
      exit.signal = 9;
      return exit;
    });
    const auto results =
        lowerBatch({first, first}, **program, {"/e", "LLVM 1", "", {}}, {}, runner, {});
    if (!shared) {
      // Even the pipeline cannot be tried.
      ASSERT_FALSE(results.has_value());
      EXPECT_EQ(results.error().code, ErrorCode::EngineFailed);
      continue;
    }
    ASSERT_TRUE(results.has_value());
    for (const BatchResult& result : *results) EXPECT_TRUE(result.ok());
  }
}

std::string unary(const std::string& op, int node) {
  return "func.func @main(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {\n  %0 "
         "= " +
         op + " %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc(\"n" +
         std::to_string(node) + "\"(\"fx\":" + std::to_string(node) +
         ":0))\n  return %0 : !torch.vtensor<[4,8],f32>\n}\n";
}
/// TOSA's pattern for slices reads an end that is no constant, and crashes.
std::string crashing(int node) {
  const std::string at =
      " loc(\"n" + std::to_string(node) + "\"(\"fx\":" + std::to_string(node) + ":0))\n";
  return "func.func @main(%arg0: !torch.vtensor<[4,8],f32>, %e: !torch.int) -> "
         "!torch.vtensor<[4,?],f32> {\n"
         "  %i0 = torch.constant.int 0\n  %i1 = torch.constant.int 1\n"
         "  %0 = torch.aten.slice.Tensor %arg0, %i1, %i0, %e, %i1 : !torch.vtensor<[4,8],f32>, "
         "!torch.int, !torch.int, !torch.int, "
         "!torch.int -> !torch.vtensor<[4,?],f32>" +
         at + "  return %0 : !torch.vtensor<[4,?],f32>\n}\n";
}
/// StableHLO's pattern for slice_scatter counts to the end, which is the largest integer.
std::string endless(int node) {
  return "func.func @main(%a: !torch.vtensor<[4,8],f32>, %s: !torch.vtensor<[4,2],f32>) -> "
         "!torch.vtensor<[4,8],f32> {\n"
         "  %d = torch.constant.int 1\n  %b = torch.constant.int -2\n  %e = torch.constant.int "
         "9223372036854775807\n"
         "  %0 = torch.aten.slice_scatter %a, %s, %d, %b, %e, %d : !torch.vtensor<[4,8],f32>, "
         "!torch.vtensor<[4,2],f32>, !torch.int, "
         "!torch.int, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32> loc(\"n" +
         std::to_string(node) + "\"(\"fx\":" + std::to_string(node) +
         ":0))\n  return %0 : !torch.vtensor<[4,8],f32>\n}\n";
}

class RealBatch : public testing::Test {
 protected:
  void SetUp() override {
    const auto engine = test::realEngine();
    if (!engine) GTEST_SKIP() << test::kNoEngine;
    engine_ = *engine;
    std::string text = "x: f32[4, 8] = placeholder\n";
    for (int i = 1; i < 20; ++i)
      text += "n" + std::to_string(i) + ": f32[4, 8] = aten.relu.default(x)\n";
    const auto program = fx::graphFrom(text + "return n1");
    ASSERT_TRUE(program.has_value()) << program.error().message;
    program_ = *program;
  }

  std::vector<std::string> summary(const std::vector<std::string>& modules,
                                   const OutputType& target, const LowerOptions& options = {}) {
    const auto results = lowerBatch(modules, {target}, *program_, engine_, options, runner_, {});
    EXPECT_TRUE(results.has_value()) << results.error().message;
    std::vector<std::string> out;
    for (const BatchResult& r : results->front()) {
      std::string line = std::string(name(r.status)) + " " + r.stage;
      if (!r.ok())
        line += " " + r.pass + " " +
                (r.findings.empty() ? "?"
                                    : r.findings.front().kind + " " + r.findings.front().nodeName);
      EXPECT_EQ(r.ok(), !r.text.empty());
      EXPECT_EQ(r.ok(), r.lastGood.empty());
      out.push_back(line);
    }
    return out;
  }

  PosixCommandRunner runner_;
  Engine engine_;
  fx::ProgramPtr program_;
};

TEST_F(RealBatch, EachModuleHasItsOwnFate) {
  EXPECT_THAT(
      summary({unary("torch.aten.tanh", 1), unary("torch.aten.erfinv", 2), crashing(3),
               "func.func @main( {", unary("torch.aten.relu", 5)},
              test::outputType("tosa")),
      ElementsAre("ok tosa", "failed tosa convert-torch-to-tosa illegal-op n2",
                  "crashed tosa ConvertTorchToTosa crash n3", "failed raw  verifier ", "ok tosa"));
}

TEST_F(RealBatch, ManyModulesKeepTheirOrder) {
  std::vector<std::string> modules, wanted;
  for (int i = 0; i < 40; ++i) {
    const bool bad = i % 7 == 3;
    modules.push_back(unary(bad ? "torch.aten.erfinv" : "torch.aten.tanh", 1 + i % 19));
    wanted.push_back(bad ? "failed tosa convert-torch-to-tosa illegal-op n" +
                               std::to_string(1 + i % 19)
                         : "ok tosa");
  }
  EXPECT_EQ(summary(modules, test::outputType("tosa")), wanted);
}

TEST_F(RealBatch, EndlessModuleCostsOnlyItself) {
  LowerOptions options;
  options.limits.timeout = 2s;
  options.limits.memory = std::uint64_t{16} << 30;
  EXPECT_THAT(summary({unary("torch.aten.tanh", 1), endless(2), unary("torch.aten.relu", 3)},
                      test::outputType("stablehlo"), options),
              ElementsAre("ok stablehlo", "timeout stablehlo ConvertTorchToStablehlo timeout n2",
                          "ok stablehlo"));
}

TEST_F(RealBatch, StagesThatTargetsShareFailAlikeForAll) {
  const std::vector<std::string> modules{unary("torch.operator \"torch.my.op\"", 1),
                                         unary("torch.aten.tanh", 2)};
  const auto results =
      lowerBatch(modules, {test::outputType("linalg-on-tensors"), test::outputType("stablehlo")},
                 *program_, engine_, LowerOptions{}, runner_, {});
  ASSERT_TRUE(results.has_value()) << results.error().message;
  for (const auto& target : *results) {
    EXPECT_FALSE(target[0].ok());
    EXPECT_TRUE(target[1].ok());
  }
  EXPECT_EQ(results->at(0)[0].message, results->at(1)[0].message);
}

TEST_F(RealBatch, StopIsCancelled) {
  std::stop_source stop;
  stop.request_stop();
  RunContext context;
  context.stop = stop.get_token();
  const auto results = lowerBatch({unary("torch.aten.tanh", 1)}, {test::outputType("tosa")},
                                  *program_, engine_, LowerOptions{}, runner_, context);
  ASSERT_FALSE(results.has_value());
  EXPECT_EQ(results.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace fxs::lower
