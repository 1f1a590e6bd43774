// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which values of its operands separate right from wrong, by operator
// (resources/numbers/separating_values.txt, which explains the words).
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "fx/program.h"

namespace fxs::compare {

enum class Value : std::uint8_t {
  Zero,
  Negative,
  Half,
  Denormal,
  Steep,
  Large,
  Largest,
  Infinity,
  Nan,
  High,
  Least,
  Truth,
  Equal,
  Tied,
  Ends,
  Wrapped,
  Beyond,
  Masked,
  Below,
  Above,
};
inline constexpr std::size_t kValues = 20;
/// As in the table: "nan".
std::string_view name(Value);
/// For users: "NaN", "ties of rounding".
std::string_view title(Value);

/// A set of kinds of values.
class Values {
 public:
  constexpr Values() = default;
  constexpr Values(std::initializer_list<Value> values) {
    for (const Value value : values) add(value);
  }
  static constexpr Values all() {
    Values out;
    out.bits_ = (1U << kValues) - 1;
    return out;
  }
  constexpr void add(Value value) { bits_ |= 1U << static_cast<unsigned>(value); }
  constexpr void remove(Value value) { bits_ &= ~(1U << static_cast<unsigned>(value)); }
  constexpr bool has(Value value) const {
    return (bits_ >> static_cast<unsigned>(value) & 1U) != 0;
  }
  constexpr bool isEmpty() const { return bits_ == 0; }
  constexpr Values& operator|=(Values other) { return bits_ |= other.bits_, *this; }
  constexpr Values& operator&=(Values other) { return bits_ &= other.bits_, *this; }
  friend constexpr Values operator|(Values a, Values b) { return a |= b; }
  friend constexpr Values operator&(Values a, Values b) { return a &= b; }
  /// Those of `a` that are not in `b`.
  friend constexpr Values operator-(Values a, Values b) {
    a.bits_ &= ~b.bits_;
    return a;
  }
  bool operator==(const Values&) const = default;
  /// In the order of the enumeration.
  std::vector<Value> list() const;

 private:
  std::uint32_t bits_ = 0;
};

/// How elements of an operand pass to the result.
enum class Passing : std::uint8_t { Moved, Pointwise, Mixed, Tested };

struct OperatorValues {
  Passing passing = Passing::Mixed;
  Values separating;
  Values bears;  ///< with the separating ones
  /// By value of an operand: the values among the result's elements.
  std::array<Values, kValues> makes;
};
/// Null for an operator that the table lacks: nothing is known of what it bears.
const OperatorValues* operatorValues(const fx::Node&);

}  // namespace fxs::compare
