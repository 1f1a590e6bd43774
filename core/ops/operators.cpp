// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops/operators.h"

#include <algorithm>
#include <cassert>

#include "base/take_until.h"

namespace fxs::resource {
std::string_view operatorRows();
}

namespace fxs::ops {
namespace {

constexpr std::array<std::string_view, kTraits> kTraitWords{
    "exact",     "shares-errors",  "keeps-elements", "keeps-distinct",  "inner-product",
    "rounds",    "limits",         "converts",       "keeps-order",     "reads-none",
    "unwritten", "overwrites",     "row-major",      "keeps-layout",    "pointwise",
    "renames",   "views-in-place", "reallocates",    "drops-dimension", "fills-output"};
static_assert(kTraits <= 64);
constexpr std::array<std::string_view, kRules> kRuleNames{
    "bounds",     "parts",  "domain",  "demands", "index", "error", "function",
    "use",        "affine", "chooses", "random",  "terms", "value", "type",
    "statistics", "shares", "view",    "flops",   "cpu",   "cuda"};

/// Rows are sorted, which also shows repeats.
struct RowReader {
  OperatorTable& table;
  std::string_view last;

  void read(std::string_view line) {
    std::string_view packet = takeUntil(':', line);
    packet = packet.substr(0, packet.find(' '));
    if (packet <= last)
      table.problems.push_back(std::string(packet) + " is repeated, or not in order");
    last = packet;
    Operator& row = table.rows[packet];
    while (!line.empty()) {
      const std::string_view word = takeUntil(' ', line);
      if (!word.empty() && !row.add(word))
        table.problems.push_back(std::string(packet) + ": '" + std::string(word) +
                                 "' is repeated, or is not a word");
    }
  }
};

}  // namespace

bool Operator::add(std::string_view word) {
  std::string_view value = word;
  const std::string_view name = takeUntil('=', value);
  if (name.size() == word.size()) {
    const auto trait = std::find(kTraitWords.begin(), kTraitWords.end(), word);
    const auto bit = std::uint64_t{1} << (trait - kTraitWords.begin());
    const bool isNew = trait != kTraitWords.end() && (traits_ & bit) == 0;
    if (isNew) traits_ |= bit;
    return isNew;
  }
  const auto found = std::find(kRuleNames.begin(), kRuleNames.end(), name);
  if (found == kRuleNames.end() || value.empty()) return false;
  std::string_view& rule = rules_[static_cast<std::size_t>(found - kRuleNames.begin())];
  if (!rule.empty()) return false;
  rule = value;
  return true;
}

OperatorTable::OperatorTable(std::string_view text) {
  RowReader reader{*this, {}};
  while (!text.empty()) {
    const std::string_view line = takeUntil('\n', text);
    if (!line.empty() && line.front() != '#') reader.read(line);
  }
}

const OperatorTable& OperatorTable::builtin() {
  static const OperatorTable table(resource::operatorRows());
  assert(table.problems.empty());
  return table;
}

const Operator& operatorNamed(std::string_view name) {
  static const Operator kUnknown;
  const auto& rows = OperatorTable::builtin().rows;
  const auto row = rows.find(name);
  return row == rows.end() ? kUnknown : row->second;
}

}  // namespace fxs::ops
