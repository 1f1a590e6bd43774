// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/joined.h"
#include "program_from.h"
#include "tensor/held_tensors.h"

namespace fxs::compare {
namespace {

using tensor::Tensor;

std::string sizesText(const std::vector<Sizes>& choices) {
  std::vector<std::string> lines;
  for (const Sizes& sizes : choices) {
    std::vector<std::string> parts;
    for (const auto& [symbol, size] : sizes) parts.push_back(symbol + "=" + std::to_string(size));
    lines.push_back(joined(parts, " "));
  }
  return joined(lines, "; ");
}

std::string tried(const fx::Program& program, const Sizes& given = {}) {
  const auto choices = sizesToTry(program, given, {});
  return choices ? sizesText(*choices) : toString(choices.error());
}

Inputs drawn(std::string_view text, std::uint64_t seed = 0, const Sizes& sizes = {}) {
  const auto inputs = drawInputs(*test::programFrom(text), sizes, seed, {});
  if (!inputs) throw std::runtime_error(toString(inputs.error()));
  return *inputs;
}

std::vector<double> valuesOf(std::string_view text, std::size_t input = 0, std::uint64_t seed = 0) {
  return tensor::elementsOf(drawn(text, seed).tensors.at(input));
}
double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}
double most(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

fx::ProgramPtr withRanges(std::string_view text, std::vector<fx::RangeConstraint> ranges,
                          std::vector<std::string> guards = {}) {
  auto program = std::make_shared<fx::Program>(*test::programFrom(text));
  program->ranges = std::move(ranges);
  program->guards = std::move(guards);
  return program;
}

TEST(SizesToTry, StaticProgramsHaveOneChoice) {
  EXPECT_EQ(tried(*test::programFrom(
                "x: f32[2, 4] = placeholder\ny: f32[2, 4] = aten.relu.default(x)\nreturn y")),
            "");
}

constexpr std::string_view kTwoDynamic =
    "x: f32[s0, s1, 7] = placeholder\n"
    "y: f32[s0, s1, 7] = aten.relu.default(x)\n"
    "return y";

TEST(SizesToTry, SymbolsHaveDifferentPrimesChangeOneByOneAndAreLargeAndOne) {
  EXPECT_EQ(tried(*test::programFrom(kTwoDynamic)),
            "s0=3 s1=5; s0=2 s1=5; s0=3 s1=2; s0=19 s1=37; s0=1 s1=5; s0=3 s1=1");
}

TEST(SizesToTry, RangesAreKept) {
  const auto program = withRanges(kTwoDynamic, {{"s0", 4, 8}, {"s1", 100, {}}});
  EXPECT_EQ(tried(*program), "s0=5 s1=100; s0=4 s1=100; s0=5 s1=101");
}

TEST(SizesToTry, GivenSizesAreKept) {
  const auto program = withRanges(kTwoDynamic, {{"s0", 2, 64}});
  EXPECT_EQ(tried(*program, {{"s0", 4}}), "s0=4 s1=3; s0=4 s1=5; s0=4 s1=19; s0=4 s1=1");
  EXPECT_EQ(tried(*program, {{"s0", 1}}), "size s0=1: the program allows 2 to 64");
  EXPECT_EQ(tried(*program, {{"s1", -1}}), "size s1=-1: the program allows 0 or more");
  EXPECT_EQ(tried(*program, {{"s5", 1}}),
            "size s5: the inputs have no such size; they have s0, s1");
  EXPECT_EQ(tried(*test::programFrom("x: f32[2] = placeholder\nreturn x"), {{"s5", 1}}),
            "size s5: the inputs have static sizes only");
}

TEST(SizesToTry, GuardsAreSatisfied) {
  const auto program =
      withRanges(kTwoDynamic, {},
                 {"L['x'].size()[1] % 8 == 0", "L['x'].size()[0] <= 4 and L['x'].size()[0] != 3"});
  EXPECT_EQ(tried(*program), "s0=2 s1=8; s0=4 s1=8; s0=2 s1=16; s0=1 s1=8");
  EXPECT_EQ(tried(*program, {{"s1", 4}}),
            "sizes s1=4: the guards of the program do not allow them");
}

TEST(SizesToTry, ImpossibleGuardsAreSaid) {
  EXPECT_EQ(tried(*withRanges(kTwoDynamic, {}, {"L['x'].size()[0] < 0"})),
            "no sizes were found that the guards of the program allow; give some with --size");
}

TEST(SizesToTry, AssertionsOnSizesInTheGraphAreSatisfied) {
  EXPECT_EQ(tried(*test::programFrom("x: f32[s0] = placeholder\n"
                                     "n: Sym(s0) = aten.sym_size.int(x, 0)\n"
                                     "ge: SymBool(s0 >= 6) = _operator.ge(n, 6)\n"
                                     "a: None = aten._assert_scalar.default(ge, 'large')\n"
                                     "return x")),
            "s0=7; s0=11; s0=19");
}

TEST(SizesToTry, ASourceHasTheSizesOfWhatItReplaces) {
  EXPECT_EQ(
      tried(*test::programFrom("x: f32[s0, s1, 5] = placeholder\n"
                               "v: f32[s2, 5] = placeholder\n"
                               "y: f32[s0, s1, 5] = aten.select_scatter.default(x, v, 0, 1)\n"
                               "z: f32[s0, s1, 5] = aten.select_scatter.default(x, v, -3, 1)\n"
                               "return y")),
      "s0=3 s1=3 s2=3; s0=7 s1=3 s2=3; s0=19 s1=19 s2=19; s0=1 s1=3 s2=3");
}

TEST(SizesToTry, SizesWithinTheGraphAreNotOne) {
  // s0 - 3 is a size that broadcasts for 4.
  EXPECT_EQ(tried(*withRanges(
                "x: f32[s0] = placeholder\ny: f32[s0 - 3] = aten.slice.Tensor(x, 0, 3)\nreturn y",
                {{"s0", 4, {}}})),
            "s0=5; s0=7; s0=19");
}

TEST(SizesToTry, SizesRelatedByExpressionsAreConsistent) {
  const Inputs inputs =
      drawn("x: f32[s0, 2*s1] = placeholder\ny: f32[s0 + 1, s1] = placeholder\nreturn x");
  EXPECT_EQ(sizesText({inputs.sizes}), "s0=3 s1=5");
  EXPECT_EQ(typeText(inputs.tensors[0]) + " " + typeText(inputs.tensors[1]),
            "f32[3, 10] f32[4, 5]");
}

TEST(SizesToTry, AStructuredArgumentIsFoundByItsPlaceholder) {
  const auto program =
      withRanges("a_0: f32[s0] = placeholder\na_1: f32[s1] = placeholder\nreturn a_0", {},
                 {"L['a'][0].size()[0] == 2*L['a'][1].size()[0]"});
  EXPECT_EQ(tried(*program), "s0=4 s1=2");
}

TEST(SizesToTry, StrictExportsNumberTheirInputs) {
  const auto program =
      withRanges("x: f32[s0] = placeholder\ny: f32[s1] = placeholder\nreturn x", {},
                 {"L['flat_args'][0].size()[0] == 2*L['flat_args'][1].size()[0]"});
  EXPECT_EQ(tried(*program), "s0=4 s1=2");
  const auto inputs =
      drawInputs(*withRanges(kTwoDynamic, {}, {"L['flat_args'][7].size()[0] == 2"}), {}, 0, {});
  ASSERT_TRUE(inputs);
  EXPECT_EQ(
      inputs->notes,
      (std::vector<std::string>{"a guard was not checked: L['flat_args'][7].size()[0] == 2"}));
}

TEST(SizesToTry, ChainedComparisonsAreNotMisread) {
  const auto program = withRanges(kTwoDynamic, {}, {"2 <= L['x'].size()[0] <= 1"});
  const auto inputs = drawInputs(*program, {}, 0, {});
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->notes,
            (std::vector<std::string>{"a guard was not checked: 2 <= L['x'].size()[0] <= 1"}));
}

TEST(DrawInputs, TheSameSeedGivesTheSameBits) {
  constexpr std::string_view kText = "x: f32[4] = placeholder\nreturn x";
  EXPECT_EQ(drawn(kText, 1).tensors, drawn(kText, 1).tensors);
  EXPECT_NE(drawn(kText, 1).tensors, drawn(kText, 2).tensors);
  // What every machine gives.
  EXPECT_EQ(valuesOf("x: f16[5] = placeholder\nreturn x", 0, 1),
            (std::vector<double>{0.072509765625, -2.3515625, -0.274658203125, 0, -1.5263671875}));
  EXPECT_EQ(valuesOf("x: i64[8] = placeholder\nreturn x", 0, 1),
            (std::vector<double>{8, 6, 2, 3, 7, 0, 9, 9}));
}

TEST(DrawInputs, FloatsHaveZerosAndBothSigns) {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto values = valuesOf("x: f16[2, 3] = placeholder\nreturn x", 0, seed);
    EXPECT_LT(least(values), 0);
    EXPECT_GT(most(values), 0);
    EXPECT_EQ(std::count(values.begin(), values.end(), 0), 1) << seed;
    EXPECT_LE(most(values), 6);
  }
}

TEST(DrawInputs, IndicesLieBelowTheSizeOfTheirTable) {
  constexpr std::string_view kText =
      "w: f32[11, 4] = parameter 'w'\n"
      "tokens: i64[40] = placeholder\n"
      "v: i64[8, 5] = aten.view.default(tokens, [8, 5])\n"
      "c: i32[8, 5] = aten.to.dtype(v, torch.int32)\n"
      "p: i32[8, 5] = aten.add.Tensor(c, 2)\n"
      "e: f32[8, 5, 4] = aten.embedding.default(w, p)\n"
      "return e";
  const auto values = valuesOf(kText);
  EXPECT_EQ(least(values), 0);
  EXPECT_EQ(most(values), 8);
  EXPECT_EQ(drawn(kText).notes, (std::vector<std::string>{"tokens: 0 to 8, as indices at e"}));
}

TEST(DrawInputs, TheSmallestOfSeveralTablesCounts) {
  EXPECT_EQ(drawn("a: f32[11, 4] = placeholder\n"
                  "i: i64[40] = placeholder\n"
                  "x: f32[40, 4] = aten.index_select.default(a, 0, i)\n"
                  "y: f32[11, 40] = aten.index.Tensor(a, [None, i])\n"
                  "return x, y")
                .notes,
            (std::vector<std::string>{"i: 0 to 3, as indices at y"}));
}

TEST(DrawInputs, BoundsFollowArithmetic) {
  const auto note = [](std::string_view lines) {
    const auto notes =
        drawn("w: f32[100, 4] = parameter 'w'\ni: i64[5] = placeholder\n" + std::string(lines) +
              "\ne: f32[5, 4] = aten.embedding.default(w, j)\nreturn e")
            .notes;
    return joined(notes, "|");
  };
  EXPECT_EQ(note("j: i64[5] = aten.mul.Tensor(i, 10)"), "i: 0 to 9, as indices at e");
  EXPECT_EQ(note("j: i64[5] = aten.sub.Tensor(i, 1)"), "i: 1 to 100, as indices at e");
  EXPECT_EQ(note("j: i64[5] = aten.remainder.Scalar(i, 100)"), "");
  EXPECT_EQ(note("j: i64[5] = aten.clamp.default(i, 0, 99)"), "");
  EXPECT_EQ(note("j: i64[5] = aten.cumsum.default(i, 0)"), "i: 0 to 19, as indices at e");
  EXPECT_EQ(note("k: b8[5] = aten.gt.Scalar(i, 50)\nj: i64[5] = aten.where.self(k, i, i)"),
            "i: 0 to 99, as indices at e");
  EXPECT_EQ(note("k: i64[5] = aten.add.Tensor(i, 200)\nj: i64[5] = aten.clamp_min.default(k, 100)"),
            "elements of j may not be valid as indices at e");
}

TEST(DrawInputs, OtherIntegersAreSmall) {
  const auto values = valuesOf("x: i64[100] = placeholder\nreturn x");
  EXPECT_EQ(least(values), 0);
  EXPECT_EQ(most(values), 9);
}

TEST(DrawInputs, PlacesToWriteAreDistinct) {
  const auto positions = [](std::string_view text, std::size_t input) {
    const auto values = valuesOf(text, input);
    return std::set<double>(values.begin(), values.end()).size();
  };
  EXPECT_EQ(
      positions("x: f32[6, 5] = placeholder\ni: i64[6] = placeholder\nv: f32[6, 5] = placeholder\n"
                "y: f32[6, 5] = aten.index_put.default(x, [i], v)\nreturn y",
                1),
      6);
  // Along the dimension of a scatter only.
  const auto values = valuesOf(
      "x: f32[3, 4] = placeholder\ni: i64[3, 4] = placeholder\nv: f32[3, 4] = placeholder\n"
      "y: f32[3, 4] = aten.scatter.src(x, 0, i, v)\nreturn y",
      1);
  for (std::size_t column = 0; column < 4; ++column)
    EXPECT_EQ((std::set<double>{values[column], values[column + 4], values[column + 8]}),
              (std::set<double>{0, 1, 2}));
}

TEST(DrawInputs, PlacesToWriteThatAreComputedAreDistinctToo) {
  const auto values = valuesOf(
      "x: f32[12, 5] = placeholder\ni: i64[4] = placeholder\nv: f32[4, 5] = placeholder\nd: i64[4] "
      "= aten.mul.Tensor(i, 2)\n"
      "p: i64[4] = aten.add.Tensor(d, 1)\ny: f32[12, 5] = aten.index_put.default(x, [p], "
      "v)\nreturn y",
      1);
  EXPECT_EQ(std::set<double>(values.begin(), values.end()).size(), 4);
}

TEST(DrawInputs, WritesToOnePlaceAreNamed) {
  const auto notesOf = [](std::string_view text) {
    const auto program = fx::graphFrom(text);
    EXPECT_TRUE(program) << program.error().message;
    const auto inputs = drawInputs(**program, {}, 0, RunContext{});
    EXPECT_TRUE(inputs) << inputs.error().message;
    return inputs->notes;
  };
  const std::string order = ", and which of several writes to one place is the last is not defined";
  EXPECT_THAT(
      notesOf("x: f32[4] = placeholder\ni: i64[6] = placeholder\nv: f32[6] = placeholder\n"
              "y: f32[4] = aten.index_put.default(x, [i], v)\nreturn y"),
      ::testing::Contains("elements of i repeat, as there are more writes than places" + order));
  EXPECT_THAT(notesOf("x: f32[4] = placeholder\ni: i64[4] = placeholder\nv: f32[4] = placeholder\n"
                      "r: i64[4] = aten.remainder.Scalar(i, 4)\ny: f32[4] = "
                      "aten.index_put.default(x, [r], v)\nreturn y"),
              ::testing::Contains("places to write at y may repeat" + order));
  EXPECT_THAT(
      notesOf(
          "x: f32[4] = placeholder\nv: f32[4] = placeholder\ni: i64[4] = aten.arange.default(4)\n"
          "y: f32[4] = aten.index_put.default(x, [i], v)\nreturn y"),
      ::testing::IsEmpty());
}

TEST(DrawInputs, MasksHaveBothValuesInEveryRow) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    const auto values = valuesOf("m: b8[6, 4] = placeholder\nreturn m", 0, seed);
    for (std::size_t row = 0; row < 6; ++row) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(4 * row);
      EXPECT_EQ(*begin, 1);
      EXPECT_GE(std::count(begin, begin + 4, 0), 1);
    }
  }
}

TEST(DrawInputs, AnAttentionMaskOfIntegersIsZerosAndOnes) {
  const Inputs inputs = drawn(
      "m: i64[2, 8] = placeholder\n"
      "u: i64[2, 1, 8] = aten.unsqueeze.default(m, 1)\n"
      "f: f32[2, 1, 8] = aten.to.dtype(u, torch.float32)\n"
      "r: f32[2, 1, 8] = aten.rsub.Scalar(f, 1.0)\n"
      "x: f32[2, 1, 8] = aten.mul.Tensor(r, -1e9)\n"
      "return x");
  EXPECT_EQ(inputs.notes, (std::vector<std::string>{"m: zeros and ones, as a mask at x"}));
  EXPECT_EQ(most(tensor::elementsOf(inputs.tensors[0])), 1);
}

TEST(DrawInputs, AFloatMaskIsFinite) {
  const Inputs inputs = drawn(
      "q: f32[1, 2, 8, 4] = placeholder\n"
      "mask: f32[1, 1, 8, 8] = placeholder\n"
      "y: f32[1, 2, 8, 4] = aten.scaled_dot_product_attention.default(q, q, q, mask)\n"
      "return y");
  EXPECT_EQ(
      inputs.notes,
      (std::vector<std::string>{"mask: some elements are far below the others, as a mask at y"}));
  const auto values = tensor::elementsOf(inputs.tensors[1]);
  EXPECT_EQ(least(values), -10000);
  for (std::size_t row = 0; row < values.size(); row += 8) EXPECT_GT(values[row], -7);
}

TEST(DrawInputs, DomainsAreKept) {
  const auto note = [](std::string_view call) {
    return joined(
        drawn("x: f32[50] = placeholder\ny: f32[50] = " + std::string(call) + "\nreturn y").notes,
        "|");
  };
  EXPECT_EQ(note("aten.log.default(x)"), "x: 0.0625 to 4, for the domain of log");
  EXPECT_EQ(note("aten.acos.default(x)"), "x: -0.9375 to 0.9375, for the domain of acos");
  EXPECT_EQ(note("aten.acosh.default(x)"), "x: 1.0625 to 4, for the domain of acosh");
  EXPECT_EQ(note("aten.pow.Tensor_Scalar(x, 0.5)"), "x: 0.0625 to 4, for the domain of pow");
  EXPECT_EQ(note("aten.pow.Tensor_Scalar(x, 3)"), "");
  EXPECT_EQ(note("aten.logit.default(x)"), "x: 0.0625 to 0.9375, for the domain of logit");
  const auto values =
      valuesOf("x: f32[50] = placeholder\ny: f32[50] = aten.log.default(x)\nreturn y");
  EXPECT_GE(least(values), 0.0625);
}

TEST(DrawInputs, WhatIsSearchedIsSorted) {
  const std::string program =
      "s: f32[3, 20] = placeholder\nx: f32[3, 4] = placeholder\ny: i64[3, 4] = "
      "aten.searchsorted.Tensor(s, x)\nreturn y";
  EXPECT_EQ(drawn(program).notes, (std::vector<std::string>{"s: ascending, to be searched at y"}));
  const auto values = tensor::elementsOf(drawn(program).tensors[0]);
  for (std::size_t row = 0; row < values.size(); row += 20)
    EXPECT_TRUE(std::is_sorted(values.begin() + static_cast<std::ptrdiff_t>(row),
                               values.begin() + static_cast<std::ptrdiff_t>(row + 20)));
}

TEST(DrawInputs, DivisorsAreNotZero) {
  const auto values =
      valuesOf("x: f32[200] = placeholder\ny: f32[200] = aten.reciprocal.default(x)\nreturn y");
  EXPECT_EQ(std::count(values.begin(), values.end(), 0), 0);
  EXPECT_LT(least(values), 0);
  EXPECT_EQ(
      drawn("x: i64[9] = placeholder\ny: i64[9] = aten.floor_divide.default(x, x)\nreturn y").notes,
      (std::vector<std::string>{"x: 1 to 10, as divisors at y"}));
}

TEST(DrawInputs, AssertionsOnDataHold) {
  const auto program = withRanges(
      "n: i64[] = placeholder\n"
      "i: Sym(u0) = aten.item.default(n)\n"
      "ge: SymBool(u0 >= 2) = _operator.ge(i, 2)\n"
      "a: None = aten._assert_scalar.default(ge, 'small')\n"
      "y: i64[u0] = aten.arange.default(i)\n"
      "return y",
      {{"u0", 0, 4}});
  const auto inputs = drawInputs(*program, {}, 0, {});
  ASSERT_TRUE(inputs);
  EXPECT_EQ(inputs->notes, (std::vector<std::string>{"n: 2 to 4, for the range of u0 at i"}));
  const double value = tensor::elementAt(inputs->tensors[0], 0);
  EXPECT_TRUE(value >= 2 && value <= 4) << value;
}

TEST(DrawInputs, AssertionsOnTensorsHold) {
  const auto note = [](std::string_view dtype, std::string_view assertion) {
    return joined(
        drawn("x: " + std::string(dtype) +
              "[3] = placeholder\nc: b8[3] = " + std::string(assertion) +
              "\nd: b8[] = aten.all.default(c)\na: None = aten._assert_async.msg(d, 'x')\nreturn x")
            .notes,
        "|");
  };
  EXPECT_EQ(note("i64", "aten.ge.Scalar(x, 3)"), "x: 3 to 12, for the assertion at a");
  EXPECT_EQ(note("i64", "aten.lt.Scalar(x, 3)"), "x: 0 to 2, for the assertion at a");
  EXPECT_EQ(note("f32", "aten.gt.Scalar(x, 0)"), "x: 0.0625 to 4, for the assertion at a");
  EXPECT_EQ(note("f32", "aten.gt.Scalar(x, 100)"),
            "elements of d may not be valid for the assertion at a");
}

TEST(DrawInputs, BoundsEnterSubgraphs) {
  EXPECT_EQ(drawn("w: f32[7, 4] = parameter 'w'\n"
                  "i: i64[5] = placeholder\n"
                  "g = get_attr\n"
                  "y: (f32[5, 4],) = higher_order.wrap_with_set_grad_enabled(False, g, w, i)\n"
                  "z: f32[5, 4] = getitem(y, 0)\n"
                  "return z\n"
                  "graph g():\n"
                  "w: f32[7, 4] = placeholder\n"
                  "i: i64[5] = placeholder\n"
                  "e: f32[5, 4] = aten.embedding.default(w, i)\n"
                  "return (e,)\n")
                .notes,
            (std::vector<std::string>{"i: 0 to 6, as indices at e"}));
}

TEST(DrawInputs, NumbersAreSizesAndConstantsAreNotDrawn) {
  const Inputs inputs =
      drawn("n: Sym(s0) = placeholder\nc = constant_input = 3\nx: f32[s0] = placeholder\nreturn x");
  ASSERT_EQ(inputs.tensors.size(), 2U);
  EXPECT_EQ(inputs.tensors[0].sizes.size(), 0U);
  EXPECT_EQ(tensor::elementAt(inputs.tensors[0], 0), 3);
  EXPECT_EQ(typeText(inputs.tensors[1]), "f32[3]");
}

TEST(DrawInputs, UndrawableInputsAreNamed) {
  const auto inputs = drawInputs(
      *test::programFrom("o: CustomObject('a.B') = placeholder\nx: f32[2] = placeholder\nreturn x"),
      {}, 0, {});
  ASSERT_FALSE(inputs);
  EXPECT_EQ(inputs.error().message, "input 'o' is a custom object, which cannot be given");
}

std::string fromFile(const fx::Program& program, const std::vector<tensor::StoredTensor>& stored) {
  tensor::HeldTensors held;
  for (const auto& [name, dtype, sizes] : stored)
    held.add(name, tensor::tensorFrom(dtype, sizes,
                                      std::vector<double>(*tensor::elementCount(sizes), 4)));
  const auto inputs = inputsFrom(program, held, "in.npz", {});
  if (!inputs) return toString(inputs.error());
  std::string out = sizesText({inputs->sizes});
  for (const Tensor& tensor : inputs->tensors) out += " " + typeText(tensor);
  return out;
}

TEST(InputsFrom, NamesThenOrder) {
  const auto program = withRanges(
      "x: f32[s0, 2] = placeholder\ny: f32[2*s0] = placeholder\nreturn x", {{"s0", 2, 8}});
  EXPECT_EQ(fromFile(*program, {{"y", DType::Float32, {6}}, {"x", DType::Float32, {3, 2}}}),
            "s0=3 f32[3, 2] f32[6]");
  EXPECT_EQ(fromFile(*program, {{"arr_0", DType::Float32, {3, 2}}, {"arr_1", DType::Float32, {6}}}),
            "s0=3 f32[3, 2] f32[6]");
  EXPECT_EQ(fromFile(*program, {{"x", DType::Float32, {3, 2}}}),
            "in.npz: there is no tensor 'y'; the inputs are x, y");
}

TEST(InputsFrom, WhatDoesNotFitIsNamed) {
  const auto program = withRanges("x: f32[s0, 2] = placeholder\nreturn x", {{"s0", 2, 8}});
  EXPECT_EQ(fromFile(*program, {{"x", DType::Float64, {3, 2}}}),
            "in.npz: input 'x': expected f32[s0, 2], got f64[3, 2]");
  EXPECT_EQ(fromFile(*program, {{"x", DType::Float32, {3, 4}}}),
            "in.npz: input 'x': expected f32[s0, 2], got f32[3, 4]");
  EXPECT_EQ(fromFile(*program, {{"x", DType::Float32, {9, 2}}}),
            "in.npz: size s0=9: the program allows 2 to 8");
}

TEST(InputsFrom, ASizeFollowsFromAnExpression) {
  EXPECT_EQ(fromFile(*test::programFrom("x: f32[2*s0 + 1] = placeholder\nreturn x"),
                     {{"", DType::Float32, {9}}}),
            "s0=4 f32[9]");
  EXPECT_EQ(fromFile(*test::programFrom("x: f32[2*s0 + 1] = placeholder\nreturn x"),
                     {{"", DType::Float32, {8}}}),
            "in.npz: input 'x': expected f32[2*s0 + 1], got f32[8]");
}

TEST(InputsFrom, ANumberIsASize) {
  EXPECT_EQ(fromFile(*test::programFrom("n: Sym(s0) = placeholder\nreturn n"),
                     {{"n", DType::Int64, {1}}}),
            "s0=4 i64[]");
}

}  // namespace
}  // namespace fxs::compare
