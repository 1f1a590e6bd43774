// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/compare/same_ir.h"

#include <algorithm>

#include "mlir/text/expanded_aliases.h"
#include "mlir/text/token_ends.h"

namespace fxs::mlir {
namespace {

/// Iterates over a text without its locations.
class TextWithoutLocations {
 public:
  explicit TextWithoutLocations(std::string_view text) : text_(text) {}

  /// The next part without locations; empty only at the end.
  std::string_view next() {
    while (at_ < text_.size()) {
      if (lineStart_ && isLocationAlias()) {
        at_ = afterLine();
        continue;
      }
      lineStart_ = false;
      const std::size_t begin = at_;
      while (at_ < text_.size() && text_[at_] != '\n' && !isLocation())
        at_ = text_[at_] == '"' ? afterQuoted(text_, at_) : at_ + 1;
      if (at_ < text_.size() && text_[at_] == '\n') {
        ++at_;
        lineStart_ = true;
        return text_.substr(begin, at_ - begin);
      }
      const std::string_view part = text_.substr(begin, at_ - begin);
      if (at_ < text_.size()) at_ = std::min(afterBracket(text_, at_ + 4), text_.size());
      if (!part.empty()) return part;
    }
    return {};
  }

 private:
  bool isLocation() const { return text_[at_] == ' ' && text_.compare(at_, 5, " loc(") == 0; }
  std::size_t afterLine() const {
    const std::size_t end = text_.find('\n', at_);
    return end == std::string_view::npos ? text_.size() : end + 1;
  }
  /// Or a comment. Debug scopes (`#di_subprogram`) are named in locations only.
  bool isLocationAlias() const {
    return text_.compare(at_, 4, "#loc") == 0 || text_.compare(at_, 4, "#di_") == 0 ||
           text_.compare(at_, 2, "//") == 0;
  }
  std::string_view text_;
  std::size_t at_ = 0;
  bool lineStart_ = true;
};

}  // namespace

bool sameButLocations(std::string_view a, std::string_view b) {
  const auto begins = [](std::string_view& text) {
    while (text.starts_with('\n')) text.remove_prefix(1);
    while (text.ends_with('\n')) text.remove_suffix(1);
  };
  begins(a);
  begins(b);
  TextWithoutLocations left(a), right(b);
  std::string_view x, y;
  while (true) {
    if (x.empty()) x = left.next();
    if (y.empty()) y = right.next();
    if (x.empty() || y.empty()) break;
    const std::size_t both = std::min(x.size(), y.size());
    if (x.substr(0, both) != y.substr(0, both)) return false;
    x.remove_prefix(both);
    y.remove_prefix(both);
  }
  const auto blank = [](std::string_view rest, TextWithoutLocations& reader) {
    for (; !rest.empty(); rest = reader.next())
      if (rest.find_first_not_of("\r\n ") != std::string_view::npos) return false;
    return true;
  };
  return blank(x, left) && blank(y, right);
}

std::string comparableText(std::string_view text) {
  if (const std::size_t resources = text.rfind("\n{-#"); resources != std::string_view::npos)
    text = text.substr(0, resources + 1);
  while (text.ends_with("\n\n")) text.remove_suffix(1);
  return withAliasesExpanded(text);
}

std::size_t bodyLine(std::string_view text) {
  std::size_t line = 0;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view now = text.substr(begin, end - begin);
    if (!now.empty() && now != "\r" && !now.starts_with('#') && !now.starts_with('!') &&
        !now.starts_with("//"))
      return line;
    begin = end + 1;
  }
  return line;
}

}  // namespace fxs::mlir
