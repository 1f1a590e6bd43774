// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/operator_values.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

#include "base/take_until.h"
#include "compare/element_ranges.h"

namespace fxs::resource {
std::string_view separatingValues();
}

namespace fxs::compare {
namespace {

struct ValueFacts {
  Value value;
  std::string_view name, title;
};
constexpr std::array<ValueFacts, kValues> kValueFacts{
    {{Value::Zero, "zero", "zeros"},
     {Value::Negative, "negative", "negative values"},
     {Value::Half, "half", "ties of rounding"},
     {Value::Denormal, "denormal", "denormal numbers"},
     {Value::Steep, "steep", "values beyond 88"},
     {Value::Large, "large", "large values"},
     {Value::Largest, "largest", "the largest numbers"},
     {Value::Infinity, "infinity", "infinity"},
     {Value::Nan, "nan", "NaN"},
     {Value::High, "high", "large integers"},
     {Value::Least, "least", "the least integer"},
     {Value::Truth, "truth", "true values other than 1"},
     {Value::Equal, "equal", "equal elements"},
     {Value::Tied, "tied", "equal operands"},
     {Value::Ends, "ends", "indices at both ends"},
     {Value::Wrapped, "wrapped", "negative indices"},
     {Value::Beyond, "beyond", "shifts by the width"},
     {Value::Masked, "masked", "masked rows"},
     {Value::Below, "below", "operands below 0"},
     {Value::Above, "above", "operands above 0"}}};

std::optional<Value> valueNamed(std::string_view name) {
  for (const ValueFacts& facts : kValueFacts)
    if (facts.name == name) return facts.value;
  return std::nullopt;
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::string_view word = takeUntil(' ', text);
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

Values valuesOf(std::string_view text) {
  Values out;
  for (const std::string_view word : wordsOf(text)) {
    const auto value = valueNamed(word);
    assert(value);
    if (value) out.add(*value);
  }
  return out;
}

Passing passingNamed(std::string_view name) {
  if (name == "moved") return Passing::Moved;
  if (name == "pointwise") return Passing::Pointwise;
  return name == "tested" ? Passing::Tested : Passing::Mixed;
}

OperatorValues rowOf(std::string_view fields) {
  OperatorValues out;
  out.passing = passingNamed(wordsOf(takeUntil(':', fields)).front());
  out.separating = valuesOf(takeUntil(':', fields));
  out.bears = out.separating | valuesOf(takeUntil(':', fields));
  // Positive numbers are borne by all, and what two operands are together.
  out.bears |= {Value::Above, Value::Tied};
  if (out.bears.has(Value::Negative)) out.bears.add(Value::Below);
  for (std::size_t v = 0; v < kValues; ++v) out.makes[v].add(static_cast<Value>(v));
  for (std::string_view change : wordsOf(fields)) {
    const auto from = valueNamed(takeUntil('>', change)), to = valueNamed(change);
    assert(from && to);
    if (from && to) out.makes[static_cast<std::size_t>(*from)].add(*to);
  }
  return out;
}

using Table = std::map<std::string_view, OperatorValues>;
const Table& table() {
  static const Table rows = [] {
    Table out;
    std::string_view text = resource::separatingValues();
    while (!text.empty()) {
      std::string_view line = takeUntil('\n', text);
      if (line.empty() || line.front() == '#') continue;
      const std::vector<std::string_view> packets = wordsOf(takeUntil(':', line));
      const OperatorValues row = rowOf(line);
      for (const std::string_view packet : packets) out.emplace(packet, row);
    }
    return out;
  }();
  return rows;
}

}  // namespace

std::string_view name(Value value) { return kValueFacts[static_cast<std::size_t>(value)].name; }
std::string_view title(Value value) { return kValueFacts[static_cast<std::size_t>(value)].title; }

std::vector<Value> Values::list() const {
  std::vector<Value> out;
  for (std::size_t v = 0; v < kValues; ++v)
    if (has(static_cast<Value>(v))) out.push_back(static_cast<Value>(v));
  return out;
}

const OperatorValues* operatorValues(const fx::Node& node) {
  static const OperatorValues kMoved = rowOf(
      "moved::zero negative half denormal steep large largest infinity nan high least truth equal "
      "ends wrapped beyond masked");
  if (node.target == fx::kGetitem) return &kMoved;
  const auto row = table().find(packetOf(node));
  return row == table().end() ? nullptr : &row->second;
}

}  // namespace fxs::compare
