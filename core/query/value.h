// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How the value of a term is written, in queries and in conditions on passes.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fxs::query {

struct Value {
  std::string text;
  bool isRegex = false;  ///< it was between slashes
};

/// Reads the value that begins at `at`, and moves `at` after it: in quotes, between slashes if
/// `mayBeRegex`, else up to a space, which may be at once. std::nullopt if the closing quote or
/// slash is missing.
std::optional<Value> readValue(std::string_view text, std::size_t& at, bool mayBeRegex);

}  // namespace fxs::query
