// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query/value.h"

#include "base/ascii.h"

namespace fxs::query {

std::optional<Value> readValue(std::string_view text, std::size_t& at, bool mayBeRegex) {
  const char mark = at < text.size() ? text[at] : ' ';
  Value value{{}, mark == '/' && mayBeRegex};
  if (mark != '"' && !value.isRegex) {
    const std::size_t begin = at;
    while (at < text.size() && !isSpace(text[at])) ++at;
    value.text = text.substr(begin, at - begin);
    return value;
  }
  for (++at; at < text.size() && text[at] != mark; ++at) {
    // A backslash keeps its meaning in an expression, except before the slash.
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      if (text[at] != mark && (value.isRegex || text[at] != '\\')) value.text += '\\';
    }
    value.text += text[at];
  }
  if (at == text.size()) return std::nullopt;
  ++at;
  return value;
}

}  // namespace fxs::query
