// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Slices whose offsets and sizes may be symbolic, with dimensions of size 1 left out, and padding:
// what tiles are made of.
#include "registry/linalg/loops.h"

namespace fxs::registry::linalg {

/// As sliced() with strides of 1, without some dimensions of size 1: `result` are the sizes that
/// remain.
Value slicedTo(OpBuilder&, const Value& x, const Sizes& offsets, const Sizes& sizes,
               const Sizes& result);
/// As overwritten() with strides of 1: `part` is of `sizes`, some of size 1 left out.
Value overwrittenAt(OpBuilder&, const Value& part, const Value& full, const Sizes& offsets,
                    const Sizes& sizes);
/// The same in the terminator of an scf.forall.
void overwrittenInParallel(OpBuilder&, const Value& part, const Value& full, const Sizes& offsets,
                           const Sizes& sizes);
/// `x` with zeros (false) behind each dimension, up to `sizes`.
Value padded(OpBuilder&, const Value& x, const Sizes& sizes);
/// array<i64: 0, -9223372036854775808>: MLIR's number stands for sizes that operands give.
std::string staticSizes(std::span<const std::int64_t> sizes);

}  // namespace fxs::registry::linalg
