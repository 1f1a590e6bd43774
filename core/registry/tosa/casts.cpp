// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/tosa/casts.h"

#include "registry/numbers.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry::tosa {

Value cast(OpBuilder& emit, const Value& x, DType from, DType to) {
  const std::string element = elementOf(to);
  const TensorType type = withElement(x.tensor, element);
  if (to == from || (x.tensor.element == element && to != DType::Bool)) return x;
  // MLIR folds tosa.cast of a constant as if i1 had a sign: true becomes -1.0, and 1.0 false.
  if (to == DType::Bool)
    return compare(emit, "ne", x, number(emit, x, numberOf(std::int64_t{0}, from)));
  if (from == DType::Bool)
    return emit.op(isFloating(to) ? "arith.uitofp" : "arith.extui", {x}, type);
  if (isFloating(from) && isIntegral(to)) {
    // tosa.cast rounds and saturates, but negative numbers must wrap in unsigned types: convert
    // through i64.
    if (!isUnsigned(to) || to == DType::UInt64) return emit.op("arith.fptosi", {x}, type);
    return emit.op("arith.trunci", {emit.op("arith.fptosi", {x}, withElement(x.tensor, "i64"))},
                   type);
  }
  if (isIntegral(from) && isIntegral(to) && facts(to).bytes < facts(from).bytes)
    return emit.op("arith.trunci", {x}, type);
  if (isUnsigned(from)) return emit.op(isFloating(to) ? "arith.uitofp" : "arith.extui", {x}, type);
  return emit.op("tosa.cast", {x}, type);
}

tl::expected<Value, Refusal> operandAs(Call& call, std::string_view name, DType dtype) {
  const fx::Argument argument = call.argument(name);
  if (argument.node() != nullptr) {
    FXS_TAKE(x, call.operandOf(argument));
    return cast(call.emit, x, call.dtypeOf(argument), dtype);
  }
  FXS_TAKE(number, call.number(name));
  FXS_TAKE(result, call.result());
  return call.emit.splat({ones(result.rank()), elementOf(dtype)}, numberOf(number, dtype));
}

DType computedType(const Call& call) { return ops::computationType(call.resultDtype()); }

tl::expected<Value, Refusal> computedOperand(Call& call, std::string_view name) {
  return operandAs(call, name, computedType(call));
}

Values asResult(Call& call, const Value& value) {
  return {cast(call.emit, value, computedType(call), call.resultDtype())};
}

}  // namespace fxs::registry::tosa
