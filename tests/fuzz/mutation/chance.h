// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What the structured mutators share: chance, numbers at the borders of what can be counted, and
// operators with arguments that fit.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ops/schema.h"

namespace fxs::fuzz {

class Chance {
 public:
  explicit Chance(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n < 2 ? 0 : engine_() % n; }
  bool oneIn(std::size_t n) { return below(n) == 0; }
  template <class Items>
  auto& of(Items& items) {
    return items[below(std::size(items))];
  }

 private:
  std::minstd_rand engine_;
};

// clang-format off
inline constexpr std::int64_t kBorders[] = {
    0, 1, 2, 3, 4, 7, 8, 16, 63, 64, 65, 255, 256, 1000, 4096, 65'535, 65'536, 1'000'000, -1, -2, -3, -4, -64, -4096,
    (std::int64_t{1} << 31) - 1, std::int64_t{1} << 31, -(std::int64_t{1} << 31), std::int64_t{1} << 32, 10'000'000'000, std::int64_t{1} << 62,
    INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1};
inline constexpr std::string_view kSizes[] = {"s0", "s1", "u0", "2*s0", "s0 + 1", "s0 - 1", "(s0//2)", "s0*s1", "Max(1, s0)", "s0**2", "s0**s1", "-s0",
                                              "Mod(s0, 0)", "(s0//0)", "9223372036854775807*s0", "s0 - 9223372036854775808"};
inline constexpr std::string_view kWords[] = {"", "x", "main", "none", "zeros", "sum", "mean", "same", "valid", "floor", "trunc", "bilinear", "tanh",
                                              "\x1b[2J", "a\nb", "<b>&\"", "%x", "../../etc/passwd", "\xff\xfe", "A.B.C", "weight_0", "s0", "inf"};
// clang-format on

/// Mostly small, often at a border.
inline std::int64_t someInteger(Chance& chance) {
  return chance.oneIn(3) ? static_cast<std::int64_t>(chance.below(9)) - 2 : chance.of(kBorders);
}

/// Operators that PyTorch has, and those of Python that graphs hold.
inline const std::vector<std::string>& someOperators() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = ops::SchemaTable::builtin().names();
    std::erase_if(names, [](const std::string& name) {
      return name.find("backward") != std::string::npos ||
             name.find("foreach") != std::string::npos;
    });
    return names;
  }();
  return all;
}

}  // namespace fxs::fuzz
