// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints as sympy's StrPrinter does, with the precedences and printers of
// torch/utils/_sympy/functions.py (2.13).
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>

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
bool isNegativeNumber(const SymExpr& e) {
  return (e.kind == Kind::Integer || e.kind == Kind::Rational)
             ? e.integer < 0
             : e.kind == Kind::Float && e.real < 0;
}
bool isNumber(const SymExpr& e) {
  return e.kind == Kind::Integer || e.kind == Kind::Rational || e.kind == Kind::Float;
}

int precedence(const SymExpr& e) {
  switch (e.kind) {
    case Kind::Symbol: return kAtom;
    case Kind::Integer:
    case Kind::Float: return isNegativeNumber(e) ? kAdd : kAtom;
    case Kind::Rational: return isNegativeNumber(e) ? kAdd : kMul;
    case Kind::Call: break;
  }
  if (e.name == "Mul") {
    for (const SymExprPtr& a : e.operands)
      if (a->kind == Kind::Call && precedence(*a) == kLow) return kMul;
    return !e.operands.empty() && isNegativeNumber(*e.operands[0]) ? kAdd : kMul;
  }
  for (const HeadPrecedence& p : kPrecedences)
    if (p.head == e.name) return p.precedence;
  return e.operands.empty() ? kAtom : kFunction;
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
    if (c >= '0' && c <= '9') digits += c;
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
  if (!alone) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) out += '0';
  }
  return sign + out + tail;
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

/// Factors with a negative exponent go to the denominator.
std::string printMul(const SymExpr& e) {
  std::string sign;
  int level = precedence(e);
  std::vector<std::string> above, below;
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    const SymExpr& f = *e.operands[i];
    if (f.kind == Kind::Integer || f.kind == Kind::Rational) {
      std::int64_t p = f.integer, q = f.kind == Kind::Rational ? f.denominator : 1;
      bool leading = i == 0 && p < 0;
      if (leading) {
        sign = "-";
        level = kMul;  // what is printed after the sign is the positive product
      }
      std::string digits = std::to_string(p);
      if (leading) digits.erase(0, 1);
      if (digits != "1" || (q == 1 && !leading))
        above.push_back(p < 0 && !leading ? "(" + digits + ")" : digits);
      if (q != 1) below.push_back(std::to_string(q));
    } else if (isCall(f, "Pow") && f.operands.size() == 2 && isNegativeNumber(*f.operands[1]) &&
               f.operands[1]->kind == Kind::Integer &&
               f.operands[1]->integer != std::numeric_limits<std::int64_t>::min()) {
      const SymExpr& base = *f.operands[0];
      std::int64_t exponent = f.operands[1]->integer;
      if (exponent != -1)
        below.push_back(parenthesized(
            *SymExpr::call("Pow", {f.operands[0], SymExpr::integerOf(-exponent)}), level));
      else
        below.push_back(isCall(base, "Pow") || isCall(base, "Mul") ? "(" + print(base, false) + ")"
                                                                   : parenthesized(base, level));
    } else {
      above.push_back(parenthesized(f, level));
    }
  }
  if (above.empty()) above.push_back("1");
  std::string out = sign + joined(above, "*");
  if (below.size() == 1) return out + "/" + below[0];
  return below.empty() ? out : out + "/(" + joined(below, "*") + ")";
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

struct Relation {
  std::string_view head, text;
};
constexpr std::array<Relation, 4> kRelations{{{"StrictGreaterThan", ">"},
                                              {"StrictLessThan", "<"},
                                              {"GreaterThan", ">="},
                                              {"LessThan", "<="}}};

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

std::string printCall(const SymExpr& e) {
  const std::size_t arity = e.operands.size();
  if (arity == 0) {
    if (e.name == "IntInfinity") return "int_oo";
    if (e.name == "NegativeIntInfinity") return "-int_oo";
    if (e.name == "true") return "True";
    if (e.name == "false") return "False";
    return e.name;
  }
  if (e.name == "Add") return printAdd(e);
  if (e.name == "Mul") return printMul(e);
  if (e.name == "Pow" && arity == 2) return printPow(e);
  if ((e.name == "FloorDiv" || e.name == "CleanDiv") && arity == 2)
    return "(" + parenthesized(*e.operands[0], kAtom - 1) + "//" +
           parenthesized(*e.operands[1], kAtom - 1) + ")";
  if (e.name == "Identity" && arity == 1) return "(" + print(*e.operands[0], false) + ")";
  if (e.name == "Not" && arity == 1) return "~" + parenthesized(*e.operands[0], kNot);
  std::vector<std::string> parts;
  for (const Relation& r : kRelations)
    if (r.head == e.name && arity == 2)
      return parenthesized(*e.operands[0], kLow) + " " + std::string(r.text) + " " +
             parenthesized(*e.operands[1], kLow);
  if (e.name == "And" || e.name == "Or") {
    for (const SymExprPtr& a : e.operands)
      parts.push_back(parenthesized(*a, e.name == "And" ? 38 : 36));
    return joined(parts, e.name == "And" ? " & " : " | ");
  }
  if (e.name == "Max" || e.name == "Min") return printLattice(e);
  for (const SymExprPtr& a : e.operands) parts.push_back(print(*a, false));
  std::string head = e.name;
  if (e.name == "Equality") head = "Eq";
  else if (e.name == "Unequality") head = "Ne";
  else if (e.name == "ExprCondPair") head = "";
  return head + "(" + joined(parts, ", ") + ")";
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
