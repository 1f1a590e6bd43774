// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes as polynomials over symbols and opaque atoms (FloorDiv(..), Max(..)), with terms in sympy's
// print order.
#include <algorithm>
#include <array>
#include <limits>

#include "base/budget.h"
#include "fx/sym_expr.h"
#include "fx/sym_extent.h"
#include "fx/sym_renamed.h"

namespace fxs::fx {
namespace {

using Kind = SymExpr::Kind;

constexpr std::size_t kMaxTerms = 64;
constexpr std::int64_t kMaxExponent = 16;
/// Symbols and other atoms in one product, and pairs of terms multiplied at once: sizes of real
/// programs have a handful of both.
constexpr std::size_t kMaxAtoms = 16;
constexpr std::size_t kMaxPairs = 4 * kMaxTerms;
/// Budget of one operation on sizes, in characters of atoms printed or copied. Expanding a product
/// repeats a factor in every term, so that a chain of products would double the text at every step.
/// Beyond the budget products are not expanded.
constexpr std::size_t kBudget = std::size_t{1} << 13;

class Allowance {
 public:
  /// False if less is left.
  bool spend(std::size_t characters) {
    const bool enough = characters <= left_;
    left_ -= enough ? characters : left_;
    return enough;
  }
  std::size_t left() const { return left_; }

 private:
  std::size_t left_ = kBudget;
};

/// An atom's place in a monomial: symbols by name, then the rest by their text.
struct AtomKey {
  bool opaque;
  std::string text;
  friend auto operator<=>(const AtomKey&, const AtomKey&) = default;
};
using Monomial = std::map<AtomKey, int>;

std::size_t lengthOf(const Monomial& m) {
  std::size_t out = 1;
  for (const auto& [key, power] : m) out += key.text.size();
  return out;
}

/// sympy's lex order over the sorted atoms: the higher power of the first atom that differs comes
/// first.
struct PrintedBefore {
  bool operator()(const Monomial& a, const Monomial& b) const {
    auto x = a.begin(), y = b.begin();
    for (; x != a.end() && y != b.end(); ++x, ++y) {
      if (x->first != y->first) return x->first < y->first;
      if (x->second != y->second) return x->second > y->second;
    }
    return x != a.end() && y == b.end();
  }
};

struct Polynomial {
  std::map<Monomial, std::int64_t, PrintedBefore> terms;
  std::map<AtomKey, SymExprPtr> atoms;
};

bool addTerm(Polynomial& p, const Monomial& monomial, std::int64_t coefficient) {
  std::int64_t& slot = p.terms[monomial];
  if (__builtin_add_overflow(slot, coefficient, &slot)) return false;
  if (slot == 0) p.terms.erase(monomial);
  return p.terms.size() <= kMaxTerms;
}

std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b, Allowance& budget) {
  if (a.terms.size() * b.terms.size() > kMaxPairs) return std::nullopt;
  Polynomial out;
  out.atoms = a.atoms;
  out.atoms.insert(b.atoms.begin(), b.atoms.end());
  for (const auto& [ma, ca] : a.terms)
    for (const auto& [mb, cb] : b.terms) {
      if (!budget.spend(lengthOf(ma) + lengthOf(mb))) return std::nullopt;
      Monomial m = ma;
      for (const auto& [key, power] : mb) {
        auto& exponent = m[key];
        exponent += power;
        if (exponent > kMaxExponent) return std::nullopt;
      }
      if (m.size() > kMaxAtoms) return std::nullopt;
      std::int64_t coefficient = 0;
      if (__builtin_mul_overflow(ca, cb, &coefficient) || !addTerm(out, m, coefficient))
        return std::nullopt;
    }
  return out;
}

Polynomial constant(std::int64_t value) {
  Polynomial out;
  if (value != 0) out.terms[{}] = value;
  return out;
}

std::optional<Polynomial> atom(const SymExprPtr& e, Allowance& budget) {
  // Every part is at least one character, so an overlong text is detected without printing it.
  if (e->kind == Kind::Call && extentOf(*e).parts > budget.left()) return std::nullopt;
  Polynomial out;
  AtomKey key{e->kind != Kind::Symbol, infix(*e)};
  if (!budget.spend(key.text.size())) return std::nullopt;
  out.terms[{{key, 1}}] = 1;
  out.atoms[key] = e;
  return out;
}

std::optional<Polynomial> sum(Polynomial a, const Polynomial& b, Allowance& budget) {
  for (const auto& [m, c] : b.terms)
    if (!budget.spend(lengthOf(m)) || !addTerm(a, m, c)) return std::nullopt;
  a.atoms.insert(b.atoms.begin(), b.atoms.end());
  return a;
}

bool isExpandedPower(const SymExpr& e) {
  if (e.name != "Pow" || e.operands.size() != 2) return false;
  const SymExpr& exponent = *e.operands[1];
  return exponent.kind == Kind::Integer && exponent.integer >= 1 &&
         exponent.integer <= kMaxExponent;
}

/// nullopt if a part exceeds the budget. Recursion is bounded by kMaxSymExprDepth.
std::optional<Polynomial> expanded(const SymExprPtr& e, Allowance& budget) {
  if (e->kind == Kind::Integer) return constant(e->integer);
  if (e->kind != Kind::Call) return atom(e, budget);
  const bool isAdd = e->name == "Add";
  if (isAdd || e->name == "Mul") {
    std::optional<Polynomial> out = constant(isAdd ? 0 : 1);
    for (const SymExprPtr& operand : e->operands) {
      const std::optional<Polynomial> part = expanded(operand, budget);
      if (!part) return std::nullopt;
      out = isAdd ? sum(*std::move(out), *part, budget) : product(*out, *part, budget);
      if (!out) return std::nullopt;
    }
    return out;
  }
  if (isExpandedPower(*e)) {
    const std::optional<Polynomial> base = expanded(e->operands[0], budget);
    std::optional<Polynomial> out = base;
    for (std::int64_t i = 1; i < e->operands[1]->integer && out; ++i)
      out = product(*out, *base, budget);
    return out;
  }
  return atom(e, budget);
}

SymExprPtr expressionOf(const Polynomial& p) {
  std::vector<SymExprPtr> terms;
  for (const auto& [monomial, coefficient] : p.terms) {
    std::vector<SymExprPtr> factors;
    if (coefficient != 1 || monomial.empty()) factors.push_back(SymExpr::integerOf(coefficient));
    for (const auto& [key, power] : monomial) {
      const SymExprPtr& base = p.atoms.at(key);
      factors.push_back(power == 1 ? base
                                   : SymExpr::call("Pow", {base, SymExpr::integerOf(power)}));
    }
    terms.push_back(factors.size() == 1 ? factors[0] : SymExpr::call("Mul", std::move(factors)));
  }
  if (terms.empty()) return SymExpr::integerOf(0);
  return terms.size() == 1 ? terms[0] : SymExpr::call("Add", std::move(terms));
}

SymExprPtr asExpr(const SymInt& v) { return v.expr() ? v.expr() : SymExpr::integerOf(v.value()); }

/// The operation without expansion.
SymExprPtr asWritten(const char* head, const SymExprPtr& a, const SymExprPtr& b) {
  SymExprPtr out = SymExpr::call(head, {a, b});
  if (const SymExprExtent extent = extentOf(*out);
      extent.parts > kMaxSymExprParts || extent.depth > kMaxMadeSymExprDepth)
    throw Abandoned({ErrorCode::InvalidInput,
                     "a symbolic size exceeds " + std::to_string(kMaxSymExprParts) + " parts, or " +
                         std::to_string(kMaxMadeSymExprDepth) + " levels",
                     {}});
  return out;
}

SymInt fromExpr(const SymExprPtr& e, std::optional<std::int64_t> hint) {
  return e->kind == Kind::Integer ? SymInt(e->integer) : SymInt(e, hint);
}

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_add_overflow(a, b, &out)) return out;
  return b > 0 ? kMax : kMin;
}
std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (!__builtin_mul_overflow(a, b, &out)) return out;
  return (a < 0) == (b < 0) ? kMax : kMin;
}

template <class Combine>
std::optional<std::int64_t> combinedHint(const SymInt& a, const SymInt& b, Combine combine) {
  return a.hint() && b.hint() ? std::optional(combine(*a.hint(), *b.hint())) : std::nullopt;
}

bool sameTree(const SymExpr& a, const SymExpr& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.operands.size() != b.operands.size()) return false;
  switch (a.kind) {
    case Kind::Symbol: return a.name == b.name;
    case Kind::Integer: return a.integer == b.integer;
    case Kind::Float: return a.real == b.real;
    case Kind::Rational: return a.integer == b.integer && a.denominator == b.denominator;
    case Kind::Call: break;
  }
  return a.name == b.name &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(),
                    [](const SymExprPtr& x, const SymExprPtr& y) { return sameTree(*x, *y); });
}

bool isPolynomial(const SymExpr& e) {
  return e.kind == Kind::Call && (e.name == "Add" || e.name == "Mul" || e.name == "Pow");
}

bool isCommutative(const SymExpr& e) {
  constexpr std::array<std::string_view, 8> kNames{"Add", "Mul", "And",      "Or",
                                                   "Max", "Min", "Equality", "Unequality"};
  return std::find(kNames.begin(), kNames.end(), e.name) != kNames.end();
}

/// By their texts.
void sort(std::vector<SymExprPtr>& operands) {
  std::vector<std::pair<std::string, SymExprPtr>> keyed;
  for (SymExprPtr& operand : operands) keyed.emplace_back(infix(*operand), operand);
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = std::move(keyed[i].second);
}

/// `isPart`: of a polynomial, which is expanded as one.
SymExprPtr renamedIn(const SymExprPtr& e, const SymbolName& name, bool isPart) {
  if (e->kind == Kind::Symbol) return SymExpr::symbol(name(e->name));
  if (e->kind != Kind::Call) return e;
  std::vector<SymExprPtr> operands;
  for (const SymExprPtr& operand : e->operands)
    operands.push_back(renamedIn(operand, name, isPolynomial(*e)));
  SymExprPtr out = SymExpr::call(e->name, operands);
  if (isPolynomial(*e)) {
    if (isPart) return out;
    Allowance budget;
    if (const auto terms = expanded(out, budget)) return expressionOf(*terms);
  }
  if (!isCommutative(*e)) return out;
  sort(operands);
  return SymExpr::call(e->name, std::move(operands));
}

}  // namespace

SymExprPtr renamed(const SymExprPtr& e, const SymbolName& name) {
  return renamedIn(e, name, false);
}

bool equal(const SymExpr& a, const SymExpr& b) {
  if (sameTree(a, b)) return true;
  if (!isPolynomial(a) && !isPolynomial(b)) return false;
  Allowance forA, forB;
  const auto x = expanded(std::make_shared<SymExpr>(a), forA);
  const auto y = expanded(std::make_shared<SymExpr>(b), forB);
  return x && y ? x->terms == y->terms : !x && !y && infix(a) == infix(b);
}

SymInt operator*(const SymInt& a, const SymInt& b) {
  if (a.isStatic() && b.isStatic()) return saturatingMul(a.value(), b.value());
  if (a.isStatic() && a.value() == 1) return b;
  if (b.isStatic() && b.value() == 1) return a;
  if ((a.isStatic() && a.value() == 0) || (b.isStatic() && b.value() == 0)) return 0;
  Allowance budget;
  std::optional<Polynomial> out = expanded(asExpr(a), budget);
  if (out) {
    const auto other = expanded(asExpr(b), budget);
    out = other ? product(*out, *other, budget) : std::nullopt;
  }
  return fromExpr(out ? expressionOf(*out) : asWritten("Mul", asExpr(a), asExpr(b)),
                  combinedHint(a, b, saturatingMul));
}

SymInt operator+(const SymInt& a, const SymInt& b) {
  if (a.isStatic() && b.isStatic()) return saturatingAdd(a.value(), b.value());
  Allowance budget;
  std::optional<Polynomial> out = expanded(asExpr(a), budget);
  if (out) {
    const auto other = expanded(asExpr(b), budget);
    out = other ? sum(*std::move(out), *other, budget) : std::nullopt;
  }
  return fromExpr(out ? expressionOf(*out) : asWritten("Add", asExpr(a), asExpr(b)),
                  combinedHint(a, b, saturatingAdd));
}

SymInt operator-(const SymInt& a, const SymInt& b) { return a + SymInt(-1) * b; }

}  // namespace fxs::fx
