// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Recognizers of private data that starts at an offset of a text. Each has bounded lookahead; see
// private_text.h.
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/private_text.h"

namespace fxs {

struct PrivateMatch {
  std::size_t begin = 0, end = 0;  ///< range in the text
  PrivateKind kind = PrivateKind::Token;
  std::string_view what;  ///< "token", "address" ..: part of the placeholder
};

/// A key with a known prefix, a private key block, or `Bearer ..`. `at` is the start of a word or
/// of a part of one.
std::optional<PrivateMatch> tokenAt(std::string_view text, std::size_t at);
/// The value after a word such as `password`, `api_key`, `HF_TOKEN`, `Authorization`; `at` is the
/// start of that word.
std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at);
/// `user:password` after `-u`, and a password after `sshpass -p`; `at` is the letter of the option.
std::optional<PrivateMatch> optionValueAt(std::string_view text, std::size_t at);
/// user@host, an e-mail address, host:/path, an IPv6 or MAC address, an ARN: what has no form of a
/// name. Part of addressAt().
std::optional<PrivateMatch> certainAddressAt(std::string_view text, std::size_t at);
/// `ip-10-1-2-3`, as clouds name their machines, also with the underscores of a node's name; `at`
/// is the start of a word or of a part of one.
std::optional<PrivateMatch> numberedMachineAt(std::string_view text, std::size_t at);
/// The value after `host`, `USER` and similar words.
std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at);
/// A URL whose host is not known to be public, or that contains a password. `skip` is the end of
/// the host if the URL may stay.
struct WebAddress {
  std::optional<PrivateMatch> match;
  std::size_t skip = 0;  ///< 0: no URL
  bool file = false;     ///< a file:// URL, whose path starts at `skip`
};
WebAddress webAddressAt(std::string_view text, std::size_t at);
/// Also an IP address, or a fully qualified host name: a path of modules may look alike.
std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at);

}  // namespace fxs
