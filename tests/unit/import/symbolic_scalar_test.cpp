// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Python arithmetic on symbolic scalars.
#include "imported_text.h"

namespace fxs::import::test {
namespace {

/// The lines that `expression`, of type `type`, adds after n: Sym(s0) and f: SymFloat(zf0).
std::string scalar(const std::string& type, const std::string& expression,
                   Mode mode = Mode::Lowering) {
  const std::string head =
      "x: f32[s0] = placeholder\nt: f32[] = placeholder\nn: Sym(s0) = aten.sym_size.int(x, 0)\nf: "
      "SymFloat(zuf0) = aten.item.default(t)\n";
  const std::string with =
      body(head + "r: " + type + " = " + expression + "\nreturn r", parity(mode));
  // The two inputs' own three lines stand first, the return last.
  std::size_t begin = 0;
  for (int line = 0; line < 3; ++line) begin = with.find('\n', begin) + 1;
  return with.substr(begin, with.rfind("\"func.return\"") - begin);
}

TEST(SymbolicScalar, IntegersTakeTheIntOverload) {
  EXPECT_EQ(scalar("Sym(s0 + 1)", "_operator.add(n, 1)"),
            R"(%3 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
%4 = "torch.aten.add.int"(%1, %3) : (!torch.int, !torch.int) -> !torch.int
)");
}
TEST(SymbolicScalar, TrueDivisionOfIntegersIsAFloat) {
  EXPECT_EQ(scalar("SymFloat(s0/2)", "_operator.truediv(n, 2)"),
            R"(%3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%4 = "torch.aten.div.int"(%1, %3) : (!torch.int, !torch.int) -> !torch.float
)");
}
TEST(SymbolicScalar, MixedMultiplicationPromotesTheInteger) {
  EXPECT_EQ(scalar("SymFloat(zuf0*s0)", "_operator.mul(n, f)"),
            R"(%3 = "torch.aten.Float.Scalar"(%1) : (!torch.int) -> !torch.float
%4 = "torch.aten.mul.float"(%3, %2) : (!torch.float, !torch.float) -> !torch.float
)");
}
TEST(SymbolicScalar, MixedAdditionPutsTheFloatFirst) {
  EXPECT_EQ(scalar("SymFloat(zuf0 + s0)", "_operator.add(n, f)"),
            R"(%3 = "torch.aten.add.float_int"(%2, %1) : (!torch.float, !torch.int) -> !torch.float
)");
}
TEST(SymbolicScalar, MixedComparisonTurnsRoundWithItsOperands) {
  EXPECT_EQ(scalar("SymBool(s0 < zuf0)", "_operator.lt(n, f)"),
            R"(%3 = "torch.aten.gt.float_int"(%2, %1) : (!torch.float, !torch.int) -> !torch.bool
)");
}
TEST(SymbolicScalar, MixedGreaterOrEqualPromotesTheInteger) {
  EXPECT_EQ(scalar("SymBool(s0 >= zuf0)", "_operator.ge(n, f)"),
            R"(%3 = "torch.aten.Float.Scalar"(%1) : (!torch.int) -> !torch.float
%4 = "torch.aten.ge.float"(%3, %2) : (!torch.float, !torch.float) -> !torch.bool
)");
}
TEST(SymbolicScalar, LessOrEqualOfFloatsIsTheReverse) {
  EXPECT_EQ(
      scalar("SymBool(zuf0 <= 2)", "_operator.le(f, 2.0)"),
      R"(%3 = "torch.constant.float"() <{value = 0x4000000000000000 : f64}> : () -> !torch.float
%4 = "torch.aten.ge.float"(%3, %2) : (!torch.float, !torch.float) -> !torch.bool
)");
}
TEST(SymbolicScalar, ModuloIsTheRemainderThatBackendsLower) {
  EXPECT_EQ(scalar("Sym(Mod(s0, 3))", "_operator.mod(n, 3)"),
            R"(%3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
%4 = "torch.aten.remainder.int"(%1, %3) : (!torch.int, !torch.int) -> !torch.int
)");
}
TEST(SymbolicScalar, ModuloIsSpelledAsTorchMlirDoesInTheParityModes) {
  EXPECT_EQ(scalar("Sym(Mod(s0, 3))", "_operator.mod(n, 3)", Mode::Frozen),
            R"(%3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
%4 = "torch.operator"(%1, %3) <{name = "torch.aten.fmod.int"}> : (!torch.int, !torch.int) -> !torch.int
)");
}
TEST(SymbolicScalar, SmallPowerIsMultiplied) {
  EXPECT_EQ(scalar("Sym(s0**3)", "_operator.pow(n, 3)"),
            R"(%3 = "torch.constant.int"() <{value = 3 : i64}> : () -> !torch.int
%4 = "torch.aten.mul.int"(%1, %1) : (!torch.int, !torch.int) -> !torch.int
%5 = "torch.aten.mul.int"(%4, %1) : (!torch.int, !torch.int) -> !torch.int
)");
}
TEST(SymbolicScalar, MaximumAndMinimum) {
  EXPECT_EQ(scalar("Sym(Max(2, s0))", "torch.sym_max(n, 2)"),
            R"(%3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%4 = "torch.prim.max.int"(%1, %3) : (!torch.int, !torch.int) -> !torch.int
)");
}
TEST(SymbolicScalar, NegationShiftsAndFloats) {
  EXPECT_EQ(scalar("Sym(-s0)", "_operator.neg(n)"),
            R"(%3 = "torch.aten.neg.int"(%1) : (!torch.int) -> !torch.int
)");
  EXPECT_EQ(scalar("Sym(4*s0)", "_operator.lshift(n, 2)"),
            R"(%3 = "torch.constant.int"() <{value = 2 : i64}> : () -> !torch.int
%4 = "torch.constant.int"() <{value = 4 : i64}> : () -> !torch.int
%5 = "torch.aten.mul.int"(%1, %4) : (!torch.int, !torch.int) -> !torch.int
)");
  EXPECT_EQ(scalar("SymFloat(ToFloat(s0))", "torch.sym_float(n)"),
            R"(%3 = "torch.aten.Float.Scalar"(%1) : (!torch.int) -> !torch.float
)");
}

}  // namespace
}  // namespace fxs::import::test
