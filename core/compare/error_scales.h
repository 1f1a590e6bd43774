// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// How large the errors of a right program's values are where terms cancel: of sin(x)**2 + cos(x)**2
// - 1 nothing but rounding is left, and its size is that of the terms. Errors are followed through
// the program to first order, from the root mean squares (rms) of known values:
//
// - Every value has an error of one eps of its rms.
// - The results of sums, differences, reductions, products of matrices, variances, normalizations
// and logarithms have at least the
//   error that their operands give them. Errors of different terms are independent: their squares
//   are added.
// - So do operators that make the rounding of a computed operand a larger error: the sine of a
// million, the exponential of scores. What is
//   given, or moved, is not rounded.
// - If that is more than 4 eps of the result's own rms, its terms have cancelled. All later values
// take such an error over, multiplied by
//   the operator's derivative. It is forgotten where it is less than 4 eps of a value.
//
// Values of programs without cancellation have no scale and are judged by their own size. Nodes of
// subgraphs are left out.
#include <functional>
#include <optional>
#include <vector>

#include "fx/program.h"
#include "tensor/tensor.h"

namespace fxs::compare {

/// The value of a node: an input, a weight, or what a call computed; std::nullopt if it is not
/// known.
using NodeValue = std::function<std::optional<tensor::Tensor>(fx::NodeId)>;

/// By NodeId: tensor::JudgeOptions::scale of its value; 0 if nothing cancels on the way to it.
std::vector<double> errorScales(const fx::Program&, const NodeValue&);

}  // namespace fxs::compare
