// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fx/builder.h"
#include "fx/text.h"

namespace fxs::diagnose {
namespace {

using fx::NodeId;
using fx::ProgramPtr;

const FailureSignature kWanted{"tosa", "convert-torch-to-tosa", "illegal-op", "torch.bad",
                               "bad.default"};
const FailureSignature kOther{"torch", "", "crash", "", ""};

/// How a program fails, if it does.
using Verdict = std::function<std::vector<Failure>(const fx::Program&)>;

class FakeProbe {
 public:
  explicit FakeProbe(Verdict verdict) : verdict_(std::move(verdict)) {}
  Probe probe() {
    return [this](const std::vector<ProgramPtr>& programs,
                  const RunContext&) -> Result<std::vector<std::vector<Failure>>> {
      if (++calls == stopAt) stop.request_stop();
      std::vector<std::vector<Failure>> out;
      for (const ProgramPtr& program : programs) out.push_back(verdict_(*program));
      return out;
    };
  }
  std::size_t calls = 0, stopAt = 0;
  std::stop_source stop;

 private:
  Verdict verdict_;
};

std::size_t countOf(const fx::Program& program, std::string_view target) {
  return static_cast<std::size_t>(
      std::count_if(program.nodes.begin(), program.nodes.end(),
                    [&](const fx::Node& node) { return node.target == target; }));
}

/// Whether a value of `from` reaches an operand of a `to`.
bool reaches(const fx::Program& program, std::string_view from, std::string_view to) {
  std::vector<bool> reached(program.nodes.size());
  for (const fx::Node& node : program.nodes) {
    bool fed = false;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](NodeId used) { fed = fed || reached[used.index()]; });
    if (fed && node.target == to) return true;
    reached[node.id.index()] = fed || node.target == from;
  }
  return false;
}

std::vector<Failure> when(bool fails) {
  return fails ? std::vector<Failure>{{kWanted, {}}} : std::vector<Failure>{};
}

/// A chain of adds and relus of f32[4], `special` operations at their places in it; odd.default is
/// of another size.
ProgramPtr chain(std::size_t length, const std::map<std::size_t, std::string>& special) {
  fx::Builder b;
  const auto tensor = [](std::int64_t size) {
    fx::TensorMeta meta;
    meta.dtype = DType::Float32;
    meta.sizes = {size};
    meta.strides = {1};
    meta.device.type = "cpu";
    return meta;
  };
  NodeId last = b.placeholder(b.main(), "x", tensor(4));
  b.program().inputs.push_back({fx::InputKind::UserInput, last, "", true, {}});
  NodeId before = last;
  for (std::size_t i = 0; i < length; ++i) {
    const auto at = special.find(i);
    const std::string target = at != special.end() ? at->second
                               : i % 2 == 0        ? "aten.relu.default"
                                                   : "aten.add.Tensor";
    std::vector<fx::NodeArgument> args{{"self", last, false}};
    if (target == "aten.add.Tensor") args.push_back({"other", before, false});
    before = last;
    last = b.call(b.main(), "n" + std::to_string(i), target, std::move(args), tensor(4));
  }
  b.output(b.main(), {last});
  b.program().outputs.push_back({fx::OutputKind::UserOutput, last, ""});
  return std::move(b).finish().value();
}

Reduction reduced(const ProgramPtr& program, FakeProbe& fake,
                  const ReductionOptions& options = {}) {
  RunContext context;
  context.stop = fake.stop.get_token();
  auto result = reduceProgram(program, kWanted, fake.probe(), options, context);
  EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
  return result.value_or(Reduction{});
}

TEST(Reduce, OneOperationAmongTwoThousandStandsAlone) {
  const ProgramPtr program = chain(2000, {{1234, "bad.default"}});
  FakeProbe fake([&](const fx::Program& p) {
    std::vector<Failure> out;
    for (const fx::Node& node : p.nodes)
      if (node.target == "bad.default")
        out.push_back({kWanted, p.original ? node.origin : node.id});
    return out;
  });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(fx::dump(*result.program),
            "graph():\n"
            "    %n1233 : f32[4] [num_users=1] = placeholder[target=n1233]\n"
            "    %n1234 : f32[4] [num_users=1] = call_function[target=bad.default](args = "
            "(%n1233,), kwargs = {})\n"
            "    return (n1234,)\n");
  EXPECT_EQ(result.program->originOf(*result.program->findNode("n1234")).name, "n1234");
  EXPECT_EQ(result.calls, 1U);
  EXPECT_EQ(result.originalCalls, 2000U);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(fake.calls, 3U);
}

TEST(Reduce, TwoFarApartAreKeptAndNothingElse) {
  const ProgramPtr program = chain(2000, {{10, "one.default"}, {1900, "bad.default"}});
  FakeProbe fake([](const fx::Program& p) {
    return when(countOf(p, "one.default") == 1 && countOf(p, "bad.default") == 1);
  });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(result.calls, 2U);
  EXPECT_TRUE(result.complete);
}

TEST(Reduce, AValueThatMustFlowFromOneToTheOtherStillDoes) {
  const ProgramPtr program =
      chain(2000, {{10, "one.default"}, {1000, "two.default"}, {1900, "bad.default"}});
  FakeProbe fake([](const fx::Program& p) {
    return when(reaches(p, "one.default", "two.default") &&
                reaches(p, "two.default", "bad.default"));
  });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(result.calls, 3U);
  EXPECT_TRUE(reaches(*result.program, "one.default", "bad.default"));
  EXPECT_EQ(result.program->outputs.size(), 1U);
}

TEST(Reduce, WhatShowsOnlyWithItsNeighboursKeepsThem) {
  const ProgramPtr program = chain(2000, {{999, "one.default"}, {1000, "bad.default"}});
  // Alone it fails in another way, which does not count.
  FakeProbe fake([](const fx::Program& p) {
    if (reaches(p, "one.default", "bad.default")) return when(true);
    return countOf(p, "bad.default") > 0 ? std::vector<Failure>{{kOther, {}}}
                                         : std::vector<Failure>{};
  });
  ReductionOptions options;
  options.node = program->findNode("n1000")->id;
  const Reduction result = reduced(program, fake, options);
  EXPECT_EQ(result.calls, 2U);
  EXPECT_TRUE(reaches(*result.program, "one.default", "bad.default"));
  EXPECT_LT(fake.calls, 12U);
}

TEST(Reduce, AProgramThatNeedsEverythingStaysAsItIs) {
  const ProgramPtr program = chain(60, {});
  FakeProbe fake([](const fx::Program& p) { return when(operationsOf(p) == 60); });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(result.program, program);
  EXPECT_TRUE(result.complete);
}

TEST(Reduce, AProgramThatFailsOnlyAsItIsStaysAsItIs) {
  const ProgramPtr program = chain(60, {});
  FakeProbe fake([](const fx::Program& p) { return when(p.original == nullptr); });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(result.program, program);
}

TEST(Reduce, ResultsThatDoNotMatterAreNotReturned) {
  const ProgramPtr program = fx::graphFrom(
                                 "x: f32[4] = placeholder\n"
                                 "p = aten.split.Tensor(x, 2)\n"
                                 "a: f32[2] = getitem(p, 0)\n"
                                 "b: f32[2] = getitem(p, 1)\n"
                                 "c: f32[2] = aten.relu.default(b)\n"
                                 "return a, b, c")
                                 .value();
  FakeProbe fake([](const fx::Program& p) { return when(countOf(p, "aten.split.Tensor") == 1); });
  const Reduction result = reduced(program, fake);
  EXPECT_EQ(result.calls, 1U);
  EXPECT_EQ(result.program->outputs.size(), 1U);
}

TEST(Reduce, WhenStoppedTheBestSoFarIsKept) {
  const ProgramPtr program = chain(500, {{10, "one.default"}, {400, "bad.default"}});
  const auto needsBoth = [](const fx::Program& p) {
    return when(countOf(p, "one.default") == 1 && countOf(p, "bad.default") == 1);
  };
  std::size_t last = 501;
  for (std::size_t stopAt = 1; stopAt < 12; stopAt += 2) {
    FakeProbe fake(needsBoth);
    fake.stopAt = stopAt;
    const Reduction result = reduced(program, fake);
    EXPECT_FALSE(needsBoth(*result.program).empty());
    EXPECT_FALSE(result.complete);
    EXPECT_LE(result.calls, last);
    EXPECT_LE(fake.calls, stopAt);
    last = result.calls;
  }
  EXPECT_LT(last, 500U);
}

TEST(Reduce, OutOfTimeItSaysSo) {
  const ProgramPtr program = chain(50, {{10, "one.default"}, {40, "bad.default"}});
  FakeProbe fake([](const fx::Program& p) { return when(countOf(p, "bad.default") == 1); });
  RunContext context;
  ReductionOptions options;
  options.budget = std::chrono::milliseconds(0);
  const auto result = reduceProgram(program, kWanted, fake.probe(), options, context);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::Timeout);
  EXPECT_EQ(result.error().message,
            "whether it can be reduced is not known: the time limit was reached; raise --timeout");
}

TEST(Reduce, AnotherFailureIsRefused) {
  const ProgramPtr program = chain(50, {});
  FakeProbe fake([](const fx::Program&) { return std::vector<Failure>{{kOther, {}}}; });
  const auto result = reduceProgram(program, kWanted, fake.probe(), {}, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message,
            "the program does not fail in the expected way: illegal-op of torch.bad (bad.default) "
            "in tosa, pass convert-torch-to-tosa");
}

TEST(Reduce, AnErrorOfTheProbeIsToldAsItIs) {
  const ProgramPtr program = chain(5, {});
  const Probe probe = [](const std::vector<ProgramPtr>&,
                         const RunContext&) -> Result<std::vector<std::vector<Failure>>> {
    return fail(ErrorCode::EngineFailed, "no engine");
  };
  const auto result = reduceProgram(program, kWanted, probe, {}, {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().message, "no engine");
}

}  // namespace
}  // namespace fxs::diagnose
