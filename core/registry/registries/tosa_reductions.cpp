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

Values splat(Call& call, const Rows& rows, Scalar value) { return {call.emit.splat(rows.result, numberOf(value, rows.given))}; }

Handled sum(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  if (rows.count == 0) return splat(call, rows, std::int64_t{0});
  return Values{finished(call, reduce(call.emit, rows.x.tensor.isBool() ? "tosa.reduce_any" : "tosa.reduce_sum", rows.x, rows.dims), rows)};
}

Value meanOf(Call& call, const Rows& rows) {
  const Value total = reduce(call.emit, "tosa.reduce_sum", rows.x, rows.dims);
  return mul(call.emit, total, number(call.emit, total, 1.0 / static_cast<double>(rows.count)));
}

Handled mean(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  if (rows.count == 0) return splat(call, rows, std::nan(""));
  return Values{finished(call, meanOf(call, rows), rows)};
}

/// The sum of squared differences from the mean over (count - correction), and the mean. If count <= correction, infinite, or NaN if the
/// differences are 0.
std::pair<Value, Value> varianceAndMean(Call& call, const Rows& rows, double correction) {
  OpBuilder& emit = call.emit;
  const Value average = meanOf(call, rows);
  const Value difference = sub(emit, rows.x, average);
  const Value total = reduce(emit, "tosa.reduce_sum", mul(emit, difference, difference), rows.dims);
  const double divisor = static_cast<double>(rows.count) - correction;
  return {mul(emit, total, number(emit, total, divisor > 0 ? 1.0 / divisor : HUGE_VAL)), average};
}

/// The correction, from `correction`, `unbiased`, or the default.
tl::expected<double, Refusal> correctionOf(Call& call) {
  if (call.has("correction")) {
    FXS_TAKE(correction, call.number("correction"));
    return realOf(correction);
  }
  if (!call.has("unbiased")) return 1.0;
  FXS_TAKE(unbiased, call.flag("unbiased"));
  return unbiased ? 1.0 : 0.0;
}

Handled varMean(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  FXS_TAKE(correction, correctionOf(call));
  if (rows.count == 0) return Values{splat(call, rows, std::nan(""))[0], splat(call, rows, std::nan(""))[0]};
  const auto [variance, average] = varianceAndMean(call, rows, correction);
  return Values{finished(call, variance, rows), finished(call, average, rows)};
}

Handled variance(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  FXS_TAKE(correction, correctionOf(call));
  if (rows.count == 0) return splat(call, rows, std::nan(""));
  return Values{finished(call, varianceAndMean(call, rows, correction).first, rows)};
}

Handled deviation(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  FXS_TAKE(correction, correctionOf(call));
  if (rows.count == 0) return splat(call, rows, std::nan(""));
  return Values{finished(call, unary(call.emit, "math.sqrt", varianceAndMean(call, rows, correction).first), rows)};
}

Handled extreme(Call& call, Value (*reduced)(OpBuilder&, const Value&, const Sizes&)) {
  FXS_TAKE(rows, rowsOf(call, call.resultDtype()));
  if (rows.count == 0) return refuse("an empty tensor has no minimum or maximum");
  return Values{finished(call, reduced(call.emit, rows.x, rows.dims), rows)};
}
Handled amax(Call& call) { return extreme(call, reduceMax); }
Handled amin(Call& call) { return extreme(call, reduceMin); }

Handled product(Call& call) {
  FXS_TAKE(rows, rowsOf(call, ops::computationType(call.resultDtype())));
  if (rows.count == 0) return splat(call, rows, std::int64_t{1});
  return Values{
      finished(call, reduce(call.emit, rows.x.tensor.isBool() ? "tosa.reduce_all" : "tosa.reduce_product", rows.x, rows.dims), rows)};
}

Handled truth(Call& call, std::string_view op, bool ofNothing) {
  FXS_TAKE(rows, rowsOf(call, DType::Bool));
  if (rows.count == 0) return splat(call, rows, ofNothing);
  return Values{finished(call, reduce(call.emit, op, rows.x, rows.dims), rows)};
}
Handled all(Call& call) { return truth(call, "tosa.reduce_all", true); }
Handled any(Call& call) { return truth(call, "tosa.reduce_any", false); }

}  // namespace

void registerTosaReductions(Registries& registries) {
  using namespace tosa;
  const OperandSupport everything{.unsignedElements = true, .emptyTensors = true};
  const OperandSupport empty{.emptyTensors = true};
  for (const std::string_view opClass : {"SumDimOp", "SumDefaultOp"}) addTosa(registries, opClass, sum, everything);
  for (const std::string_view opClass : {"MeanOp", "MeanDefaultOp"}) addTosa(registries, opClass, mean, everything);
  addTosa(registries, "VarMeanOp", varMean, empty);
  for (const std::string_view opClass : {"VarCorrectionOp", "VarDimOp", "VarDefaultOp"}) addTosa(registries, opClass, variance, empty);
  for (const std::string_view opClass : {"StdCorrectionOp", "StdDimOp", "StdDefaultOp"}) addTosa(registries, opClass, deviation, empty);
  addTosa(registries, "AmaxOp", amax, empty);
  addTosa(registries, "AminOp", amin, empty);
  addTosa(registries, "ProdOp", product, everything);
  for (const std::string_view opClass : {"AllOp", "AllDimsOp"}) addTosa(registries, opClass, all, everything);
  for (const std::string_view opClass : {"AnyOp", "AnyDimsOp"}) addTosa(registries, opClass, any, everything);
}

}  // namespace fxs::registry
