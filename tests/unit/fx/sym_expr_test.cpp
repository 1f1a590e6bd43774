// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/sym_expr.h"

#include <gtest/gtest.h>

namespace fxs::fx {
namespace {

SymExprPtr parsed(std::string_view srepr) {
  Result<SymExprPtr> out = parseSrepr(srepr);
  EXPECT_TRUE(out) << (out ? "" : out.error().message);
  return out ? *out : SymExpr::integerOf(-999);
}

constexpr const char* kS = "Symbol('s27', positive=True, integer=True)";
constexpr const char* kU = "Symbol('u0', integer=True)";

struct Srepr {
  std::string text, infix;
  std::optional<std::int64_t> value;  // with s27 = 7, u0 = -3
};
std::string withSymbols(std::string text) {
  for (auto [from, to] : {std::pair("S", kS), std::pair("U", kU)}) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool alone = text[i] == *from && (i == 0 || text[i - 1] == '(' || text[i - 1] == ' ') &&
                         (i + 1 == text.size() || text[i + 1] == ')' || text[i + 1] == ',');
      out += alone ? std::string(to) : std::string(1, text[i]);
    }
    text = out;
  }
  return text;
}

class SreprCase : public testing::TestWithParam<Srepr> {};
TEST_P(SreprCase, PrintsEvaluatesAndReadsBack) {
  const SymExprPtr e = parsed(withSymbols(GetParam().text));
  EXPECT_EQ(infix(*e), GetParam().infix);
  EXPECT_EQ(evaluate(*e, {{"s27", 7}, {"u0", -3}}), GetParam().value);
  Result<SymExprPtr> again = parseInfix(GetParam().infix);
  ASSERT_TRUE(again) << again.error().message;
  // Identity prints as a bracket, which reads back as what is inside.
  if (!GetParam().text.starts_with("Identity")) {
    EXPECT_EQ(infix(**again), GetParam().infix);
  }
}
// The infix texts are those of sympy 1.13 with torch.utils._sympy.functions of PyTorch 2.13
// (tests/oracle/sizes_match_sympy.py).
INSTANTIATE_TEST_SUITE_P(
    SymExpr, SreprCase,
    testing::Values(
        Srepr{"S", "s27", 7}, Srepr{"Integer(-4)", "-4", -4},
        Srepr{"Float('0.5', precision=53)", "0.500000000000000", {}},
        Srepr{"Rational(1, 2)", "1/2", {}}, Srepr{"Rational(-3, 2)", "-3/2", {}},
        Srepr{"Add(S, Integer(1))", "s27 + 1", 8},
        Srepr{"Add(Mul(Integer(2), S), Mul(Integer(-1), U), Integer(-1))", "2*s27 - u0 - 1", 16},
        Srepr{"Mul(Integer(-1), S)", "-s27", -7}, Srepr{"Mul(Rational(1, 2), S)", "s27/2", {}},
        Srepr{"Mul(Rational(-3, 7), S, U)", "-3*s27*u0/7", 9},
        Srepr{"Mul(S, Pow(U, Integer(-1)))", "s27/u0", {}},
        Srepr{"Pow(S, Integer(2))", "s27**2", 49},
        Srepr{"Pow(Add(S, Integer(1)), Integer(3))", "(s27 + 1)**3", 512},
        Srepr{"Pow(S, Rational(1, 2))", "sqrt(s27)", {}}, Srepr{"Pow(S, Integer(-1))", "1/s27", {}},
        Srepr{"Mod(S, Integer(4))", "Mod(s27, 4)", 3},
        Srepr{"PythonMod(U, Integer(2))", "PythonMod(u0, 2)", 1},
        Srepr{"PythonMod(S, Integer(-4))", "PythonMod(s27, -4)", -1},
        Srepr{"FloorDiv(S, Integer(2))", "(s27//2)", 3},
        Srepr{"FloorDiv(U, Integer(2))", "(u0//2)", -2},
        Srepr{"FloorDiv(Add(S, Integer(1)), Integer(2))", "((s27 + 1)//2)", 4},
        Srepr{"Mul(Integer(2), FloorDiv(S, Integer(2)))", "2*((s27//2))", 6},
        Srepr{"Add(FloorDiv(S, Integer(2)), Integer(1))", "((s27//2)) + 1", 4},
        Srepr{"CleanDiv(S, Integer(7))", "(s27//7)", 1},
        Srepr{"CeilDiv(S, Integer(2))", "CeilDiv(s27, 2)", 4},
        Srepr{"ModularIndexing(S, Integer(2), Integer(2))", "ModularIndexing(s27, 2, 2)", 1},
        Srepr{"Max(Integer(1), S)", "Max(1, s27)", 7},
        Srepr{"Min(U, Integer(0), S)", "Min(0, s27, u0)", -3},
        Srepr{"ToFloat(S)", "ToFloat(s27)", {}},
        Srepr{"IntTrueDiv(S, Integer(2))", "IntTrueDiv(s27, 2)", {}},
        Srepr{"FloatTrueDiv(ToFloat(S), Float('2.0', precision=53))",
              "FloatTrueDiv(ToFloat(s27), 2.0)",
              {}},
        Srepr{"TruncToInt(IntTrueDiv(S, Integer(2)))", "TruncToInt(IntTrueDiv(s27, 2))", 3},
        Srepr{"FloorToInt(IntTrueDiv(U, Integer(2)))", "FloorToInt(IntTrueDiv(u0, 2))", -2},
        Srepr{"CeilToInt(IntTrueDiv(S, Integer(2)))", "CeilToInt(IntTrueDiv(s27, 2))", 4},
        Srepr{"RoundToInt(IntTrueDiv(S, Integer(2)))", "RoundToInt(IntTrueDiv(s27, 2))", 4},
        Srepr{"TruncToFloat(IntTrueDiv(S, Integer(2)))", "TruncToFloat(IntTrueDiv(s27, 2))", {}},
        Srepr{"RoundDecimal(ToFloat(S), Integer(1))", "RoundDecimal(ToFloat(s27), 1)", {}},
        Srepr{"OpaqueUnaryFn_sqrt(S)", "OpaqueUnaryFn_sqrt(s27)", {}},
        Srepr{"LShift(S, Integer(2))", "LShift(s27, 2)", 28},
        Srepr{"RShift(U, Integer(1))", "RShift(u0, 1)", -2},
        Srepr{"PowByNatural(S, Integer(2))", "PowByNatural(s27, 2)", 49},
        Srepr{
            "FloatPow(ToFloat(S), Float('0.5', precision=53))", "FloatPow(ToFloat(s27), 0.5)", {}},
        Srepr{"Where(StrictLessThan(S, Integer(3)), S, U)", "Where(s27 < 3, s27, u0)", -3},
        Srepr{"Identity(Add(S, U))", "(s27 + u0)", 4},
        Srepr{"IsNonOverlappingAndDenseIndicator(S, Integer(1))",
              "IsNonOverlappingAndDenseIndicator(s27, 1)",
              {}},
        Srepr{"Equality(S, Integer(7))", "Eq(s27, 7)", 1},
        Srepr{"Unequality(S, Integer(7))", "Ne(s27, 7)", 0},
        Srepr{"GreaterThan(Add(S, Integer(1)), Integer(2))", "s27 + 1 >= 2", 1},
        Srepr{"LessThan(S, U)", "s27 <= u0", 0},
        Srepr{"And(StrictGreaterThan(S, Integer(1)), StrictLessThan(U, Integer(0)))",
              "(s27 > 1) & (u0 < 0)", 1},
        Srepr{"Or(Equality(S, Integer(1)), Equality(U, Integer(1)))", "Eq(s27, 1) | Eq(u0, 1)", 0},
        Srepr{"Not(Equality(S, Integer(1)))", "~(Eq(s27, 1))", 1}, Srepr{"true", "True", 1},
        Srepr{"oo", "oo", {}},
        Srepr{"SomethingNew(S, Add(U, Integer(2)))", "SomethingNew(s27, u0 + 2)", {}}));

TEST(SymExpr, ArithmeticCollectsLikeSympy) {
  const SymInt a(SymExpr::symbol("s0")), b(SymExpr::symbol("s1"));
  EXPECT_EQ((a * SymInt(4)).text(), "4*s0");
  EXPECT_EQ((b * a * SymInt(4)).text(), "4*s0*s1");
  EXPECT_EQ((a * a * b).text(), "s0**2*s1");
  EXPECT_EQ((SymInt(1) + a).text(), "s0 + 1");
  EXPECT_EQ((b + a * a + a + SymInt(-3)).text(), "s0**2 + s0 + s1 - 3");
  EXPECT_EQ((a - a).text(), "0");
  EXPECT_TRUE((a - a).isStatic());
  EXPECT_EQ(((a + SymInt(1)) * (a - SymInt(1))).text(), "s0**2 - 1");
  const SymInt half(SymExpr::call("FloorDiv", {SymExpr::symbol("s0"), SymExpr::integerOf(2)}));
  EXPECT_EQ((half * SymInt(2) + b).text(), "s1 + 2*((s0//2))");
}

TEST(SymExpr, ProductsInAnotherOrderAreEqual) {
  EXPECT_EQ(SymInt(parsed("Mul(Symbol('s0'), Symbol('s1'))")),
            SymInt(parsed("Mul(Symbol('s1'), Symbol('s0'))")));
  EXPECT_NE(SymInt(parsed("Symbol('s0')")), SymInt(parsed("Symbol('s1')")));
  EXPECT_NE(SymInt(parsed("Symbol('s0')")), SymInt(3));
}

TEST(SymExpr, ProductsOfManyLongSumsStayAsWrittenAndKeepTheirValue) {
  SymInt product(1);
  std::map<std::string, std::int64_t> values;
  for (int i = 0; i < 40; ++i) {
    const std::string a = "a" + std::to_string(i) + std::string(60, 'x'),
                      b = "b" + std::to_string(i) + std::string(60, 'y');
    values[a] = 3;
    values[b] = 1;
    product = product * (SymInt(SymExpr::symbol(a)) + SymInt(SymExpr::symbol(b)) - SymInt(2));
    EXPECT_LT(product.text().size(), (1u << 13) + 200u * static_cast<std::size_t>(i))
        << "after " << i + 1 << " factors";
  }
  EXPECT_EQ(evaluate(*product.expr(), values), std::int64_t{1} << 40);
  EXPECT_EQ((product * SymInt(0)).value(), 0);
}

TEST(SymExpr, HintsFollowArithmetic) {
  const SymInt a(SymExpr::symbol("s0"), 6);
  EXPECT_EQ((a * SymInt(2) + SymInt(1)).hint(), 13);
  EXPECT_EQ((a * SymInt(SymExpr::symbol("u0"))).hint(), std::nullopt);
}

TEST(SymExpr, NumbersSaturate) {
  EXPECT_EQ((SymInt(INT64_MAX) * SymInt(2)).value(), INT64_MAX);
  EXPECT_EQ((SymInt(INT64_MIN) + SymInt(-1)).value(), INT64_MIN);
}

TEST(SymExpr, EvaluationThatDoesNotFitHasNoValue) {
  EXPECT_EQ(evaluate(*parsed("Pow(Symbol('s0'), Integer(9))"), {{"s0", 1 << 30}}), std::nullopt);
  EXPECT_EQ(evaluate(*parsed("FloorDiv(Symbol('s0'), Integer(0))"), {{"s0", 1}}), std::nullopt);
  EXPECT_EQ(evaluate(*parsed("Symbol('s9')"), {{"s0", 1}}), std::nullopt);
}

struct Bad {
  std::string text, message;
};
class BadSrepr : public testing::TestWithParam<Bad> {};
TEST_P(BadSrepr, SaysWhereAndWhat) {
  Result<SymExprPtr> out = parseSrepr(GetParam().text);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().message, GetParam().message);
}
INSTANTIATE_TEST_SUITE_P(
    SymExpr, BadSrepr,
    testing::Values(
        Bad{"",
            "symbolic expression '' at offset 0: expected an expression, got the end of the text"},
        Bad{"Add(Integer(1)",
            "symbolic expression 'Add(Integer(1)' at offset 14: 'Add(' is not closed"},
        Bad{"Integer(1))", "symbolic expression 'Integer(1))' at offset 10: unexpected ')'"},
        Bad{"Symbol()", "symbolic expression 'Symbol()' at offset 8: Symbol without a name"},
        Bad{"Symbol('s0", "symbolic expression 'Symbol('s0' at offset 7: unterminated string"},
        Bad{"Integer(x)",
            "symbolic expression 'Integer(x)' at offset 10: 'Integer' has the wrong number of "
            "arguments"},
        Bad{"'s0'", "symbolic expression ''s0'' at offset 4: a string is not an expression"},
        Bad{"Add(1 2)", "symbolic expression 'Add(1 2)' at offset 6: expected ',' or ')'"},
        Bad{[] {
              std::string text;
              for (int i = 0; i < 101; ++i) text += "Not(";
              return text;
            }(),
            "symbolic expression 'Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(Not(..' "
            "at offset 403: deeper than 100 levels"},
        Bad{std::string(70000, '1'),
            "symbolic expression of 70000 characters; the limit is 65536"}));

TEST(SymExpr, LongChainsInInfixAreRefused) {
  std::string text = "a";
  for (int i = 0; i < 200; ++i) text += "//a";
  Result<SymExprPtr> out = parseInfix(text);
  ASSERT_FALSE(out);
  EXPECT_TRUE(out.error().message.ends_with("deeper than 100 levels")) << out.error().message;
}

}  // namespace
}  // namespace fxs::fx
