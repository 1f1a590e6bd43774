// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Decides whether two tensors that should be equal are: the one rule by which fxscope calls a
// result wrong. docs/numbers.md explains it.
//
// NaN and infinities must be in the same places; integers and bools must be equal. Other elements
// are compared as a whole, by the relative l2 error |found - expected| / |expected| in units of eps
// of the lowest precision on the way to the value: the precision bounds what a right program can
// lose, and the norm does not call rounding of small elements an error, as element-wise tolerances
// do. A second, much wider bound holds for each element, relative to the larger of itself and the
// root mean square (rms) of all: one wrong element among a million does not vanish in the norm.
//
// Right results, measured: l2 at most 1.5e-6 = 13 eps and elements at most 84 eps in 1,352 values
// of programs; float32 sums of 100,000 terms in different orders 48 eps and 229, softmax over
// 10,000 113 eps (see JudgeOptions::terms); half types 0.6 eps and 7.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace fxs::tensor {

/// From best to worst.
enum class Verdict : std::uint8_t { Same, Suspicious, DiffersAtNonfinite, Differs };
std::string_view name(Verdict);  ///< "same", "suspicious", "differs-at-nonfinite", "differs"

/// How two tensors differ, as far as one can tell.
enum class Kind : std::uint8_t {
  None,
  Shape,
  Type,
  Nan,
  Infinity,
  Sign,
  Permuted,
  WrongElements,
  Scaled,
  Rounding
};
std::string_view name(Kind);  ///< "shape", "nan", "sign", "wrong-elements" ..

/// One differing element; of a complex one, the part with the larger error.
struct Element {
  std::vector<std::int64_t> index;
  double found = 0;
  double expected = 0;
};

struct Difference {
  Verdict verdict = Verdict::Same;
  Kind kind = Kind::None;
  double l2 = 0;  ///< relative l2 error of the finite elements; absolute if all expected ones are 0
  double units = 0;   ///< l2 in eps of the lowest precision; 0 for integers
  double maxAbs = 0;  ///< largest absolute error of a finite element
  double scale = 1;   ///< if Kind::Scaled: found is so many times expected
  std::uint64_t wrong =
      0;  ///< elements that differ by more than the tolerance, or in NaN or infinity
  std::uint64_t elements = 0;
  std::vector<Element> worst;  ///< at most kWorst, largest error first
  std::string
      message;  ///< one line for users: "3 of 12 elements have the other sign, relative error 0.41"
};
inline constexpr std::size_t kWorst = 8;

/// eps of a dtype: 2^-23 for float32, 2^-7 for bfloat16; of a complex one, that of its parts; 0 for
/// integers and bool.
double epsilonOf(DType);
/// The relative l2 error in eps of `lowest` above which floats differ: 40, of half types 4, of
/// float8 types 1. Half of that is suspicious.
double toleranceOf(DType lowest);
/// The same for the error of one element relative to the larger of itself and the rms: 2000, of
/// half types 32, of float8 types 4.
double elementToleranceOf(DType lowest);

struct JudgeOptions {
  /// The floating dtype of lowest precision that was used on the way to the values; Unknown: that
  /// of `expected`.
  DType lowest = DType::Unknown;
  /// The rms that the result would have without cancellation: of a sum that of its terms times the
  /// square root of their number. Errors are relative to it if it is larger than the rms of
  /// `expected`. 0: unknown.
  double scale = 0;
  /// The longest sum on the way. Beyond 1024 terms, the tolerance of float32 and float64 grows in
  /// proportion, as the error of a sum in order does. That of half types grows with its square root
  /// from 64 terms on: PyTorch sums in float32, a lowered text in the half type, where the errors
  /// of n terms of both signs were 0.14 sqrt(n) eps.
  std::uint64_t terms = 0;
};

/// A NaN or infinity where a finite element is expected differs; one that is expected and missing,
/// or another one, differs at nonfinite. Errors below the smallest normal number (of float16 and
/// float8 below 4 times the smallest number) count as none: programs flush them to 0. If all
/// expected elements are 0 and there is no scale, everything above this differs.
Difference judge(const Tensor& found, const Tensor& expected, const JudgeOptions& = {});
inline Difference judge(const Tensor& found, const Tensor& expected, DType lowest) {
  return judge(found, expected, JudgeOptions{lowest, 0, 0});
}

}  // namespace fxs::tensor
