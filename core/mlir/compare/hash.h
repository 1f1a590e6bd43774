// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A deterministic 64-bit hash of a sequence. Not collision-resistant against crafted input.
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fxs::mlir {

class Hash {
 public:
  constexpr explicit Hash(std::uint64_t seed = 0) : value_(seed ^ 0x9e3779b97f4a7c15ull) {}
  constexpr void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0xff51afd7ed558ccdull;
    value_ ^= value_ >> 32;
  }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, 8);
      add(word);
    }
    std::uint64_t rest = 0;
    for (; at < text.size(); ++at) rest = rest << 8 | static_cast<unsigned char>(text[at]);
    add(rest);
  }
  constexpr std::uint64_t value() const {
    const std::uint64_t mixed = (value_ ^ value_ >> 29) * 0xbf58476d1ce4e5b9ull;
    return mixed ^ mixed >> 32;
  }

 private:
  std::uint64_t value_;
};

}  // namespace fxs::mlir
