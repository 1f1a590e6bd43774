// Sums, differences, products and quotients, with PyTorch's promotion: the program says the type of the result, and operands are
// converted to it first.
#include "registry/tosa/casts.h"
#include "registry/tosa/numbers.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/takes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

bool isOne(const Scalar& value) { return value == Scalar(std::int64_t{1}) || value == Scalar(1.0); }

/// self + alpha * other, or with a minus, each step rounded to the type of the result.
Handled sum(Call& call, Value (*combine)(Emitter&, const Value&, const Value&)) {
  const DType dtype = call.resultDtype();
  FXS_TAKE(alpha, call.number("alpha"));
  FXS_TAKE(self, operandAs(call, "self", dtype));
  FXS_TAKE(other, operandAs(call, "other", dtype));
  if (isOne(alpha)) return Values{combine(call.emit, self, other)};
  return Values{combine(call.emit, self, mul(call.emit, other, number(call.emit, other, numberOf(alpha, dtype))))};
}

Handled addTensors(Call& call) { return sum(call, add); }
Handled subtract(Call& call) { return sum(call, sub); }

Handled multiply(Call& call) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{mul(call.emit, self, other)};
}

Handled quotient(Call& call) {
  FXS_TAKE(self, operandAs(call, "self", call.resultDtype()));
  FXS_TAKE(other, operandAs(call, "other", call.resultDtype()));
  return Values{divide(call.emit, self, other)};
}

}  // namespace

void registerTosaArithmetic(Registries& registries) {
  using namespace tosa;
  const Takes anySign{.unsignedElements = true};
  addTosa(registries, "AddOp", addTensors, anySign);
  addTosa(registries, "AddScalarOp", addTensors, anySign);
  addTosa(registries, "SubOp", subtract, anySign);
  addTosa(registries, "SubScalarOp", subtract, anySign);
  addTosa(registries, "MulOp", multiply, anySign);
  addTosa(registries, "DivOp", quotient, anySign);
  addTosa(registries, "DivScalarOp", quotient, anySign);
}

}  // namespace fxs::registry
