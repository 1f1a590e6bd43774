// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of operations: where they are, and the full name if the printer omitted the dialect.
#include <algorithm>
#include <array>

#include "mlir/text/reader.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

std::string_view dialectOf(std::string_view name) { return name.substr(0, name.find('.')); }

/// Keywords that continue an operation on a new line.
bool isClause(std::string_view word) {
  constexpr std::array<std::string_view, 7> kClauses{"case", "cond", "default", "do",
                                                     "else", "loc",  "reducer"};
  return std::find(kClauses.begin(), kClauses.end(), word) != kClauses.end();
}

}  // namespace

/// MLIR omits the dialect prefix of operations directly inside ones with
/// OpAsmOpInterface::getDefaultDialect: the module, functions of some dialects, PDL patterns.
bool Reader::mayLeaveOutPrefix(std::string_view word, std::uint32_t parent) const {
  if (parent == kNone) return word == "module";
  const std::string_view around = m_.names[m_.ops[parent].nameNumber];
  if (around == "builtin.module") return word == "module" || word == "unrealized_conversion_cast";
  if (around == "func.func")
    return word == "return" || word == "call" || word == "call_indirect" || word == "constant";
  return (around.ends_with(".func") || around.ends_with(".module") || around.starts_with("pdl.")) &&
         !isClause(word);
}

Reader::OpName Reader::opNameAt(std::size_t at, std::uint32_t parent) {
  if (at >= text_.size()) return {};
  if (text_[at] == '"') {
    const std::size_t end = afterQuoted(text_, at);
    if (end < at + 3 || end >= text_.size() || text_[end] != '(') return {};
    return {{at + 1, end - 1}, end};
  }
  if (!is(text_[at], kLetter)) return {};
  const std::size_t end = afterAll(text_, at, kWord);
  const std::string_view word = text_.substr(at, end - at);
  const std::string_view after = text_.substr(end, 1);
  if (word.back() == '.' ||
      (!after.empty() &&
       std::string_view(" \t\r\n(<[{}@\"%").find(after[0]) == std::string_view::npos))
    return {};
  if (word.find('.') == std::string_view::npos && !mayLeaveOutPrefix(word, parent)) return {};
  return {{at, end}, end};
}

std::uint32_t Reader::fullNameNumber(std::string_view name, std::uint32_t parent, bool quoted) {
  if (quoted || name.find('.') != std::string_view::npos) return m_.names.findOrAdd(name);
  scratch_ = parent == kNone ? "builtin" : dialectOf(m_.names[m_.ops[parent].nameNumber]);
  scratch_ += '.';
  scratch_ += name;
  if (const std::uint32_t known = m_.names.find(scratch_); known != NameTable::kNone) return known;
  m_.spelled_.push_back(std::make_unique<const std::string>(scratch_));
  return m_.names.findOrAdd(*m_.spelled_.back());
}

}  // namespace fxs::mlir
