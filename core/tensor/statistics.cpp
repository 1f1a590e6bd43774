// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/statistics.h"

#include <algorithm>
#include <cmath>

namespace fxs::tensor {
namespace {

constexpr std::uint64_t kElementsAtATime = 4096;

/// Calls `with` for every element, or its absolute value if complex.
template <class With>
void forElements(const Tensor& tensor, With&& with) {
  const std::uint64_t parts = partsOf(tensor.dtype), all = tensor.elements();
  std::array<double, 2 * kElementsAtATime> chunk;
  for (std::uint64_t first = 0; first < all; first += kElementsAtATime) {
    const auto count = static_cast<std::size_t>(std::min(kElementsAtATime, all - first));
    readParts(tensor, first * parts, {chunk.data(), count * parts});
    for (std::size_t i = 0; i < count; ++i)
      with(parts == 2 ? std::hypot(chunk[2 * i], chunk[2 * i + 1]) : chunk[i]);
  }
}

}  // namespace

Statistics statisticsOf(const Tensor& tensor) {
  Statistics out;
  if (tensor.dtype == DType::Unknown) return out;
  out.elements = tensor.elements();
  double largest = 0;
  std::uint64_t finite = 0;
  forElements(tensor, [&](double value) {
    if (std::isnan(value)) {
      ++out.nans;
    } else if (std::isinf(value)) {
      ++out.infinities;
    } else {
      out.min = finite == 0 ? value : std::min(out.min, value);
      out.max = finite == 0 ? value : std::max(out.max, value);
      largest = std::max(largest, std::fabs(value));
      ++finite;
    }
  });
  if (finite == 0) return out;
  const double count = static_cast<double>(finite);
  // Halved, because max - min may be beyond the largest double.
  const double halfWidth = out.max / 2 - out.min / 2;
  double squares = 0;
  forElements(tensor, [&](double value) {
    if (!std::isfinite(value)) return;
    out.mean += value / count;
    if (largest > 0) squares += (value / largest) * (value / largest);
    const double position = halfWidth > 0 ? (value / 2 - out.min / 2) / halfWidth *
                                                static_cast<double>(Statistics::kBins)
                                          : 0;
    ++out.histogram[std::min(static_cast<std::size_t>(position), Statistics::kBins - 1)];
  });
  out.norm = std::sqrt(squares) * largest;
  return out;
}

}  // namespace fxs::tensor
