#pragma once
// A tensor with its elements, as inputs, results and expected values are compared. Elements are dense, row-major and little-endian; bool is
// one byte. Leaves out arithmetic, views and devices.
#include <cstdint>
#include <optional>
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

/// One element as a double; of a complex dtype the real part. Integers beyond 2^53 are rounded. `i` < elements().
double elementAt(const Tensor&, std::uint64_t i);
/// All elements as doubles; a complex element is two, real part first. Unsupported for a dtype whose elements cannot be read.
std::vector<double> elementsOf(const Tensor&);
/// Elements rounded to `dtype`, to nearest even; integers saturate. `values` has elementCount(sizes) members, twice as many if complex.
Tensor tensorFrom(DType dtype, std::vector<std::int64_t> sizes, const std::vector<double>& values);
/// "f32[2, 3]"
std::string typeText(const Tensor&);

}  // namespace fxs::tensor
