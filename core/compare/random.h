// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014), and a bell curve without functions of the C
// library, which differ in the last bit.
#include <cstdint>

namespace fxs::compare {

class Random {
 public:
  /// Streams of one seed are independent.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
    state_ = next() ^ (stream * 0xd1342543de82ef95U);
  }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// 0 .. count-1; count > 0. Not exactly uniform, which does not matter here.
  std::uint64_t below(std::uint64_t count) { return next() % count; }
  /// From 0 to less than 1, in steps of 2^-32.
  double uniform() { return static_cast<double>(next() >> 32) * 0x1p-32; }
  /// Mean 0, standard deviation 1, between -6 and 6: the sum of twelve uniform numbers, less 6.
  double normal() {
    std::uint64_t sum = 0;
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t two = next();
      sum += (two >> 32) + (two & 0xffffffffU);
    }
    return static_cast<double>(sum) * 0x1p-32 - 6;
  }

 private:
  std::uint64_t state_;
};

}  // namespace fxs::compare
