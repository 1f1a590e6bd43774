// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/condition.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/joined.h"
#include "base/nearest.h"
#include "base/number_from.h"
#include "base/safe_text.h"
#include "fx/tensor_meta.h"
#include "query/value.h"

namespace fxs::trace {
namespace {

constexpr std::size_t kLongestCondition = 10'000;  // bytes
constexpr std::array<std::string_view, 5> kKeys{"op", "text", "node", "type", "line"};
constexpr std::array<std::string_view, 3> kEvents{"appears", "vanishes", "changes"};
constexpr std::array<std::string_view, 6> kFirstWords{"count",   "size",  "type",
                                                      "origins", "match", "fails"};
constexpr std::string_view kExpected =
    "expected one such as 'op=linalg.generic appears', 'node=softmax changes', "
    "'count(op=linalg.*) > 3', 'type=f64 vanishes', 'type f32 -> f16 appears', 'size static', "
    "'type changes', 'origins lost', 'match /dense<1/' or 'fails'";

tl::unexpected<Error> wrong(const std::string& message) {
  return fail(ErrorCode::Usage, "condition: " + message);
}

std::string meant(std::string_view word, std::span<const std::string_view> names) {
  const std::vector<std::string> near = nearest(word, names, 1);
  return near.empty() ? "" : "; did you mean '" + near.front() + "'?";
}

/// "f32", "bf16", "si64", "f8E4M3FN", "index".
bool isElementType(std::string_view word) {
  if (word == "index") return true;
  const auto digit = std::find_if(word.begin(), word.end(), isDigit);
  const std::string_view letters = word.substr(0, static_cast<std::size_t>(digit - word.begin()));
  constexpr std::array<std::string_view, 6> kLetters{"f", "bf", "tf", "i", "si", "ui"};
  return digit != word.end() &&
         std::find(kLetters.begin(), kLetters.end(), letters) != kLetters.end() &&
         std::all_of(digit, word.end(), isAlnum);
}

Result<std::string> elementTypeFrom(std::string_view word) {
  if (isElementType(word)) return std::string(word);
  const auto dtype = dtypeFromName(word);
  return wrong("unknown element type " + printableName(word) +
               "; expected one of MLIR, such as f32, bf16, i64, si64 or index" +
               (dtype ? "; did you mean '" + std::string(facts(*dtype).mlir) + "'?" : ""));
}

/// An expression for a text with `*`.
std::string expressionOf(std::string_view text) {
  std::string out = "^(?s:";
  for (const char c : text) {
    if (c == '*') out += ".*";
    else if (isWordChar(c) || static_cast<unsigned char>(c) >= 0x80) out += c;
    else (out += '\\') += c;
  }
  return out + ")$";
}

/// Reads terms and values of a text from left to right.
class TermReader {
 public:
  explicit TermReader(std::string_view text) : text_(text) {}

  Result<std::vector<OpTerm>> terms() {
    std::vector<OpTerm> out;
    for (skipSpace(); at_ < text_.size(); skipSpace()) {
      FXS_TRY(OpTerm term, readTerm());
      out.push_back(std::move(term));
    }
    if (out.empty()) return wrong("expected op=.., text~.., node=.. or type=..");
    return out;
  }

  /// The rest, as the value of `~`.
  Result<query::Pattern> expression() {
    skipSpace();
    FXS_TRY(const query::Value value, readValue(true));
    skipSpace();
    if (at_ < text_.size())
      return wrong("match: put an expression with spaces between slashes: match /a b/");
    return patternOf(query::Pattern::Kind::Regex, value.text);
  }

 private:
  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
  }
  std::string_view readWord() {
    skipSpace();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !isSpace(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  Result<OpTerm> readTerm() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && isWordChar(text_[at_])) ++at_;
    const std::string_view key = text_.substr(begin, at_ - begin);
    const char mark = at_ < text_.size() ? text_[at_] : ' ';
    if (key == "type" && isSpace(mark)) return readConversion();
    if (mark != '=' && mark != '~') {
      at_ = begin;
      return wrong(printableName(readWord()) + ": expected op=.., text~.., node=.. or type=..");
    }
    ++at_;
    if (key == "type" && mark == '=') {
      OpTerm term{.key = OpTerm::Key::Type};
      FXS_TRY(term.type, elementTypeFrom(readWord()));
      return term;
    }
    return readPattern(key, mark);
  }

  Result<OpTerm> readConversion() {
    OpTerm term{.key = OpTerm::Key::Conversion};
    FXS_TRY(term.type, elementTypeFrom(readWord()));
    if (const std::string_view arrow = readWord(); arrow != "->")
      return wrong("type: expected 'type f32 -> f16', or type=f32 for one type");
    FXS_TRY(term.toType, elementTypeFrom(readWord()));
    return term;
  }

  /// After `line=` or `after=`.
  Result<OpTerm> readNumber(OpTerm::Key key, std::string_view name) {
    const std::string_view word = readWord();
    const auto number = numberFrom<std::uint32_t>(word);
    if (!number)
      return wrong(std::string(name) + "=: expected a number, got " + printableName(word));
    OpTerm term{.key = key};
    term.number = *number;
    return term;
  }

  Result<OpTerm> readPattern(std::string_view key, char mark) {
    if (key == "after" && mark == '=') return readNumber(OpTerm::Key::After, key);
    const auto found = std::find(kKeys.begin(), kKeys.end(), key);
    if (found == kKeys.end())
      return wrong("unknown key " + printableName(key) + "; keys are " + joined(kKeys) +
                   meant(key, kKeys));
    OpTerm term{.key = static_cast<OpTerm::Key>(found - kKeys.begin())};
    if (term.key == OpTerm::Key::Line) return readNumber(term.key, key);
    if (term.key == OpTerm::Key::Type) return wrong("type~: an element type is equal: type=f32");
    const std::size_t begin = at_;
    FXS_TRY(const query::Value value, readValue(mark == '~'));
    if (at_ == begin) return wrong(std::string(key) + mark + ": expected a value");
    if (mark == '=') {
      if (term.key == OpTerm::Key::Node && value.text.find('*') == std::string::npos)
        term.node = value.text;
      FXS_TRY(term.pattern, patternOf(query::Pattern::Kind::Regex, expressionOf(value.text)));
      return term;
    }
    const auto kind = value.isRegex ? query::Pattern::Kind::Regex : query::Pattern::Kind::Contained;
    FXS_TRY(term.pattern, patternOf(kind, value.text));
    return term;
  }

  static Result<query::Pattern> patternOf(query::Pattern::Kind kind, std::string_view text) {
    auto pattern = query::Pattern::of(kind, text);
    if (pattern) return *std::move(pattern);
    return wrong("not a regular expression: " + pattern.error().message);
  }

  Result<query::Value> readValue(bool mayBeRegex) {
    const std::size_t begin = at_;
    auto value = query::readValue(text_, at_, mayBeRegex);
    if (!value) return wrong(std::string("expected a closing ") + text_[begin]);
    return *std::move(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

Result<Condition> countFrom(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  const auto misread = [&] {
    return wrong(
        "expected count(op=..) and then >, >=, ==, <= or < with a number, such as "
        "'count(op=linalg.*) > 3'");
  };
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return misread();
  Condition out;
  out.event = Event::Count;
  FXS_TRY(out.terms, TermReader(text.substr(open + 1, close - open - 1)).terms());
  const std::string_view rest = trimmed(text.substr(close + 1));
  const std::string_view mark =
      rest.substr(0, std::min(rest.find_first_not_of("<=>"), rest.size()));
  constexpr std::array<std::pair<std::string_view, Comparison>, 5> kMarks{
      {{"<", Comparison::Less},
       {"<=", Comparison::AtMost},
       {"==", Comparison::Equal},
       {">=", Comparison::AtLeast},
       {">", Comparison::More}}};
  const auto found = std::find_if(kMarks.begin(), kMarks.end(),
                                  [&](const auto& each) { return each.first == mark; });
  const auto number = numberFrom<std::uint64_t>(trimmed(rest.substr(mark.size())));
  if (found == kMarks.end() || !number) return misread();
  out.comparison = found->second;
  out.count = *number;
  return out;
}

/// The first part of a text that ends in these two words; std::nullopt of another text.
std::optional<std::string_view> before(std::string_view text, std::string_view first,
                                       std::string_view second) {
  if (!text.ends_with(second)) return std::nullopt;
  text = trimmed(text.substr(0, text.size() - second.size()));
  if (!text.ends_with(first)) return std::nullopt;
  text.remove_suffix(first.size());
  if (!text.empty() && !isSpace(text.back())) return std::nullopt;
  return trimmed(text);
}

/// Terms and an event at the end.
Result<Condition> eventFrom(std::string_view text) {
  const std::size_t space = text.find_last_of(" \t\r\n");
  const std::string_view word = text.substr(space == std::string_view::npos ? 0 : space + 1);
  const auto found = std::find(kEvents.begin(), kEvents.end(), word);
  if (found == kEvents.end()) {
    const std::string_view first = text.substr(0, text.find_first_of("=~ ("));
    if (space == std::string_view::npos && text.find_first_of("=~") == std::string_view::npos)
      return wrong(printableName(first) + ": " + std::string(kExpected) +
                   meant(first, kFirstWords));
    return wrong(printableName(word) + ": expected appears, vanishes or changes at the end" +
                 meant(word, kEvents));
  }
  Condition out;
  out.event = static_cast<Event>(found - kEvents.begin());
  FXS_TRY(out.terms,
          TermReader(space == std::string_view::npos ? "" : text.substr(0, space)).terms());
  return out;
}

/// Of the events that need no terms.
Result<Condition> withTerms(Event event, std::string_view terms) {
  Condition out;
  out.event = event;
  if (terms.empty()) return out;
  FXS_TRY(out.terms, TermReader(terms).terms());
  return out;
}

Result<Condition> parsed(std::string_view text) {
  Condition out;
  const std::string_view first = text.substr(0, text.find_first_of(" \t\r\n"));
  const std::string_view rest = trimmed(text.substr(first.size()));
  if (text.empty()) return wrong(std::string(kExpected));
  if (text.starts_with("count") && text.size() > 5 && !isWordChar(text[5])) return countFrom(text);
  if (first == "match") {
    if (rest.empty()) return wrong("match: expected an expression: match /dense<1/");
    out.event = Event::Match;
    FXS_TRY(out.expression, TermReader(rest).expression());
    return out;
  }
  if (text == "fails") return out;
  if (const auto terms = before(text, "size", "static"))
    return withTerms(Event::SizeStatic, *terms);
  if (const auto terms = before(text, "type", "changes"))
    return withTerms(Event::TypeChanges, *terms);
  if (first != "size" && first != "origins") return eventFrom(text);
  if (first == "size") return wrong("expected 'size static'");
  if (rest != "lost") return wrong("expected 'origins lost'");
  return withTerms(Event::OriginsLost, {});
}

bool hasKey(const std::vector<OpTerm>& terms, OpTerm::Key key) {
  return std::any_of(terms.begin(), terms.end(),
                     [key](const OpTerm& term) { return term.key == key; });
}

}  // namespace

Result<std::vector<OpTerm>> opTermsFrom(std::string_view text) {
  if (text.size() > kLongestCondition)
    return wrong("at most " + std::to_string(kLongestCondition) + " characters");
  FXS_TRY(std::vector<OpTerm> terms, TermReader(text).terms());
  if (hasKey(terms, OpTerm::Key::After)) return wrong("after=: only 'line=9 after=12 changes'");
  return terms;
}

Result<Condition> conditionFrom(std::string_view text) {
  if (text.size() > kLongestCondition)
    return wrong("at most " + std::to_string(kLongestCondition) + " characters");
  FXS_TRY(Condition out, parsed(trimmed(text)));
  for (const OpTerm& term : out.terms)
    if (term.key == OpTerm::Key::After) out.after = term.number;
  if (out.after && out.event != Event::Changes)
    return wrong("after=: only 'line=9 after=12 changes'");
  if (!out.after && hasKey(out.terms, OpTerm::Key::Line))
    return wrong("line=: lines are those of one module, and a condition is about all");
  std::erase_if(out.terms, [](const OpTerm& term) { return term.key == OpTerm::Key::After; });
  out.text = trimmed(text);
  return out;
}

}  // namespace fxs::trace
