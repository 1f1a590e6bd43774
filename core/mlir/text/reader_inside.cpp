// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of one operation: operands, successors, location and regions.
#include <algorithm>
#include <cstring>

#include "mlir/text/reader.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {

void Reader::operation() {
  while (inside_) {
    at_ = firstOf(text_, at_, kStop);
    if (at_ >= text_.size()) return;
    switch (text_[at_]) {
      case '"': at_ = afterQuoted(text_, at_); break;
      case '%': operand(); break;
      case '^': successor(); break;
      case '(':
      case '[': openBracket(); break;
      case ')':
      case ']': closeBracket(); break;
      case '{': openBrace(); break;
      case '}': closeBrace(); break;
      case '\n': endLine(); break;
      default: text_.compare(at_, 2, "//") == 0 ? endLine() : skipToken();
    }
  }
}

/// Skips a string, a dictionary, a comment, or the one byte at `at_`.
void Reader::skipToken() {
  if (text_[at_] == '"') at_ = afterQuoted(text_, at_);
  else if (text_[at_] == '{') at_ = std::min(afterBracket(text_, at_), text_.size());
  else if (text_.compare(at_, 2, "//") == 0) at_ = endOfLine(text_, at_);
  else ++at_;
}

void Reader::openBracket() {
  if (text_[at_] == '(' && locationBeginsBefore(at_)) return location();
  ++open_.back().depth;
  ++at_;
}

void Reader::closeBracket() {
  std::uint32_t& depth = open_.back().depth;
  if (depth > 0) --depth;
  ++at_;
}

void Reader::openBrace() { beginsRegion() ? openRegion() : skipToken(); }

void Reader::closeBrace() {
  if (open_.size() > 2) endOp(at_);
  else ++at_;
}

/// At a newline or a comment.
void Reader::endLine() {
  const std::size_t next = afterSpace(text_, at_);
  if (open_.back().depth == 0 && beginsStatement(next)) endOp(at_);
  at_ = next;
}

ValueId Reader::valueOf(std::uint32_t definition, TextRange use) const {
  const std::string_view name = use.of(text_);
  const std::size_t hash = name.rfind('#');
  if (hash == std::string_view::npos) return {definition};
  std::size_t number = 0;
  for (const char c : name.substr(hash + 1))
    number = std::min<std::size_t>(number * 10 + static_cast<std::size_t>(c - '0'), kNone);
  const std::size_t value = definition + number;
  // `%5#1` is one of the values that were defined as `%5:2`.
  if (value >= m_.values.size() || m_.values[value].name != m_.values[definition].name) return {};
  return ValueId::of(value);
}

void Reader::operand() {
  TextRange use{at_, afterName(text_, at_)};
  at_ = use.end;
  if (use.end == use.begin + 1) return;
  OpenOp& open = open_.back();
  const std::uint32_t name = values_.nameOf(use.of(text_));
  if (use.end + 1 < text_.size() && text_[use.end] == '#' && is(text_[use.end + 1], kDigit))
    at_ = use.end = afterAll(text_, use.end + 1, kDigit);
  const std::uint32_t definition = values_.definition(name);
  if (definition == kNone) values_.wait(name, static_cast<std::uint32_t>(m_.operands.size()));
  m_.operands.push_back(
      {definition == kNone ? ValueId{} : valueOf(definition, use), use, {open.op}});
  if (open.hadRegion) operandsAfterRegions_ = true;
}

void Reader::successor() {
  const TextRange use{at_, afterName(text_, at_)};
  at_ = use.end;
  const OpenOp& around = open_[open_.size() - 2];
  // Successors precede regions if an operation has both; others are ignored.
  if (use.end == use.begin + 1 || open_.back().hadRegion || around.region == kNone) return;
  const std::uint32_t name = labels_.nameOf(use.of(text_));
  const std::uint32_t block = labels_.definition(name);
  // Each region has its own labels: the same label in an enclosing region is another block.
  const bool known = block != kNone && m_.blocks[block].region.value == around.region;
  if (!known) labels_.wait(name, static_cast<std::uint32_t>(m_.successors.size()));
  m_.successors.push_back({known ? BlockId{block} : BlockId{}, use});
}

bool Reader::locationBeginsBefore(std::size_t paren) const {
  if (paren < 3 || text_[paren - 1] != 'c' || text_[paren - 2] != 'o' || text_[paren - 3] != 'l')
    return false;
  // `@loc(` is a function named loc.
  return paren == 3 ||
         !(is(text_[paren - 4], kWord) ||
           std::string_view("@#!%^-\"").find(text_[paren - 4]) != std::string_view::npos);
}

/// Moves from the paren of `loc(` to after the location; std::nullopt if that is cut off.
std::optional<TextRange> Reader::takeLocation() {
  const std::size_t begin = at_ + 1;
  const std::size_t end = afterLocation(text_, at_);
  const bool cutOff = end == std::string_view::npos;
  at_ = cutOff ? endOfLine(text_, at_) : end;
  return cutOff ? std::nullopt : std::optional(TextRange{begin, end - 1});
}

/// At the paren of `loc(`, which closes the operation unless it is that of an argument.
void Reader::location() {
  OpenOp& open = open_.back();
  const std::optional<TextRange> body = takeLocation();
  if (!body) return;
  if (open.depth > 0) {
    if (m_.operands.size() > open.segment)
      argumentLocations_.push_back({static_cast<std::uint32_t>(m_.operands.size() - 1), *body});
    return;
  }
  // A location can also be an attribute, with more of the operation after it.
  const std::size_t next = afterAll(text_, at_, kBlank);
  if (next < text_.size() &&
      std::string_view(":,=<>()[]{-").find(text_[next]) != std::string_view::npos)
    return;
  m_.ops[open.op].location = *body;
  endOp(at_);
}

/// Whether the brace at `at_` opens a region, not an attribute dictionary, judging by the first
/// token in it.
bool Reader::beginsRegion() {
  if (text_[at_ - 1] == '<') return false;  // properties
  const std::size_t first = afterSpace(text_, at_ + 1);
  if (first >= text_.size()) return true;  // cut off
  const bool newline = std::memchr(text_.data() + at_, '\n', first - at_) != nullptr;
  OpName name;
  switch (text_[first]) {
    case '^': return true;
    case '}': {
      const std::size_t before = trimmedEnd(text_, m_.ops[open_.back().op].name.end, at_);
      return newline || text_[before - 1] == '(';
    }
    case '%': return readResults(first, open_.back().op, name);
    case '"': return !opNameAt(first, kNone).range.empty();
    default: break;
  }
  if (!is(text_[first], kLetter)) return false;
  const std::size_t end = afterAll(text_, first, kWord);
  const std::size_t next = afterAll(text_, end, kBlank);
  const char after = next < text_.size() ? text_[next] : '\n';
  if (after == '=') return false;
  if (newline) return true;
  return after != ',' && after != '}' && !opNameAt(first, open_.back().op).range.empty();
}

/// Turns names in the head that are arguments of the opening region into values; the others stay
/// operands.
IndexRange Reader::takeArguments(OpenOp& open) {
  const std::uint32_t first = static_cast<std::uint32_t>(m_.values.size());
  const Op& op = m_.ops[open.op];
  // A function's arguments may have the names of outer values: `@f(%x: f32`.
  const bool function = !open.hadRegion && open.segment < m_.operands.size() &&
                        std::memchr(text_.data() + op.name.end, '@',
                                    m_.operands[open.segment].text.begin - op.name.end) != nullptr;
  std::uint32_t kept = open.segment;
  const ArgumentLocation* location = argumentLocations_.data();
  const ArgumentLocation* const lastLocation = location + argumentLocations_.size();
  for (std::uint32_t i = open.segment; i < m_.operands.size(); ++i) {
    Operand use = m_.operands[i];
    const std::size_t after = use.text.end;
    const bool numbered = use.text.of(text_).find('#') != std::string_view::npos;
    const bool typed = function && text_.compare(after, 1, ":") == 0;
    while (location != lastLocation && location->operand < i) ++location;
    if (!use.value.valid() || typed) {
      const std::string_view spelled = use.text.of(text_);
      const std::uint32_t name = values_.nameOf(spelled.substr(0, spelled.find('#')));
      values_.forget(name, open.segment);
      const std::uint32_t definition = values_.definition(name);
      if (definition != kNone && !typed) {
        use.value =
            valueOf(definition, use.text);  // the second time that the head names its own argument
      } else if (numbered) {
        values_.wait(name, kept);
      } else {
        const std::uint32_t value = addValue(ValueKind::Argument, use.text, open.op,
                                             static_cast<std::uint32_t>(m_.values.size()) - first);
        if (location != lastLocation && location->operand == i)
          m_.values[value].location = location->body;
        values_.define(name, value, kNone, [](std::uint32_t) {});
        continue;
      }
    }
    m_.operands[kept++] = use;
  }
  m_.operands.resize(kept);
  argumentLocations_.clear();
  return {first, static_cast<std::uint32_t>(m_.values.size())};
}

void Reader::openRegion() {
  OpenOp& open = open_.back();
  Op& op = m_.ops[open.op];
  const bool firstRegion = !open.hadRegion;
  if (firstRegion) open.opMark = values_.mark();
  const IndexRange arguments = takeArguments(open);
  if (firstRegion) {
    open.hadRegion = true;
    op.head.end = trimmedEnd(text_, op.name.end, at_);
    op.operands.end = static_cast<std::uint32_t>(m_.operands.size());
    op.successors.end = static_cast<std::uint32_t>(m_.successors.size());
  }
  open.region = static_cast<std::uint32_t>(m_.regions.size());
  open.block = kNone;
  open.blocks = 0;
  open.regionMark = values_.mark();
  open.labelMark = labels_.mark();
  open.firstUse = static_cast<std::uint32_t>(m_.operands.size());
  open.firstSuccessor = static_cast<std::uint32_t>(m_.successors.size());
  m_.regions.push_back({{open.op}, {at_, at_ + 1}});
  if (arguments.size() > 0) newBlock({}, arguments);
  ++at_;
  inside_ = false;
}

void Reader::closeRegion(std::size_t end) {
  OpenOp& open = open_.back();
  m_.regions[open.region].text.end = end;
  values_.leaveTo(open.regionMark);
  labels_.leaveTo(open.labelMark);
  open.region = open.block = kNone;
  open.segment = static_cast<std::uint32_t>(m_.operands.size());
  inside_ = true;
}

std::uint32_t Reader::newBlock(TextRange label, IndexRange arguments) {
  OpenOp& open = open_.back();
  open.block = static_cast<std::uint32_t>(m_.blocks.size());
  m_.blocks.push_back({{open.region}, label, arguments, open.blocks++});
  for (std::uint32_t i = arguments.begin; i < arguments.end; ++i) m_.values[i].block = {open.block};
  return open.block;
}

std::uint32_t Reader::addValue(ValueKind kind, TextRange name, std::uint32_t op,
                               std::uint32_t index) {
  Value& value = m_.values.emplace_back();
  value.kind = kind;
  value.name = name;
  value.op = {op};
  value.index = index;
  return static_cast<std::uint32_t>(m_.values.size() - 1);
}

}  // namespace fxs::mlir
