// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "fake_engine.h"
#include "fx/text.h"
#include "lower/no_answer.h"
#include "output_type.h"
#include "table_runner.h"

namespace fxs::lower {
namespace {

using namespace std::chrono_literals;
using test::exited;
using test::fakeEngine;
using test::TemporaryDirectory;
using testing::ElementsAre;
using testing::HasSubstr;

fx::ProgramPtr program() {
  auto p = fx::graphFrom(
      "x: f32[2, 3] = placeholder\ny: f32[2, 3] = aten.relu.default(x)\nz: f32[2, 3] = "
      "aten.erfinv.default(y)\nreturn z");
  EXPECT_TRUE(p.has_value()) << p.error().message;
  return *p;
}

const Engine kTable{"/engine", "LLVM 1", std::string(64, 'a'), {}};

std::vector<std::string> statuses(const Lowering& lowering) {
  std::vector<std::string> out;
  for (const StageResult& s : lowering.stages)
    out.push_back(s.id + ":" + std::string(name(s.status)));
  return out;
}

std::shared_ptr<const Lowering> lowered(const std::string& path, LowerOptions options,
                                        std::stop_token stop = {},
                                        const LowerCallbacks& callbacks = {}) {
  // Its folder is the test's own.
  PosixCommandRunner runner({{}, {std::filesystem::path(path).parent_path().string()}});
  RunContext context;
  context.stop = stop;
  const auto result =
      lower("module {\n}\n", *program(), {path, "LLVM 99", std::string(64, 'a'), {}}, options,
            runner, context, callbacks);
  EXPECT_TRUE(result.has_value());
  return *result;
}

TEST(Stages, AreThoseOfExportAndImport) {
  const auto stages = stagesFor(test::outputType("linalg-on-tensors"));
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[0].pipeline, "");
  EXPECT_EQ(stages[1].pipeline,
            "builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-"
            "torch-backend-pipeline{extra-library=${extra-"
            "library}${backend-legal-ops}})");
  EXPECT_THAT(passesOf(stages[1]), ElementsAre("torch-match-quantized-custom-ops",
                                               "torchdynamo-export-to-torch-backend-pipeline"));
  EXPECT_THAT(passesOf(stages[2]),
              ElementsAre("torch-backend-to-linalg-on-tensors-backend-pipeline"));
  EXPECT_EQ(stagesFor(test::outputType("raw")).size(), 1u);
  EXPECT_EQ(stagesFor(test::outputType("stablehlo"))[2].id, "stablehlo");
}

TEST(Lower, EachStageReadsTheOneBefore) {
  test::TableRunner runner;
  runner.on("torchdynamo", [](const Command& c) { return exited(0, c.stdinText + "// torch\n"); });
  runner.on("linalg", [](const Command& c) {
    if (c.whileRunning) c.whileRunning();
    return exited(0, c.stdinText + "// linalg\n", "fx:1:0: warning: careful\n");
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  LowerOptions options;
  options.extraLibrary = "/lib.mlir";
  options.allowNonFinites = false;
  std::vector<std::string> seen;
  LowerCallbacks callbacks;
  callbacks.onStage = [&](const StageResult& s) { seen.push_back(s.id); };
  callbacks.whileLastRuns = [&] { seen.push_back("while the last runs"); };
  const auto result = lower("module {\n}\n", *program(), kTable, options, runner, {}, callbacks);
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE((*result)->ok());
  EXPECT_EQ((*result)->stages[2].text, "module {\n}\n// torch\n// linalg\n");
  EXPECT_THAT((*result)->stages[2].warnings, ElementsAre("careful"));
  EXPECT_THAT(seen, ElementsAre("raw", "torch", "while the last runs", "linalg-on-tensors"));
  EXPECT_THAT((*result)->stages[1].argv,
              ElementsAre("/engine", "-",
                          "--pass-pipeline=builtin.module(func.func(torch-match-quantized-custom-"
                          "ops),torchdynamo-export-to-torch-backend-"
                          "pipeline{extra-library=/lib.mlir})",
                          "--mlir-print-debuginfo", "--mlir-print-ir-after-failure",
                          "--mlir-pass-pipeline-crash-reproducer=-"));
  EXPECT_EQ((*result)->stages[2].argv[2],
            "--pass-pipeline=builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline{"
            "allow-non-finites=false})");
}

TEST(Lower, InnocentConstantIsNotBlamed) {
  test::TableRunner runner;
  runner.on("linalg", [](const Command&) {
    return exited(
        1, "module {\n}\n{-#\n  external_resources: {\n    mlir_reproducer: {\n#-}\n",
        "<unknown>:0: error: failed to legalize operation 'torch.constant.float': %f = "
        "\"torch.constant.float\"()\n"
        "// -----// IR Dump After FinalizingBackendTypeConversion Failed: "
        "torch-finalizing-backend-type-conversion //----- //\n"
        "func.func @main(%arg0: tensor<2x3xf32> loc(\"x\"(\"fx\":0:0))) -> tensor<2x3xf32> {\n"
        "  %f = torch.constant.float 1.0 loc(unknown)\n"
        "  %w = torch.vtensor.literal(dense_resource<w> : tensor<3xf32>) : !torch.vtensor<[3],f32> "
        "loc(\"x\"(\"fx\":0:0))\n"
        "  %0 = torch_c.from_builtin_tensor %arg0 : tensor<2x3xf32> -> !torch.vtensor<[2,3],f32> "
        "loc(\"y\"(\"fx\":1:0))\n"
        "  %1 = torch.aten.erfinv %0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32> "
        "loc(\"z\"(\"fx\":2:0))\n"
        "  %2 = torch.aten.erfinv %1 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32> "
        "loc(\"y\"(\"fx\":1:0))\n"
        "  return %1 : tensor<2x3xf32> loc(\"output\"(\"fx\":3:0))\n"
        "} loc(\"x\"(\"fx\":0:0))\n\n"
        "<stdin>:0:0: error: Failures have been detected while processing an MLIR pass pipeline\n"
        "<stdin>:0:0: note: Pipeline failed while executing [`FinalizingBackendTypeConversion` on "
        "'func.func' operation: @main]: "
        "reproducer generated at `-`\n");
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  const auto result = lower("module {\n}\n", *program(), kTable, {}, runner, {});
  ASSERT_TRUE(result.has_value());
  const StageResult& stage = (*result)->stages[2];
  EXPECT_THAT(statuses(**result), ElementsAre("raw:ok", "torch:ok", "linalg-on-tensors:failed"));
  EXPECT_EQ(stage.failingPass, "torch-finalizing-backend-type-conversion");
  EXPECT_THAT(stage.failureIr, HasSubstr("torch.aten.erfinv"));
  EXPECT_EQ(stage.text, "");
  ASSERT_EQ(stage.findings.size(), 2u);
  EXPECT_EQ(stage.findings[0].nodeName, "z");
  EXPECT_EQ(stage.findings[0].target, "aten.erfinv.default");
  EXPECT_EQ(stage.findings[0].op, "torch.aten.erfinv");
  EXPECT_EQ(stage.findings[0].kind, "illegal-op");
  EXPECT_EQ(stage.findings[0].stage, "linalg-on-tensors");
  EXPECT_EQ(stage.findings[0].pass, "torch-finalizing-backend-type-conversion");
  EXPECT_EQ(stage.findings[0].message,
            "aten.erfinv.default: no pattern of Linalg on tensors lowers torch.aten.erfinv in this "
            "form; rewrite it in the model, or "
            "choose another output type");
  EXPECT_EQ(stage.findings[1].nodeName, "y");
  EXPECT_EQ((*result)->stages[1].text, "module {\n}\n") << "what came before is kept";
}

TEST(Lower, EveryUnregisteredOperationIsNamed) {
  test::TableRunner runner;
  runner.on("torchdynamo", [](const Command&) {
    return exited(1, "",
                  "fx:1:0: error: failed to legalize operation 'torch.operator' that was "
                  "explicitly marked illegal: %0 = "
                  "\"torch.operator\"(%a) <{name = \"torch.my.a\"}> : () -> ()\n"
                  "// -----// IR Dump After ReduceOpVariants Failed: "
                  "torch-reduce-op-variants{extra-library=} //----- //\n"
                  "func.func @main() {\n"
                  "  %0 = torch.operator \"torch.my.a\"(%a) : () -> () loc(\"y\"(\"fx\":1:0))\n"
                  "  %1 = torch.operator \"torch.my.b\"(%0) : () -> () loc(\"z\"(\"fx\":2:0))\n"
                  "  %2 = torch.aten.relu %0 : () -> () loc(\"z\"(\"fx\":2:0))\n"
                  "}\n");
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  LowerOptions options;
  options.target = test::outputType("torch");
  const auto result = lower("module {\n}\n", *program(), kTable, options, runner, {});
  const auto& findings = (*result)->stages[1].findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].op, "torch.my.a");
  EXPECT_EQ(findings[0].kind, "not-registered");
  EXPECT_EQ(findings[1].op, "torch.my.b");
  EXPECT_EQ(findings[1].nodeName, "z");
}

TEST(Lower, SurveyFindsWhatTheConversionDidNotReach) {
  test::TableRunner runner;
  const std::string func =
      "func.func @main() {\n  %1 = torch.aten.erfinv %0 : () -> () loc(\"z\"(\"fx\":2:0))\n  %2 = "
      "torch.aten.atan2 %0 : () -> () "
      "loc(\"y\"(\"fx\":1:0))\n}\n";
  runner.on("require-full-tosa-conversion=false", [&](const Command&) {
    return exited(1, "",
                  "<unknown>:0: error: failed to legalize operation 'torch.constant.int'\n// "
                  "-----// IR Dump After "
                  "FinalizingBackendTypeConversion Failed: "
                  "torch-finalizing-backend-type-conversion //----- //\n" +
                      func);
  });
  runner.on("tosa", [&](const Command&) {
    return exited(1, "",
                  "fx:2:0: error: failed to legalize operation 'torch.aten.erfinv' that was "
                  "explicitly marked illegal: %1 = x\n"
                  "// -----// IR Dump After ConvertTorchToTosa Failed: "
                  "convert-torch-to-tosa{require-full-tosa-conversion=true} //----- //\n" +
                      func);
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  LowerOptions options;
  options.target = test::outputType("tosa");
  const auto result = lower("module {\n}\n", *program(), kTable, options, runner, {});
  const auto& findings = (*result)->stages[2].findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].op, "torch.aten.erfinv");
  EXPECT_EQ(findings[1].op, "torch.aten.atan2");
  EXPECT_EQ(findings[1].nodeName, "y");
  EXPECT_EQ((*result)->stages[2].failingPass, "convert-torch-to-tosa");
}

TEST(Lower, FailureWithoutAReasonIsTold) {
  test::TableRunner runner;
  runner.on("-", [](const Command&) { return exited(1, "", ""); });
  const auto result = lower("module {\n}\n", *program(), kTable, {}, runner, {});
  EXPECT_THAT(statuses(**result),
              ElementsAre("raw:unknown", "torch:skipped", "linalg-on-tensors:skipped"));
  EXPECT_EQ((*result)->stages[0].findings.at(0).message,
            "the engine ended with status 1 without saying where; pass another with --engine");
  EXPECT_EQ((*result)->stages[0].findings.at(0).kind, "engine");
  EXPECT_EQ((*result)->stages[1].message, "raw is not known");
  EXPECT_EQ(ensureAnswered(**result).error().message,
            "the engine ended with status 1 without saying where; pass another with --engine");
}

constexpr const char* kOfTheProgram =
    "module {\n  func.func @main(%a: !torch.int) {\n    torch.x\n    return\n  }\n}\n";

/// What an engine of these answers says of a program in the linalg stage.
Result<std::shared_ptr<const Lowering>> lowersLinalg(
    const std::function<Exit(const Command&)>& answer) {
  test::TableRunner runner;
  runner.on("linalg", answer);
  runner.on("--help", [](const Command&) {
    return exited(0, "      --cse   -   x\n        --a-long-option=<int>   - x\n");
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  return lower(kOfTheProgram, *program(), kTable, {}, runner, {});
}

TEST(Lower, OnlyWhatIsPrintedToItsEndIsAnAnswer) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "printed nothing"},
      {"no license\n", "printed no MLIR module"},
      {"module {\n  func.func @main() {\n    return\n", "printed half a module"},
      {"module {\n  func.func @main() {\n    return\n  }\n} loc(\"a", "printed half a module"},
      {"module {\n}\n", "printed a module without @main"},
      {kOfTheProgram, "printed its input unchanged"}};
  for (const auto& [text, reason] : cases) {
    const auto result = lowersLinalg([&](const Command&) { return exited(0, text); });
    ASSERT_TRUE(result.has_value());
    const StageResult& stage = (*result)->stages.back();
    EXPECT_EQ(stage.status, StageStatus::Unknown) << text;
    EXPECT_EQ(stage.text, "");
    EXPECT_EQ(stage.findings.at(0).message,
              "the engine succeeded but " + reason + "; pass another with --engine");
  }
}

TEST(NoAnswer, IsAnUnchangedModuleOnlyIfItHasOperationsToConvert) {
  StageSpec stage;
  stage.converts = true;
  const auto unchanged = [&](const std::string& line) {
    const std::string module = "module {\n  " + line + "\n}\n";
    return noAnswer(stage, module, module);
  };
  for (const char* op : {"%0 = torch.constant.int 1", "torch.x", "%0 = \"torch.y\"() : () -> i1"})
    EXPECT_EQ(unchanged(op), "printed its input unchanged") << op;
  for (const char* other : {"func.func private @torch.acme.swiglu()",
                            "func.func private @f(!torch.int)", "func.call @torch.f() : () -> ()"})
    EXPECT_EQ(unchanged(other), "") << other;
}

TEST(NoAnswer, IsATextOfAnotherModuleOrAPartOfOne) {
  StageSpec stage;
  stage.keepsFunction = true;
  const auto module = [](const std::string& location) {
    return "module {\n  func.func @main() {\n    x.y loc(" + location + ")\n    return\n  }\n}\n";
  };
  const std::string aliases = "#loc1 = loc(\"fx\":7:0)\n#loc2 = loc(\"relu\"(#loc1))\n";
  for (const std::string& input : {module("\"relu\"(\"fx\":7:0)"), module("#loc2") + aliases}) {
    EXPECT_EQ(noAnswer(stage, input, module("unknown")), "");
    EXPECT_EQ(noAnswer(stage, input, module("\"relu\"(\"fx\":7:0)")), "");
    EXPECT_EQ(noAnswer(stage, input, aliases + module("#loc2")), "");
    EXPECT_EQ(noAnswer(stage, input, module("#location")), "");  // of another kind
    EXPECT_EQ(noAnswer(stage, input, module("#loc2")), "printed half a module");
    EXPECT_EQ(noAnswer(stage, input, module("#loc2") + "#loc2 = loc(\"relu\"(#loc1))\n"),
              "printed half a module");
    EXPECT_EQ(noAnswer(stage, input, module("unknown") + module("unknown")),
              "printed several modules");
    EXPECT_EQ(noAnswer(stage, input, module("\"relu\"(\"fx\":8:0)")),
              "printed another module, with the node relu");
    EXPECT_EQ(noAnswer(stage, input, module("\"tanh\"(\"fx\":7:0)")),
              "printed another module, with the node tanh");
  }
  EXPECT_EQ(noAnswer(stage, module("unknown"), module("\"tanh\"(\"fx\":7:0)")),
            "");  // not located at nodes
}

TEST(Lower, KilledEngineSaysNothing) {
  int runs = 0;
  const auto killedFor = [&](int times) {
    runs = 0;
    return lowersLinalg([&runs, times](const Command&) {
      Exit exit = exited(0, "module {\n  func.func @main() {\n    return\n  }\n}\n");
      if (++runs > times) return exit;
      exit.reason = ExitReason::Signalled;
      exit.signal = 9;
      return exit;
    });
  };
  EXPECT_TRUE((*killedFor(1))->ok());
  EXPECT_EQ(runs, 2);
  const auto twice = killedFor(2);
  EXPECT_THAT(statuses(**twice), ElementsAre("raw:ok", "torch:ok", "linalg-on-tensors:unknown"));
  const fx::Finding& finding = (*twice)->stages[2].findings.at(0);
  EXPECT_EQ(finding.kind, "engine");
  EXPECT_FALSE(finding.node.valid());
  EXPECT_EQ(finding.message,
            "the engine was killed (signal 9), also when it was run again, as the system does when "
            "memory runs out; run it again");
}

TEST(Lower, FailureThatIsNotOfTheModuleIsOneOfThePipeline) {
  // With and without the program.
  const auto always = lowersLinalg(
      [](const Command&) { return exited(1, "", "<unknown>:0: error: no license\n"); });
  ASSERT_FALSE(always.has_value());
  EXPECT_EQ(always.error().code, ErrorCode::EngineFailed);
  EXPECT_EQ(always.error().message,
            "output type linalg-on-tensors: the engine has no pass "
            "'torch-backend-to-linalg-on-tensors-backend-pipeline'");
  // With the program only, without saying where.
  const auto unclear = lowersLinalg([](const Command& c) {
    return c.stdinText == kOfTheProgram ? exited(1, "", "<unknown>:0: error: no license\n")
                                        : exited(0, c.stdinText);
  });
  ASSERT_TRUE(unclear.has_value());
  EXPECT_EQ((*unclear)->stages[2].status, StageStatus::Unknown);
  EXPECT_EQ((*unclear)->stages[2].findings.at(0).message,
            "the engine ended with status 1 without saying where: no license; pass another with "
            "--engine");
}

TEST(Lower, MessageThatIsNotUnderstoodIsNoVerdictOfTheVerifier) {
  const auto result = lowersLinalg([](const Command&) {
    return exited(1, "",
                  "fx:1:0: error: the moon is full\nfx:1:0: error: 'torch.aten.relu' op operand #0 "
                  "must be a tensor\n");
  });
  const auto& findings = (*result)->stages[2].findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, "refused");
  EXPECT_EQ(findings[1].kind, "verifier");
}

TEST(Lower, ExtraLibraryPathThatWouldChangeThePipelineIsRefused) {
  test::TableRunner runner;
  LowerOptions options;
  options.extraLibrary = "a b},evil";
  const auto result = lower("", *program(), kTable, options, runner, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::Usage);
  EXPECT_EQ(result.error().message,
            "extra library 'a b},evil': a pass pipeline cannot contain a path with spaces, quotes, "
            "commas or brackets; rename it");
}

// What engines do when they go wrong, with real processes.

TEST(LowerFaults, HangTimesOutAndLeavesNothing) {
  const TemporaryDirectory dir;
  LowerOptions options;
  options.limits.timeout = 300ms;
  const auto result = lowered(
      fakeEngine(dir,
                 "case \"$*\" in *pipeline=*) ;; *) cat; exit 0 ;; esac\nsleep 100 & echo $! > " +
                     dir.file("pid") + "; wait"),
      options);
  EXPECT_THAT(statuses(*result),
              ElementsAre("raw:ok", "torch:timeout", "linalg-on-tensors:skipped"));
  const fx::Finding& f = result->stages[1].findings.at(0);
  EXPECT_EQ(f.kind, "timeout");
  EXPECT_EQ(
      f.message,
      "the engine did not end within 0.3 s; raise --timeout, or rewrite this part of the model");
  EXPECT_EQ(result->stages[2].message, "torch timed out");
  std::string pid = test::contentOf(dir.file("pid"));
  pid.erase(pid.find_last_not_of("\n") + 1);
  EXPECT_FALSE(test::isRunning(pid));
}

TEST(LowerFaults, SignalIsACrash) {
  const TemporaryDirectory dir;
  const auto result =
      lowered(fakeEngine(dir, "case \"$*\" in *pipeline=*) kill -SEGV $$ ;; esac\ncat"), {});
  EXPECT_THAT(statuses(*result),
              ElementsAre("raw:ok", "torch:crashed", "linalg-on-tensors:skipped"));
  EXPECT_EQ(result->stages[1].findings.at(0).kind, "crash");
  EXPECT_EQ(result->stages[1].findings.at(0).message,
            "the engine crashed (signal 11), which is a bug in the engine; rewrite this part of "
            "the model to work around it");
}

TEST(LowerFaults, EndlessOutputIsCut) {
  const TemporaryDirectory dir;
  LowerOptions options;
  options.limits.output = 1 << 20;
  const auto result = lowered(
      fakeEngine(
          dir,
          "case \"$*\" in *pipeline=*) yes 'module {' | head -c 1000000000; exit 0 ;; esac\ncat"),
      options);
  EXPECT_THAT(statuses(*result),
              ElementsAre("raw:ok", "torch:unknown", "linalg-on-tensors:skipped"));
  EXPECT_EQ(result->stages[1].findings.at(0).kind, "output");
  EXPECT_EQ(result->stages[1].findings.at(0).message, "the engine printed more than 1 MiB");
}

TEST(LowerFaults, SuccessWithoutOutputIsNoSuccess) {
  const TemporaryDirectory dir;
  const auto result = lowered(fakeEngine(dir, "exit 0"), {});
  EXPECT_THAT(statuses(*result),
              ElementsAre("raw:unknown", "torch:skipped", "linalg-on-tensors:skipped"));
  EXPECT_EQ(result->stages[0].findings.at(0).kind, "engine");
  EXPECT_EQ(result->stages[0].findings.at(0).message,
            "the engine succeeded but printed nothing; pass another with --engine");
}

TEST(LowerFaults, GarbageIsNoModule) {
  const TemporaryDirectory dir;
  const auto words = lowered(fakeEngine(dir, "echo no module"), {});
  EXPECT_EQ(words->stages[0].findings.at(0).message,
            "the engine succeeded but printed no MLIR module; pass another with --engine");
  const auto bytes = lowered(fakeEngine(dir, "head -c 1000 /dev/zero"), {});
  EXPECT_EQ(bytes->stages[0].findings.at(0).message,
            "the engine succeeded but printed bytes that are not text; pass another with --engine");
}

TEST(LowerFaults, EngineThatVanishedIsTold) {
  const auto result = lowered("/no/such/engine", {});
  EXPECT_EQ(result->stages[0].findings.at(0).message,
            "the engine /no/such/engine: could not be started: No such file or directory; pass "
            "another with --engine");
}

TEST(LowerFaults, MemoryLimitIsItsOwnKind) {
  test::TableRunner runner;
  runner.on("--log-actions-to", [](const Command&) {
    return exited(
        1, "module {\n}\n\n{-#\n  external_resources: {\n    mlir_reproducer: {\n    }\n  }\n#-}\n",
        "[thread x] begins (no breakpoint) Action `apply-pattern pattern: "
        "mlir::torch::{anonymous}::ConvertAtenOp<mlir::torch::Torch::AtenReluOp> (%0 = "
        "torch.aten.relu %arg0 : () -> () loc(\"y\"(\"fx\":1:0)))`\n[thread x] completed "
        "`apply-pattern`\n"
        "[thread x] begins (no breakpoint) Action `apply-pattern pattern: "
        "mlir::torch::{anonymous}::ConvertAtenOp<mlir::torch::Torch::AtenErfinvOp> (%1 = "
        "torch.aten.erfinv %0 : () -> () loc(\"z\"(\"fx\":2:0)))`\n"
        "<stdin>:0:0: note: Pipeline failed while executing `ConvertTorchToLinalg` on 'func.func' "
        "operation: @main: reproducer "
        "generated at `-`\n");
  });
  runner.on("linalg", [](const Command&) {
    return exited(1, "",
                  "LLVM ERROR: out of memory\nAllocation failed\n<stdin>:0:0: error: Failures have "
                  "been detected while processing an MLIR "
                  "pass pipeline\n"
                  "<stdin>:0:0: note: Pipeline failed while executing [`ConvertTorchToLinalg` on "
                  "'func.func' operation: @main]: reproducer "
                  "generated at `-`\n");
  });
  runner.on("-", [](const Command& c) { return exited(0, c.stdinText); });
  const auto result = lower("module {\n}\n", *program(), kTable, {}, runner, {});
  const StageResult& stage = (*result)->stages[2];
  EXPECT_EQ(stage.status, StageStatus::Unknown);
  EXPECT_EQ(stage.failureIr, "module {\n}\n\n");
  const fx::Finding& f = stage.findings.at(0);
  EXPECT_EQ(f.kind, "memory");
  EXPECT_EQ(f.nodeName, "z");
  EXPECT_EQ(f.pass, "ConvertTorchToLinalg");
  EXPECT_EQ(f.op, "torch.aten.erfinv");
  EXPECT_EQ(f.message,
            "the engine exceeded its memory limit of 8192 MiB in ConvertTorchToLinalg, while "
            "ConvertAtenOp<mlir::torch::Torch::AtenErfinvOp> rewrote "
            "torch.aten.erfinv of z; raise --memory, or rewrite this part of the model");
}

TEST(LowerFaults, StopKeepsWhatWasLowered) {
  const TemporaryDirectory dir;
  std::stop_source stop;
  LowerCallbacks callbacks;
  callbacks.onStage = [&](const StageResult& s) {
    if (s.id == "torch") stop.request_stop();
  };
  const auto result = lowered(fakeEngine(dir, "cat"), {}, stop.get_token(), callbacks);
  EXPECT_THAT(statuses(*result), ElementsAre("raw:ok", "torch:ok", "linalg-on-tensors:skipped"));
  EXPECT_EQ(result->stages[2].message, "cancelled");
  EXPECT_FALSE(result->ok());
}

TEST(LowerFaults, StopInTheMiddleOfAStageKillsTheEngine) {
  const TemporaryDirectory dir;
  std::stop_source stop;
  std::jthread requester([&] {
    while (test::contentOf(dir.file("pid")).find('\n') == std::string::npos)
      std::this_thread::sleep_for(5ms);
    stop.request_stop();
  });
  const auto result = lowered(fakeEngine(dir, "case \"$*\" in *pipeline=*) sleep 0.5; echo $$ > " +
                                                  dir.file("pid") + "; sleep 100 ;; esac\ncat"),
                              {}, stop.get_token());
  EXPECT_THAT(statuses(*result),
              ElementsAre("raw:ok", "torch:skipped", "linalg-on-tensors:skipped"));
  std::string pid = test::contentOf(dir.file("pid"));
  pid.erase(pid.find_last_not_of("\n") + 1);
  EXPECT_FALSE(test::isRunning(pid));
}

}  // namespace
}  // namespace fxs::lower
