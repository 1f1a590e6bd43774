// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions: sum, mean, variance, extrema, product, all and any.
#include <cmath>

#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/pointwise.h"
#include "registry/tosa/reductions.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

/// A reduction's operand, of rank at least 1, in the computation type, and the reduced dimensions.
struct Rows {
  Value x;
  Sizes dims;
  TensorType result;
  DType computed, given;
  std::int64_t count;  // elements in a row
};

tl::expected<Rows, Refusal> rowsOf(Call& call, DType computed) {
  FXS_TAKE(given, call.operand("self"));
  FXS_TAKE(result, call.result());
  FXS_TAKE(dims, dimsOf(call, "dim", given.tensor.rank()));
  const std::int64_t count = elementsIn(given.tensor.sizes, dims);
  if (count == 0) return Rows{given, dims, result, computed, call.resultDtype(), count};
  FXS_TAKE(x, operandAs(call, "self", computed));
  return Rows{atLeast1d(call.emit, x), dims, result, computed, call.resultDtype(), count};
}

/// Converts to the recorded shape and type.
Value finished(Call& call, const Value& reduced, const Rows& rows) {
  return cast(call.emit, reshape(call.emit, reduced, rows.result.sizes), rows.computed, rows.given);
}

Values splat(Call& call, const Rows& rows, Scalar value) {
  return {call.emit.splat(rows.result, numberOf(value, rows.given))};
}

/// A sum or a product; of bool, any or all. `ofNothing`: of an empty row.
Handled folded(Call& call, std::string_view op, std::string_view ofBool, std::int64_t ofNothing) {
  FXS_TAKE(rows, rowsOf(call, computedType(call)));
  if (rows.count == 0) return splat(call, rows, ofNothing);
  return Values{finished(
      call, reduce(call.emit, rows.x.tensor.isBool() ? ofBool : op, rows.x, rows.dims), rows)};
}

Value meanOf(Call& call, const Rows& rows) {
  const Value total = reduce(call.emit, "tosa.reduce_sum", rows.x, rows.dims);
  return mul(call.emit, total, number(call.emit, total, 1.0 / static_cast<double>(rows.count)));
}

Handled mean(Call& call) {
  FXS_TAKE(rows, rowsOf(call, computedType(call)));
  if (rows.count == 0) return splat(call, rows, std::nan(""));
  return Values{finished(call, meanOf(call, rows), rows)};
}

/// The sum of squared differences from the mean over (count - correction), and the mean. If count
/// <= correction, infinite, or NaN if the differences are 0.
Handled varMean(Call& call) {
  FXS_TAKE(rows, rowsOf(call, computedType(call)));
  FXS_TAKE(correction, call.numberOr(1.0, "correction"));
  if (rows.count == 0)
    return Values{splat(call, rows, std::nan(""))[0], splat(call, rows, std::nan(""))[0]};
  OpBuilder& emit = call.emit;
  const Value average = meanOf(call, rows);
  const Value difference = sub(emit, rows.x, average);
  const Value total = reduce(emit, "tosa.reduce_sum", mul(emit, difference, difference), rows.dims);
  const double divisor = static_cast<double>(rows.count) - realOf(correction);
  const Value variance =
      mul(emit, total, number(emit, total, divisor > 0 ? 1.0 / divisor : HUGE_VAL));
  return Values{finished(call, variance, rows), finished(call, average, rows)};
}

Handled extremeAlong(Call& call, Value (*reduced)(OpBuilder&, const Value&, const Sizes&)) {
  FXS_TAKE(rows, rowsOf(call, call.resultDtype()));
  if (rows.count == 0) return refuse("an empty tensor has no minimum or maximum");
  return Values{finished(call, reduced(call.emit, rows.x, rows.dims), rows)};
}

Handled truth(Call& call, std::string_view op, bool ofNothing) {
  FXS_TAKE(rows, rowsOf(call, DType::Bool));
  if (rows.count == 0) return splat(call, rows, ofNothing);
  return Values{finished(call, reduce(call.emit, op, rows.x, rows.dims), rows)};
}

}  // namespace

void registerTosaReductions(Registries& registries) {
  using namespace tosa;
  const OperandSupport empty{.emptyTensors = true};
  addTosa(registries, {"SumDimOp", "SumDefaultOp"},
          with(folded, "tosa.reduce_sum", "tosa.reduce_any", 0), kAnyOperand);
  addTosa(registries, {"MeanOp", "MeanDefaultOp"}, mean, kAnyOperand);
  addTosa(registries, {"VarMeanOp"}, varMean, empty);
  addTosa(registries, {"AmaxOp"}, with(extremeAlong, reduceMax), empty);
  addTosa(registries, {"AminOp"}, with(extremeAlong, reduceMin), empty);
  addTosa(registries, {"ProdOp"}, with(folded, "tosa.reduce_product", "tosa.reduce_all", 1),
          kAnyOperand);
  addTosa(registries, {"AllOp", "AllDimsOp"}, with(truth, "tosa.reduce_all", true), kAnyOperand);
  addTosa(registries, {"AnyOp", "AnyDimsOp"}, with(truth, "tosa.reduce_any", false), kAnyOperand);
  registries.anySizes("tosa",
                      {"SumDimOp", "SumDefaultOp", "MeanOp", "MeanDefaultOp", "VarMeanOp", "AmaxOp",
                       "AminOp", "ProdOp", "AllOp", "AllDimsOp", "AnyOp", "AnyDimsOp"});
}

}  // namespace fxs::registry
