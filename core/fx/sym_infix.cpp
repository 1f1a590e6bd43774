// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints as sympy's StrPrinter does, with the precedences and printers of
// torch/utils/_sympy/functions.py (2.13).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "base/ascii.h"
#include "base/joined.h"
#include "fx/sym_expr.h"

namespace fxs::fx {
namespace {

using Kind = SymExpr::Kind;

constexpr int kOr = 20, kAnd = 30, kLow = 35, kAdd = 40, kMul = 50, kPow = 60, kFunction = 70,
              kNot = 100, kAtom = 1000;

struct HeadPrecedence {
  std::string_view head;
  int precedence;
};
constexpr std::array<HeadPrecedence, 24> kPrecedences{{{"Add", kAdd},
                                                       {"Pow", kPow},
                                                       {"FloorDiv", kLow},
                                                       {"CleanDiv", kLow},
                                                       {"ModularIndexing", kLow},
                                                       {"Where", kLow},
                                                       {"PythonMod", kLow},
                                                       {"Mod", kLow},
                                                       {"FloatTrueDiv", kLow},
                                                       {"IntTrueDiv", kLow},
                                                       {"PowByNatural", kMul},
                                                       {"FloatPow", kPow},
                                                       {"Identity", 10},
                                                       {"Equality", kMul},
                                                       {"Unequality", kMul},
                                                       {"StrictGreaterThan", kLow},
                                                       {"StrictLessThan", kLow},
                                                       {"GreaterThan", kLow},
                                                       {"LessThan", kLow},
                                                       {"And", kAnd},
                                                       {"Or", kOr},
                                                       {"Not", kNot},
                                                       {"Max", kAtom},
                                                       {"Min", kAtom}}};

bool isCall(const SymExpr& e, std::string_view head) {
  return e.kind == Kind::Call && e.name == head;
}
bool isExact(const SymExpr& e) { return e.kind == Kind::Integer || e.kind == Kind::Rational; }
bool isNumber(const SymExpr& e) { return isExact(e) || e.kind == Kind::Float; }
bool isNegativeNumber(const SymExpr& e) {
  return isExact(e) ? e.integer < 0 : e.kind == Kind::Float && e.real < 0;
}

int precedenceOfCall(const SymExpr& e) {
  if (e.name == "Mul") {
    const bool hasLow = std::any_of(e.operands.begin(), e.operands.end(), [](const SymExprPtr& a) {
      return a->kind == Kind::Call && precedenceOfCall(*a) == kLow;
    });
    if (hasLow) return kMul;
    return !e.operands.empty() && isNegativeNumber(*e.operands[0]) ? kAdd : kMul;
  }
  for (const HeadPrecedence& p : kPrecedences)
    if (p.head == e.name) return p.precedence;
  return e.operands.empty() ? kAtom : kFunction;
}

int precedence(const SymExpr& e) {
  switch (e.kind) {
    case Kind::Symbol: return kAtom;
    case Kind::Integer:
    case Kind::Float: return isNegativeNumber(e) ? kAdd : kAtom;
    case Kind::Rational: return isNegativeNumber(e) ? kAdd : kMul;
    case Kind::Call: break;
  }
  return precedenceOfCall(e);
}

/// "0.5" of "0.500", "1.0" of "1.000".
std::string withoutTrailingZeros(std::string digits) {
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits.ends_with('.') ? digits + '0' : digits;
}

/// 15 significant digits; without trailing zeros inside an expression ("0.5"), with them if
/// `alone`.
std::string floatText(double value, bool alone) {
  if (std::isinf(value)) return value < 0 ? "-oo" : "oo";
  if (std::isnan(value)) return "nan";
  char buffer[64];
  auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific, 14).ptr;
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(),
                  exponent);
  std::string sign = text.starts_with('-') ? "-" : "";
  std::string digits;
  for (char c : text.substr(0, e))
    if (isDigit(c)) digits += c;
  std::string out, tail;
  if (value == 0) exponent = 0;
  if (exponent > -5 && exponent < 15) {
    if (exponent < 0)
      out = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    else
      out = digits.substr(0, static_cast<std::size_t>(exponent) + 1) + "." +
            digits.substr(static_cast<std::size_t>(exponent) + 1);
  } else {
    out = digits.substr(0, 1) + "." + digits.substr(1);
    tail = (exponent < 0 ? "e" : "e+") + std::to_string(exponent);
  }
  return sign + (alone ? out : withoutTrailingZeros(out)) + tail;
}

std::string print(const SymExpr& e, bool alone);

std::string parenthesized(const SymExpr& e, int level, bool strict = false) {
  int p = precedence(e);
  return p < level || (!strict && p <= level) ? "(" + print(e, false) + ")" : print(e, false);
}

std::string printAdd(const SymExpr& e) {
  std::string out;
  for (const SymExprPtr& term : e.operands) {
    std::string t = print(*term, false);
    bool negative = t.starts_with('-') && !isCall(*term, "Add");
    if (negative) t.erase(0, 1);
    if (precedence(*term) < kAdd || isCall(*term, "Add")) t = "(" + t + ")";
    if (out.empty()) out = (negative ? "-" : "") + t;
    else out += (negative ? " - " : " + ") + t;
  }
  return out;
}

/// The parts of a factor in the numerator and the denominator of its product.
struct Factor {
  std::optional<std::string> above, below;
};

/// The first factor, whose minus is printed before the product.
Factor negativeFactor(const SymExpr& f) {
  Factor out;
  if (f.integer != -1) out.above = std::to_string(f.integer).substr(1);
  if (f.denominator != 1) out.below = std::to_string(f.denominator);
  return out;
}

Factor numberFactor(const SymExpr& f) {
  const std::string digits = std::to_string(f.integer);
  Factor out;
  if (f.integer != 1 || f.denominator == 1) out.above = f.integer < 0 ? "(" + digits + ")" : digits;
  if (f.denominator != 1) out.below = std::to_string(f.denominator);
  return out;
}

/// Whether a factor is a power with a negative exponent, which goes to the denominator.
bool isDivisor(const SymExpr& f) {
  if (!isCall(f, "Pow") || f.operands.size() != 2) return false;
  const SymExpr& exponent = *f.operands[1];
  return exponent.kind == Kind::Integer && exponent.integer < 0 &&
         exponent.integer != std::numeric_limits<std::int64_t>::min();
}

std::string printDivisor(const SymExpr& f, int level) {
  const SymExpr& base = *f.operands[0];
  const std::int64_t exponent = f.operands[1]->integer;
  if (exponent != -1)
    return parenthesized(*SymExpr::call("Pow", {f.operands[0], SymExpr::integerOf(-exponent)}),
                         level);
  if (isCall(base, "Pow") || isCall(base, "Mul")) return "(" + print(base, false) + ")";
  return parenthesized(base, level);
}

Factor factorOf(const SymExpr& f, int level) {
  if (isExact(f)) return numberFactor(f);
  if (isDivisor(f)) return {{}, printDivisor(f, level)};
  return {parenthesized(f, level), {}};
}

std::string printMul(const SymExpr& e) {
  const bool negative =
      !e.operands.empty() && isExact(*e.operands[0]) && isNegativeNumber(*e.operands[0]);
  // After the sign, the positive product is printed.
  const int level = negative ? kMul : precedence(e);
  std::vector<std::string> above, below;
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const SymExpr& f = *e.operands[i];
    const Factor factor = negative && i == 0 ? negativeFactor(f) : factorOf(f, level);
    if (factor.above) above.push_back(*factor.above);
    if (factor.below) below.push_back(*factor.below);
  }
  if (above.empty()) above.push_back("1");
  std::string out = (negative ? "-" : "") + joined(above, "*");
  if (below.empty()) return out;
  return out + "/" + (below.size() == 1 ? below[0] : "(" + joined(below, "*") + ")");
}

std::string printPow(const SymExpr& e) {
  const SymExpr& base = *e.operands[0];
  const SymExpr& exponent = *e.operands[1];
  if (exponent.kind == Kind::Rational && exponent.denominator == 2) {
    if (exponent.integer == 1) return "sqrt(" + print(base, false) + ")";
    if (exponent.integer == -1) return "1/sqrt(" + print(base, false) + ")";
  }
  if (exponent.kind == Kind::Integer && exponent.integer == -1)
    return "1/" + parenthesized(base, kPow);
  return parenthesized(base, kPow) + "**" + parenthesized(exponent, kPow);
}

/// A function that is printed as an operator between its operands.
struct Infix {
  std::string_view head;
  std::size_t arity;  // 0: any
  std::string_view text;
  int level;  // of the operands
};
constexpr std::array<Infix, 8> kInfixes{{{"StrictGreaterThan", 2, " > ", kLow},
                                         {"StrictLessThan", 2, " < ", kLow},
                                         {"GreaterThan", 2, " >= ", kLow},
                                         {"LessThan", 2, " <= ", kLow},
                                         {"And", 0, " & ", 38},
                                         {"Or", 0, " | ", 36},
                                         {"FloorDiv", 2, "//", kAtom - 1},
                                         {"CleanDiv", 2, "//", kAtom - 1}}};

/// nullptr if a function is not printed as an operator.
const Infix* infixOf(const SymExpr& e) {
  for (const Infix& infix : kInfixes)
    if (infix.head == e.name && (infix.arity == 0 || infix.arity == e.operands.size()))
      return &infix;
  return nullptr;
}

std::string printInfix(const SymExpr& e, const Infix& infix) {
  std::vector<std::string> parts;
  for (const SymExprPtr& a : e.operands) parts.push_back(parenthesized(*a, infix.level));
  const std::string out = joined(parts, infix.text);
  return infix.text == "//" ? "(" + out + ")" : out;
}

struct PrintedName {
  std::string_view head, text;
};
constexpr std::array<PrintedName, 4> kConstantNames{{{"IntInfinity", "int_oo"},
                                                     {"NegativeIntInfinity", "-int_oo"},
                                                     {"true", "True"},
                                                     {"false", "False"}}};
constexpr std::array<PrintedName, 3> kFunctionNames{
    {{"Equality", "Eq"}, {"Unequality", "Ne"}, {"ExprCondPair", ""}}};

std::string printedName(std::span<const PrintedName> names, const std::string& head) {
  for (const PrintedName& name : names)
    if (name.head == head) return std::string(name.text);
  return head;
}

/// Max and Min: operands in sympy's default_sort_key, as far as sizes need it: numbers by value,
/// symbols and powers, products, sums, functions. Each operand is printed once.
std::string printLattice(const SymExpr& e) {
  struct Operand {
    int rank;
    double value;
    std::string text;
  };
  std::vector<Operand> operands;
  for (const SymExprPtr& a : e.operands) {
    Operand o{5, 0, print(*a, false)};
    if (isNumber(*a)) {
      o.rank = 1;
      o.value = a->kind == Kind::Float
                    ? a->real
                    : static_cast<double>(a->integer) / static_cast<double>(a->denominator);
    } else if (a->kind == Kind::Symbol || a->name == "Pow") o.rank = 2;
    else if (a->name == "Mul") o.rank = 3;
    else if (a->name == "Add") o.rank = 4;
    operands.push_back(std::move(o));
  }
  std::stable_sort(operands.begin(), operands.end(), [](const Operand& a, const Operand& b) {
    return std::tie(a.rank, a.value, a.text) < std::tie(b.rank, b.value, b.text);
  });
  std::string out = e.name + "(";
  for (const Operand& o : operands) out += (&o == &operands.front() ? "" : ", ") + o.text;
  return out + ")";
}

std::string printFunction(const SymExpr& e) {
  std::vector<std::string> parts;
  for (const SymExprPtr& a : e.operands) parts.push_back(print(*a, false));
  return printedName(kFunctionNames, e.name) + "(" + joined(parts, ", ") + ")";
}

std::string printCall(const SymExpr& e) {
  const std::size_t arity = e.operands.size();
  if (arity == 0) return printedName(kConstantNames, e.name);
  if (e.name == "Add") return printAdd(e);
  if (e.name == "Mul") return printMul(e);
  if (e.name == "Pow" && arity == 2) return printPow(e);
  if (e.name == "Identity" && arity == 1) return "(" + print(*e.operands[0], false) + ")";
  if (e.name == "Not" && arity == 1) return "~" + parenthesized(*e.operands[0], kNot);
  if (const Infix* infix = infixOf(e)) return printInfix(e, *infix);
  if (e.name == "Max" || e.name == "Min") return printLattice(e);
  return printFunction(e);
}

std::string print(const SymExpr& e, bool alone) {
  switch (e.kind) {
    case Kind::Symbol: return e.name;
    case Kind::Integer: return std::to_string(e.integer);
    case Kind::Rational: return std::to_string(e.integer) + "/" + std::to_string(e.denominator);
    case Kind::Float: return floatText(e.real, alone);
    case Kind::Call: break;
  }
  return printCall(e);
}

}  // namespace

std::string infix(const SymExpr& e) { return print(e, true); }

}  // namespace fxs::fx
