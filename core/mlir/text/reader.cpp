// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/text/reader.h"

#include <algorithm>

#include "mlir/text/token_ends.h"

namespace fxs::mlir {

void Reader::run() {
  for (std::size_t at = 0;; ++at) {
    m_.lineStarts.push_back(at);
    at = endOfLine(text_, at);
    if (at >= text_.size()) break;
  }
  open_.emplace_back();
  while (at_ < text_.size()) inside_ ? operation() : statement();
  finish();
}

std::uint32_t Reader::lineOf(std::size_t offset) {
  while (line_ + 1 < m_.lineStarts.size() && m_.lineStarts[line_ + 1] <= offset) ++line_;
  return line_;
}

void Reader::statement() {
  at_ = afterSpace(text_, at_);
  if (at_ >= text_.size()) return;
  const char c = text_[at_];
  if (c == '}') {
    ++at_;
    if (open_.size() > 1) closeRegion(at_);
    return;
  }
  if (c == '^' && open_.size() > 1) return label();
  if (text_.compare(at_, 3, "{-#") == 0) {
    at_ = afterResources();
    return;
  }
  if ((c == '#' || c == '!') && alias()) return;
  OpName name;
  results_.clear();
  if (c == '%') readResults(at_, open_.back().op, name);
  else name = opNameAt(at_, open_.back().op);
  if (name.range.empty()) skipLine();
  else beginOp(at_, name);
}

std::size_t Reader::afterResources() const {
  const std::size_t end = text_.find("#-}", at_ + 3);
  return end == std::string_view::npos ? text_.size() : end + 3;
}

/// Skips a line that does not begin an operation, up to a brace that closes the enclosing region.
void Reader::skipLine() {
  for (;;) {
    at_ = firstOf(text_, at_, kStop);
    if (at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '}') return;
    skipToken();
  }
}

/// `#map = ..`, `!t = ..`, `#loc3 = loc(..)`: each a line.
bool Reader::alias() {
  const std::size_t nameEnd = afterName(text_, at_);
  std::size_t body = afterAll(text_, nameEnd, kBlank);
  if (nameEnd == at_ + 1 || text_.compare(body, 1, "=") != 0) return false;
  body = afterAll(text_, body + 1, kBlank);
  const std::size_t line = endOfLine(text_, body);
  std::size_t end = trimmedEnd(text_, body, line);
  if (text_.compare(body, 4, "loc(") == 0) {
    const std::size_t after = afterLocation(text_, body + 3);
    end = after == std::string_view::npos ? end : after - 1;
    body += 4;
  }
  const std::uint32_t number = m_.aliases.findOrAdd(text_.substr(at_, nameEnd - at_));
  if (number == m_.aliasBodies.size())
    m_.aliasBodies.push_back(text_.substr(body, std::max(body, end) - body));
  at_ = line;
  return true;
}

/// `%a, %b:2 = ` at `at`, then an operation's name.
bool Reader::readResults(std::size_t at, std::uint32_t parent, OpName& name) {
  results_.clear();
  for (;;) {
    const std::size_t end = afterName(text_, at);
    if (end == at + 1) return false;
    ResultName one{{at, end}, 1};
    at = end;
    if (at < text_.size() && text_[at] == ':') {
      std::size_t count = 0;
      for (++at; at < text_.size() && is(text_[at], kDigit); ++at)
        count = std::min<std::size_t>(count * 10 + static_cast<std::size_t>(text_[at] - '0'),
                                      text_.size());
      one.count = static_cast<std::uint32_t>(std::max<std::size_t>(count, 1));
    }
    results_.push_back(one);
    at = afterAll(text_, at, kBlank);
    if (at >= text_.size()) return false;
    if (text_[at] == '=') {
      name = opNameAt(afterAll(text_, at + 1, kBlank), parent);
      return true;
    }
    if (text_[at] != ',') return false;
    at = afterAll(text_, at + 1, kBlank);
    if (at >= text_.size() || text_[at] != '%') return false;
  }
}

/// Whether a line that begins at `at` ends the operation before it.
bool Reader::beginsStatement(std::size_t at) {
  if (at >= text_.size()) return true;
  const std::uint32_t parent = open_[open_.size() - 2].op;
  OpName name;
  switch (text_[at]) {
    case '}':
    case '^': return true;
    case '{': return text_.compare(at, 3, "{-#") == 0;
    case '%': return readResults(at, parent, name);
    case '#':
    case '!': {
      const std::size_t end = afterName(text_, at);
      return end > at + 1 && text_.compare(afterAll(text_, end, kBlank), 1, "=") == 0;
    }
    default: return !opNameAt(at, parent).range.empty();
  }
}

void Reader::beginOp(std::size_t begin, const OpName& name) {
  OpenOp& around = open_.back();
  const std::uint32_t number = static_cast<std::uint32_t>(m_.ops.size());
  if (around.region != kNone && around.block == kNone) newBlock({}, {});
  Op& op = m_.ops.emplace_back();
  op.text.begin = op.head.begin = begin;
  op.name = name.range;
  op.parent = {around.op};
  op.block = {around.block};
  op.nameNumber = fullNameNumber(name.range.of(text_), around.op,
                                 text_[name.range.begin - (name.range.begin > 0)] == '"');
  op.firstLine = lineOf(begin);
  if (around.op == kNone) m_.top.push_back({number});

  op.results.begin = static_cast<std::uint32_t>(m_.values.size());
  std::uint32_t index = 0;
  for (const ResultName& result : results_) {
    const std::uint32_t first = static_cast<std::uint32_t>(m_.values.size());
    std::uint32_t count = result.count;
    if (extraResults_ + count > text_.size()) count = 1;
    extraResults_ += count - 1;
    for (std::uint32_t i = 0; i < count; ++i)
      addValue(ValueKind::Result, result.range, number, index++);
    defineValue(result.range, first, around.firstUse);
  }
  op.results.end = static_cast<std::uint32_t>(m_.values.size());
  op.operands.begin = op.operands.end = static_cast<std::uint32_t>(m_.operands.size());
  op.successors.begin = op.successors.end = static_cast<std::uint32_t>(m_.successors.size());

  OpenOp open;
  open.op = number;
  open.segment = op.operands.begin;
  open_.push_back(open);
  argumentLocations_.clear();
  at_ = name.after;
  inside_ = true;
}

void Reader::defineValue(TextRange name, std::uint32_t value, std::uint32_t firstUse) {
  values_.define(values_.nameOf(name.of(text_)), value, firstUse, [&](std::uint32_t use) {
    m_.operands[use].value = valueOf(value, m_.operands[use].text);
  });
}

void Reader::endOp(std::size_t end) {
  const OpenOp& open = open_.back();
  Op& op = m_.ops[open.op];
  op.text.end = trimmedEnd(text_, op.name.end, end);
  op.lastLine = lineOf(op.text.end - 1);
  if (open.hadRegion) {
    values_.leaveTo(open.opMark);
  } else {
    // "loc(" precedes the body and is not part of the head.
    op.head.end =
        op.location.empty() ? op.text.end : trimmedEnd(text_, op.name.end, op.location.begin - 4);
    op.operands.end = static_cast<std::uint32_t>(m_.operands.size());
    op.successors.end = static_cast<std::uint32_t>(m_.successors.size());
  }
  open_.pop_back();
  inside_ = false;
}

void Reader::finish() {
  const std::size_t end = trimmedEnd(text_, 0, text_.size());
  while (open_.size() > 1) {
    if (open_.back().region != kNone) closeRegion(end);
    endOp(end);
  }
  if (operandsAfterRegions_) {
    std::sort(m_.operands.begin(), m_.operands.end(), [](const Operand& a, const Operand& b) {
      return a.user != b.user ? a.user < b.user : a.text.begin < b.text.begin;
    });
    for (Op& op : m_.ops) op.operands = {};
    for (std::uint32_t i = 0; i < m_.operands.size(); ++i) {
      IndexRange& range = m_.ops[m_.operands[i].user.index()].operands;
      if (range.size() == 0) range.begin = i;
      range.end = i + 1;
    }
  }
  m_.regionsOf_.group(m_.ops.size(), m_.regions.size(),
                      [&](std::size_t i) { return m_.regions[i].op.index(); });
  m_.blocksOf_.group(m_.regions.size(), m_.blocks.size(),
                     [&](std::size_t i) { return m_.blocks[i].region.index(); });
  m_.opsOf_.group(m_.blocks.size(), m_.ops.size(),
                  [&](std::size_t i) { return m_.ops[i].block.index(); });
  m_.usesOf_.group(m_.values.size(), m_.operands.size(),
                   [&](std::size_t i) { return m_.operands[i].value.index(); });
}

void Reader::label() {
  OpenOp& around = open_.back();
  const std::size_t begin = at_;
  const TextRange name{begin, afterName(text_, begin)};
  at_ = afterAll(text_, name.end, kBlank);
  const bool arguments = text_.compare(at_, 1, "(") == 0;
  if (!arguments && text_.compare(at_, 1, ":") != 0) return skipLine();
  const std::uint32_t block = newBlock(name, {});
  labels_.define(labels_.nameOf(name.of(text_)), block, around.firstSuccessor,
                 [&](std::uint32_t use) { m_.successors[use].block = {block}; });
  if (arguments) labelArguments(block);
  at_ = afterAll(text_, at_, kBlank);
  if (text_.compare(at_, 1, ":") == 0) ++at_;
}

void Reader::labelArguments(std::uint32_t block) {
  const std::uint32_t first = static_cast<std::uint32_t>(m_.values.size());
  for (std::uint32_t depth = 0;;) {
    at_ = firstOf(text_, at_, kStop);
    if (at_ >= text_.size() || text_[at_] == '}') break;
    const char c = text_[at_];
    if (c == '%' && depth == 1) {
      labelArgument(block, static_cast<std::uint32_t>(m_.values.size()) - first);
    } else if (c == '(' && locationBeginsBefore(at_)) {
      const std::optional<TextRange> body = takeLocation();
      if (body && m_.values.size() > first) m_.values.back().location = *body;
    } else {
      skipToken();
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) break;
    }
  }
  m_.blocks[block].arguments = {first, static_cast<std::uint32_t>(m_.values.size())};
}

void Reader::labelArgument(std::uint32_t block, std::uint32_t index) {
  const OpenOp& around = open_.back();
  const TextRange name{at_, afterName(text_, at_)};
  const std::uint32_t value = addValue(ValueKind::Argument, name, around.op, index);
  m_.values[value].block = {block};
  defineValue(name, value, around.firstUse);
  at_ = name.end;
}

}  // namespace fxs::mlir
