// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tracing with the real torch-mlir-opt, where FXSCOPE_ENGINE names one or ./run has installed it.
#include "lower/pass_trace.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "fake_engine.h"
#include "fx/text.h"
#include "output_type.h"

namespace fxs::lower {
namespace {

using test::contentOf;
using test::TemporaryDirectory;
using testing::HasSubstr;

constexpr const char* kSoftmaxModule = R"(
func.func @main(%arg0: !torch.vtensor<[4,8],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[4,8],f32> {
  %dim = torch.constant.int 1 loc("softmax"("fx":1:0))
  %half = torch.constant.bool false loc("softmax"("fx":1:0))
  %s = torch.aten._softmax %arg0, %dim, %half : !torch.vtensor<[4,8],f32>, !torch.int, !torch.bool -> !torch.vtensor<[4,8],f32> loc("softmax"("fx":1:0))
  %e = torch.aten.LAST %s : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("last"("fx":2:0))
  return %e : !torch.vtensor<[4,8],f32> loc("output"("fx":3:0))
}
)";

class PassTraces : public testing::Test {
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
        "x: f32[4, 8] = placeholder\nsoftmax: f32[4, 8] = aten._softmax.default(x, 1, "
        "False)\nlast: f32[4, 8] = "
        "aten.relu.default(softmax)\nreturn last");
    ASSERT_TRUE(p.has_value()) << p.error().message;
    program_ = *p;
    raw_ = kSoftmaxModule;
  }
  void last(const std::string& op) { raw_.replace(raw_.find("LAST"), 4, op); }

  Result<std::shared_ptr<const PassTrace>> trace(const OutputType& target,
                                                 const Lowering* known = nullptr) {
    TraceOptions options;
    options.lower.target = target;
    options.directory = directory_.path();
    options.cacheDir = cache_.path();
    return tracePasses(raw_, *program_, engine_, options, known, runner_, {});
  }
  /// Puts a script before the engine that does something to the snapshots of each run, or in place
  /// of its end.
  void afterSnapshots(const std::string& command) {
    const std::string engine = "'" + engine_.path + "' \"$@\"";
    const std::string body = "case \"$*\" in\n*dump-pass-pipeline*) exec " + engine +
                             " ;;\n*snapshot-op-locations*) " + engine + "\ncode=$?\n" + command +
                             "\nexit $code ;;\nesac\nexec " + engine;
    engine_.path = test::writeScript(scripts_, "engine", body);
    engine_.file = identityOf(engine_.path);
  }
  /// What is said of a trace that is not one; no file is left of it.
  std::string refusal(const OutputType& target) {
    const auto trace = this->trace(target);
    EXPECT_FALSE(trace.has_value());
    EXPECT_EQ(files(), std::set<std::string>{});
    const std::string begin = "engine " + engine_.path + ": ",
                      end = ", so that what the passes did is not known; trace again";
    if (trace || trace.error().code != ErrorCode::EngineFailed ||
        !trace.error().message.starts_with(begin) || !trace.error().message.ends_with(end))
      return trace ? "a trace" : trace.error().message;
    return trace.error().message.substr(begin.size(),
                                        trace.error().message.size() - begin.size() - end.size());
  }
  /// The passes that changed something, or failed, with the file of the snapshot after them.
  static std::string eventsOf(const PassTrace& trace) {
    std::string out = trace.snapshots.front().file + "\n";
    for (const PassRun& pass : trace.passes)
      if (pass.changed || pass.failed)
        out += fmt::format("{} {} {}\n", pass.stage, pass.failed ? "failed" : "changed",
                           pass.snapshot < 0
                               ? "-"
                               : trace.snapshots[static_cast<std::size_t>(pass.snapshot)].file);
    return out;
  }
  std::set<std::string> files() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      out.insert(entry.path().filename().string());
    return out;
  }

  PosixCommandRunner runner_;
  Engine engine_;
  fx::ProgramPtr program_;
  std::string raw_;
  TemporaryDirectory directory_, cache_, scripts_;
};

TEST_F(PassTraces, OnlyPassesThatChangedSomethingLeaveAFile) {
  last("relu");
  const auto trace = this->trace(test::outputType("linalg-on-tensors"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const PassTrace& t = **trace;
  EXPECT_TRUE(t.ok());
  EXPECT_EQ(t.untraced, Untraced::Same);
  EXPECT_EQ(t.passes.size(), 26u);
  EXPECT_EQ(eventsOf(t),
            "00-raw.mlir\n"
            "torch changed 04-torch-decompose-complex-ops.mlir\n"
            "linalg-on-tensors changed 08-convert-torch-to-linalg.mlir\n"
            "linalg-on-tensors changed 09-canonicalize.mlir\n"
            "linalg-on-tensors changed 11-cse.mlir\n"
            "linalg-on-tensors changed 12-torch-func-backend-type-conversion.mlir\n"
            "linalg-on-tensors changed 13-canonicalize.mlir\n"
            "linalg-on-tensors changed 14-torch-finalizing-backend-type-conversion.mlir\n");
  std::set<std::string> stored;
  for (const IrSnapshot& snapshot : t.snapshots) stored.insert(snapshot.file);
  EXPECT_EQ(files(), stored);
  for (const PassRun& pass : t.passes) {
    EXPECT_TRUE(pass.ran) << pass.pass;
    EXPECT_GE(pass.seconds.count(), 0) << pass.pass;
    EXPECT_EQ(pass.changed,
              pass.snapshot >= 0 && t.snapshots[static_cast<std::size_t>(pass.snapshot)].pass ==
                                        &pass - t.passes.data())
        << pass.pass;
  }
}

TEST_F(PassTraces, LocationsLeadToLinesOfTheSnapshotBefore) {
  last("relu");
  const auto trace = this->trace(test::outputType("torch"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_THAT(contentOf(directory_.file("00-raw.mlir")), HasSubstr("\"fx\":1:0"));
  const std::string after = contentOf((*trace)->pathOf((*trace)->snapshots.back()));
  EXPECT_THAT(after, HasSubstr("loc(\"03\":"));
  EXPECT_THAT(after, testing::Not(HasSubstr("\"fx\":1:0")));
  // 03 was written after a pass that changed nothing: it leads to lines of RAW.
  const auto hop = std::find_if((*trace)->hops.begin(), (*trace)->hops.end(),
                                [](const HopFile& h) { return h.name == "03"; });
  ASSERT_NE(hop, (*trace)->hops.end());
  EXPECT_EQ(hop->snapshot, 0);
}

TEST_F(PassTraces, PipelineOfUnnamedPassesIsPrintedByTheEngine) {
  last("relu");
  const auto trace = this->trace(test::outputType("tosa"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_EQ((*trace)->untraced, Untraced::Same);
  EXPECT_THAT(eventsOf(**trace), HasSubstr("-convert-torch-to-tosa.mlir\n"));
  const int last = (*trace)->lastOf("tosa");
  ASSERT_GE(last, 0);
  EXPECT_THAT(contentOf((*trace)->pathOf((*trace)->snapshots[static_cast<std::size_t>(last)])),
              HasSubstr("tosa.reduce_max"));
}

TEST_F(PassTraces, FailureKeepsWhatCameBeforeIt) {
  last("erfinv");
  const auto trace = this->trace(test::outputType("tosa"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const PassTrace& t = **trace;
  EXPECT_FALSE(t.ok());
  EXPECT_EQ(t.untraced, Untraced::NotCompared);
  EXPECT_EQ(t.stages.back().status, StageStatus::Failed);
  ASSERT_EQ(t.stages.back().findings.size(), 1u);
  EXPECT_EQ(t.stages.back().findings[0].node, fx::NodeId{2});
  const auto failed =
      std::find_if(t.passes.begin(), t.passes.end(), [](const PassRun& p) { return p.failed; });
  ASSERT_NE(failed, t.passes.end());
  EXPECT_EQ(failed->pass, "convert-torch-to-tosa");
  ASSERT_GE(failed->snapshot, 0);
  EXPECT_TRUE(t.snapshots[static_cast<std::size_t>(failed->snapshot)].failure);
  EXPECT_THAT(contentOf(t.pathOf(t.snapshots.back())), HasSubstr("torch.aten.erfinv"));
  EXPECT_GE(t.lastOf("torch"), 1);
  for (auto after = failed + 1; after != t.passes.end(); ++after)
    EXPECT_FALSE(after->ran) << after->pass;
}

TEST_F(PassTraces, FailureInTheFirstStageKeepsRaw) {
  raw_ = R"(
func.func @main(%arg0: !torch.vtensor<[4,8],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[4,8],f32> {
  %s = torch.operator "torch.my.op"(%arg0) : (!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> loc("softmax"("fx":1:0))
  return %s : !torch.vtensor<[4,8],f32> loc("output"("fx":3:0))
}
)";
  const auto trace = this->trace(test::outputType("linalg-on-tensors"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_FALSE((*trace)->ok());
  EXPECT_EQ((*trace)->snapshots.front().file, "00-raw.mlir");
  const auto& passes = (*trace)->passes;
  EXPECT_EQ(std::count_if(passes.begin(), passes.end(), [](const PassRun& p) { return p.failed; }),
            1);
}

TEST_F(PassTraces, ModuleOfSeveralFunctionsIsTracedToo) {
  raw_ = R"(
func.func @f(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %s = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("softmax"("fx":1:0))
  return %s : !torch.vtensor<[4,8],f32>
}
func.func @main(%arg0: !torch.vtensor<[4,8],f32> loc("x"("fx":0:0))) -> !torch.vtensor<[4,8],f32> {
  %s = torch.aten.tanh %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("last"("fx":2:0))
  return %s : !torch.vtensor<[4,8],f32> loc("output"("fx":3:0))
}
)";
  for (const OutputType& target :
       {test::outputType("linalg-on-tensors"), test::outputType("tosa")}) {
    const auto trace = this->trace(target);
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    EXPECT_TRUE((*trace)->ok());
    EXPECT_EQ((*trace)->untraced, Untraced::Same) << name(target);
    for (const auto& file : files()) std::filesystem::remove(directory_.file(file));
  }
}

constexpr const char* kThreeFunctions = R"(
func.func @one(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %int1 = torch.constant.int 1 loc("softmax"("fx":1:0))
  %s = torch.aten.add.Tensor %arg0, %arg0, %int1 : !torch.vtensor<[4,8],f32>, !torch.vtensor<[4,8],f32>, !torch.int -> !torch.vtensor<[4,8],f32> loc("softmax"("fx":1:0))
  return %s : !torch.vtensor<[4,8],f32>
}
func.func private @declared(!torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32>
func.func @main(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %s = torch.aten.LAST %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("last"("fx":2:0))
  return %s : !torch.vtensor<[4,8],f32>
}
func.func @three(%arg0: !torch.vtensor<[4,8],f32>) -> !torch.vtensor<[4,8],f32> {
  %s = torch.aten.relu %arg0 : !torch.vtensor<[4,8],f32> -> !torch.vtensor<[4,8],f32> loc("last"("fx":2:0))
  return %s : !torch.vtensor<[4,8],f32>
}
)";

TEST_F(PassTraces, APassOnFunctionsIsShownForAllOfThemAtOnce) {
  raw_ = kThreeFunctions;
  last("tanh");
  const auto trace = this->trace(test::outputType("tosa"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  const PassTrace& t = **trace;
  EXPECT_EQ(t.untraced, Untraced::Same);
  EXPECT_EQ(eventsOf(t),
            "00-raw.mlir\n"
            "tosa changed 09-convert-torch-to-tosa.mlir\n"
            "tosa changed 13-canonicalize.mlir\n"
            "tosa changed 15-torch-func-backend-type-conversion.mlir\n"
            "tosa changed 16-canonicalize.mlir\n"
            "tosa changed 17-torch-finalizing-backend-type-conversion.mlir\n");
  const std::string converted = contentOf(t.pathOf(t.snapshots[1]));
  // Canonicalization removes the multiplication of the first function.
  for (const char* op : {"tosa.mul", "tosa.tanh", "tosa.clamp", "@declared", "loc(\"07\":"})
    EXPECT_THAT(converted, HasSubstr(op));
  EXPECT_THAT(converted, testing::Not(HasSubstr("torch.aten.")));
  EXPECT_THAT(contentOf(t.pathOf(t.snapshots[2])), testing::Not(HasSubstr("tosa.mul")));
}

TEST_F(PassTraces, AFailureInOneFunctionLeavesThoseAfterIt) {
  raw_ = kThreeFunctions;
  last("erfinv");
  const auto trace = this->trace(test::outputType("tosa"));
  ASSERT_TRUE(trace.has_value()) << trace.error().message;
  EXPECT_FALSE((*trace)->ok());
  ASSERT_TRUE((*trace)->snapshots.back().failure);
  const std::string failed = contentOf((*trace)->pathOf((*trace)->snapshots.back()));
  for (const char* op : {"tosa.mul", "torch.aten.erfinv", "torch.aten.relu"})
    EXPECT_THAT(failed, HasSubstr(op));
}

constexpr const char* kLastSnapshot = "last=$(ls -d [0-9][0-9] | tail -n 1)\n";

TEST_F(PassTraces, WhatIsNotWrittenToItsEndIsNoSnapshot) {
  last("relu");
  for (const char* type : {"linalg-on-tensors", "tosa"}) {
    const Engine engine = engine_;
    afterSnapshots(std::string(kLastSnapshot) + "head -c 300 $last > cut; mv cut $last");
    EXPECT_THAT(refusal(test::outputType(type)),
                testing::ContainsRegex("^it did not finish writing snapshot [0-9][0-9]$"));
    engine_ = engine;
  }
}

TEST_F(PassTraces, ASnapshotThatIsMissingIsNoPassThatDidNotRun) {
  last("relu");
  afterSnapshots(std::string(kLastSnapshot) + "rm $last");
  EXPECT_EQ(refusal(test::outputType("linalg-on-tensors")),
            "it wrote no snapshot after torch-finalizing-backend-type-conversion");
}

TEST_F(PassTraces, ARunThatWasKilledShowsNothing) {
  last("relu");
  const Engine engine = engine_;
  afterSnapshots(std::string(kLastSnapshot) + "rm $last; kill -9 $$");
  EXPECT_EQ(refusal(test::outputType("linalg-on-tensors")),
            "it was killed (signal 9), also when it was run again");
  engine_ = engine;
  afterSnapshots("exit 1");
  EXPECT_EQ(refusal(test::outputType("linalg-on-tensors")),
            "it failed while its passes were traced, and does not otherwise");
}

TEST_F(PassTraces, NorDoesOneOfAProgramThatFails) {
  last("erfinv");
  afterSnapshots("kill -9 $$");
  EXPECT_EQ(refusal(test::outputType("tosa")),
            "it was killed (signal 9), also when it was run again");
}

TEST_F(PassTraces, AFullDiskEndsTheTrace) {
  last("relu");
  afterSnapshots(
      "echo 'LLVM ERROR: IO failure on output stream: No space left on device' >&2; exit 1");
  try {
    (void)trace(test::outputType("linalg-on-tensors"));
    ADD_FAILURE();
  } catch (const Abandoned& abandoned) {
    EXPECT_EQ(abandoned.error.code, ErrorCode::DiskFull);
    EXPECT_EQ(abandoned.error.message, "engine has no space for its files: " + directory_.path() +
                                           ": cannot be written: No space left on device; free "
                                           "some space there, or use another folder "
                                           "(-o, TMPDIR)");
  }
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST_F(PassTraces, StopLeavesNoFile) {
  last("relu");
  std::stop_source stop;
  stop.request_stop();
  TraceOptions options;
  options.directory = directory_.path();
  RunContext context;
  context.stop = stop.get_token();
  const auto trace = tracePasses(raw_, *program_, engine_, options, nullptr, runner_, context);
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(files(), std::set<std::string>{});
}

TEST(PassTrace, EngineThatFlattensNothingIsAnError) {
  const TemporaryDirectory directory;
  const std::string engine =
      test::fakeEngine(directory, "cat > /dev/null; echo 'func.func @main() {'; echo '}'; exit 0");
  PosixCommandRunner runner;
  TraceOptions options;
  options.directory = directory.path();
  const auto trace = tracePasses("module {\n}\n", fx::Program(), {engine, "LLVM 99", "", {}},
                                 options, nullptr, runner, {});
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().message,
            "engine " + engine +
                ": cannot print the pass pipeline of "
                "builtin.module(func.func(torch-match-quantized-custom-ops),torchdynamo-export-to-"
                "torch-backend-pipeline{extra-library=}): ");
}

}  // namespace
}  // namespace fxs::lower
