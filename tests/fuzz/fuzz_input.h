#pragma once
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace fxs::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// A property that must hold for every input.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << "\n";
  std::abort();
}

}  // namespace fxs::fuzz
