// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Shape operations for handlers. Values have elements (TOSA has no empty tensors).
#include <span>

#include "registry/op_builder.h"

namespace fxs::registry::tosa {

TensorType withSizes(const TensorType&, Sizes);
TensorType withElement(const TensorType&, std::string element);
Sizes ones(std::int64_t rank);
/// 0, 1 .. rank-1.
Sizes firstDims(std::int64_t rank);
/// `array<i64: 1, 2>`, `array<i32: 1, 2>`.
std::string arrayText(std::string_view element, std::span<const std::int64_t> values);

/// The operand itself when the shape is the same.
Value reshape(OpBuilder&, const Value&, const Sizes&);
/// With sizes of 1 in front up to `rank` dimensions.
Value withRank(OpBuilder&, const Value&, std::int64_t rank);
/// With a size of 1 inserted at `dim`, or the size at `dim` dropped.
Value unsqueeze(OpBuilder&, const Value&, std::int64_t dim);
Value dropDim(OpBuilder&, const Value&, std::int64_t dim);
/// Repeats what has size 1; for operations that do not broadcast themselves.
Value broadcastTo(OpBuilder&, const Value&, const Sizes&);
/// Whole repetitions of each dimension.
Value tile(OpBuilder&, const Value&, const Sizes& repeats);
Value permute(OpBuilder&, const Value&, const Sizes& order);
/// `size` elements of `dim` from `start`, `step` apart. Throws BadSizes where these are not all
/// within.
Value slice(OpBuilder&, const Value&, std::int64_t dim, std::int64_t start, std::int64_t size,
            std::int64_t step = 1);
Value concat(OpBuilder&, std::span<const Value> parts, std::int64_t dim);
Value reverse(OpBuilder&, const Value&, std::int64_t dim);
/// `before` and `after` of each dimension, none negative.
Value pad(OpBuilder&, const Value&, const Sizes& before, const Sizes& after, Scalar);

}  // namespace fxs::registry::tosa
