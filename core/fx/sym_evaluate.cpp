// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exact arithmetic on 64-bit rationals where sympy is exact, doubles where PyTorch uses floats;
// nullopt on overflow.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <variant>

#include "fx/sym_expr.h"

namespace fxs::fx {
namespace {

using Kind = SymExpr::Kind;

struct Rational {
  std::int64_t p = 0, q = 1;  // q > 0, in lowest terms
};
using Number = std::variant<Rational, double>;
using MaybeNumber = std::optional<Number>;
using MaybeInteger = std::optional<std::int64_t>;

std::optional<Rational> reduced(std::int64_t p, std::int64_t q) {
  if (q == 0 || p == INT64_MIN || q == INT64_MIN) return std::nullopt;
  if (q < 0) p = -p, q = -q;
  std::int64_t g = std::gcd(p, q);
  return Rational{p / g, q / g};
}

MaybeNumber wrap(std::optional<Rational> r) { return r ? MaybeNumber(*r) : std::nullopt; }
double real(const Number& n) {
  if (const double* d = std::get_if<double>(&n)) return *d;
  const Rational& r = std::get<Rational>(n);
  return static_cast<double>(r.p) / static_cast<double>(r.q);
}
MaybeInteger integer(const Number& n) {
  const Rational* r = std::get_if<Rational>(&n);
  return r && r->q == 1 ? std::optional(r->p) : std::nullopt;
}
MaybeNumber fromReal(double d) {
  if (!(std::abs(d) < 9.2e18)) return std::nullopt;
  return Rational{static_cast<std::int64_t>(d), 1};
}

MaybeNumber add(const Number& a, const Number& b) {
  const Rational *x = std::get_if<Rational>(&a), *y = std::get_if<Rational>(&b);
  if (!x || !y) return real(a) + real(b);
  std::int64_t left, right, top, bottom;
  if (__builtin_mul_overflow(x->p, y->q, &left) || __builtin_mul_overflow(y->p, x->q, &right) ||
      __builtin_add_overflow(left, right, &top) || __builtin_mul_overflow(x->q, y->q, &bottom))
    return std::nullopt;
  return wrap(reduced(top, bottom));
}

MaybeNumber multiply(const Number& a, const Number& b) {
  const Rational *x = std::get_if<Rational>(&a), *y = std::get_if<Rational>(&b);
  if (!x || !y) return real(a) * real(b);
  std::optional<Rational> l = reduced(x->p, y->q), r = reduced(y->p, x->q);
  std::int64_t top, bottom;
  if (!l || !r || __builtin_mul_overflow(l->p, r->p, &top) ||
      __builtin_mul_overflow(l->q, r->q, &bottom))
    return std::nullopt;
  return wrap(reduced(top, bottom));
}

MaybeNumber power(const Number& base, const Number& exponent) {
  MaybeInteger n = integer(exponent);
  if (!n || std::holds_alternative<double>(base) || *n > 64 || *n < -64)
    return std::pow(real(base), real(exponent));
  MaybeNumber out = Rational{1, 1};
  for (std::int64_t i = 0; i < std::abs(*n) && out; ++i) out = multiply(*out, base);
  if (!out || *n >= 0) return out;
  const Rational& r = std::get<Rational>(*out);
  return wrap(reduced(r.q, r.p));
}

bool less(const Number& a, const Number& b) {
  const MaybeInteger x = integer(a), y = integer(b);
  return x && y ? *x < *y : real(a) < real(b);
}
bool same(const Number& a, const Number& b) {
  const MaybeInteger x = integer(a), y = integer(b);
  return x && y ? *x == *y : real(a) == real(b);
}

MaybeInteger floorDiv(std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  std::int64_t quotient = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}
MaybeInteger floorMod(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return b == 0 ? std::nullopt : MaybeInteger(0);
  std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

MaybeInteger ceilDiv(std::int64_t a, std::int64_t b) {
  const MaybeInteger down = a == INT64_MIN ? std::nullopt : floorDiv(-a, b);
  return down ? MaybeInteger(-*down) : std::nullopt;
}
MaybeInteger shiftedLeft(std::int64_t a, std::int64_t b) {
  std::int64_t out;
  if (b < 0 || b >= 63 || __builtin_mul_overflow(a, std::int64_t{1} << b, &out))
    return std::nullopt;
  return out;
}
MaybeInteger shiftedRight(std::int64_t a, std::int64_t b) {
  if (b < 0) return std::nullopt;
  return floorDiv(a, std::int64_t{1} << std::min<std::int64_t>(b, 62));
}

MaybeNumber truth(bool v) { return Rational{v ? 1 : 0, 1}; }
MaybeNumber quotient(const Number& a, const Number& b) {
  return real(b) == 0 ? std::nullopt : MaybeNumber(real(a) / real(b));
}

/// The functions of sympy with so many operands, by their names.
using OfIntegers = MaybeInteger (*)(std::int64_t, std::int64_t);
using OfNumbers = MaybeNumber (*)(const Number&, const Number&);
using OfReal = MaybeNumber (*)(double);
template <class Function>
using Named = std::pair<std::string_view, Function>;

constexpr auto kOfIntegers = std::to_array<Named<OfIntegers>>({
    {"FloorDiv", floorDiv},
    {"CleanDiv", floorDiv},
    {"Mod", floorMod},
    {"PythonMod", floorMod},
    {"CeilDiv", ceilDiv},
    {"LShift", shiftedLeft},
    {"RShift", shiftedRight},
    {"BitwiseFn_bitwise_and", [](auto a, auto b) { return MaybeInteger(a & b); }},
    {"BitwiseFn_bitwise_or", [](auto a, auto b) { return MaybeInteger(a | b); }},
    {"BitwiseFn_bitwise_xor", [](auto a, auto b) { return MaybeInteger(a ^ b); }},
});
constexpr auto kOfNumbers = std::to_array<Named<OfNumbers>>({
    {"Pow", power},
    {"PowByNatural", power},
    {"FloatPow", [](auto& a, auto& b) { return MaybeNumber(std::pow(real(a), real(b))); }},
    {"FloatTrueDiv", quotient},
    {"IntTrueDiv", quotient},
    {"Equality", [](auto& a, auto& b) { return truth(same(a, b)); }},
    {"Unequality", [](auto& a, auto& b) { return truth(!same(a, b)); }},
    {"StrictLessThan", [](auto& a, auto& b) { return truth(less(a, b)); }},
    {"StrictGreaterThan", [](auto& a, auto& b) { return truth(less(b, a)); }},
    {"LessThan", [](auto& a, auto& b) { return truth(less(a, b) || same(a, b)); }},
    {"GreaterThan", [](auto& a, auto& b) { return truth(less(b, a) || same(a, b)); }},
});
constexpr auto kOfReal = std::to_array<Named<OfReal>>({
    {"Not", [](double x) { return truth(x == 0); }},
    {"ToFloat", [](double x) { return MaybeNumber(x); }},
    {"TruncToFloat", [](double x) { return MaybeNumber(std::trunc(x)); }},
    {"TruncToInt", [](double x) { return fromReal(std::trunc(x)); }},
    {"FloorToInt", [](double x) { return fromReal(std::floor(x)); }},
    {"CeilToInt", [](double x) { return fromReal(std::ceil(x)); }},
    // Ties to even, as Python's round.
    {"RoundToInt", [](double x) { return fromReal(std::nearbyint(x)); }},
    {"OpaqueUnaryFn_sqrt", [](double x) { return MaybeNumber(std::sqrt(x)); }},
    {"OpaqueUnaryFn_exp", [](double x) { return MaybeNumber(std::exp(x)); }},
    {"OpaqueUnaryFn_log", [](double x) { return MaybeNumber(std::log(x)); }},
});

/// nullptr if no function has the name.
template <class Function, std::size_t N>
Function functionOf(const std::array<Named<Function>, N>& functions, std::string_view head) {
  for (const auto& [name, function] : functions)
    if (name == head) return function;
  return nullptr;
}

/// Functions of integers only.
MaybeInteger applyIntegers(const std::string& head, const std::vector<std::int64_t>& v) {
  if (v.size() == 2)
    if (const OfIntegers function = functionOf(kOfIntegers, head)) return function(v[0], v[1]);
  if (v.size() == 3 && head == "ModularIndexing")
    if (const MaybeInteger down = floorDiv(v[0], v[1])) return floorMod(*down, v[2]);
  return std::nullopt;
}

MaybeNumber applyReal(const std::string& head, const std::vector<Number>& v) {
  if (v.size() == 2)
    if (const OfNumbers function = functionOf(kOfNumbers, head)) return function(v[0], v[1]);
  if (v.size() == 3 && head == "Where") return real(v[0]) != 0 ? v[1] : v[2];
  if (v.size() != 1) return std::nullopt;
  if (head == "Identity") return v[0];
  const OfReal function = functionOf(kOfReal, head);
  return function ? function(real(v[0])) : std::nullopt;
}

using Symbols = std::map<std::string, std::int64_t>;

MaybeNumber valueOfCall(const SymExpr& e, const Symbols& symbols);

MaybeNumber fold(const SymExpr& e, const std::vector<Number>& values) {
  if (values.empty()) return std::nullopt;
  MaybeNumber out = values[0];
  for (std::size_t i = 1; i < values.size() && out; ++i) {
    const Number& v = values[i];
    if (e.name == "Add") out = add(*out, v);
    else if (e.name == "Mul") out = multiply(*out, v);
    else if (e.name == "Max") out = less(*out, v) ? v : *out;
    else if (e.name == "Min") out = less(v, *out) ? v : *out;
    else if (e.name == "And") out = truth(real(*out) != 0 && real(v) != 0);
    else if (e.name == "Or") out = truth(real(*out) != 0 || real(v) != 0);
    else return std::nullopt;
  }
  return out;
}

bool isFold(const std::string& head) {
  return head == "Add" || head == "Mul" || head == "Max" || head == "Min" || head == "And" ||
         head == "Or";
}

/// Recursion is bounded by kMaxSymExprDepth.
MaybeNumber valueOf(const SymExpr& e, const Symbols& symbols) {
  switch (e.kind) {
    case Kind::Integer: return Rational{e.integer, 1};
    case Kind::Rational: return wrap(reduced(e.integer, e.denominator));
    case Kind::Float: return e.real;
    case Kind::Symbol: {
      auto it = symbols.find(e.name);
      return it == symbols.end() ? std::nullopt : MaybeNumber(Rational{it->second, 1});
    }
    case Kind::Call: break;
  }
  return valueOfCall(e, symbols);
}

MaybeNumber valueOfCall(const SymExpr& e, const Symbols& symbols) {
  if (e.operands.empty() && (e.name == "true" || e.name == "True")) return truth(true);
  if (e.operands.empty() && (e.name == "false" || e.name == "False")) return truth(false);
  std::vector<Number> values;
  std::vector<std::int64_t> integers;
  for (const SymExprPtr& operand : e.operands) {
    MaybeNumber v = valueOf(*operand, symbols);
    if (!v) return std::nullopt;
    if (MaybeInteger i = integer(*v)) integers.push_back(*i);
    values.push_back(*v);
  }
  if (isFold(e.name)) return fold(e, values);
  if (integers.size() == values.size())
    if (MaybeInteger out = applyIntegers(e.name, integers)) return Rational{*out, 1};
  return applyReal(e.name, values);
}

}  // namespace

std::optional<std::int64_t> evaluate(const SymExpr& e,
                                     const std::map<std::string, std::int64_t>& symbols) {
  MaybeNumber value = valueOf(e, symbols);
  return value ? integer(*value) : std::nullopt;
}

std::optional<std::int64_t> evaluate(const SymInt& size,
                                     const std::map<std::string, std::int64_t>& symbols) {
  return size.isStatic() ? std::optional(size.value()) : evaluate(*size.expr(), symbols);
}

}  // namespace fxs::fx
