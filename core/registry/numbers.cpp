// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/numbers.h"

#include <cmath>
#include <limits>

namespace fxs::registry {

bool isUnsigned(DType dtype) {
  return dtype == DType::UInt8 || dtype == DType::UInt16 || dtype == DType::UInt32 ||
         dtype == DType::UInt64;
}

bool isIntegerOrBool(DType dtype) { return dtype == DType::Bool || isIntegral(dtype); }

Scalar lowest(DType dtype) {
  if (dtype == DType::Bool) return false;
  if (!isIntegral(dtype)) return -HUGE_VAL;
  if (isUnsigned(dtype)) return std::int64_t{0};
  return std::numeric_limits<std::int64_t>::min() >> (64 - 8 * facts(dtype).bytes);
}

Scalar highest(DType dtype) {
  if (dtype == DType::Bool) return true;
  if (!isIntegral(dtype)) return HUGE_VAL;
  const int unused = 64 - 8 * facts(dtype).bytes;
  if (isUnsigned(dtype)) return static_cast<std::int64_t>(~std::uint64_t{0} >> unused);
  return std::numeric_limits<std::int64_t>::max() >> unused;
}

double realOf(const Scalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<std::complex<double>>(&value)) return number->real();
  return std::get<double>(value);
}

Scalar numberOf(Scalar value, DType dtype) {
  if (isComplex(dtype))
    return std::holds_alternative<std::complex<double>>(value)
               ? value
               : std::complex<double>(realOf(value), 0.0);
  if (dtype == DType::Bool) return realOf(value) != 0;
  if (!isIntegral(dtype)) return realOf(value);
  if (std::holds_alternative<std::int64_t>(value)) return value;
  const double real = realOf(value);
  // Truncates, as PyTorch does; saturates out of range, where PyTorch's result is undefined.
  if (!(real > -0x1p63 && real < 0x1p63))
    return real > 0 ? highest(DType::Int64) : lowest(DType::Int64);
  return static_cast<std::int64_t>(real);
}

}  // namespace fxs::registry
