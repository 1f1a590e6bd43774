// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Symbolic sizes: sympy expressions of torch.export as immutable trees. A SymInt is
// a number or an expression. Unknown sympy functions are kept by name, so that
// every file can be shown.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace fxs::fx {

class SymExpr;
using SymExprPtr = std::shared_ptr<const SymExpr>;

class SymExpr {
 public:
  enum class Kind : std::uint8_t { Symbol, Integer, Float, Rational, Call };
  Kind kind = Kind::Integer;
  std::string name;  ///< Symbol: "s27"; Call: the sympy function, "Add", "Mul", "FloorDiv" ..
  std::int64_t integer = 0;  ///< Integer; numerator of Rational
  std::int64_t denominator = 1;
  double real = 0;  ///< Float
  std::vector<SymExprPtr> operands;

  static SymExprPtr symbol(std::string name);
  static SymExprPtr integerOf(std::int64_t);
  static SymExprPtr floatOf(double);
  static SymExprPtr rationalOf(std::int64_t numerator, std::int64_t denominator);
  static SymExprPtr call(std::string head, std::vector<SymExprPtr> operands);
};

/// Limits of the parsers; the depth bounds the stack of recursive functions.
inline constexpr std::size_t kMaxSymExprDepth = 100;
inline constexpr std::size_t kMaxSymExprLength = std::size_t{1} << 16;

/// Parses sympy's srepr, `Add(Mul(Integer(2), Symbol('s27', positive=True, integer=True)),
/// Integer(1))`. Does not recurse. InvalidInput with the offset, also beyond the limits.
Result<SymExprPtr> parseSrepr(std::string_view text);
/// The expression as PyTorch prints it: "2*s27 + 1", "(s0//4)", "Max(1, u0)".
std::string infix(const SymExpr&);
/// Parses what `infix` prints. Limits and errors are those of parseSrepr.
Result<SymExprPtr> parseInfix(std::string_view text);
/// The value for the given symbols, with Python's floor semantics; conditions are 0 or 1.
/// std::nullopt if a symbol or function is unknown, or the value is not a 64-bit integer.
std::optional<std::int64_t> evaluate(const SymExpr&,
                                     const std::map<std::string, std::int64_t>& symbols);
void collectSymbols(const SymExpr&, const std::function<void(const std::string&)>& visit);
/// Whether two expressions are equal, or equal as polynomials.
bool equal(const SymExpr&, const SymExpr&);

/// A size, stride or offset: a number or an expression, with a hint (the value at export) if known.
class SymInt {
 public:
  SymInt() = default;
  SymInt(std::int64_t value) : value_(value) {}
  explicit SymInt(SymExprPtr expr, std::optional<std::int64_t> hint = {})
      : value_(hint.value_or(0)), hasHint_(hint.has_value()), expr_(std::move(expr)) {}
  bool isStatic() const { return !expr_; }
  std::int64_t value() const { return value_; }  ///< only if static
  std::optional<std::int64_t> hint() const {
    return !expr_ || hasHint_ ? std::optional(value_) : std::nullopt;
  }
  const SymExprPtr& expr() const { return expr_; }
  std::string text() const;  ///< "4", "2*s27 + 1"
  /// Ignores hints.
  friend bool operator==(const SymInt& a, const SymInt& b);

 private:
  std::int64_t value_ = 0;
  bool hasHint_ = false;
  SymExprPtr expr_;
};

/// The numbers of a list; std::nullopt if one is symbolic.
std::optional<std::vector<std::int64_t>> staticSizes(const std::vector<SymInt>&);

/// As of an expression.
std::optional<std::int64_t> evaluate(const SymInt&,
                                     const std::map<std::string, std::int64_t>& symbols);

// Arithmetic on sizes: numbers saturate, expressions become polynomials in sympy's order ("2*s0*s1
// + s1").
SymInt operator*(const SymInt&, const SymInt&);
SymInt operator+(const SymInt&, const SymInt&);
SymInt operator-(const SymInt&, const SymInt&);

}  // namespace fxs::fx
