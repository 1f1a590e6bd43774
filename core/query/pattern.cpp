// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query/pattern.h"

#include <re2/re2.h>

#include "base/safe_text.h"

namespace fxs::query {

Result<Pattern> Pattern::of(Kind kind, std::string_view text) {
  re2::RE2::Options options;
  options.set_case_sensitive(false);
  options.set_literal(kind != Kind::Regex);
  options.set_log_errors(false);
  auto expression =
      std::make_shared<const re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (!expression->ok()) return fail(ErrorCode::Usage, printable(expression->error()));
  return Pattern(kind, std::move(expression));
}

bool Pattern::matches(std::string_view text) const {
  const auto anchor = kind_ == Kind::Equal ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED;
  return expression_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), anchor,
                            nullptr, 0);
}

std::optional<TextRange> Pattern::find(std::string_view text) const {
  const auto anchor = kind_ == Kind::Equal ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED;
  re2::StringPiece found;
  if (!expression_->Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), anchor,
                          &found, 1))
    return std::nullopt;
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return TextRange{begin, begin + found.size()};
}

}  // namespace fxs::query
