// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace fxs::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Stands between the members of an input that has several.
inline constexpr std::string_view kBetweenMembers = "\n=====\n";

/// The next member; what is left of the input stays in `rest`.
inline std::string_view takeMember(std::string_view& rest) {
  const std::size_t end = rest.find(kBetweenMembers);
  const std::string_view member = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kBetweenMembers.size());
  return member;
}

/// A property that must hold for every input.
inline void require(bool holds, std::string_view message) {
  if (holds) return;
  std::cerr << "does not hold: " << message << "\n";
  std::abort();
}

}  // namespace fxs::fuzz
