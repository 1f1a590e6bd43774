// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What a tensor's elements look like, to show a value without its elements.
#include <array>
#include <cstdint>

#include "tensor/tensor.h"

namespace fxs::tensor {

struct Statistics {
  std::uint64_t elements = 0;
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  double min = 0, max = 0, mean = 0, norm = 0;  ///< of the finite elements; 0 if there is none
  static constexpr std::size_t kBins = 16;
  std::array<std::uint64_t, kBins> histogram{};  ///< finite elements in equal steps from min to max
};
/// Complex elements count as their absolute values.
Statistics statisticsOf(const Tensor&);

}  // namespace fxs::tensor
