// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tensors of symbolic sizes by operations that take no size as a number: a reshape infers one size,
// and the others come from the shapes of tensors. For output types whose operations have constant
// attributes only.
#include <optional>
#include <vector>

#include "rewrite/emit.h"

namespace fxs::rewrite {

/// How many sizes are symbolic.
std::size_t symbolicCount(const std::vector<fx::SymInt>&);

/// The elements in another shape, with -1 as a symbolic size. If several are, only dimensions of
/// size 1 may come and go: then what computes `x` is emitted once more in that shape. Throws
/// Misfit.
Tensor viewed(Emitter&, const Tensor& x, const std::vector<fx::SymInt>& sizes);
/// `x` in a shape to which it broadcasts. Throws Misfit if no tensor has a size of it.
Tensor broadcastTo(Emitter&, const Tensor& x, const std::vector<fx::SymInt>& sizes);
/// The elements at the positions `index`, int64 of one dimension, along a dimension.
Tensor selectedAt(Emitter&, const Tensor& x, std::size_t dim, const Tensor& index);

/// A vector of ones. Throws Misfit if no tensor has that size.
Tensor onesOf(Emitter&, const fx::SymInt& size, DType dtype);
/// 1 where `flags` is true, and 0 elsewhere.
Tensor numbersOf(Emitter&, const Tensor& flags, DType dtype);
/// 0, 1 .. as int64; exact below `limit`. Throws Misfit if no tensor has that size, and if it is
/// symbolic and `limit` is 0.
Tensor positionsOf(Emitter&, const fx::SymInt& size, std::int64_t limit);
/// A size as int64 of one element. Throws Misfit if it is symbolic and no tensor has it.
Tensor sizeTensor(Emitter&, const fx::SymInt& size);
/// An integer, or one that a node computes of sizes. Throws Misfit.
fx::SymInt numberOf(Emitter&, const fx::Argument& number);
/// An integer that is computed of sizes, as int64 of one element. Throws Misfit.
Tensor numberTensor(Emitter&, const fx::Argument& number);

/// The product of two tensors of at least 3 dimensions, as one of 3 dimensions: the leading ones
/// are one. Throws Misfit if they cannot be.
Tensor flatProduct(Emitter&, const Tensor& a, const Tensor& b);
/// Whether `x` is a copy whose strides PyTorch knows without computing a size: of others it makes
/// views by its own rules, with sizes as numbers.
bool isContiguousCopy(Emitter&, const Tensor& x);
/// Whether an operation computes each element of its result from the elements at the same place.
bool isElementwise(std::string_view target);

}  // namespace fxs::rewrite
