// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of a value from the text of its defining operation, without knowledge of the dialect.
#include <algorithm>
#include <array>

#include "mlir/text/module.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

TextRange trimmed(std::string_view text, TextRange range) {
  while (range.begin < range.end && (is(text[range.begin], kBlank) || text[range.begin] == '\n'))
    ++range.begin;
  return {range.begin, trimmedEnd(text, range.begin, range.end)};
}

/// The `index`-th of the types `a, b` or `(a, b)`; empty when there are not exactly `count`.
TextRange oneOf(std::string_view text, TextRange types, std::size_t index, std::size_t count) {
  types = trimmed(text, types);
  if (types.empty()) return {};
  if (text[types.begin] == '(') {
    const std::size_t close =
        walkTopLevel(text, types.begin + 1, types.end, [](std::size_t) { return false; });
    if (close + 1 < types.end) return count == 1 ? types : TextRange{};  // a function's type
    types = {types.begin + 1, close};
  }
  TextRange found;
  std::size_t number = 0;
  std::size_t begin = types.begin;
  const auto take = [&](std::size_t end) {
    if (number++ == index) found = trimmed(text, {begin, end});
    begin = end + 1;
  };
  walkTopLevel(text, types.begin, types.end, [&](std::size_t i) {
    if (text[i] == ',') take(i);
    return false;
  });
  take(types.end);
  // `-> (%0 : !pdl.type)` are operands.
  return number == count && found.of(text).find('%') == std::string_view::npos ? found
                                                                               : TextRange{};
}

/// Operations that end with a single type, which is an operand's type, not the result's.
bool namesOperandType(std::string_view name) {
  constexpr std::array<std::string_view, 10> kLast{
      "cmp", "cmpf", "cmpi", "dim", "extract", "extractelement", "fcmp", "icmp", "load", "rank"};
  return std::find(kLast.begin(), kLast.end(), name.substr(name.rfind('.') + 1)) != kLast.end();
}

/// The type of a result in a part of its operation's text.
TextRange typeIn(const Module& m, const Value& value, TextRange part) {
  std::size_t arrow = 0;
  std::size_t to = 0;
  std::size_t colon = 0;
  const std::size_t stop = walkTopLevel(m.text, part.begin, part.end, [&](std::size_t i) {
    const std::string_view here = m.text.substr(i, part.end - i);
    if (here.starts_with("->")) arrow = i + 2;
    else if (here[0] == ':') colon = i + 1, to = arrow = 0;
    else if (here.starts_with(" to ")) to = i + 4;
    else if (here.starts_with(" into ")) to = i + 6;
    return here[0] == '\n';  // clauses of its regions may follow: `case 2 {`
  });
  const std::size_t count = m.op(value.op).results.size();
  if (arrow != 0) return oneOf(m.text, {arrow, stop}, value.index, count);
  if (to != 0 && colon != 0) return oneOf(m.text, {to, stop}, value.index, count);
  if (colon == 0 || namesOperandType(m.nameOf(value.op))) return {};
  return oneOf(m.text, {colon, stop}, value.index, count);
}

TextRange resultType(const Module& m, const Value& value) {
  if (m.nameOf(value.op) == "func.constant") return {};  // `: (f32) -> f32` is one type
  const Op& op = m.op(value.op);
  // Types follow the regions (generic form, linalg), or are in the head if nothing follows those
  // (`scf.if %c -> (f32) {`).
  if (const auto regions = m.regionsOf(value.op); !regions.empty()) {
    std::size_t begin = m.region(regions.back()).text.end;
    const std::size_t end = op.location.empty() ? op.text.end : op.location.begin - 4;
    if (begin < end && m.text[begin] == ')') ++begin;
    if (const TextRange type = typeIn(m, value, {begin, end}); !type.empty()) return type;
  }
  const bool quoted = m.text.substr(op.name.end, 1) == "\"";
  return typeIn(m, value, {op.name.end + (quoted ? 1 : 0), op.head.end});
}

}  // namespace

TextRange Module::typeOf(ValueId id) const {
  const Value& v = value(id);
  if (v.kind == ValueKind::Result) return resultType(*this, v);
  std::size_t begin = afterAll(text, v.name.end, kBlank);
  if (begin >= text.size() || text[begin] != ':') return {};
  ++begin;
  const std::size_t limit = op(v.op).text.end;
  const std::size_t end = walkTopLevel(text, begin, limit, [&](std::size_t i) {
    const std::string_view here = text.substr(i, 5);
    return here[0] == ',' || here.starts_with(" loc(") || here.starts_with(" {");
  });
  return trimmed(text, {begin, end});
}

}  // namespace fxs::mlir
