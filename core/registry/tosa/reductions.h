// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reductions over dimensions, kept as sizes of 1.
#include "registry/handler.h"

namespace fxs::registry::tosa {

/// Call::dims of an operand that atLeast1d() may have given its only dimension.
tl::expected<Sizes, Refusal> dimsOf(Call&, std::string_view name, std::int64_t rank);
/// Throws BadSizes if it is symbolic.
std::int64_t elementsIn(const Sizes& sizes, const Sizes& dims);

/// A tosa.reduce_* over each dimension in turn.
Value reduce(OpBuilder&, std::string_view op, Value, const Sizes& dims);
/// NaN wins; a row of infinities stays one, where tosa.reduce_max starts from the lowest finite
/// number. Bool: any and all.
Value reduceMax(OpBuilder&, const Value&, const Sizes& dims);
Value reduceMin(OpBuilder&, const Value&, const Sizes& dims);
enum class Extreme : std::uint8_t { Greatest, Least };
/// The first position of the extreme along `dim`, which is dropped, as i64; a NaN is one.
Value positions(OpBuilder&, const Value& x, std::int64_t dim, Extreme);
/// At least rank 1: TOSA reduces no scalar.
Value atLeast1d(OpBuilder&, const Value&);

}  // namespace fxs::registry::tosa
