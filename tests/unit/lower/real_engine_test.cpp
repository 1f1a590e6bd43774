// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With the real torch-mlir-opt, where FXSCOPE_ENGINE names one or ./run has installed it: what it
// does when it crashes, hangs and runs out of memory is not what a script can imitate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "fx/text.h"
#include "lower/batch.h"
#include "lower/engine_run.h"
#include "lower/findings.h"
#include "output_type.h"

namespace fxs::lower {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class RealEngine : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("FXSCOPE_ENGINE");
    const std::string path =
        named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
    if (!std::filesystem::exists(path))
      GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
    auto probed = probeEngine(path, "", runner_, {});
    ASSERT_TRUE(probed.has_value()) << probed.error().message;
    engine_ = *probed;
    auto p = fx::graphFrom(
        "x: f32[4, 8] = placeholder\nrelu: f32[4, 8] = aten.relu.default(x)\nslice: f32[4, 8] = "
        "aten.relu.default(relu)\nreturn slice");
    ASSERT_TRUE(p.has_value()) << p.error().message;
    program_ = *p;
  }

  EngineRun run(const OutputType& type, const std::string& module, const Limits& limits) {
    return std::move(runEngine(engine_, {pipeline(type)}, module, limits, runner_, {}).front());
  }
  fx::Finding finding(const OutputType& type, const EngineRun& run, const std::string& module,
                      const Limits& limits) {
    const auto last = findLastAction(engine_, pipeline(type), module, limits, runner_, {});
    EXPECT_TRUE(last.has_value());
    EXPECT_THAT(last->irBefore, HasSubstr("func.func @main"));
    EXPECT_THAT(last->irBefore, testing::Not(HasSubstr("mlir_reproducer")));
    return stageFinding(run, *last, stagesFor(type).back(), *program_);
  }
  static std::string pipeline(const OutputType& type) {
    return type == test::outputType("tosa")
               ? "builtin.module(torch-backend-to-tosa-backend-pipeline)"
               : "builtin.module(torch-backend-to-stablehlo-backend-pipeline)";
  }

  PosixCommandRunner runner_;
  Engine engine_;
  fx::ProgramPtr program_;
};

/// TOSA's pattern for slices reads an end that is no constant, and crashes.
constexpr const char* kCrashes = R"(
module {
func.func @main(%arg0: !torch.vtensor<[4,8],f32> loc("x"("fx":0:0)), %e: !torch.int loc("x"("fx":0:0))) -> !torch.vtensor<[4,?],f32> {
  %r = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("relu"("fx":1:0))
  %i0 = torch.constant.int 0 loc("slice"("fx":2:0))
  %i = torch.constant.int 1 loc("slice"("fx":2:0))
  %2 = torch.aten.slice.Tensor %r, %i, %i0, %e, %i : !torch.vtensor<[4,8],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[4,?],f32> loc("slice"("fx":2:0))
  return %2 : !torch.vtensor<[4,?],f32> loc("output"("fx":3:0))
} loc("x"("fx":0:0))
} loc(unknown)
)";

/// StableHLO's pattern for slice_scatter counts to the end, which is the largest integer.
constexpr const char* kEndless = R"(
func.func @main(%arg0: !torch.vtensor<[4,8],f32>, %s: !torch.vtensor<[4,2],f32>) -> !torch.vtensor<[4,8],f32> {
  %d = torch.constant.int 1 loc("slice"("fx":2:0))
  %b = torch.constant.int -2 loc("slice"("fx":2:0))
  %e = torch.constant.int 9223372036854775807 loc("slice"("fx":2:0))
  %r = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("relu"("fx":1:0))
  %2 = torch.aten.slice_scatter %r, %s, %d, %b, %e, %d : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,2],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[4,8],f32> loc("slice"("fx":2:0))
  return %2 : !torch.vtensor<[4,8],f32> loc("output"("fx":3:0))
} loc("x"("fx":0:0))
)";

TEST_F(RealEngine, CrashIsFoundAtItsPassAndNode) {
  const Limits limits;
  const EngineRun crashed = run(test::outputType("tosa"), kCrashes, limits);
  EXPECT_EQ(crashed.outcome, RunOutcome::Crashed);
  const fx::Finding f = finding(test::outputType("tosa"), crashed, kCrashes, limits);
  EXPECT_EQ(f.kind, "crash");
  EXPECT_EQ(f.nodeName, "slice");
  EXPECT_EQ(f.op, "torch.aten.slice.Tensor");
  EXPECT_EQ(f.pass, "ConvertTorchToTosa");
  EXPECT_EQ(f.message,
            "the engine crashed in ConvertTorchToTosa, while "
            "ConvertAtenOp<mlir::torch::Torch::AtenSliceTensorOp> rewrote "
            "torch.aten.slice.Tensor of slice, which is a bug in the engine; rewrite this part of "
            "the model to work around it");
}

TEST_F(RealEngine, EndlessPassIsFoundAtItsNode) {
  Limits limits;
  limits.timeout = 2s;
  limits.memory = std::uint64_t{16} << 30;
  const EngineRun endless = run(test::outputType("stablehlo"), kEndless, limits);
  EXPECT_EQ(endless.outcome, RunOutcome::TimedOut);
  const fx::Finding f = finding(test::outputType("stablehlo"), endless, kEndless, limits);
  EXPECT_EQ(f.kind, "timeout");
  EXPECT_EQ(f.nodeName, "slice");
  EXPECT_EQ(f.op, "torch.aten.slice_scatter");
  EXPECT_EQ(f.pass, "ConvertTorchToStablehlo");
}

TEST_F(RealEngine, MemoryLimitIsFoundAtItsNode) {
  Limits limits;
  limits.memory = std::uint64_t{600} << 20;
  const EngineRun run600 = run(test::outputType("stablehlo"), kEndless, limits);
  EXPECT_EQ(run600.outcome, RunOutcome::OutOfMemory);
  const fx::Finding f = finding(test::outputType("stablehlo"), run600, kEndless, limits);
  EXPECT_EQ(f.kind, "memory");
  EXPECT_EQ(f.nodeName, "slice");
  EXPECT_THAT(f.message,
              HasSubstr("exceeded its memory limit of 600 MiB in ConvertTorchToStablehlo, while "));
}

TEST_F(RealEngine, SaysWhatItRegisters) {
  const auto ops = registeredOps(
      engine_,
      {"torch.aten.add.Tensor", "torch.aten.diff", "torch.aten.median.dim", "torch.aten.relu_"}, "",
      runner_, {});
  ASSERT_TRUE(ops.has_value()) << ops.error().message;
  EXPECT_THAT(*ops, UnorderedElementsAre("torch.aten.add.Tensor", "torch.aten.relu_"));
}

TEST_F(RealEngine, ModuleThatDoesNotVerifyFailsAtRaw) {
  LowerOptions options;
  options.target = test::outputType("torch");
  const auto lowered = lower(
      "func.func @main(%a: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {\n"
      "  %0 = \"torch.aten.relu_\"(%a) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> "
      "loc(\"relu\"(\"fx\":1:0))\n"
      "  return %0 : !torch.vtensor<[2],f32>\n}\n",
      *program_, engine_, options, runner_, {});
  ASSERT_TRUE(lowered.has_value());
  const StageResult& raw = (*lowered)->stages[0];
  EXPECT_EQ(raw.status, StageStatus::Failed);
  EXPECT_EQ((*lowered)->stages[1].status, StageStatus::Skipped);
  ASSERT_EQ(raw.findings.size(), 1u);
  EXPECT_EQ(raw.findings[0].kind, "verifier");
  EXPECT_EQ(raw.findings[0].nodeName, "relu");
  EXPECT_THAT(raw.findings[0].message, HasSubstr("op operand #0 must be"));
}

/// Neither TOSA nor StableHLO has it.
constexpr const char* kRefused = R"(
module {
func.func @main(%arg0: !torch.vtensor<[4,8],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[4,8],f32> {
  %r = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("relu"("fx":1:0))
  %0 = torch.aten.erfinv %r : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("slice"("fx":2:0))
  return %0 : !torch.vtensor<[4,8],f32> loc("output"("fx":3:0))
} loc("x"("fx":0:0))
} loc(unknown)
)";

/// What lower() found, without times and command lines: status, failing pass and findings of each
/// stage, and its text.
std::string dumpOf(const Lowering& lowering) {
  std::string out;
  for (const StageResult& stage : lowering.stages) {
    out += stage.id + " " + std::string(name(stage.status)) + " " + stage.failingPass + "\n";
    for (const fx::Finding& finding : stage.findings)
      out += "! " + finding.nodeName + ": " + finding.message + "\n";
    out += stage.text;
  }
  return out;
}

TEST_F(RealEngine, ModulesLoweredTogetherAreLoweredAsEachAlone) {
  const std::string lowers =
      std::string(kRefused).replace(std::string_view(kRefused).find("erfinv"), 6, "tanh");
  // Each failure stands between modules that lower.
  const std::vector<std::string> modules{lowers, kRefused,           lowers, kCrashes,
                                         lowers, "func.func @main(", lowers};
  const std::vector<OutputType> targets{test::outputType("tosa"), test::outputType("stablehlo")};
  LowerOptions options;
  options.parsesRaw = false;
  options.limits.memory = std::uint64_t{16} << 30;
  // The last is for one of the types only.
  std::vector<ModuleFor> each;
  for (const std::string& module : modules) each.push_back({module, targets});
  each.push_back({lowers, {targets[1]}});
  const auto together = lowerTogether(each, engine_, options, runner_, {});
  ASSERT_TRUE(together.has_value()) << together.error().message;
  std::string statuses;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    statuses += std::string(name(targets[t])) + ":";
    options.target = targets[t];
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const Lowering* shared = (*together)[i][t].get();
      const auto alone = lower(modules[i], *program_, engine_, options, runner_, {});
      const auto continued =
          lower(modules[i], *program_, engine_, options, runner_, {}, {}, shared);
      ASSERT_TRUE(alone && continued);
      statuses += " " + std::string(name((*alone)->stages.back().status));
      EXPECT_EQ(dumpOf(**continued), dumpOf(**alone)) << modules[i];
      for (std::size_t s = 0; s < (*alone)->stages.size(); ++s) {
        const StageResult& stage = (*alone)->stages[s];
        if (shared != nullptr) {
          EXPECT_EQ(shared->stages[s].text, stage.text) << modules[i];
        } else if (s > 0) {
          EXPECT_NE(stage.status, StageStatus::Ok) << modules[i];
        }
      }
    }
    statuses += "\n";
  }
  EXPECT_EQ(statuses,
            "tosa: ok failed ok crashed ok skipped ok\n"
            "stablehlo: ok failed ok ok ok skipped ok\n");
}

}  // namespace
}  // namespace fxs::lower
