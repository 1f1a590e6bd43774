// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduced_failure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stop_token>

#include "diagnose/engine_probe.h"
#include "fx/builder.h"
#include "fx/text.h"
#include "output_type.h"

namespace fxs::diagnose {
namespace {

/// A machine that does other things takes longer, and finds the same.
constexpr std::chrono::minutes kPatience{5};

/// Told, and held to the half minute of a person's patience only where FXSCOPE_MEASURE is set, on a
/// machine that does nothing else.
void measured(const char* name, double seconds) {
  std::printf("%s: %.1f s (limit 30 s)\n", name, seconds);
  if (std::getenv("FXSCOPE_MEASURE") != nullptr) {
    EXPECT_LT(seconds, 30.0) << name;
  }
}

/// With the real engine, where FXSCOPE_ENGINE names one or ./run has installed it.
class ReduceWithEngine : public testing::Test {
 protected:
  void SetUp() override {
    const char* named = std::getenv("FXSCOPE_ENGINE");
    environment_.enginePath =
        named != nullptr ? named : FXS_SOURCE_DIR "/.cache/engine/torch-mlir-opt";
    environment_.runner = &runner_;
    if (!std::filesystem::exists(environment_.enginePath))
      GTEST_SKIP() << "no engine: FXSCOPE_ENGINE names none and ./run has installed none";
  }

  session::SnapshotPtr imported(fx::ProgramPtr program) {
    session::Request request;
    request.normalize = false;
    request.askEngine = true;
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->request = request;
    read::Capture capture;
    capture.program = std::move(program);
    snapshot->capture = std::make_shared<const read::Capture>(std::move(capture));
    auto done = session::advance(snapshot, session::Phase::Import, environment_, {});
    EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
    return done.value_or(nullptr);
  }
  std::shared_ptr<const ReducedFailure> reduced(const session::SnapshotPtr& snapshot,
                                                const lower::OutputType& target,
                                                fx::NodeId node = {}) {
    ReduceOptions options;
    options.target = target;
    options.node = node;
    options.budget = kPatience;
    auto result = reduce(snapshot, options, environment_, {});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result.value_or(std::make_shared<const ReducedFailure>());
  }

  PosixCommandRunner runner_;
  session::Environment environment_;
};

/// Whether a value goes through operations of these targets, in order.
bool flows(const fx::Program& program, const std::vector<std::string>& through) {
  std::vector<std::size_t> passed(program.nodes.size(), 0);
  std::size_t most = 0;
  for (const fx::Node& node : program.nodes) {
    std::size_t& own = passed[node.id.index()];
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value,
                      [&](fx::NodeId used) { own = std::max(own, passed[used.index()]); });
    if (own < through.size() && node.target == through[own]) ++own;
    most = std::max(most, own);
  }
  return most == through.size();
}

/// `length` operations on f32[8, 8]: relu, add, tanh and matrix products in turn, but for some at
/// their places.
fx::ProgramPtr longProgram(std::size_t length, const std::map<std::size_t, std::string>& special) {
  fx::Builder b;
  fx::TensorMeta meta;
  meta.dtype = DType::Float32;
  meta.sizes = {8, 8};
  meta.strides = {8, 1};
  meta.device.type = "cpu";
  fx::NodeId last = b.placeholder(b.main(), "x", meta), before = last;
  b.program().inputs.push_back({fx::InputKind::UserInput, last, "", true, {}});
  for (std::size_t i = 0; i < length; ++i) {
    const char* const targets[] = {"aten.relu.default", "aten.add.Tensor", "aten.tanh.default",
                                   "aten.mm.default"};
    const auto at = special.find(i);
    const std::string target = at != special.end() ? at->second : targets[i % 4];
    std::vector<fx::NodeArgument> args{{"self", last, false}};
    if (target == "aten.add.Tensor") args.push_back({"other", before, false});
    if (target == "aten.mm.default") args.push_back({"mat2", before, false});
    before = last;
    last = b.call(b.main(), "n" + std::to_string(i), target, std::move(args), meta);
  }
  b.output(b.main(), {last});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, last, ""});
  return std::move(b).finish().value();
}

TEST_F(ReduceWithEngine, ABlockedOperationAmongTwoThousandStandsAloneInSeconds) {
  const session::SnapshotPtr snapshot = imported(longProgram(2000, {{1000, "aten.atanh.default"}}));
  const auto result = reduced(snapshot, test::outputType("tosa"));
  EXPECT_EQ(result->reduction.calls, 1U);
  EXPECT_EQ(result->reduction.originalCalls, 2000U);
  EXPECT_EQ(
      text(result->signature),
      "illegal-op of torch.aten.atanh (aten.atanh.default) in tosa, pass convert-torch-to-tosa");
  EXPECT_EQ(
      result->minimal,
      "module {\n"
      "  func.func @main(%arg0: !torch.vtensor<[2,2],f32> loc(\"n999\"(\"fx\":1000:0))) -> "
      "(!torch.vtensor<[2,2],f32>) attributes "
      "{torch.assume_strict_symbolic_shapes} {\n"
      "    %0 = \"torch.aten.atanh\"(%arg0) : (!torch.vtensor<[2,2],f32>) -> "
      "!torch.vtensor<[2,2],f32> loc(\"n1000\"(\"fx\":1001:0))\n"
      "    \"func.return\"(%0) : (!torch.vtensor<[2,2],f32>) -> () loc(\"output\"(\"fx\":2001:0))\n"
      "  } loc(\"n999\"(\"fx\":1000:0))\n"
      "}\n");
  measured("one operation among 2,000", result->seconds.count());
}

/// A fault of three operations that depend on each other: seen by the engine at atanh, told only
/// where a sine goes into it and it into a cosine.
TEST_F(ReduceWithEngine, AFaultOfThreeFarApartAmongTwoThousandIsFoundInSeconds) {
  const session::SnapshotPtr snapshot = imported(longProgram(
      2000, {{10, "aten.sin.default"}, {1000, "aten.atanh.default"}, {1900, "aten.cos.default"}}));
  Question question;
  question.user = snapshot->capture->program;
  question.import.registeredOps = snapshot->registeredOps.get();
  question.lower.target = test::outputType("tosa");
  question.engine = *snapshot->engine;
  question.runner = &runner_;
  const Probe engine = engineProbe(question);
  const Probe probe = [&](const std::vector<fx::ProgramPtr>& programs, const RunContext& context) {
    auto failures = engine(programs, context);
    for (std::size_t i = 0; failures && i < programs.size(); ++i)
      if (!flows(*programs[i], {"aten.sin.default", "aten.atanh.default", "aten.cos.default"}))
        (*failures)[i].clear();
    return failures;
  };
  const FailureSignature wanted{"tosa", "convert-torch-to-tosa", "illegal-op", "torch.aten.atanh",
                                "aten.atanh.default"};
  const auto begin = std::chrono::steady_clock::now();
  const auto result = reduceProgram(question.user, wanted, probe, {{}, TimeLimit(kPatience)}, {});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_TRUE(result->complete);
  measured("three operations among 2,000", seconds.count());
  EXPECT_EQ(fx::dump(*result->program),
            "graph():\n"
            "    %x : f32[2, 2] [num_users=1] = placeholder[target=x]\n"
            "    %n10 : f32[2, 2] [num_users=1] = "
            "call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})\n"
            "    %n1000 : f32[2, 2] [num_users=1] = "
            "call_function[target=torch.ops.aten.atanh.default](args = (%n10,), kwargs = {})\n"
            "    %n1900 : f32[2, 2] [num_users=1] = "
            "call_function[target=torch.ops.aten.cos.default](args = (%n1000,), kwargs = {})\n"
            "    return (n1900,)\n");
}

TEST_F(ReduceWithEngine, AnOperationThatIsNamedIsReducedByItself) {
  const auto program = fx::graphFrom(
      "x: f32[4, 8] = placeholder\n"
      "w: f32[8] = placeholder\n"
      "a: f32[4, 8] = aten.relu.default(x)\n"
      "b: f32[4, 8] = aten.atanh.default(a)\n"
      "c: f32[4, 8] = aten.mul.Tensor(b, w)\n"
      "d: f32[4, 7] = aten.diff.default(c)\n"
      "return d");
  ASSERT_TRUE(program.has_value()) << program.error().message;
  const session::SnapshotPtr snapshot = imported(*program);
  const auto result = reduced(snapshot, test::outputType("tosa"), (*program)->findNode("b")->id);
  EXPECT_EQ(result->reduction.calls, 1U);
  EXPECT_EQ(result->reduction.program->findNode("b")->target, "aten.atanh.default");
  EXPECT_EQ(result->signature.fxTarget, "aten.atanh.default");
  EXPECT_TRUE(result->reduction.complete);
}

TEST_F(ReduceWithEngine, AStopKeepsTheBestSoFarAndProgressSaysHowFarItIs) {
  const session::SnapshotPtr snapshot = imported(longProgram(300, {{150, "aten.atanh.default"}}));
  std::stop_source stop;
  std::vector<std::string> said;
  RunContext context;
  context.stop = stop.get_token();
  context.report = [&](const Progress& progress) {
    said.push_back(progress.step);
    if (said.back().ends_with("operations left")) stop.request_stop();
  };
  ReduceOptions options;
  options.target = test::outputType("tosa");
  const auto result = reduce(snapshot, options, environment_, context);
  ASSERT_TRUE(result.has_value()) << result.error().message;
  EXPECT_EQ(said, (std::vector<std::string>{"determining how it fails",
                                            "reducing a program of 300 operations",
                                            "reducing: 1 of 300 operations left"}));
  EXPECT_EQ((*result)->reduction.calls, 1U);
  EXPECT_FALSE((*result)->raw.empty());
  EXPECT_TRUE((*result)->statement.ends_with("; stopped before it was minimal"))
      << (*result)->statement;

  const auto before = reduce(snapshot, options, environment_, context);
  ASSERT_FALSE(before.has_value());
  EXPECT_EQ(before.error().code, ErrorCode::Cancelled);
}

TEST_F(ReduceWithEngine, AProgramThatLowersHasNothingToReduce) {
  const session::SnapshotPtr snapshot = imported(longProgram(10, {}));
  ReduceOptions options;
  options.target = test::outputType("tosa");
  const auto full = reduce(snapshot, options, environment_, {});
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().message, "the program reaches tosa: there is no failure to reduce");
  options.node = snapshot->capture->program->findNode("n3")->id;
  const auto node = reduce(snapshot, options, environment_, {});
  ASSERT_FALSE(node.has_value());
  EXPECT_EQ(node.error().message, "nothing fails at node 'n3'");
}

}  // namespace
}  // namespace fxs::diagnose
