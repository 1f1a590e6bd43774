// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/reductions.h"

#include <cmath>

#include "registry/tosa/casts.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry::tosa {
namespace {

Value reduceExtreme(OpBuilder& emit, std::string_view op, const Value& x, const Sizes& dims,
                    double infinity) {
  Value extreme = reduce(emit, op, x, dims);
  if (!x.tensor.isFloat()) return extreme;
  const Value isInfinite = binary(emit, "tosa.equal", x, number(emit, x, infinity), "i1");
  const Value all = reduce(emit, "tosa.reduce_all", isInfinite, dims);
  return select(emit, all, number(emit, extreme, infinity), extreme);
}

/// The operand of tosa.argmax: bools as bytes; for argmin, with reversed order (-x for floats, ~x
/// for integers, which cannot overflow).
Value ordered(OpBuilder& emit, Value x, Extreme extreme) {
  if (x.tensor.isBool()) x = cast(emit, x, DType::Bool, DType::Int8);
  if (extreme == Extreme::Greatest) return x;
  return x.tensor.isFloat() ? negate(emit, x) : unary(emit, "tosa.bitwise_not", x);
}

}  // namespace

tl::expected<Sizes, Refusal> dimsOf(Call& call, std::string_view name, std::int64_t rank) {
  FXS_TAKE(dims, call.dims(name, rank));
  return rank == 0 ? Sizes{0} : dims;
}

std::int64_t elementsIn(const Sizes& sizes, const Sizes& dims) {
  std::int64_t out = 1;
  for (const std::int64_t dim : dims)
    if (static_cast<std::size_t>(dim) < sizes.size())
      out = times(out, sizes[static_cast<std::size_t>(dim)]);
  if (isSymbolic(out)) throw BadSizes("the number of reduced elements is symbolic");
  return out;
}

Value reduce(OpBuilder& emit, std::string_view op, Value x, const Sizes& dims) {
  for (const std::int64_t dim : dims) {
    Sizes sizes = x.tensor.sizes;
    sizes[static_cast<std::size_t>(dim)] = 1;
    x = emit.op(op, {x}, withSizes(x.tensor, sizes), "axis = " + std::to_string(dim) + " : i32");
  }
  return x;
}

Value reduceMax(OpBuilder& emit, const Value& x, const Sizes& dims) {
  if (x.tensor.isBool()) return reduce(emit, "tosa.reduce_any", x, dims);
  return reduceExtreme(emit, "tosa.reduce_max", x, dims, -HUGE_VAL);
}

Value reduceMin(OpBuilder& emit, const Value& x, const Sizes& dims) {
  if (x.tensor.isBool()) return reduce(emit, "tosa.reduce_all", x, dims);
  return reduceExtreme(emit, "tosa.reduce_min", x, dims, HUGE_VAL);
}

Value positions(OpBuilder& emit, const Value& x, std::int64_t dim, Extreme extreme) {
  const Value keys = ordered(emit, x, extreme);
  Sizes sizes = x.tensor.sizes;
  sizes.eraseAt(dim);
  const std::string attributes = "axis = " + std::to_string(dim) + " : i32";
  Value found = emit.op("tosa.argmax", {keys}, {sizes, "i64"}, attributes);
  if (!x.tensor.isFloat()) return found;
  // NaN is handled separately: the lowering of tosa.argmax need not return the first NaN.
  const Value isNan = cast(emit, compare(emit, "ne", x, x), DType::Bool, DType::Int8);
  const Value firstNan = emit.op("tosa.argmax", {isNan}, {sizes, "i64"}, attributes);
  const Value hasNan =
      dropDim(emit, reduce(emit, "tosa.reduce_any", compare(emit, "ne", x, x), {dim}), dim);
  return select(emit, hasNan, firstNan, found);
}

Value atLeast1d(OpBuilder& emit, const Value& x) {
  return x.tensor.rank() == 0 ? reshape(emit, x, {1}) : x;
}

}  // namespace fxs::registry::tosa
