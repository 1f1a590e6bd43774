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
  std::string_view label;  ///< "token", "address" ..: part of the placeholder
};

/// The value after a word such as `password`, `api_key`, `HF_TOKEN`, `Authorization`; `at` is the
/// start of that word.
std::optional<PrivateMatch> secretValueAt(std::string_view text, std::size_t at);
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
/// A fully qualified name of a machine; a path of modules may look alike.
std::optional<PrivateMatch> hostAt(std::string_view text, std::size_t at);

}  // namespace fxs
