// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/scope.h"

#include <gtest/gtest.h>

#include "compare/comparison.h"
#include "output_type.h"
#include "program_from.h"

namespace fxs::compare {
namespace {

/// A comparison in which every set that is drawn for the program ran and was the same.
struct Compared {
  fx::ProgramPtr program;
  Comparison comparison;
  TargetComparison target;

  explicit Compared(std::string_view text, const std::vector<Sizes>& sizes = {{}})
      : program(test::programFrom(text)) {
    target.to = test::outputType("tosa");
    for (const Sizes& each : sizes) {
      auto sets = drawInputSets(*program, each, 0, {});
      for (Inputs& inputs : *sets) {
        for (const char* executor : {"iree", "llvm"}) {
          compare::Run run;
          run.executor = executor;
          run.inputs = comparison.inputs.size();
          run.sizes = inputs.sizes;
          run.set = inputs.set;
          run.outcome = execute::Outcome::Ran;
          run.results.emplace_back().name = "y";
          run.results.back().compared = true;
          target.runs.push_back(run);
        }
        comparison.inputs.push_back(std::move(inputs));
      }
    }
  }
  Scope scope() const { return scopeOf(target, comparison, *program, {}); }
  std::string message() const { return scope().message(); }
  void remove(InputSetKind set) {
    std::erase_if(target.runs, [&](const compare::Run& run) { return run.set == set; });
  }
};

TEST(Scope, ASetThatDidNotRunIsNotInTheSentence) {
  Compared made("x: i8[4, 8] = placeholder\ny: i8[4, 8] = aten.neg.default(x)\nreturn y");
  EXPECT_EQ(made.message(), "4 input sets, int8 over its range");
  made.remove(InputSetKind::Range);
  made.remove(InputSetKind::Edges);
  EXPECT_EQ(made.message(), "2 input sets, x int8 -1 to 9");
  made.remove(InputSetKind::Steps);
  EXPECT_EQ(made.message(), "1 input set, x int8 0 to 9");
  made.remove(InputSetKind::Ordinary);
  EXPECT_EQ(made.message(), "no inputs");
}

TEST(Scope, WhatWasNotTriedNamesTheOperatorThatForbidsIt) {
  Compared made(
      "x: f32[4, 8] = placeholder\nw: f32[8, 2] = placeholder\ny: f32[4, 2] = aten.mm.default(x, "
      "w)\nreturn y");
  EXPECT_EQ(made.message(), "7 input sets, infinity not tried in x, w (mm)");
  Compared each("x: f32[8, 16] = placeholder\ny: f32[8, 16] = aten.relu.default(x)\nreturn y");
  EXPECT_EQ(each.message(), "5 input sets");
  each.remove(InputSetKind::Nonfinite);
  EXPECT_EQ(each.message(), "4 input sets, NaN and infinity not tried in x");
}

TEST(Scope, WhatOneExecutorAloneRanIsSaid) {
  Compared made("x: f32[8, 16] = placeholder\ny: f32[8, 16] = aten.relu.default(x)\nreturn y");
  for (compare::Run& run : made.target.runs)
    if (run.executor == "iree" && run.set != InputSetKind::Ordinary)
      run.outcome = execute::Outcome::TimedOut;
  EXPECT_EQ(made.message(), "5 input sets, 4 of them only by llvm");
  std::erase_if(made.target.runs, [](const compare::Run& run) { return run.executor == "iree"; });
  EXPECT_EQ(made.message(), "5 input sets, only by llvm");
}

TEST(Scope, SizesAreThoseOfTheSetsThatWereCompared) {
  Compared made("x: f32[s0, 64] = placeholder\ny: f32[s0, 64] = aten.relu.default(x)\nreturn y",
                {{{"s0", 3}}, {{"s0", 1}}, {{"s0", 19}}});
  EXPECT_EQ(made.message(), "15 input sets, sizes s0 in {1, 3, 19}");
  std::erase_if(made.target.runs, [](const compare::Run& run) { return run.sizes.at("s0") == 1; });
  EXPECT_EQ(made.message(), "10 input sets, sizes s0 in {3, 19}");
}

TEST(Scope, WhatWasNotComparedIsNamed) {
  Compared made("x: f32[8, 16] = placeholder\ny: f32[8, 16] = aten.relu.default(x)\nreturn y");
  ResultComparison random;
  random.name = "mask";
  random.reason = "it depends on random numbers";
  for (compare::Run& run : made.target.runs) run.results.push_back(random);
  for (compare::Run& run : made.target.runs)
    if (run.set == InputSetKind::Nonfinite) run.reason = "PyTorch raises at relu: RuntimeError";
  EXPECT_EQ(made.message(),
            "4 input sets, NaN and infinity not tried in x, mask not compared: it depends on "
            "random numbers, "
            "inputs not compared: PyTorch raises at relu: RuntimeError");
}

TEST(Scope, WhatAnOperatorDidNotSeeIsSaid) {
  Scope scope =
      Compared("x: f32[8, 16] = placeholder\ny: f32[8, 16] = aten.relu.default(x)\nreturn y")
          .scope();
  scope.unseen = {{Value::Half, "round", 2}};
  EXPECT_EQ(scope.message(), "5 input sets, no ties of rounding at round");
}

/// If every value of the program is these four numbers.
std::vector<Unseen> unseenIn(const fx::Program& program, const std::vector<double>& values) {
  Coverage coverage(program);
  coverage.add(
      [&](fx::NodeId) { return std::optional(tensor::tensorFrom(DType::Float32, {4}, values)); });
  return coverage.unseen();
}

TEST(Coverage, AnOperatorThatNeverSawATieIsNamed) {
  const auto program =
      test::programFrom("x: f32[4] = placeholder\ny: f32[4] = aten.round.default(x)\nreturn y");
  const auto unseen = [&](const std::vector<double>& values) { return unseenIn(*program, values); };
  EXPECT_EQ(unseen({0.25, -1, 2, 0}), (std::vector<Unseen>{{Value::Half, "round", 1}}));
  EXPECT_TRUE(unseen({0.5, -1, 2, 0}).empty());
}

TEST(Coverage, EverySeparatingValueIsCountedByCall) {
  const auto program = test::programFrom(
      "x: f32[4] = placeholder\ny: f32[4] = placeholder\na: f32[4] = aten.relu.default(x)\nb: "
      "f32[4] = aten.relu.default(y)\n"
      "return a, b");
  Coverage coverage(*program);
  coverage.add([&](fx::NodeId id) {
    return std::optional(tensor::tensorFrom(DType::Float32, {4},
                                            program->node(id).name == "x"
                                                ? std::vector<double>{-1, 2, 3, NAN}
                                                : std::vector<double>{1, 2, 3, 0}));
  });
  std::string out;
  for (const Sight& sight : coverage.sights())
    if (sight.seen > 0)
      out += sight.packet + " " + std::string(name(sight.value)) + " " +
             std::to_string(sight.seen) + "\n";
  EXPECT_EQ(out, "relu zero 1\nrelu negative 1\nrelu nan 1\n");
  for (const Sight& sight : coverage.sights()) EXPECT_EQ(sight.calls, 2U);
}

TEST(Scope, ASetHasItsOwnValues) {
  const auto program = test::programFrom(
      "x: f32[4] = placeholder\nk: i8[2] = placeholder\ny: f32[4] = aten.relu.default(x)\nreturn "
      "y, k");
  Inputs inputs;
  inputs.set = InputSetKind::Edges;
  inputs.round = 2;
  inputs.tensors = {tensor::tensorFrom(DType::Float32, {4}, {-1.5, 2, NAN, 0}),
                    tensor::tensorFrom(DType::Int8, {2}, {-128, 127})};
  EXPECT_EQ(label(inputs), "edges.2");
  const std::vector<Scope::Tried> values = valuesOf(inputs, *program);
  ASSERT_EQ(values.size(), 2U);
  EXPECT_EQ(values[0].input, "x");
  EXPECT_EQ(values[0].min, -1.5);
  EXPECT_EQ(values[0].max, 2);
  EXPECT_TRUE(values[0].values.has(Value::Nan) && values[0].values.has(Value::Half));
  EXPECT_FALSE(values[0].isFullRange);
  EXPECT_TRUE(values[1].isFullRange);
}

TEST(Coverage, AComparisonIsTriedWithEqualOperands) {
  const auto program = test::programFrom(
      "x: f32[2, 2] = placeholder\nb: f32[2] = placeholder\ng: b8[2, 2] = aten.gt.Tensor(x, b)\n"
      "h: b8[2, 2] = aten.le.Scalar(x, 3)\nreturn g, h");
  const auto tied = [&](const std::vector<double>& b) {
    Coverage coverage(*program);
    coverage.add([&](fx::NodeId id) {
      return std::optional(program->node(id).name == "b"
                               ? tensor::tensorFrom(DType::Float32, {2}, b)
                               : tensor::tensorFrom(DType::Float32, {2, 2}, {0, 1, 2, 4}));
    });
    std::string out;
    for (const Unseen& each : coverage.unseen())
      out += std::string(name(each.value)) + " at " + each.packet + "\n";
    return out;
  };
  EXPECT_EQ(tied({1, 3}), "tied at gt\ntied at le\n") << "equal elements of one row each";
  EXPECT_EQ(tied({2, 3}), "tied at le\n");
}

TEST(Coverage, ALargestOfNegativeValuesAlone) {
  const auto program = test::programFrom(
      "x: f32[4] = placeholder\ny: f32[1] = aten.amax.default(x, [0], True)\nreturn y");
  const auto unseen = [&](const std::vector<double>& values) { return unseenIn(*program, values); };
  EXPECT_EQ(unseen({-1, -2, 3, -1}), (std::vector<Unseen>{{Value::Below, "amax", 1}}));
  EXPECT_TRUE(unseen({-1, -2, -3, -1}).empty());
}

}  // namespace
}  // namespace fxs::compare
