#pragma once
// Symbolic sizes: the sympy expressions that torch.export writes, as immutable
// trees. A SymInt is a number or such an expression. Unknown sympy heads are kept
// by name, so that every file can be shown.
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
  std::string name;                 ///< Symbol: "s27"; Call: the sympy head, "Add", "Mul", "FloorDiv" ..
  std::int64_t integer = 0;         ///< Integer; numerator of Rational
  std::int64_t denominator = 1;
  double real = 0;                  ///< Float
  std::vector<SymExprPtr> operands;

  static SymExprPtr symbol(std::string name);
  static SymExprPtr integerOf(std::int64_t);
  static SymExprPtr call(std::string head, std::vector<SymExprPtr> operands);
};

/// Parses sympy's srepr, `Add(Mul(Integer(2), Symbol('s27', positive=True, integer=True)), Integer(1))`.
/// Bounded depth and length, no recursion on input. InvalidInput with the offset.
Result<SymExprPtr> parseSrepr(std::string_view text);
/// As PyTorch prints it: "2*s27 + 1", "s0//4", "Max(1, u0)".
std::string infix(const SymExpr&);
/// The value under the given symbols, or nothing when a symbol or head is not known.
std::optional<std::int64_t> evaluate(const SymExpr&, const std::map<std::string, std::int64_t>& symbols);
void collectSymbols(const SymExpr&, std::function<void(const std::string&)> visit);
bool equal(const SymExpr&, const SymExpr&);

/// A size, stride or offset: a number, or an expression.
class SymInt {
 public:
  SymInt() = default;
  SymInt(std::int64_t value) : value_(value) {}
  explicit SymInt(SymExprPtr expr, std::optional<std::int64_t> hint = {}) : value_(hint.value_or(0)), hasHint_(hint.has_value()), expr_(std::move(expr)) {}
  bool isStatic() const { return !expr_; }
  std::int64_t value() const { return value_; }                       ///< only when static
  std::optional<std::int64_t> hint() const { return !expr_ || hasHint_ ? std::optional(value_) : std::nullopt; }
  const SymExprPtr& expr() const { return expr_; }
  std::string text() const;
  friend bool operator==(const SymInt& a, const SymInt& b);

 private:
  std::int64_t value_ = 0;
  bool hasHint_ = false;
  SymExprPtr expr_;
};

// Arithmetic on sizes, simplified where both are numbers.
SymInt operator*(const SymInt&, const SymInt&);
SymInt operator+(const SymInt&, const SymInt&);
SymInt operator-(const SymInt&, const SymInt&);

}  // namespace fxs::fx
