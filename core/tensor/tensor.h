// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A tensor with its elements, as inputs, results and expected values are compared. Elements are
// dense, row-major and little-endian; bool is one byte. Leaves out arithmetic, views and devices.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ops/dtype.h"

namespace fxs::tensor {

/// Number of elements; nullopt for a negative size or if it does not fit in 63 bits.
std::optional<std::uint64_t> elementCount(const std::vector<std::int64_t>& sizes);

struct Tensor {
  DType dtype = DType::Unknown;
  std::vector<std::int64_t> sizes;  ///< none: a scalar or a tensor of rank 0
  std::string bytes;                ///< elementCount(sizes) * facts(dtype).bytes
  std::uint64_t elements() const { return elementCount(sizes).value_or(0); }
  bool operator==(const Tensor&) const = default;
};

/// Numbers per element: 2 for complex dtypes, the real part first; else 1.
std::uint64_t partsOf(DType);

/// One element as a double; of a complex dtype the real part. Integers beyond 2^53 are rounded. `i`
/// < elements().
double elementAt(const Tensor&, std::uint64_t i);
/// All elements as doubles, partsOf(dtype) of them per element. None for DType::Unknown.
std::vector<double> elementsOf(const Tensor&);
/// The parts from `first` on, as many as `parts` has room for; for tensors that are too large to be
/// held twice.
void readParts(const Tensor&, std::uint64_t first, std::span<double> parts);

/// Elements rounded to `dtype`, to nearest even. Integers saturate, and NaN becomes 0; bool is
/// whether the value is not 0. A value beyond the largest float becomes what PyTorch 2.13 makes of
/// it: infinity, the largest float (float8_e4m3fn) or NaN (fnuz). `values` has partsOf(dtype)
/// numbers per element.
Tensor tensorFrom(DType dtype, std::vector<std::int64_t> sizes, const std::vector<double>& values);
/// "f32[2, 3]"
std::string typeText(const Tensor&);
std::string typeText(DType, const std::vector<std::int64_t>& sizes);

}  // namespace fxs::tensor
