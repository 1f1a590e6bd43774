// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Text to look for: equal, contained, or a regular expression of RE2, which takes time linear in
// the text and bounded memory whatever the expression is. Letters match in either case; `(?-i)` in
// an expression asks for the case as written.
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/text_range.h"

namespace re2 {
class RE2;
}

namespace fxs::query {

class Pattern {
 public:
  enum class Kind : std::uint8_t { Equal, Contained, Regex };
  /// Usage, with the reason, if `text` is not valid UTF-8 or not a regular expression, or makes one
  /// that is too large.
  static Result<Pattern> of(Kind, std::string_view text);
  bool matches(std::string_view) const;
  /// The first match.
  std::optional<TextRange> find(std::string_view) const;

 private:
  Pattern(Kind kind, std::shared_ptr<const re2::RE2> expression)
      : kind_(kind), expression_(std::move(expression)) {}
  Kind kind_;
  std::shared_ptr<const re2::RE2> expression_;
};

}  // namespace fxs::query
