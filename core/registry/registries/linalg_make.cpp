// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors created from numbers: full, ones, arange, sizes.
#include "registry/linalg/arith.h"
#include "registry/linalg/loops.h"
#include "registry/numbers.h"
#include "registry/registry.h"

namespace fxs::registry {
namespace {
using namespace linalg;

Handled constant(Call& call, const Scalar& value) {
  FXS_TAKE(result, call.result());
  if (!result.isStatic())
    return Values{filled(call.emit, result,
                         call.emit.scalar(result.element, numberOf(value, call.resultDtype())))};
  return Values{call.emit.splat(result, numberOf(value, call.resultDtype()), "arith.constant")};
}

Handled constantOf(Call& call, std::string_view name) {
  FXS_TAKE(value, call.number(name));
  return constant(call, value);
}

/// start + i * step, in the type that PyTorch computes the range in.
Handled range(Call& call, const Scalar& start, const Scalar& step) {
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  if (!isArithmetic(dtype) || dtype == DType::Bool)
    return refuse("a range of " + result.element + " is not supported");
  const DType compute = isFloating(dtype) ? DType::Float64 : DType::Int64;
  const Arith arith(call.emit, compute);
  return Values{generate(call.emit, result, [&](Elements indices) {
    const Value i =
        convert(call.emit, fromIndex(call.emit, indices[0], "i64"), DType::Int64, compute);
    const Value value = arith.add(arith.constant(numberOf(start, compute)),
                                  arith.mul(i, arith.constant(numberOf(step, compute))));
    return convert(call.emit, value, compute, dtype);
  })};
}

Handled arange(Call& call) {
  FXS_TAKE(start, call.numberOr(std::int64_t{0}, "start"));
  FXS_TAKE(step, call.numberOr(std::int64_t{1}, "step"));
  return range(call, start, step);
}

}  // namespace

void registerLinalgMake(Registries& registries) {
  registries.add("linalg", {"OnesOp"}, with(constant, std::int64_t{1}));
  registries.add("linalg", {"FullOp"}, with(constantOf, "fill_value"));
  registries.add("linalg", {"ScalarTensorOp"}, with(constantOf, "s"));
  // The contents of empty tensors are unspecified; zeros are deterministic.
  registries.add("linalg", {"EmptyOp", "NewEmptyStridedOp"}, with(constant, std::int64_t{0}));
  registries.add("linalg", {"ArangeOp", "ArangeStartStepOp", "IotaOp"}, arange);
  registries.anySizes("linalg", {"OnesOp", "FullOp", "ScalarTensorOp", "EmptyOp",
                                 "NewEmptyStridedOp", "ArangeOp", "ArangeStartStepOp", "IotaOp"});
}

}  // namespace fxs::registry
