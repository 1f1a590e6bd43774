// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tensor/float_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fxs::tensor {
namespace {

std::uint32_t nanBits(const FloatFormat& f) {
  const std::uint32_t sign = std::uint32_t{1} << (f.bits() - 1);
  switch (f.nonfinite) {
    case Nonfinite::Ieee:
      return (((std::uint32_t{2} << f.exponentBits) - 1) << (f.mantissaBits - 1));  // quiet
    case Nonfinite::NanOnly: return sign - 1;
    case Nonfinite::NegativeZero: return sign;
  }
  return 0;
}

/// The bits after those of the largest finite number, without a sign.
std::uint32_t endOfFinite(const FloatFormat& f) {
  const std::uint32_t all = std::uint32_t{1} << (f.bits() - 1);
  switch (f.nonfinite) {
    case Nonfinite::Ieee: return all - (std::uint32_t{1} << f.mantissaBits);
    case Nonfinite::NanOnly: return all - 1;
    case Nonfinite::NegativeZero: return all;
  }
  return 0;
}

/// The bits of a number that is too large. PyTorch 2.13 (Float8_e4m3fn.h) saturates where the
/// format has no infinity but has two zeros.
std::uint32_t overflowBits(const FloatFormat& f, std::uint32_t sign) {
  if (f.nonfinite == Nonfinite::Ieee) return sign | endOfFinite(f);
  return f.nonfinite == Nonfinite::NanOnly ? sign | (endOfFinite(f) - 1) : nanBits(f);
}

}  // namespace

FloatFormat floatFormat(DType dtype) {
  switch (dtype) {
    case DType::Float16:
    case DType::Complex32: return {5, 10, 15, Nonfinite::Ieee};
    case DType::BFloat16: return {8, 7, 127, Nonfinite::Ieee};
    case DType::Float8E4M3FN: return {4, 3, 7, Nonfinite::NanOnly};
    case DType::Float8E5M2: return {5, 2, 15, Nonfinite::Ieee};
    case DType::Float8E4M3FNUZ: return {4, 3, 8, Nonfinite::NegativeZero};
    case DType::Float8E5M2FNUZ: return {5, 2, 16, Nonfinite::NegativeZero};
    case DType::Float64:
    case DType::Complex128: return {11, 52, 1023, Nonfinite::Ieee};
    default: return {8, 23, 127, Nonfinite::Ieee};
  }
}

double decode(const FloatFormat& f, std::uint32_t bits) {
  const std::uint32_t sign = bits >> (f.bits() - 1) & 1,
                      magnitude = bits & ((std::uint32_t{1} << (f.bits() - 1)) - 1);
  if (magnitude >= endOfFinite(f) ||
      (f.nonfinite == Nonfinite::NegativeZero && sign == 1 && magnitude == 0)) {
    if (f.nonfinite != Nonfinite::Ieee || magnitude != endOfFinite(f))
      return std::numeric_limits<double>::quiet_NaN();
    return sign == 1 ? -std::numeric_limits<double>::infinity()
                     : std::numeric_limits<double>::infinity();
  }
  const auto exponent = static_cast<int>(magnitude >> f.mantissaBits);
  const std::uint32_t one = std::uint32_t{1} << f.mantissaBits, fraction = magnitude & (one - 1);
  const double value = std::ldexp(exponent == 0 ? fraction : fraction + one,
                                  std::max(exponent, 1) - f.bias - f.mantissaBits);
  return sign == 1 ? -value : value;
}

std::uint32_t encode(const FloatFormat& f, double value) {
  if (std::isnan(value)) return nanBits(f);
  const std::uint32_t sign = std::signbit(value) ? std::uint32_t{1} << (f.bits() - 1) : 0;
  const std::uint32_t overflow = overflowBits(f, sign);
  if (std::isinf(value)) return overflow;
  if (value == 0) return f.nonfinite == Nonfinite::NegativeZero ? 0 : sign;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| is in [2^(exponent-1), 2^exponent)
  exponent = std::max(exponent - 1, 1 - f.bias);
  if (exponent > f.bias + 1) return overflow;
  const auto steps = static_cast<std::uint32_t>(
      std::nearbyint(std::ldexp(std::fabs(value), f.mantissaBits - exponent)));
  // `steps` has the implicit one of a normal number; rounding up to the next exponent carries.
  const std::uint32_t magnitude =
      steps + (static_cast<std::uint32_t>(exponent + f.bias - 1) << f.mantissaBits);
  if (magnitude >= endOfFinite(f)) return overflow;
  return magnitude == 0 && f.nonfinite == Nonfinite::NegativeZero ? 0 : sign | magnitude;
}

double decodeE8M0(std::uint8_t bits) {
  return bits == 255 ? std::numeric_limits<double>::quiet_NaN()
                     : std::ldexp(1.0, static_cast<int>(bits) - 127);
}

std::uint8_t encodeE8M0(double value) {
  if (!std::isfinite(value)) return 255;
  int exponent = 0;
  const double half = std::frexp(std::fabs(value), &exponent);
  if (value == 0) return 0;
  return static_cast<std::uint8_t>(std::clamp(exponent - 1 + (half >= 0.75 ? 1 : 0), -127, 128) +
                                   127);
}

}  // namespace fxs::tensor
