// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values after words that name them: secrets, users and machines.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/private_chars.h"
#include "base/private_scan.h"

namespace fxs {
namespace {

/// What is between a word and its value: quotes, spaces, one of : and =. `quote`: the value's
/// quote, or 0.
struct Value {
  std::size_t begin = 0, end = 0;
  char quote = 0;
  char separator = 0;  // ' ' when there are only spaces
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

bool endsWithOneOf(std::string_view word, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return word.ends_with(end); });
}

std::size_t endOfBackslashes(std::string_view text, std::size_t at) {
  return endOf(text, at, [](char c) { return c == '\\'; }, kEscapes);
}

std::size_t endOfBlanks(std::string_view text, std::size_t at) {
  return endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
}

/// The separator from `at` on, and its end; 0 for none, ' ' when there are only spaces.
std::pair<char, std::size_t> separatorAt(std::string_view text, std::size_t at,
                                         std::string_view separators) {
  std::size_t end = endOfBlanks(text, at);
  const char separator = charAt(text, end);
  if (!isOneOf(separator, separators)) return {end > at ? ' ' : '\0', end};
  ++end;
  if (separator == '=' && isOneOf(charAt(text, end), "=>")) ++end;
  return {separator, endOfBlanks(text, end)};
}

/// The end of a value that starts after its quote; its beginning if it is not closed.
std::size_t endOfQuoted(std::string_view text, std::size_t begin, char quote) {
  std::size_t end = endOf(text, begin, [&](char c) { return c != quote && c != '\n'; }, kFar);
  if (charAt(text, end) != quote) return begin;
  while (end > begin && text[end - 1] == '\\') --end;
  return end;
}

std::optional<Value> valueAfter(std::string_view text, std::size_t at,
                                std::string_view separators = ":=") {
  at = endOfBackslashes(text, at);
  if (isQuote(charAt(text, at))) ++at;
  if (charAt(text, at) == ']') ++at;
  Value value;
  std::tie(value.separator, at) = separatorAt(text, at, separators);
  if (value.separator == 0) return std::nullopt;
  value.begin = endOfBackslashes(text, at);
  if (isQuote(charAt(text, value.begin))) {
    value.quote = text[value.begin++];
    value.end = endOfQuoted(text, value.begin, value.quote);
  } else {
    const auto isOfValue = [](char c) { return isKeyChar(c) || isOneOf(c, "!@#$%^&*"); };
    value.end = endOf(text, value.begin, isOfValue, kFar);
  }
  if (value.end == value.begin || isPlaceholder(value.of(text))) return std::nullopt;
  return value;
}

PrivateMatch tokenIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Token, "token"};
}

/// Whether a word is always followed by a secret.
bool namesASecret(std::string_view word) {
  return endsWithOneOf(
      word, {"secret",        "password",     "passwd",         "passphrase",       "passcode",
             "pwd",           "apikey",       "api_key",        "access_key",       "accesskey",
             "private_key",   "secret_key",   "credential",     "credentials",      "account_key",
             "accountkey",    "signing_key",  "encryption_key", "master_key",       "deploy_key",
             "ssh_key",       "license_key",  "private_key_id", "access_token",     "refresh_token",
             "auth_token",    "api_token",    "bearer_token",   "session_token",    "id_token",
             "private_token", "csrf_token",   "csrftoken",      "xsrf_token",       "hf_token",
             "github_token",  "gh_token",     "gitlab_token",   "job_token",        "bot_token",
             "vault_token",   "deploy_token", "service_token",  "security_token",   "sas_token",
             "wandb_token",   "sessionid",    "phpsessid",      "connection_string"});
}

/// Words of programs, which are no values.
bool isCode(std::string_view content, std::string_view word) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"str", "int", "bool", "float", "bytes", "string", "None", "none", "null", "True", "False",
       "true", "false", "Optional", "Any", "nullptr", "self", "default"});
  return content.starts_with("self.") || content.starts_with("os.environ") ||
         content.starts_with("os.getenv") || folded(content) == word ||
         std::find(kWords.begin(), kWords.end(), content) != kWords.end();
}

/// A word that may be followed by a secret, and where it is written.
struct SecretWord {
  std::size_t begin = 0;
  std::string_view written;
  std::string word;      // folded
  bool called = false;   // setenv("WORD", ..)
  bool option = false;   // --word
  bool query = false;    // ?word=..&word=..
  bool ofTexts = false;  // EOS_TOKEN=2
  bool weak = false;     // often followed by a secret
  bool strong = false;   // always followed by one
};

SecretWord secretWordAt(std::string_view text, std::size_t at, std::size_t end) {
  const char before = charBefore(text, at);
  SecretWord out;
  out.begin = at;
  out.written = text.substr(at, end - at);
  out.word = folded(out.written);
  out.called = isQuote(before) && follows(text, at, {"environ.setdefault", "putenv", "setenv"});
  out.option = before == '-' && at > 1 && text[at - 2] == '-';
  out.query = isOneOf(before, "?&;");
  out.ofTexts = endsWithOneOf(out.word, {"eos_token", "bos_token", "pad_token", "unk_token",
                                         "sep_token", "cls_token", "mask_token"});
  out.weak = endsWithOneOf(out.word, {"token", "key", "auth", "signature"});
  out.strong = namesASecret(out.word) || out.called ||
               (isQuote(before) && follows(text, at, {"environ", "env"})) ||
               (out.query && (out.weak || endsWithOneOf(out.word, {"sig", "code"}))) ||
               (out.option && out.word.ends_with("token") && !out.ofTexts);
  return out;
}

std::optional<PrivateMatch> cookieIn(std::string_view text, const Value& value) {
  if (value.separator != ':') return std::nullopt;
  const std::size_t end =
      endOf(text, value.begin, [](char c) { return !isOneOf(c, "\n\"'\\"); }, kFar);
  return tokenIn(value.begin, end);
}

/// What follows the scheme of an Authorization header; empty if nothing does.
Value afterScheme(std::string_view text, Value value, std::string_view scheme) {
  if (value.quote != 0) {
    const std::size_t space = text.substr(0, value.end).find(' ', value.begin);
    value.begin = std::min(space, value.end - 1) + 1;
  } else {
    value.begin = endOf(text, value.begin + scheme.size(), [](char c) { return c == ' '; });
    value.end = endOf(text, value.begin, isKeyChar, kFar);
  }
  return value;
}

std::optional<PrivateMatch> authorizationIn(std::string_view text, Value value) {
  const std::string start = folded(value.of(text).substr(0, 7));
  for (const std::string_view scheme : {"bearer", "basic", "token"}) {
    if (!start.starts_with(scheme)) continue;
    value = afterScheme(text, value, scheme);
    if (value.end - value.begin < 4 || isPlaceholder(value.of(text))) return std::nullopt;
  }
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

/// Whether the value has the form of a secret after any word that may be followed by one.
bool looksSecret(const SecretWord& word, std::string_view content, char quote) {
  if (isRandom(content)) return true;
  if (quote == 0 || !isMixed(content)) return false;
  if (word.word == "auth" && content.size() >= 8 && content.size() % 4 == 0) return true;
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
  return !isCall(text, value.end) && !isCode(content, word.word) &&
         !(word.option && content.starts_with('-'));
}

/// `ada:password`
bool isUserWithPassword(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < text.size() &&
         !isDigit(text[0]);
}

/// "host" or "user" if the name of one follows a word, else "".
std::string_view namedBy(std::string_view written) {
  const std::string word = folded(written.substr(0, 16));
  const bool shout = std::none_of(written.begin(), written.end(), isLower);
  const auto ends = [&](std::initializer_list<std::string_view> with) {
    return shout && endsWithOneOf(folded(written), with);
  };
  if (isAnyOf(word, {"host", "hostname", "nodename", "computername"}) ||
      ends({"_host", "_hostname", "_addr", "_server"}))
    return "host";
  const bool user =
      isAnyOf(word, {"user", "username", "logname", "login"}) || ends({"_user", "_username"});
  return user ? "user" : "";
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
  const bool header = word.word.ends_with("authorization");
  const bool cookie = word.word.ends_with("cookie");
  if (!word.strong && !word.weak && !header && !cookie) return std::nullopt;
  auto value = valueAfter(text, end, word.called || word.option ? ":=," : ":=");
  if (!value) return std::nullopt;
  if (cookie) return cookieIn(text, *value);
  if (header && value->separator != ' ') return authorizationIn(text, *value);
  value->end = endOfSecret(text, word, *value);
  if (!isSecret(text, word, *value)) return std::nullopt;
  return tokenIn(value->begin, value->end);
}

/// `-u user:password`, and what `sshpass -p` is told.
std::optional<PrivateMatch> optionValueAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, isAlnum);
  const std::string_view word = text.substr(at, end - at);
  if (charBefore(text, at) != '-' || !isAnyOf(word, {"u", "user", "p"}) ||
      !isOneOf(charAt(text, end), " ="))
    return std::nullopt;
  const std::size_t begin = endOf(text, end, [](char c) { return isOneOf(c, " =\"'"); });
  const std::size_t close = endBefore(text, begin, "\"'`");
  const std::string_view content = text.substr(begin, close - begin);
  if (content.empty() || isPlaceholder(content)) return std::nullopt;
  const bool secret =
      word == "p" ? follows(text, at - 1, {"sshpass"}) : isUserWithPassword(content);
  if (!secret) return std::nullopt;
  return tokenIn(begin, close);
}

std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, isWordChar);
  const std::string_view written = text.substr(at, end - at);
  const std::string_view named = namedBy(written);
  if (named.empty()) return std::nullopt;
  const auto value = valueAfter(text, end);
  if (!value || value->separator == ' ') return std::nullopt;
  const bool environment =
      value->separator == '=' && std::none_of(written.begin(), written.end(), isLower);
  const bool header = value->separator == ':' && isUpper(written[0]);
  if (value->quote == 0 && !environment && !header) return std::nullopt;
  if (!isPersonal(value->of(text)) || isCall(text, value->end)) return std::nullopt;
  return PrivateMatch{value->begin, value->end, PrivateKind::Name, named};
}

}  // namespace fxs
