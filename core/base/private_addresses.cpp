// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of machines and people, which are recognized by their own form.
#include <algorithm>

#include "base/private_chars.h"
#include "base/private_forms.h"

namespace fxs {
namespace {

/// The end of the labels of a host's name.
std::size_t endOfHost(std::string_view text, std::size_t at) {
  std::size_t end = endOf(text, at, [](char c) { return isAlnum(c) || isOneOf(c, ".-"); });
  while (end > at && isOneOf(text[end - 1], ".-")) --end;
  return end;
}

/// Whether the labels up to `end` are the name of a machine in its network, or in a public domain.
bool isHostName(std::string_view text, std::string_view name, std::size_t end) {
  const FormParts host = privateForms().parts(FormGroup::Host, name);
  if (host[0].empty() || name.starts_with("self.")) return false;
  if (privateForms().matches(FormGroup::PublicHost, name) ||
      privateForms().matches(FormGroup::Layer, name))
    return false;
  return host[1].empty() || hasDigitOrHyphen(name) ||
         (charAt(text, end) == ':' && isDigit(charAt(text, end + 1)));
}

}  // namespace

std::optional<PrivateMatch> hostAt(std::string_view text, std::size_t at) {
  const std::size_t end = endOfHost(text, at);
  const std::string_view name = text.substr(at, end - at);
  if (name.empty() || !isLetter(name[0]) || isCall(text, end) || charAt(text, end) == '_' ||
      !isHostName(text, name, end))
    return std::nullopt;
  return PrivateMatch{at, end, PrivateKind::Address, "host"};
}

WebAddress webAddressAt(std::string_view text, std::size_t at) {
  const FormParts url = privateForms().parts(FormGroup::Url, text, at);
  const std::size_t end = at + url[0].size();
  if (!url[1].empty()) return {.skip = end - url[2].size(), .file = true};
  // A URL of no machine: unix:///home/ada/socket
  if (!url[4].empty()) return {.skip = end - 2, .file = true};
  const std::string_view authority = url[3];
  if (authority.empty()) return {};
  WebAddress out;
  out.skip = end;
  const bool isPublic =
      !holds(authority, "@") &&
      privateForms().matches(FormGroup::PublicHost, authority.substr(0, authority.find(':')));
  if (!isPublic && !isPlaceholder(authority))
    out.match = {at, endBefore(text, end, "\"'`<>|\\)]},;"), PrivateKind::Address, "address"};
  return out;
}

}  // namespace fxs
