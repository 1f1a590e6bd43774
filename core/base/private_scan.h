#pragma once
// What begins at a place of a text and is private by its shape. Each looks at most a bounded way ahead; see private_text.h.
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/private_text.h"

namespace fxs {

struct PrivateMatch {
  std::size_t begin = 0, end = 0;  ///< range in the text
  PrivateKind kind = PrivateKind::Token;
  std::string_view what;  ///< "token", "address" ..: names the placeholder
};

/// Keys with a known prefix, a private key block, `Bearer ..`. `at` is the begin of a word or of a part of one.
std::optional<PrivateMatch> tokenAt(std::string_view text, std::size_t at);
/// The value after a word such as `password`, `api_key`, `HF_TOKEN`, `Authorization`; `at` is the begin of the word.
std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at);
/// The value after `host`, `USER` and the like.
std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at);
/// A URL whose host is not known to be public, or that contains a password. `skip` is the end of the host if the URL may stay.
struct WebAddress {
  std::optional<PrivateMatch> match;
  std::size_t skip = 0;  ///< 0: there is no URL
  bool file = false;     ///< file://..: a path begins at `skip`
};
WebAddress webAddressAt(std::string_view text, std::size_t at);
/// user@host, an e-mail address, an IP address, a machine's full name.
std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at);

}  // namespace fxs
