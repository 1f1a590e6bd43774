// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/private_scan.h"

#include <algorithm>
#include <array>

#include "base/private_chars.h"

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
/// `listed`: a comma separates them too, as in a list of arguments.
std::optional<Value> valueAfter(std::string_view text, std::size_t at, bool listed = false) {
  Value value;
  const auto skipBackslashes = [&] {
    at = endOf(text, at, [](char c) { return c == '\\'; }, kEscapes);
  };
  skipBackslashes();
  if (at < text.size() && isOneOf(text[at], "\"'")) ++at;
  if (at < text.size() && text[at] == ']') ++at;
  const std::size_t word = at;
  at = endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
  value.separator = at > word ? ' ' : 0;
  if (at < text.size() && (isOneOf(text[at], ":=") || (listed && text[at] == ','))) {
    value.separator = text[at++];
    if (at < text.size() && value.separator == '=' && isOneOf(text[at], "=>")) ++at;
    at = endOf(text, at, [](char c) { return c == ' ' || c == '\t'; });
  }
  if (value.separator == 0) return std::nullopt;
  skipBackslashes();
  if (at < text.size() && isOneOf(text[at], "\"'")) {
    value.quote = text[at++];
    value.begin = at;
    value.end = endOf(text, at, [&](char c) { return c != value.quote && c != '\n'; }, kFar);
    if (value.end >= text.size() || text[value.end] != value.quote) return std::nullopt;
    while (value.end > value.begin && text[value.end - 1] == '\\') --value.end;
  } else {
    value.begin = at;
    value.end =
        endOf(text, at, [](char c) { return isKeyChar(c) || isOneOf(c, "!@#$%^&*"); }, kFar);
  }
  if (value.end == value.begin || isPlaceholder(value.of(text))) return std::nullopt;
  return value;
}

bool isCall(std::string_view text, std::size_t end) {
  return end < text.size() && isOneOf(text[end], "([");
}

bool isPublicHost(std::string_view host) {
  constexpr std::array<std::string_view, 14> kPublic{
      "github.com",  "pytorch.org",     "llvm.org",  "python.org",    "huggingface.co",
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
    if (digits == end || digits > end + 3 ||
        std::stoi(std::string(text.substr(end, digits - end))) > 255)
      return std::nullopt;
    end = digits;
    if (part < 3 && (end >= text.size() || text[end++] != '.')) return std::nullopt;
  }
  if (end < text.size() && (isAlnum(text[end]) || text[end] == '_' ||
                            (text[end] == '.' && end + 1 < text.size() && isAlnum(text[end + 1]))))
    return std::nullopt;
  const std::string_view address = text.substr(at, end - at);
  if (address == "0.0.0.0" || address.starts_with("127.")) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "address"};
}

std::optional<PrivateMatch> ip6At(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isHex(c) || c == ':'; });
  const std::string_view address = text.substr(at, end - at);
  const auto colons = std::count(address.begin(), address.end(), ':');
  if (colons < 2 || colons > 7 || (end < text.size() && (isAlnum(text[end]) || text[end] == '_')))
    return std::nullopt;
  const std::size_t group = address.find(':');
  const bool known = group == 4 && (address[0] == '2' || address.starts_with("fe80") ||
                                    address.starts_with("fd") || address.starts_with("fc"));
  if (!known || (colons != 7 && !holds(address, "::"))) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "address"};
}

/// The words before `at`, as far as one of them may say what comes.
bool follows(std::string_view text, std::size_t at, std::initializer_list<std::string_view> words) {
  std::string_view before =
      text.substr(at - std::min<std::size_t>(at, 32), std::min<std::size_t>(at, 32));
  while (!before.empty() && isOneOf(before.back(), " \t\"'\\[(")) before.remove_suffix(1);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return before.ends_with(word) &&
           (before.size() == word.size() || !isAlnum(before[before.size() - word.size() - 1]));
  });
}

/// The end of what follows the colon after a machine's name: its path, as scp has it. `colon`
/// itself if nothing does.
std::size_t endOfRemotePath(std::string_view text, std::size_t colon) {
  const auto isOfPath = [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, "\"'`<>|\\)]},;:");
  };
  if (colon + 1 >= text.size() || text[colon] != ':' || isDigit(text[colon + 1])) return colon;
  const std::size_t end = endOf(text, colon + 1, isOfPath, kFar);
  return end == colon + 1 ? colon : end;
}

std::optional<PrivateMatch> macAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  for (int pair = 0; pair < 6; ++pair) {
    if (endOf(text, end, isHex) != end + 2) return std::nullopt;
    end += 2;
    if (pair < 5 &&
        (end >= text.size() || !isOneOf(text[end], ":-") || text[end++] != text[at + 2]))
      return std::nullopt;
  }
  if (end < text.size() && (isAlnum(text[end]) || isOneOf(text[end], ":-_"))) return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "address"};
}

std::optional<PrivateMatch> atSignAt(std::string_view text, std::size_t at, std::size_t sign) {
  const std::string_view local = text.substr(at, sign - at);
  std::size_t end = endOf(text, sign + 1, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (end > sign + 1 && isOneOf(text[end - 1], ".-")) --end;
  const std::string_view host = text.substr(sign + 1, end - sign - 1);
  // x @ y is a matrix product in Python.
  if (local.size() < 2 || host.size() < 2 || !isLetter(host[0]) || host.starts_with("self.") ||
      local.starts_with("self.") || isCall(text, end))
    return std::nullopt;
  const std::size_t dot = host.rfind('.');
  if (dot != std::string_view::npos) {
    const std::string_view top = host.substr(dot + 1);
    if (top.size() < 2 ||
        !(std::all_of(top.begin(), top.end(), isLower) ||
          std::all_of(host.begin(), host.end(), [](char c) { return !isLower(c); })))
      return std::nullopt;
    if (const std::size_t path = endOfRemotePath(text, end); path != end)
      return PrivateMatch{at, path, PrivateKind::Address, "address"};
    return PrivateMatch{at, end, PrivateKind::Email, "email"};
  }
  const bool prompt = at > 0 && text[at - 1] == '[' && end < text.size() && text[end] == ' ';
  const bool machine = hasDigit(host) || holds(host, "-") ||
                       (end < text.size() && text[end] == ':') || prompt ||
                       (at == 0 && end == text.size()) ||
                       follows(text, at, {"ssh", "scp", "sftp", "rsync", "mosh", "ssh-copy-id"});
  if (!machine) return std::nullopt;
  return PrivateMatch{at, endOfRemotePath(text, end), PrivateKind::Name, "user"};
}

bool endsWithOneOf(std::string_view word, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return word.ends_with(end); });
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

}  // namespace

std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "_-"); });
  if (end - at > 64) return std::nullopt;
  const std::string word = folded(text.substr(at, end - at));
  const char before = at > 0 ? text[at - 1] : ' ';
  const bool environment = follows(text, at, {"environ", "env"}) && isOneOf(before, "\"'");
  const bool called =
      isOneOf(before, "\"'") && follows(text, at, {"environ.setdefault", "putenv", "setenv"});
  const bool option = before == '-' && at > 1 && text[at - 2] == '-';
  const bool query = isOneOf(before, "?&;");
  // EOS_TOKEN=2
  const bool isTokenOfTexts = endsWithOneOf(
      word,
      {"eos_token", "bos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token"});
  const bool weak = endsWithOneOf(word, {"token", "key", "auth", "signature"});
  const bool header = endsWithOneOf(word, {"authorization"}),
             cookie = endsWithOneOf(word, {"cookie"});
  const bool secret = namesASecret(word) || environment || called ||
                      (query && (weak || endsWithOneOf(word, {"sig", "code"}))) ||
                      (option && endsWithOneOf(word, {"token"}) && !isTokenOfTexts);
  if (!secret && !header && !cookie && !weak) return std::nullopt;
  auto value = valueAfter(text, end, called || option);
  if (!value) return std::nullopt;
  const auto match = [&] {
    return PrivateMatch{value->begin, value->end, PrivateKind::Token, "token"};
  };
  if (cookie) {
    if (value->separator != ':') return std::nullopt;
    value->end = endOf(
        text, value->begin, [](char c) { return c != '\n' && c != '"' && c != '\'' && c != '\\'; },
        kFar);
    return match();
  }
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
  if (query)
    value->end = endOf(
        text, value->begin,
        [](char c) { return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, "&\"'`<>"); },
        kFar);
  else if (value->quote == 0)
    while (value->end > value->begin + 1 && text[value->end - 1] == '.')
      --value->end;  // of the sentence
  const std::string_view content = value->of(text);
  // `login ada password x` of a .netrc.
  const bool named =
      secret && value->separator == ' ' &&
      holds(text.substr(at - std::min<std::size_t>(at, 80), std::min<std::size_t>(at, 80)),
            "login ");
  if (value->separator == ' ' && !option && !named)
    return isRandom(content) ? std::optional(match()) : std::nullopt;
  if (isRandom(content) ||
      (content.size() >= 16 && value->quote != 0 && isMixed(content) && hasDigit(content) &&
       !holds(content, " ") && !holds(content, ".")) ||
      (word == "auth" && value->quote != 0 && content.size() >= 8 && isMixed(content) &&
       content.size() % 4 == 0))
    return match();
  const std::string_view written = text.substr(at, end - at);
  const bool shout = written.size() > 2 && std::none_of(written.begin(), written.end(), isLower);
  const bool assigned = shout && weak && value->separator == '=' && content.size() >= 6 &&
                        hasLetter(content) && !isCall(text, value->end) && !isTokenOfTexts;
  if (!secret) return assigned ? std::optional(match()) : std::nullopt;
  if (value->quote != 0) return match();
  if (isCall(text, value->end) || isCode(content, word) || (option && content.starts_with('-')))
    return std::nullopt;
  return match();
}

/// `-u user:password`, and what `sshpass -p` is told.
std::optional<PrivateMatch> optionValueAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, isAlnum);
  const std::string_view word = text.substr(at, end - at);
  if (at == 0 || text[at - 1] != '-' || (word != "u" && word != "user" && word != "p") ||
      end >= text.size() || !isOneOf(text[end], " ="))
    return std::nullopt;
  const std::size_t begin = endOf(text, end, [](char c) { return isOneOf(c, " =\"'"); });
  const std::size_t close = endOf(
      text, begin,
      [](char c) { return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, "\"'`"); }, kFar);
  const std::string_view content = text.substr(begin, close - begin);
  if (content.empty() || isPlaceholder(content)) return std::nullopt;
  const std::size_t colon = content.find(':');
  const bool pair = word != "p" && colon != std::string_view::npos && colon > 0 &&
                    colon + 1 < content.size() && !isDigit(content[0]);
  if (!pair && !(word == "p" && follows(text, at - 1, {"sshpass"}))) return std::nullopt;
  return PrivateMatch{begin, close, PrivateKind::Token, "token"};
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

std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || c == '_'; });
  const std::string_view given = text.substr(at, end - at);
  const std::string word = folded(given.substr(0, 16));
  const bool shout = std::none_of(given.begin(), given.end(), isLower);
  const auto ends = [&](std::initializer_list<std::string_view> with) {
    return shout && endsWithOneOf(folded(given), with);
  };
  const bool host = word == "host" || word == "hostname" || word == "nodename" ||
                    word == "computername" || ends({"_host", "_hostname", "_addr", "_server"});
  const bool user = word == "user" || word == "username" || word == "logname" || word == "login" ||
                    ends({"_user", "_username"});
  if (!host && !user) return std::nullopt;
  const auto value = valueAfter(text, end);
  if (!value || value->separator == ' ') return std::nullopt;
  const std::string_view content = value->of(text);
  const bool environment = shout && value->separator == '=';
  const bool header = isUpper(given[0]) && value->separator == ':';
  const bool plain = std::all_of(content.begin(), content.end(),
                                 [](char c) { return isAlnum(c) || isOneOf(c, "._-"); });
  if (content == "localhost" || content == "127.0.0.1" || content == "0.0.0.0") return std::nullopt;
  if (!plain || content.size() < 2 || (value->quote == 0 && !environment && !header) ||
      isCall(text, value->end))
    return std::nullopt;
  return PrivateMatch{value->begin, value->end, PrivateKind::Name, host ? "host" : "user"};
}

WebAddress webAddressAt(std::string_view text, std::size_t at) {
  const std::size_t scheme = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "+-"); });
  if (!text.substr(scheme).starts_with("://") || scheme == at || scheme - at > 16) return {};
  const std::size_t begin = scheme + 3;
  WebAddress out;
  if (folded(text.substr(at, scheme - at)) == "file") {
    out.file = true;
    const std::size_t slash =
        endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_"); });
    out.skip = slash < text.size() && text[slash] == '/' ? slash : begin;
    return out;
  }
  const std::size_t host =
      endOf(text, begin, [](char c) { return isAlnum(c) || isOneOf(c, ".-_:@%$!~*[]+"); });
  if (host == begin) {  // of no machine: unix:///home/ada/socket
    const std::size_t path = endOf(text, begin, [](char c) { return c == '/'; });
    if (path == begin || path >= text.size() || !isAlnum(text[path])) return {};
    out.file = true;
    out.skip = path - 1;
    return out;
  }
  const std::string_view authority = text.substr(begin, host - begin);
  out.skip = host;
  if (!holds(authority, "@") && isPublicHost(authority.substr(0, authority.find(':')))) return out;
  const std::size_t end = endOf(
      text, host,
      [](char c) { return static_cast<unsigned char>(c) > 0x20 && !isOneOf(c, "\"'`<>|\\)]},;"); },
      kFar);
  if (isPlaceholder(authority)) return out;
  out.match = PrivateMatch{at, end, PrivateKind::Address, "address"};
  return out;
}

std::optional<PrivateMatch> certainAddressAt(std::string_view text, std::size_t at) {
  if (isHex(text[at])) {
    if (const auto found = ip6At(text, at)) return found;
    if (const auto found = macAt(text, at)) return found;
  }
  if (!isLetter(text[at])) return std::nullopt;
  if (text.substr(at).starts_with("arn:aws"))
    return PrivateMatch{
        at,
        endOf(
            text, at, [](char c) { return isAlnum(c) || isOneOf(c, ":/-_.*+=@"); }, kFar),
        PrivateKind::Address, "address"};
  const std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, "._%+-"); });
  if (end < text.size() && text[end] == '@')
    if (const auto found = atSignAt(text, at, end)) return found;
  // `gpu7:/data/net.py`, and any name after scp.
  const std::size_t close = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  const std::string_view name = text.substr(at, close - at);
  const std::size_t path = endOfRemotePath(text, close);
  if (path != close && name.size() > 1 && !isPlaceholder(name) && isOneOf(text[close + 1], "/~") &&
      !text.substr(close + 1).starts_with("//") &&
      (hasDigit(name) || holds(name, "-") || follows(text, at, {"scp", "rsync"})))
    return PrivateMatch{at, path, PrivateKind::Address, "address"};
  return std::nullopt;
}

std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at) {
  if (const auto found = certainAddressAt(text, at)) return found;
  if (isDigit(text[at]))
    if (const auto found = ipAt(text, at)) return found;
  std::size_t close = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (close > at && isOneOf(text[close - 1], ".-")) --close;
  const std::string_view name = text.substr(at, close - at);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || !isLetter(name[0]) || isCall(text, close) ||
      (close < text.size() && text[close] == '_') || isPublicHost(name) ||
      name.starts_with("self."))
    return std::nullopt;
  const auto labels = std::count(name.begin(), name.end(), '.') + 1;
  const std::string_view top = name.substr(dot + 1);
  const auto isOf = [&](std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), top) != words.end();
  };
  // A numeric label is a layer of a module: blocks.0.local.
  for (std::size_t label = 0; label < name.size();
       label = std::min(name.find('.', label), name.size() - 1) + 1)
    if (std::all_of(name.begin() + static_cast<std::ptrdiff_t>(label),
                    name.begin() +
                        static_cast<std::ptrdiff_t>(std::min(name.find('.', label), name.size())),
                    isDigit))
      return std::nullopt;
  const bool inside = labels >= 2 && isOf({"local", "lan", "internal", "corp", "intra", "intranet",
                                           "localdomain", "arpa", "consul"});
  // Some ends are also words of programs.
  const bool machine = hasDigit(name) || holds(name, "-") ||
                       (close + 1 < text.size() && text[close] == ':' && isDigit(text[close + 1]));
  const bool outside =
      labels >= 3 &&
      (isOf({"com", "org", "edu", "gov", "cloud", "uk", "ch", "jp", "kr", "cn", "eu"}) ||
       (machine &&
        isOf({"net", "io", "dev", "ai", "app", "de", "fr", "nl", "se", "us", "co", "tech"})));
  if (!inside && !outside) return std::nullopt;
  return PrivateMatch{at, close, PrivateKind::Address, "host"};
}

}  // namespace fxs
