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
  return Values{call.emit.splat(result, numberOf(value, call.resultDtype()), "arith.constant")};
}

Handled ones(Call& call) { return constant(call, std::int64_t{1}); }
Handled full(Call& call) {
  FXS_TAKE(value, call.number("fill_value"));
  return constant(call, value);
}
Handled scalarTensor(Call& call) {
  FXS_TAKE(value, call.number("s"));
  return constant(call, value);
}

/// The contents of empty tensors are unspecified; zeros are deterministic.
Handled emptyTensor(Call& call) { return constant(call, std::int64_t{0}); }

/// start + i * step, in the type that PyTorch computes the range in.
Handled range(Call& call, const Scalar& start, const Scalar& step) {
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  if (!isArithmetic(dtype) || dtype == DType::Bool) return refuse("a range of " + result.element + " is not supported");
  const DType compute = isFloating(dtype) ? DType::Float64 : DType::Int64;
  const Arith arith(call.emit, compute);
  return Values{generate(call.emit, result, [&](Elements indices) {
    const Value i = convert(call.emit, fromIndex(call.emit, indices[0], "i64"), DType::Int64, compute);
    const Value value = arith.add(arith.constant(numberOf(start, compute)), arith.mul(i, arith.constant(numberOf(step, compute))));
    return convert(call.emit, value, compute, dtype);
  })};
}

Handled arange(Call& call) {
  Scalar start = std::int64_t{0}, step = std::int64_t{1};
  if (call.has("start")) {
    FXS_TAKE(given, call.number("start"));
    start = given;
  }
  if (call.has("step")) {
    FXS_TAKE(given, call.number("step"));
    step = given;
  }
  return range(call, start, step);
}

Handled iota(Call& call) {
  FXS_TAKE(start, call.number("start"));
  FXS_TAKE(step, call.number("step"));
  return range(call, start, step);
}

}  // namespace

void registerLinalgMake(Registries& registries) {
  const auto add = [&](std::string_view opClass, Handler handler) { registries.add("linalg", opClass, handler); };
  add("OnesOp", ones);
  add("FullOp", full);
  add("ScalarTensorOp", scalarTensor);
  add("EmptyOp", emptyTensor);
  add("NewEmptyStridedOp", emptyTensor);
  add("ArangeOp", arange);
  add("ArangeStartStepOp", arange);
  add("IotaOp", iota);
}

}  // namespace fxs::registry
