// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values after words that name them: secrets, users and machines.
#include <algorithm>

#include "base/private_chars.h"
#include "base/private_forms.h"

namespace fxs {
namespace {

/// `quote`: the value's quote, or 0. `separator`: before it; ' ' when there are only spaces.
struct Value {
  std::size_t begin = 0, end = 0;
  char quote = 0;
  char separator = 0;
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

std::optional<Value> valueAfter(std::string_view text, std::size_t at,
                                std::string_view separators = ":= ") {
  const FormParts between = privateForms().parts(FormGroup::Separator, text, at);
  Value value;
  value.separator = charAt(between[2].empty() ? between[1].substr(0, 1) : between[2], 0);
  if (value.separator == '\t') value.separator = ' ';
  if (!isOneOf(value.separator, separators)) return std::nullopt;
  value.begin = at + between[0].size();
  value.end = value.begin + privateForms().parts(FormGroup::Value, text, value.begin)[0].size();
  if (value.end > value.begin && isQuote(text[value.begin])) {
    value.quote = text[value.begin++];
    --value.end;
    while (value.end > value.begin && text[value.end - 1] == '\\') --value.end;
  }
  if (value.end == value.begin || isPlaceholder(value.of(text))) return std::nullopt;
  return value;
}

PrivateMatch tokenIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Token, "token"};
}

/// A word that may be followed by a secret, and where it is written.
struct SecretWord {
  std::size_t begin = 0;
  std::string_view written;
  bool called = false;   // setenv("WORD", ..)
  bool option = false;   // --word
  bool query = false;    // ?word=..&word=..
  bool ofTexts = false;  // EOS_TOKEN=2
  bool weak = false;     // often followed by a secret
  bool strong = false;   // always followed by one
  bool header = false;   // Authorization
  bool cookie = false;
};

SecretWord secretWordAt(std::string_view text, std::size_t at, std::size_t end) {
  const char before = charBefore(text, at);
  SecretWord out{at, text.substr(at, end - at)};
  const FormParts form = privateForms().parts(FormGroup::SecretWord, out.written);
  const bool token = !form[3].empty();
  out.called = isQuote(before) && follows(text, at, {"environ.setdefault", "putenv", "setenv"});
  out.option = before == '-' && at > 1 && text[at - 2] == '-';
  out.query = isOneOf(before, "?&;");
  out.ofTexts = !form[2].empty();
  out.weak = out.ofTexts || token || !form[4].empty();
  out.header = !form[5].empty();
  out.cookie = !form[6].empty();
  out.strong = !form[1].empty() || out.called ||
               (isQuote(before) && follows(text, at, {"environ", "env"})) ||
               (out.query && (out.weak || !form[7].empty())) || (out.option && token);
  return out;
}

std::optional<PrivateMatch> cookieIn(std::string_view text, const Value& value) {
  if (value.separator != ':') return std::nullopt;
  const std::size_t end =
      endOf(text, value.begin, [](char c) { return !isOneOf(c, "\n\"'\\"); }, kFar);
  return tokenIn(value.begin, end);
}

/// The value of an Authorization header, after its scheme.
std::optional<PrivateMatch> authorizationIn(std::string_view text, Value value) {
  const FormParts scheme = privateForms().parts(FormGroup::Scheme, text, value.begin);
  if (scheme[0].empty()) return tokenIn(value.begin, value.end);
  if (value.quote != 0) {
    const std::size_t space = value.of(text).find(' ');
    value.begin = space == text.npos ? value.end : value.begin + space + 1;
  } else {
    value.begin = static_cast<std::size_t>(scheme[1].data() - text.data());
    value.end = value.begin + scheme[1].size();
  }
  if (value.end - value.begin < 4 || isPlaceholder(value.of(text))) return std::nullopt;
  return tokenIn(value.begin, value.end);
}

/// The end of a value, which is in a query, in quotes or at the end of a sentence.
std::size_t endOfSecret(std::string_view text, const SecretWord& word, const Value& value) {
  if (word.query) return endBefore(text, value.begin, "&\"'`<>");
  std::size_t end = value.end;
  if (value.quote == 0)
    while (end > value.begin + 1 && text[end - 1] == '.') --end;
  return end;
}

/// Words of programs, which are no values.
bool isCode(std::string_view content, std::string_view word) {
  return folded(content) == folded(word) || privateForms().matches(FormGroup::Code, content);
}

/// Whether the value has the form of a secret after any word that may be followed by one.
bool looksSecret(const SecretWord& word, std::string_view content, char quote) {
  if (isRandom(content)) return true;
  if (quote == 0 || !isMixed(content)) return false;
  if (folded(word.written) == "auth" && content.size() >= 8 && content.size() % 4 == 0) return true;
  return content.size() >= 16 && hasDigit(content) && !holds(content, " ") && !holds(content, ".");
}

/// Whether a variable of an environment is assigned: API_KEY=..
bool isAssigned(std::string_view text, const SecretWord& word, const Value& value) {
  const bool shout =
      word.written.size() > 2 && std::none_of(word.written.begin(), word.written.end(), isLower);
  const std::string_view content = value.of(text);
  return shout && word.weak && value.separator == '=' && content.size() >= 6 &&
         hasLetter(content) && !isCall(text, value.end) && !word.ofTexts;
}

bool isSecret(std::string_view text, const SecretWord& word, const Value& value) {
  const std::string_view content = value.of(text);
  // `login ada password x` of a .netrc.
  const bool named = word.strong && holds(textBefore(text, word.begin, 80), "login ");
  if (value.separator == ' ' && !word.option && !named) return isRandom(content);
  if (looksSecret(word, content, value.quote)) return true;
  if (!word.strong) return isAssigned(text, word, value);
  if (value.quote != 0) return true;
  return !isCall(text, value.end) && !isCode(content, word.written) &&
         !(word.option && content.starts_with('-'));
}

/// Whether the text may be the name of a user or of another machine.
bool isPersonal(std::string_view text) {
  return text.size() >= 2 && !isAnyOf(text, {"localhost", "127.0.0.1", "0.0.0.0"}) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return isAlnum(c) || isOneOf(c, "._-"); });
}

}  // namespace

std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "_-"); });
  if (end - at > 64) return std::nullopt;
  const SecretWord word = secretWordAt(text, at, end);
  if (!word.strong && !word.weak && !word.header && !word.cookie) return std::nullopt;
  auto value = valueAfter(text, end, word.called || word.option ? ":=, " : ":= ");
  if (!value) return std::nullopt;
  if (word.cookie) return cookieIn(text, *value);
  if (word.header && value->separator != ' ') return authorizationIn(text, *value);
  value->end = endOfSecret(text, word, *value);
  if (!isSecret(text, word, *value)) return std::nullopt;
  return tokenIn(value->begin, value->end);
}

std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, isWordChar);
  const std::string_view written = text.substr(at, end - at);
  const FormParts named = privateForms().parts(FormGroup::Named, written);
  if (named[0].empty()) return std::nullopt;
  const auto value = valueAfter(text, end, ":=");
  if (!value) return std::nullopt;
  const bool environment =
      value->separator == '=' && std::none_of(written.begin(), written.end(), isLower);
  const bool header = value->separator == ':' && isUpper(written[0]);
  if (value->quote == 0 && !environment && !header) return std::nullopt;
  if (!isPersonal(value->of(text)) || isCall(text, value->end)) return std::nullopt;
  return PrivateMatch{value->begin, value->end, PrivateKind::Name,
                      named[1].empty() ? "user" : "host"};
}

}  // namespace fxs
