// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The absolute error that the operands of a call give its result; 0 for what neither cancels nor
// takes over an error. Operators name their rules in resources/ops/operators.txt: "error=product".
#include <cmath>

#include "compare/measured_call.h"

namespace fxs::compare {

struct ErrorRule {
  using Error = double (*)(const MeasuredCall&);
  Error cancelling = nullptr;  ///< of an operator whose results can be much smaller than operands
  Error carrying = nullptr;    ///< of others, if an operand has an error larger than its own
  /// Of others if none has: of operators that make the rounding of an operand, or of what they
  /// compute on the way, a larger error: the sine of a million, the softmax of scores over 88.
  Error steep = nullptr;
};
/// Null if there is no such rule.
const ErrorRule* errorRule(std::string_view name);

double errorOfCall(const MeasuredCall&);

// ---- Parts of rules.

double squareRoot(std::uint64_t terms);

/// Of sum and mean: `self` added up, before it is divided.
double errorOfSum(const MeasuredCall&);
double errorOfMean(const MeasuredCall&);
/// Of an einsum of two tensors.
double errorOfEinsum(const MeasuredCall&);
double errorOfConvolution(const MeasuredCall&);
/// Of products of `a` and `b`, of which `terms` are added.
double errorOfProduct(const MeasuredCall&, const MeasuredValue& a, const MeasuredValue& b,
                      std::uint64_t terms);
/// Of self * beta + a @ b * alpha.
double errorOfAddedProduct(const MeasuredCall&, std::string_view a, std::string_view b);

/// Of layer_norm and its relatives, which divide what is left of x - mean(x) by its standard
/// deviation.
double errorOfBatchNorm(const MeasuredCall&);
double errorOfGroupNorm(const MeasuredCall&);
double errorOfInstanceNorm(const MeasuredCall&);
double errorOfLayerNorm(const MeasuredCall&);

/// The rms of what `square` gives the squares of, by element of `x`, as far as it is finite.
template <class Square>
double rmsOfSquares(const tensor::Tensor& x, Square&& square) {
  double sum = 0;
  std::uint64_t count = 0;
  for (const double element : tensor::elementsOf(x)) {
    const double of = square(element);
    if (!std::isfinite(of)) continue;
    sum += of;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace fxs::compare
