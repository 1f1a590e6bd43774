#pragma once
// What begins at a place of a text and is private by its shape. Each looks at most a bounded way ahead; see private_text.h.
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/private_text.h"

namespace fxs {

struct PrivateMatch {
  std::size_t begin = 0, end = 0;  ///< in the text; what stands before `begin` stays
  PrivateKind kind = PrivateKind::Token;
  std::string_view what;  ///< "token", "address" ..: names the placeholder
};

/// Keys by the letters that their makers give them, a private key's block, `Bearer ..`. `at` is where a word or a part of one begins.
std::optional<PrivateMatch> tokenAt(std::string_view text, std::size_t at);
/// The value behind a word such as `password`, `api_key`, `HF_TOKEN`, `Authorization`; `at` is where the word begins.
std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at);
/// The value behind `host`, `USER` and the like, where it is written as one.
std::optional<PrivateMatch> namedPersonAt(std::string_view text, std::size_t at);
/// A web address of a machine that is not known to be everybody's, or with a password in it. `skip` is where the machine's name ends when
/// the address may stay.
struct WebAddress {
  std::optional<PrivateMatch> match;
  std::size_t skip = 0;  ///< 0: there is no web address
  bool file = false;     ///< file://..: a path begins at `skip`
};
WebAddress webAddressAt(std::string_view text, std::size_t at);
/// user@host, an e-mail address, an IP address, a machine's full name.
std::optional<PrivateMatch> addressAt(std::string_view text, std::size_t at);

}  // namespace fxs
