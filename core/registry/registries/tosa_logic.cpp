// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logical and bitwise operators.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"

namespace fxs::registry {
namespace {
using namespace tosa;

/// Any value but 0 is true.
Handled logical(Call& call, std::string_view op) {
  FXS_TAKE(self, operandAs(call, "self", DType::Bool));
  FXS_TAKE(other, operandAs(call, "other", DType::Bool));
  return Values{
      cast(call.emit, binary(call.emit, op, self, other), DType::Bool, call.resultDtype())};
}

Handled inverted(Call& call) {
  FXS_TAKE(x, operandAs(call, "self", DType::Bool));
  return Values{cast(call.emit, logicalNot(call.emit, x), DType::Bool, call.resultDtype())};
}

/// "and", "or", "xor" of tosa.bitwise_* and tosa.logical_*.
Handled bitwise(Call& call, std::string_view name) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(self, operandAs(call, "self", dtype));
  FXS_TAKE(other, operandAs(call, "other", dtype));
  return Values{binary(
      call.emit, (dtype == DType::Bool ? "tosa.logical_" : "tosa.bitwise_") + std::string(name),
      self, other)};
}

Handled bitwiseNot(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  return Values{unary(call.emit, x.tensor.isBool() ? "tosa.logical_not" : "tosa.bitwise_not", x)};
}

struct Shifted {
  Value self, amount;
  DType dtype;
  std::int64_t bits;
};

tl::expected<Shifted, Refusal> shifted(Call& call) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(self, operandAs(call, "self", dtype));
  FXS_TAKE(amount, operandAs(call, "other", dtype));
  if (!isIntegral(dtype)) return refuse("only integers can be shifted");
  return Shifted{self, amount, dtype, std::int64_t{8} * facts(dtype).bytes};
}

/// A shift by a negative amount or by the width or more gives 0.
Handled shiftLeft(Call& call) {
  FXS_TAKE(s, shifted(call));
  OpBuilder& emit = call.emit;
  const Value isBeyond = compare(emit, "ge", s.amount, number(emit, s.amount, s.bits), true);
  return Values{select(emit, isBeyond, number(emit, s.self, std::int64_t{0}),
                       tensorOp(emit, "arith.shli", {s.self, s.amount}))};
}

Handled shiftRight(Call& call) {
  FXS_TAKE(s, shifted(call));
  OpBuilder& emit = call.emit;
  const Value isBeyond = compare(emit, "ge", s.amount, number(emit, s.amount, s.bits), true);
  if (isUnsigned(s.dtype))
    return Values{select(emit, isBeyond, number(emit, s.self, std::int64_t{0}),
                         tensorOp(emit, "arith.shrui", {s.self, s.amount}))};
  const Value amount = select(emit, isBeyond, number(emit, s.amount, s.bits - 1), s.amount);
  return Values{tensorOp(emit, "arith.shrsi", {s.self, amount})};
}

}  // namespace

void registerTosaLogic(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"LogicalAndOp"}, with(logical, "tosa.logical_and"), kAnySign);
  addTosa(registries, {"LogicalOrOp"}, with(logical, "tosa.logical_or"), kAnySign);
  addTosa(registries, {"LogicalXorOp"}, with(logical, "tosa.logical_xor"), kAnySign);
  addTosa(registries, {"LogicalNotOp"}, inverted, kAnySign);
  addTosa(registries, {"BitwiseAndTensorOp", "BitwiseAndScalarOp"}, with(bitwise, "and"), kAnySign);
  addTosa(registries, {"BitwiseOrOp", "BitwiseOrScalarOp"}, with(bitwise, "or"), kAnySign);
  addTosa(registries, {"BitwiseXorOp", "BitwiseXorScalarOp"}, with(bitwise, "xor"), kAnySign);
  addTosa(registries, {"BitwiseNotOp"}, bitwiseNot, kAnySign);
  addTosa(registries, {"BitwiseLeftShiftOp"}, shiftLeft, kAnySign);
  addTosa(registries, {"BitwiseRightShiftOp"}, shiftRight, kAnySign);
  registries.anySizes(
      "tosa", {"LogicalAndOp", "LogicalOrOp", "LogicalXorOp", "LogicalNotOp", "BitwiseAndTensorOp",
               "BitwiseAndScalarOp", "BitwiseOrOp", "BitwiseOrScalarOp", "BitwiseXorOp",
               "BitwiseXorScalarOp", "BitwiseNotOp", "BitwiseLeftShiftOp", "BitwiseRightShiftOp"});
}

}  // namespace fxs::registry
