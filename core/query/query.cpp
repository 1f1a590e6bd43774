// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "query/query.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/joined.h"
#include "base/nearest.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "query/value.h"

namespace fxs::query {
namespace {

constexpr std::size_t kLongestQuery = 10'000;  // bytes

constexpr std::array<std::string_view, 8> kKeys{"name",  "op",   "module", "shape",
                                                "dtype", "file", "line",   "problem"};

std::optional<Key> keyFrom(std::string_view word) {
  const auto found = std::find(kKeys.begin(), kKeys.end(), word);
  if (found == kKeys.end()) return std::nullopt;
  return static_cast<Key>(found - kKeys.begin() + 1);
}

/// Also by MLIR's name: "si64", "i1".
std::optional<DType> dtypeNamed(std::string_view word) {
  if (const auto dtype = dtypeFromName(word)) return dtype;
  for (auto i = static_cast<std::uint8_t>(DType::UInt8);
       i <= static_cast<std::uint8_t>(DType::Float8E8M0FNU); ++i)
    if (facts(static_cast<DType>(i)).mlir == word) return static_cast<DType>(i);
  return std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Query> parse() && {
    Query query;
    query.text = trimmed(text_);
    if (text_.size() > kLongestQuery)
      return fail(ErrorCode::Usage,
                  "query: at most " + std::to_string(kLongestQuery) + " characters");
    for (skipSpace(); at_ < text_.size(); skipSpace()) {
      begin_ = at_;
      FXS_TRY(Term term, parseTerm());
      query.hasKeys = query.hasKeys || term.key != Key::Any || text_[begin_] == '~';
      query.terms.push_back(std::move(term));
    }
    return query;
  }

 private:
  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
  }
  void skipWord() {
    while (at_ < text_.size() && !isSpace(text_[at_])) ++at_;
  }
  /// An error about the term that is being read.
  tl::unexpected<Error> wrong(const std::string& message) {
    skipWord();
    return fail(ErrorCode::Usage,
                "query: " + printableName(text_.substr(begin_, at_ - begin_)) + ": " + message);
  }

  Result<Term> parseTerm() {
    std::size_t end = at_;
    while (end < text_.size() && isWordChar(text_[end])) ++end;
    const bool isOperator = end < text_.size() && (text_[end] == '=' || text_[end] == '~');
    if (isOperator && end > at_) {
      const std::string_view word = text_.substr(at_, end - at_);
      at_ = end + 1;
      const std::optional<Key> key = keyFrom(word);
      if (!key) return unknown(word);
      return keyed(*key, text_[end] == '=');
    }
    if (text_.substr(at_).starts_with("~/")) {
      ++at_;
      return keyed(Key::Any, false);
    }
    FXS_TRY(const Value word, readValue(false));
    FXS_TRY(Pattern pattern, patternOf(Pattern::Kind::Contained, word.text));
    return Term{Key::Any, std::move(pattern), {}, {}, {}};
  }

  tl::unexpected<Error> unknown(std::string_view word) {
    const std::vector<std::string> near = nearest(word, {kKeys.begin(), kKeys.end()}, 1);
    return wrong("unknown key " + printableName(word) + "; keys are " + joined(kKeys) +
                 "; put text to look for in quotes" +
                 (near.empty() ? "" : "; did you mean '" + near.front() + "'?"));
  }

  Result<Term> keyed(Key key, bool isEqual) {
    const std::size_t valueAt = at_;
    FXS_TRY(const Value value, readValue(!isEqual));
    if (at_ == valueAt) return wrong("expected a value; \"\" is an empty one");
    auto kind = isEqual ? Pattern::Kind::Equal : Pattern::Kind::Contained;
    if (value.isRegex) kind = Pattern::Kind::Regex;
    FXS_TRY(Pattern pattern, patternOf(kind, value.text));
    Term term{key, std::move(pattern), {}, {}, {}};
    if (key == Key::Line) {
      const auto line = numberFrom<std::int64_t>(value.text);
      if (!isEqual || !line) return wrong("expected line=NUMBER");
      term.line = line;
    }
    if (key == Key::Dtype && isEqual) {
      term.dtype = dtypeNamed(value.text);
      if (!term.dtype)
        return wrong("unknown element type; expected one such as f32, bf16, i64 or float32");
    }
    if (key == Key::Problem && isEqual) {
      if (value.text != "yes" && value.text != "no")
        return wrong("expected problem=yes or problem=no; problem~TEXT looks in the message");
      term.problem = value.text == "yes";
    }
    return term;
  }

  Result<Pattern> patternOf(Pattern::Kind kind, std::string_view text) {
    auto pattern = Pattern::of(kind, text);
    if (pattern) return *std::move(pattern);
    return wrong((kind == Pattern::Kind::Regex ? "not a regular expression: " : "") +
                 pattern.error().message);
  }

  Result<Value> readValue(bool mayBeRegex) {
    const std::size_t begin = at_;
    auto value = query::readValue(text_, at_, mayBeRegex);
    if (!value) return wrong(std::string("expected a closing ") + text_[begin]);
    if (at_ < text_.size() && !isSpace(text_[at_]))
      return wrong(
          value->isRegex
              ? "expected a space after the expression; put text that begins with / in quotes"
              : "expected a space after the closing quote");
    return *std::move(value);
  }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
};

}  // namespace

Result<Query> parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace fxs::query
