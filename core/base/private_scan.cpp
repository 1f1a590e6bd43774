// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_scan.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/private_chars.h"
#include "base/take_until.h"

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
bool hasDigitOrHyphen(std::string_view text) { return hasDigit(text) || holds(text, "-"); }

std::size_t endOfBackslashes(std::string_view text, std::size_t at) {
  return endOf(text, at, [](char c) { return c == '\\'; }, kEscapes);
}
std::size_t endOfBlanks(std::string_view text, std::size_t at) {
  return endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
}
/// The end of the labels of a host's name.
std::size_t endOfHost(std::string_view text, std::size_t at) {
  std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (end > at && isOneOf(text[end - 1], ".-")) --end;
  return end;
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

bool isCall(std::string_view text, std::size_t end) { return isOneOf(charAt(text, end), "(["); }

bool isPublicHost(std::string_view host) {
  constexpr std::array<std::string_view, 14> kPublic{
      "github.com",  "pytorch.org",     "llvm.org",  "python.org",    "huggingface.co",
      "example.org", "example.com",     "arxiv.org", "openxla.org",   "w3.org",
      "pypi.org",    "json-schema.org", "onnx.ai",   "mlplatform.org"};
  return std::any_of(kPublic.begin(), kPublic.end(), [&](std::string_view known) {
    return host == known || (host.ends_with(known) && host[host.size() - known.size() - 1] == '.');
  });
}

PrivateMatch tokenIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Token, "token"};
}
PrivateMatch addressIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Address, "address"};
}

/// The end of a number of at most 255; `at` if there is none.
std::size_t endOfOctet(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, isDigit);
  if (end == at || end > at + 3) return at;
  return std::stoi(std::string(text.substr(at, end - at))) <= 255 ? end : at;
}

std::optional<PrivateMatch> ipAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && charAt(text, end++) != '.') return std::nullopt;
    const std::size_t octet = end;
    end = endOfOctet(text, octet);
    if (end == octet) return std::nullopt;
  }
  const char next = charAt(text, end);
  if (isWordChar(next) || (next == '.' && isAlnum(charAt(text, end + 1)))) return std::nullopt;
  const std::string_view address = text.substr(at, end - at);
  if (address == "0.0.0.0" || address.starts_with("127.")) return std::nullopt;
  return addressIn(at, end);
}

std::optional<PrivateMatch> ip6At(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isHex(c) || c == ':'; });
  const std::string_view address = text.substr(at, end - at);
  const auto colons = std::count(address.begin(), address.end(), ':');
  if (colons < 2 || colons > 7 || isWordChar(charAt(text, end))) return std::nullopt;
  const std::size_t group = address.find(':');
  const bool known = group == 4 && (address[0] == '2' || address.starts_with("fe80") ||
                                    address.starts_with("fd") || address.starts_with("fc"));
  if (!known || (colons != 7 && !holds(address, "::"))) return std::nullopt;
  return addressIn(at, end);
}

std::string_view textBefore(std::string_view text, std::size_t at, std::size_t count) {
  const std::size_t size = std::min(at, count);
  return text.substr(at - size, size);
}

/// The words before `at`, as far as one of them may say what comes.
bool follows(std::string_view text, std::size_t at, std::initializer_list<std::string_view> words) {
  std::string_view before = textBefore(text, at, 32);
  while (!before.empty() && isOneOf(before.back(), " \t\"'\\[(")) before.remove_suffix(1);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return endsWithWord(before, word); });
}

/// The end of what follows the colon after a machine's name: its path, as scp has it. `colon`
/// itself if nothing does.
std::size_t endOfRemotePath(std::string_view text, std::size_t colon) {
  if (colon + 1 >= text.size() || text[colon] != ':' || isDigit(text[colon + 1])) return colon;
  const std::size_t end = endBefore(text, colon + 1, "\"'`<>|\\)]},;:");
  return end == colon + 1 ? colon : end;
}

std::optional<PrivateMatch> macAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int pair = 0; pair < 6; ++pair) {
    if (endOf(text, end, isHex) != end + 2) return std::nullopt;
    end += 2;
    if (pair < 5 && (!isOneOf(charAt(text, end), ":-") || text[end++] != text[at + 2]))
      return std::nullopt;
  }
  const char next = charAt(text, end);
  if (isAlnum(next) || isOneOf(next, ":-_")) return std::nullopt;
  return addressIn(at, end);
}

/// Whether `a @ b` may be a product of matrices in Python.
bool isMatrixProduct(std::string_view a, std::string_view b) {
  return a.size() < 2 || b.size() < 2 || !isLetter(b[0]) || b.starts_with("self.") ||
         a.starts_with("self.");
}

/// Whether the last label of a host's name is written as a domain's.
bool endsWithDomain(std::string_view host) {
  const std::string_view top = host.substr(host.rfind('.') + 1);
  return top.size() >= 2 && (std::all_of(top.begin(), top.end(), isLower) ||
                             std::none_of(host.begin(), host.end(), isLower));
}

/// user@host.domain, or user@host.domain:/path.
std::optional<PrivateMatch> emailIn(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t path = endOfRemotePath(text, end);
  if (path != end) return addressIn(begin, path);
  return PrivateMatch{begin, end, PrivateKind::Email, "email"};
}

std::optional<PrivateMatch> atSignAt(std::string_view text, std::size_t at, std::size_t sign) {
  const std::size_t end = endOfHost(text, sign + 1);
  const std::string_view host = text.substr(sign + 1, end - sign - 1);
  if (isMatrixProduct(text.substr(at, sign - at), host) || isCall(text, end)) return std::nullopt;
  if (holds(host, ".")) return endsWithDomain(host) ? emailIn(text, at, end) : std::nullopt;
  const char next = charAt(text, end);
  const bool prompt = charBefore(text, at) == '[' && next == ' ';
  const bool machine = hasDigitOrHyphen(host) || next == ':' || prompt ||
                       (at == 0 && end == text.size()) ||
                       follows(text, at, {"ssh", "scp", "sftp", "rsync", "mosh", "ssh-copy-id"});
  if (!machine) return std::nullopt;
  return PrivateMatch{at, endOfRemotePath(text, end), PrivateKind::Name, "user"};
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

std::optional<PrivateMatch> numberedMachineAt(std::string_view text, std::size_t at) {
  if (folded(text.substr(at, 2)) != "ip") return std::nullopt;
  std::size_t end = at + 2;
  const char separator = end < text.size() ? text[end] : ' ';
  if (!isOneOf(separator, "-_")) return std::nullopt;
  for (int part = 0; part < 4; ++part) {
    if (end >= text.size() || text[end] != separator) return std::nullopt;
    const std::size_t number = end + 1;
    end = endOf(text, number, isDigit);
    if (end == number || end - number > 3) return std::nullopt;
  }
  return PrivateMatch{at, end, PrivateKind::Address, "host"};
}

namespace {

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

WebAddress pathOfFile(std::size_t begin) { return {std::nullopt, begin, true}; }

/// `file://host/path`, whose path starts after the host.
WebAddress fileAddress(std::string_view text, std::size_t begin) {
  const std::size_t slash =
      endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_"); });
  return pathOfFile(charAt(text, slash) == '/' ? slash : begin);
}

/// A URL of no machine: unix:///home/ada/socket
WebAddress localAddress(std::string_view text, std::size_t begin) {
  const std::size_t path = endOf(text, begin, [](char c) { return c == '/'; });
  if (path == begin || !isAlnum(charAt(text, path))) return {};
  return pathOfFile(path - 1);
}

/// `gpu7:/data/net.py`, and any name after scp.
std::optional<PrivateMatch> remoteFileAt(std::string_view text, std::size_t at) {
  const std::size_t colon = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  const std::string_view name = text.substr(at, colon - at);
  const std::size_t end = endOfRemotePath(text, colon);
  if (end == colon || name.size() < 2 || isPlaceholder(name)) return std::nullopt;
  const std::string_view path = text.substr(colon + 1);
  if (!isOneOf(path[0], "/~") || path.starts_with("//")) return std::nullopt;
  if (!hasDigitOrHyphen(name) && !follows(text, at, {"scp", "rsync"})) return std::nullopt;
  return addressIn(at, end);
}

/// A numeric label is a layer of a module: blocks.0.local.
bool hasNumericLabel(std::string_view name) {
  while (!name.empty()) {
    const std::string_view label = takeUntil('.', name);
    if (std::all_of(label.begin(), label.end(), isDigit)) return true;
  }
  return false;
}

/// Whether the labels up to `end` are the name of a host in its network, or in a public domain.
bool isHostName(std::string_view text, std::string_view name, std::size_t end) {
  const std::string_view top = name.substr(name.rfind('.') + 1);
  if (isAnyOf(top, {"local", "lan", "internal", "corp", "intra", "intranet", "localdomain", "arpa",
                    "consul"}))
    return true;
  if (std::count(name.begin(), name.end(), '.') < 2) return false;
  if (isAnyOf(top, {"com", "org", "edu", "gov", "cloud", "uk", "ch", "jp", "kr", "cn", "eu"}))
    return true;
  // Some ends are also words of programs.
  const bool machine =
      hasDigitOrHyphen(name) || (charAt(text, end) == ':' && isDigit(charAt(text, end + 1)));
  return machine && isAnyOf(top, {"net", "io", "dev", "ai", "app", "de", "fr", "nl", "se", "us",
                                  "co", "tech"});
}

}  // namespace

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

WebAddress webAddressAt(std::string_view text, std::size_t at) {
  const std::size_t scheme = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "+-"); });
  if (!text.substr(scheme).starts_with("://") || scheme == at || scheme - at > 16) return {};
  const std::size_t begin = scheme + 3;
  if (folded(text.substr(at, scheme - at)) == "file") return fileAddress(text, begin);
  const std::size_t host =
      endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_:@%$!~*[]+"); });
  if (host == begin) return localAddress(text, begin);
  const std::string_view authority = text.substr(begin, host - begin);
  const bool isPublic =
      !holds(authority, "@") && isPublicHost(authority.substr(0, authority.find(':')));
  WebAddress out;
  out.skip = host;
  if (isPublic || isPlaceholder(authority)) return out;
  out.match = addressIn(at, endBefore(text, host, "\"'`<>|\\)]},;"));
  return out;
}

std::optional<PrivateMatch> certainAddressAt(std::string_view text, std::size_t at) {
  if (isHex(text[at])) {
    if (const auto found = ip6At(text, at)) return found;
    if (const auto found = macAt(text, at)) return found;
  }
  if (!isLetter(text[at])) return std::nullopt;
  if (text.substr(at).starts_with("arn:aws")) {
    const auto isOfName = [](char c) { return isAlnum(c) || isOneOf(c, ":/-_.*+=@"); };
    return addressIn(at, endOf(text, at, isOfName, kFar));
  }
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "._%+-"); });
  if (charAt(text, end) == '@')
    if (const auto found = atSignAt(text, at, end)) return found;
  return remoteFileAt(text, at);
}

std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at) {
  if (const auto found = certainAddressAt(text, at)) return found;
  if (isDigit(text[at]))
    if (const auto found = ipAt(text, at)) return found;
  const std::size_t end = endOfHost(text, at);
  const std::string_view name = text.substr(at, end - at);
  if (!holds(name, ".") || !isLetter(name[0]) || name.starts_with("self.")) return std::nullopt;
  if (isCall(text, end) || charAt(text, end) == '_' || isPublicHost(name)) return std::nullopt;
  if (hasNumericLabel(name) || !isHostName(text, name, end)) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "host"};
}

}  // namespace fxs
