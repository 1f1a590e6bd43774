// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What makes sizes that are known only at run time, and what depends on them.
#include "diagnose/run_time_sizes.h"

#include <gtest/gtest.h>

#include "base/joined.h"
#include "diagnose/static_sizes.h"
#include "fx/text.h"
#include "output_type.h"
#include "program_from.h"

namespace fxs::diagnose {
namespace {

/// "aten.nonzero (u0): nz" for each source, then the nodes that depend on it: "  sum <- 0".
std::string dumpSizes(const fx::Program& program) {
  const RunTimeSizes sizes(program, {});
  std::string out;
  for (const SizeSource& source : sizes.sources()) {
    out += source.name + " (" + joined(source.symbols) + "):";
    for (const fx::NodeId node : source.nodes) out += " " + program.node(node).name;
    out += '\n';
  }
  for (const fx::Node& node : program.nodes)
    if (const auto own = sizes.of(node.id); own && !own->makes)
      out += "  " + node.name + " <- " + std::to_string(own->source) + '\n';
  return out;
}

TEST(RunTimeSizes, OfASelectionReachWhatHasThemOnly) {
  EXPECT_EQ(dumpSizes(*test::programFrom(R"(
x: f32[4, 4] = placeholder
mask: b8[4, 4] = placeholder
nz: i64[u0, 2] = aten.nonzero.default(mask)
rows: Sym(u0) = aten.sym_size.int(nz, 0)
column: i64[u0] = aten.select.int(nz, 1, 0)
picked: f32[u0, 4] = aten.index.Tensor(x, [column])
total: f32[] = aten.sum.default(picked)
other: f32[4, 4] = aten.relu.default(x)
last: f32[] = aten.neg.default(total)
return last, other
)")),
            "aten.nonzero (u0): nz\n"
            "  rows <- 0\n"
            "  column <- 0\n"
            "  picked <- 0\n"
            "  total <- 0\n");
}

TEST(RunTimeSizes, EachSourceHasItsOwnAndTheFirstOfTwoCounts) {
  EXPECT_EQ(dumpSizes(*test::programFrom(R"(
x: f32[4] = placeholder
mask: b8[4] = placeholder
a: f32[u0] = aten.masked_select.default(x, mask)
pair: (i64[u1], i64[u1]) = aten._unique2.default(x)
b: i64[u1] = getitem(pair, 0)
c: f32[u1] = aten.to.dtype(b, f32)
both: f32[u0 + u1] = aten.cat.default([a, c])
return both
)")),
            "aten.masked_select (u0): a\n"
            "aten._unique2 (u1): pair\n"
            "  b <- 1\n"
            "  c <- 1\n"
            "  both <- 0\n"
            "  output <- 0\n");
}

TEST(RunTimeSizes, ANumberThatIsNoSizeIsNone) {
  EXPECT_EQ(dumpSizes(*test::programFrom(R"(
x: f32[4] = placeholder
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
scaled: f32[4] = aten.mul.Scalar(x, k)
return scaled
)")),
            "");
}

TEST(RunTimeSizes, ANumberThatBecomesASizeIsMadeByItem) {
  EXPECT_EQ(dumpSizes(*test::programFrom(R"(
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
double: Sym(2*u0) = _operator.mul(k, 2)
y: i64[2*u0] = aten.arange.default(double)
return y
)")),
            "aten.item (u0): k\n"
            "  double <- 0\n"
            "  y <- 0\n"
            "  output <- 0\n");
}

TEST(RunTimeSizes, SizesOfInputsAreKnownBefore) {
  EXPECT_EQ(dumpSizes(*test::programFrom(R"(
x: f32[u0, s1] = placeholder
y: f32[u0, s1] = aten.relu.default(x)
return y
)")),
            "");
}

TEST(RunTimeSizes, NumbersInTheirPlaceLeaveOtherSizesAlone) {
  const fx::ProgramPtr program = test::programFrom(R"(
x: f32[s0, 4] = placeholder
n: i64[] = placeholder
k: Sym(u0) = aten.item.default(n)
y: f32[s0, u0] = aten.narrow.default(x, 1, 0, k)
return y
)");
  const auto fixed = withNumbers(program, {{"u0", 3}});
  ASSERT_TRUE(fixed.has_value()) << fixed.error().message;
  EXPECT_EQ(fx::dumpValue((*fixed)->findNode("y")->val), "f32[s0, 3]");
  EXPECT_EQ((*fixed)->findNode("y")->args.back().value, fx::Argument(std::int64_t{3}));
}

TEST(SizesSentence, IsOfTheDialect) {
  EXPECT_EQ(sizesSentence(test::outputType("tosa"), "aten.a"), "TOSA has static sizes only");
  EXPECT_EQ(sizesSentence(test::outputType("stablehlo"), "aten.a"),
            "StableHLO has dynamic sizes, but its pipeline in this engine lowers aten.a with "
            "static ones only");
  EXPECT_EQ(sizesSentence(test::outputType("torch"), "aten.a"), "");
}

TEST(FailsForSizes, IsWhatLowersWithNumbersOrHasNoPlaceInTheOutputType) {
  Blocked entry;
  const auto fails = [&](const char* type, const char* stage, SizeDependence sizes) {
    entry.target = test::outputType(type);
    entry.stage = stage;
    entry.sizes = std::move(sizes);
    return failsForSizes(entry);
  };
  EXPECT_FALSE(failsForSizes(entry));
  EXPECT_TRUE(fails("stablehlo", "stablehlo", {0, false, WithNumbers::Lowers}));
  EXPECT_FALSE(fails("tosa", "tosa", {0, false, WithNumbers::Fails}));
  EXPECT_TRUE(fails("tosa", "tosa", {0, false, WithNumbers::NotKnown}));
  EXPECT_FALSE(fails("linalg-on-tensors", "linalg-on-tensors", {0, true, WithNumbers::NotKnown}));
  EXPECT_TRUE(fails("tosa", "tosa", {0, true, WithNumbers::NotKnown}));
  EXPECT_FALSE(fails("tosa", "torch", {0, true, WithNumbers::NotKnown}));
}

}  // namespace
}  // namespace fxs::diagnose
