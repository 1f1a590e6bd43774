// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The binary floats that C++ has no type for: half, bfloat16 and the float8 types, between bits and
// double.
#include <cstdint>

#include "ops/dtype.h"

namespace fxs::tensor {

/// How a format uses its largest exponent. The names are LLVM's (APFloat.h).
enum class Nonfinite : std::uint8_t {
  Ieee,         ///< infinities and NaN
  NanOnly,      ///< NaN is all ones; no infinity
  NegativeZero  ///< NaN is the pattern of -0; neither infinity nor -0
};

struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  int bias;
  Nonfinite nonfinite;
  int bits() const { return 1 + exponentBits + mantissaBits; }
};

/// Of a real floating dtype or of the parts of a complex one. Not for float8_e8m0fnu, which has
/// neither sign nor mantissa.
FloatFormat floatFormat(DType);

double decode(const FloatFormat&, std::uint32_t bits);
std::uint32_t encode(const FloatFormat&, double);  ///< to nearest even

/// float8_e8m0fnu: a power of two, from 2^-127 to 2^127; 255 is NaN.
double decodeE8M0(std::uint8_t bits);
/// The sign is dropped and halfway goes up, as in PyTorch; 0 becomes 2^-127, and what is too large
/// NaN.
std::uint8_t encodeE8M0(double);

}  // namespace fxs::tensor
