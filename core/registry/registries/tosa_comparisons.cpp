// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and classification: NaN, infinite, negative.
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

Handled compared(Call& call, std::string_view relation) {
  FXS_TAKE(dtype, commonType(call, {"self", "other"}));
  if (isComplex(dtype))
    return refuse("TOSA does not support element type " + std::string(facts(dtype).torchName));
  FXS_TAKE(self, operandAs(call, "self", dtype));
  FXS_TAKE(other, operandAs(call, "other", dtype));
  return Values{compare(call.emit, relation, self, other, isUnsigned(dtype))};
}

Handled isNan(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!x.tensor.isFloat()) return Values{call.emit.splat(result, false)};
  return Values{compare(call.emit, "ne", x, x)};
}

Handled isInf(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  if (!x.tensor.isFloat()) return Values{call.emit.splat(result, false)};
  return Values{
      compare(call.emit, "eq", unary(call.emit, "tosa.abs", x), number(call.emit, x, HUGE_VAL))};
}

/// The sign bit, which is also set for -0.0 and some NaNs.
Handled signBit(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(result, call.result());
  const DType dtype = call.dtypeOf(call.argument("self"));
  if (isUnsigned(dtype) || dtype == DType::Bool) return Values{call.emit.splat(result, false)};
  Value bits = x;
  if (x.tensor.isFloat())
    bits = call.emit.op("arith.bitcast", {x},
                        withElement(x.tensor, "i" + std::to_string(8 * facts(dtype).bytes)));
  return Values{compare(call.emit, "lt", bits, number(call.emit, bits, std::int64_t{0}))};
}

}  // namespace

void registerTosaComparisons(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"EqTensorOp"}, with(compared, "eq"), kAnySign);
  addTosa(registries, {"NeTensorOp", "NeScalarOp"}, with(compared, "ne"), kAnySign);
  addTosa(registries, {"GtTensorOp", "GtOp"}, with(compared, "gt"), kAnySign);
  addTosa(registries, {"GeTensorOp"}, with(compared, "ge"), kAnySign);
  addTosa(registries, {"LtTensorOp", "LtScalarOp"}, with(compared, "lt"), kAnySign);
  addTosa(registries, {"LeTensorOp", "LeScalarOp"}, with(compared, "le"), kAnySign);
  addTosa(registries, {"IsNanOp"}, isNan, kAnySign);
  addTosa(registries, {"IsInfOp"}, isInf, kAnySign);
  addTosa(registries, {"SignbitOp"}, signBit, kAnySign);
  registries.anySizes("tosa", {"EqTensorOp", "NeTensorOp", "NeScalarOp", "GtTensorOp", "GtOp",
                               "GeTensorOp", "LtTensorOp", "LtScalarOp", "LeTensorOp", "LeScalarOp",
                               "IsNanOp", "IsInfOp", "SignbitOp"});
}

}  // namespace fxs::registry
