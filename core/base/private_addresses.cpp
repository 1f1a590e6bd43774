// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of machines and people, which are recognized by their own form.
#include <algorithm>
#include <array>

#include "base/private_chars.h"
#include "base/private_scan.h"
#include "base/take_until.h"

namespace fxs {
namespace {

bool hasDigitOrHyphen(std::string_view text) { return hasDigit(text) || holds(text, "-"); }

PrivateMatch addressIn(std::size_t begin, std::size_t end) {
  return {begin, end, PrivateKind::Address, "address"};
}

/// The end of the labels of a host's name.
std::size_t endOfHost(std::string_view text, std::size_t at) {
  std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (end > at && isOneOf(text[end - 1], ".-")) --end;
  return end;
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

/// The end of what follows the colon after a machine's name: its path, as scp has it. `colon`
/// itself if nothing does.
std::size_t endOfRemotePath(std::string_view text, std::size_t colon) {
  if (colon + 1 >= text.size() || text[colon] != ':' || isDigit(text[colon + 1])) return colon;
  const std::size_t end = endBefore(text, colon + 1, "\"'`<>|\\)]},;:");
  return end == colon + 1 ? colon : end;
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

}  // namespace

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

}  // namespace fxs
