// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What core knows of operators beyond their schemas: a row for each in
// resources/ops/operators.txt, which explains the words. Which code a rule names is known where it
// is applied.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fxs::ops {

/// Words, in the order of operators.cpp.
enum class Trait : std::uint8_t {
  Exact,
  SharesErrors,
  KeepsElements,
  KeepsDistinct,
  InnerProduct,
  Rounds,
  Limits,
  Converts,
  KeepsOrder,
  ReadsNone,
  Unwritten,
  Overwrites,
  RowMajor,
  KeepsLayout,
  Pointwise,
  Renames,
  ViewsInPlace,
  Reallocates,
  DropsDimension,
  FillsOutput
};
inline constexpr std::size_t kTraits = 20;

/// Words with a value, "bounds=product": in the order of their names in operators.cpp.
enum class Rule : std::uint8_t {
  Bounds,
  Parts,
  Domain,
  Demands,
  Index,
  Error,
  Function,
  Use,
  Affine,
  Chooses,
  Random,
  Terms,
  Value,
  Type,
  Statistics,
  Shares,
  View,
  Flops,
  Cpu,
  Cuda
};
inline constexpr std::size_t kRules = 20;

class Operator {
 public:
  bool is(Trait trait) const { return (traits_ >> static_cast<unsigned>(trait) & 1U) != 0; }
  /// "" for an operator without such a rule.
  std::string_view rule(Rule rule) const { return rules_[static_cast<std::size_t>(rule)]; }
  /// Returns false for a word that does not exist, or that the operator has already.
  bool add(std::string_view word);

 private:
  std::uint64_t traits_ = 0;
  std::array<std::string_view, kRules> rules_;
};

struct OperatorTable {
  explicit OperatorTable(std::string_view text);  ///< must outlive the table
  static const OperatorTable& builtin();

  std::unordered_map<std::string_view, Operator> rows;  ///< by packet, or overload
  std::vector<std::string> problems;                    ///< none in the embedded table
};

/// Of the embedded table, by packet or, for words that overloads do not share, overload: "abs",
/// "conv1d.default". Without a row, an operator of which nothing is known.
const Operator& operatorNamed(std::string_view name);

}  // namespace fxs::ops
