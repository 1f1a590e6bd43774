#include "base/private_scan.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace fxs {
namespace {

/// Maximum length of keys and addresses, and of words.
constexpr std::size_t kFar = 8192, kWord = 128;

bool isHex(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isOneOf(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }
bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool isKeyChar(char c) { return isAlnum(c) || isOneOf(c, "_-.+/=~"); }

template <class Is>
std::size_t endOf(std::string_view text, std::size_t at, Is is, std::size_t far = kWord) {
  const std::size_t last = std::min(text.size(), at + far);
  while (at < last && is(text[at])) ++at;
  return at;
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c;
  return out;
}

bool hasDigit(std::string_view text) { return std::any_of(text.begin(), text.end(), isDigit); }
bool hasLetter(std::string_view text) { return std::any_of(text.begin(), text.end(), isLetter); }
bool isMixed(std::string_view text) {
  return hasDigit(text) || (std::any_of(text.begin(), text.end(), isUpper) && std::any_of(text.begin(), text.end(), isLower));
}
/// Long and random-looking: hexadecimal digits, or digits mixed with letters of both cases.
bool isRandom(std::string_view text) {
  if (text.size() >= 32 && std::all_of(text.begin(), text.end(), isHex) && hasDigit(text) && hasLetter(text)) return true;
  return text.size() >= 20 && hasDigit(text) && std::any_of(text.begin(), text.end(), isUpper) &&
         std::any_of(text.begin(), text.end(), isLower) && !holds(text, ".");
}
bool isPlaceholder(std::string_view text) { return text.starts_with("redacted_"); }

struct Prefix {
  std::string_view text;
  std::size_t least;           // characters after it
  std::string_view also = "";  // allowed in addition to letters and digits
};
// clang-format off
constexpr std::array<Prefix, 22> kPrefixes{{{"hf_", 10}, {"api_org_", 16}, {"ghp_", 10}, {"gho_", 10}, {"ghu_", 10}, {"ghs_", 10}, {"ghr_", 10},
                                            {"github_pat_", 16, "_"}, {"glpat-", 12, "_-"}, {"sk-", 16, "_-"}, {"AKIA", 16}, {"ASIA", 16},
                                            {"xoxb-", 10, "-"}, {"xoxp-", 10, "-"}, {"xapp-", 10, "-"}, {"AIza", 30, "_-"}, {"ya29.", 16, "_-"},
                                            {"npm_", 30}, {"pypi-", 30, "_-"}, {"nvapi-", 16, "_-"}, {"dckr_pat_", 16, "_-"}, {"sk_live_", 16}}};
// clang-format on

/// What is between a word and its value: quotes, spaces, one of : and =. `quote`: the value's quote, or 0.
struct Value {
  std::size_t begin = 0, end = 0;
  char quote = 0;
  char separator = 0;  // ' ' when there are only spaces
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};
std::optional<Value> valueAfter(std::string_view text, std::size_t at) {
  Value value;
  if (at < text.size() && text[at] == '\\') ++at;
  if (at < text.size() && isOneOf(text[at], "\"'")) ++at;
  const std::size_t word = at;
  at = endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
  value.separator = at > word ? ' ' : 0;
  if (at < text.size() && isOneOf(text[at], ":=")) {
    value.separator = text[at++];
    if (at < text.size() && value.separator == '=' && isOneOf(text[at], "=>")) ++at;
    at = endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
  }
  if (value.separator == 0) return std::nullopt;
  if (at < text.size() && text[at] == '\\') ++at;
  if (at < text.size() && isOneOf(text[at], "\"'")) {
    value.quote = text[at++];
    value.begin = at;
    value.end = endOf(text, at, [&](char c) { return c != value.quote && c != '\n'; }, kFar);
    if (value.end >= text.size() || text[value.end] != value.quote) return std::nullopt;
    if (value.end > value.begin && text[value.end - 1] == '\\') --value.end;
  } else {
    value.begin = at;
    value.end = endOf(text, at, [](char c) { return isKeyChar(c) || isOneOf(c, "!@#$%^&*"); }, kFar);
  }
  if (value.end == value.begin || isPlaceholder(value.of(text))) return std::nullopt;
  return value;
}

bool isCall(std::string_view text, std::size_t end) { return end < text.size() && isOneOf(text[end], "(["); }

bool isPublicHost(std::string_view host) {
  constexpr std::array<std::string_view, 14> kPublic{"github.com",  "pytorch.org",     "llvm.org",  "python.org",    "huggingface.co",
                                                     "example.org", "example.com",     "arxiv.org", "openxla.org",   "w3.org",
                                                     "pypi.org",    "json-schema.org", "onnx.ai",   "mlplatform.org"};
  return std::any_of(kPublic.begin(), kPublic.end(), [&](std::string_view known) {
    return host == known || (host.ends_with(known) && host[host.size() - known.size() - 1] == '.');
  });
}

std::optional<PrivateMatch> ipAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int part = 0; part < 4; ++part) {
    const std::size_t digits = endOf(text, end, isDigit);
    if (digits == end || digits > end + 3 || std::stoi(std::string(text.substr(end, digits - end))) > 255) return std::nullopt;
    end = digits;
    if (part < 3 && (end >= text.size() || text[end++] != '.')) return std::nullopt;
  }
  if (end < text.size() &&
      (isAlnum(text[end]) || text[end] == '_' || (text[end] == '.' && end + 1 < text.size() && isAlnum(text[end + 1]))))
    return std::nullopt;
  const std::string_view address = text.substr(at, end - at);
  if (address == "0.0.0.0" || address.starts_with("127.")) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "address"};
}

std::optional<PrivateMatch> ip6At(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isHex(c) || c == ':'; });
  const std::string_view address = text.substr(at, end - at);
  const auto colons = std::count(address.begin(), address.end(), ':');
  if (colons < 2 || colons > 7 || (end < text.size() && (isAlnum(text[end]) || text[end] == '_'))) return std::nullopt;
  const std::size_t group = address.find(':');
  const bool known =
      group == 4 && (address[0] == '2' || address.starts_with("fe80") || address.starts_with("fd") || address.starts_with("fc"));
  if (!known || (colons != 7 && !holds(address, "::"))) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "address"};
}

std::optional<PrivateMatch> atSignAt(std::string_view text, std::size_t at, std::size_t sign) {
  const std::string_view local = text.substr(at, sign - at);
  std::size_t end = endOf(text, sign + 1, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (end > sign + 1 && isOneOf(text[end - 1], ".-")) --end;
  const std::string_view host = text.substr(sign + 1, end - sign - 1);
  // x @ y is a matrix product in Python.
  if (local.size() < 2 || host.size() < 2 || !isLetter(host[0]) || host.starts_with("self.") || local.starts_with("self.") ||
      isCall(text, end))
    return std::nullopt;
  const std::size_t dot = host.rfind('.');
  if (dot != std::string_view::npos) {
    const std::string_view top = host.substr(dot + 1);
    if (top.size() < 2 || !std::all_of(top.begin(), top.end(), isLower)) return std::nullopt;
    return PrivateMatch{at, end, PrivateKind::Email, "email"};
  }
  const bool machine = hasDigit(host) || holds(host, "-") || (end < text.size() && text[end] == ':');
  if (!machine) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Name, "user"};
}

}  // namespace

std::optional<PrivateMatch> tokenAt(std::string_view text, std::size_t at) {
  const std::string_view here = text.substr(at, kFar);
  if (here.starts_with("-----BEGIN")) {
    const std::size_t key = here.substr(0, 64).find("PRIVATE KEY-----");
    if (key == std::string_view::npos) return std::nullopt;
    const std::size_t end = text.find("-----END", at + key);
    const std::size_t close = end == std::string_view::npos ? end : text.find("-----", end + 8);
    return PrivateMatch{at, close == std::string_view::npos ? text.size() : close + 5, PrivateKind::Token, "token"};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!here.starts_with(prefix.text)) continue;
    const std::size_t begin = at + prefix.text.size();
    std::size_t end = endOf(text, begin, [&](char c) { return isAlnum(c) || isOneOf(c, prefix.also); }, kFar);
    while (end > begin && !isAlnum(text[end - 1])) --end;
    const std::string_view key = text.substr(begin, end - begin);
    if (key.size() >= prefix.least && (isMixed(key) || key.size() >= 30)) return PrivateMatch{at, end, PrivateKind::Token, "token"};
  }
  if (here.starts_with("eyJ")) {  // a JSON Web Token: three parts in base64
    std::size_t end = at;
    int parts = 0;
    for (; parts < 3; ++parts) {
      const std::size_t part = endOf(text, end, [](char c) { return isAlnum(c) || isOneOf(c, "_-"); }, kFar);
      if (part < end + 6) break;
      end = part;
      if (parts < 2 && (end >= text.size() || text[end++] != '.')) break;
    }
    if (parts >= 2) return PrivateMatch{at, end, PrivateKind::Token, "token"};
  }
  if (here.size() > 7 && folded(here.substr(0, 6)) == "bearer" && (here[6] == ' ' || here[6] == ':')) {
    const std::size_t begin = endOf(text, at + 6, [](char c) { return c == ' ' || c == ':'; });
    const std::size_t end = endOf(text, begin, isKeyChar, kFar);
    const std::string_view key = text.substr(begin, end - begin);
    if (key.size() >= 8 && !isPlaceholder(key) && isMixed(key)) return PrivateMatch{begin, end, PrivateKind::Token, "token"};
  }
  return std::nullopt;
}

std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "_-"); });
  if (end - at > 64) return std::nullopt;
  const std::string word = folded(text.substr(at, end - at));
  const auto isOf = [&](std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return word.ends_with(w); });
  };
  const bool secret = isOf({"secret", "password", "passwd", "passphrase", "pwd", "apikey", "api_key", "access_key", "accesskey",
                            "private_key", "secret_key", "credential", "credentials"});
  const bool header = isOf({"authorization"});
  if (!secret && !header && !isOf({"token", "key", "auth", "signature"})) return std::nullopt;
  auto value = valueAfter(text, end);
  if (!value) return std::nullopt;
  const auto match = [&] { return PrivateMatch{value->begin, value->end, PrivateKind::Token, "token"}; };
  if (header && value->separator != ' ') {
    const std::string kind = folded(value->of(text).substr(0, 7));
    for (const std::string_view scheme : {"bearer", "basic", "token"})
      if (kind.starts_with(scheme)) {
        if (value->quote != 0) {
          const std::size_t space = text.substr(0, value->end).find(' ', value->begin);
          if (space == std::string_view::npos) return std::nullopt;
          value->begin = space + 1;
        } else {
          value->begin = endOf(text, value->begin + scheme.size(), [](char c) { return c == ' '; });
          value->end = endOf(text, value->begin, isKeyChar, kFar);
        }
        if (value->end - value->begin < 4 || isPlaceholder(value->of(text))) return std::nullopt;
      }
    return match();
  }
  const std::string_view content = value->of(text);
  if (value->separator == ' ') return isRandom(content) ? std::optional(match()) : std::nullopt;
  if (isRandom(content) ||
      (content.size() >= 16 && value->quote != 0 && isMixed(content) && hasDigit(content) && !holds(content, " ") && !holds(content, ".")))
    return match();
  if (!secret) return std::nullopt;
  if (value->quote != 0) return content.size() >= 3 ? std::optional(match()) : std::nullopt;
  const bool shout = word.size() > 2 &&
                     std::none_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), isLower);
  if (isCall(text, value->end) || content.starts_with("self.")) return std::nullopt;
  return content.size() >= 3 && (shout || (content.size() >= 6 && hasDigit(content))) ? std::optional(match()) : std::nullopt;
}

std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || c == '_'; });
  const std::string_view given = text.substr(at, end - at);
  const std::string word = folded(given.substr(0, 16));
  const bool host = word == "host" || word == "hostname" || word == "nodename" || word == "computername";
  const bool user = word == "user" || word == "username" || word == "logname" || word == "login";
  if (!host && !user) return std::nullopt;
  const auto value = valueAfter(text, end);
  if (!value || value->separator == ' ') return std::nullopt;
  const std::string_view content = value->of(text);
  const bool environment = std::none_of(given.begin(), given.end(), isLower) && value->separator == '=';
  const bool header = isUpper(given[0]) && value->separator == ':';
  const bool plain = std::all_of(content.begin(), content.end(), [](char c) { return isAlnum(c) || isOneOf(c, "._-"); });
  if (!plain || content.size() < 2 || (value->quote == 0 && !environment && !header) || isCall(text, value->end)) return std::nullopt;
  return PrivateMatch{value->begin, value->end, PrivateKind::Name, host ? "host" : "user"};
}

WebAddress webAddressAt(std::string_view text, std::size_t at) {
  const std::size_t scheme = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "+-"); });
  if (!text.substr(scheme).starts_with("://") || scheme == at || scheme - at > 16) return {};
  const std::size_t begin = scheme + 3;
  WebAddress out;
  if (folded(text.substr(at, scheme - at)) == "file") {
    out.file = true;
    const std::size_t slash = endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_"); });
    out.skip = slash < text.size() && text[slash] == '/' ? slash : begin;
    return out;
  }
  const std::size_t host = endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_:@%$!~*[]+"); });
  if (host == begin) return {};
  const std::string_view authority = text.substr(begin, host - begin);
  out.skip = host;
  if (!holds(authority, "@") && isPublicHost(authority.substr(0, authority.find(':')))) return out;
  const std::size_t end =
      endOf(text, host, [](char c) { return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, "\"'`<>|\\)]},;"); }, kFar);
  if (isPlaceholder(authority)) return out;
  out.match = PrivateMatch{at, end, PrivateKind::Address, "address"};
  return out;
}

std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at) {
  if (isHex(text[at]))
    if (const auto found = ip6At(text, at)) return found;
  if (isDigit(text[at]))
    if (const auto found = ipAt(text, at)) return found;
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "._%+-"); });
  if (end < text.size() && text[end] == '@' && isLetter(text[at]))
    if (const auto found = atSignAt(text, at, end)) return found;
  std::size_t close = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (close > at && isOneOf(text[close - 1], ".-")) --close;
  const std::string_view name = text.substr(at, close - at);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || !isLetter(name[0]) || isCall(text, close) || (close < text.size() && text[close] == '_') ||
      isPublicHost(name) || name.starts_with("self."))
    return std::nullopt;
  const auto labels = std::count(name.begin(), name.end(), '.') + 1;
  const std::string_view top = name.substr(dot + 1);
  const auto isOf = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), top) != words.end();
  };
  // A numeric label is a layer of a module: blocks.0.local.
  for (std::size_t label = 0; label < name.size(); label = std::min(name.find('.', label), name.size() - 1) + 1)
    if (std::all_of(name.begin() + static_cast<std::ptrdiff_t>(label),
                    name.begin() + static_cast<std::ptrdiff_t>(std::min(name.find('.', label), name.size())), isDigit))
      return std::nullopt;
  const bool inside = labels >= 2 && isOf({"local", "lan", "internal", "corp", "intra", "intranet", "localdomain"});
  const bool outside = labels >= 3 && isOf({"com", "org", "edu", "gov", "cloud"});
  if (!inside && !outside) return std::nullopt;
  return PrivateMatch{at, close, PrivateKind::Address, "host"};
}

}  // namespace fxs
