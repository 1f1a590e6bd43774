// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element type conversions, reads by index, ranges.
#include "registry/numbers.h"
#include "registry/tosa/casts.h"
#include "registry/tosa/loops.h"
#include "registry/tosa/operand_support.h"
#include "registry/tosa/shapes.h"

namespace fxs::registry {
namespace {
using namespace tosa;

// Longer ranges are computed, to keep the text small.
constexpr std::int64_t kWrittenOut = 1024;

Handled convert(Call& call) {
  const fx::Argument argument = call.argument("a");
  FXS_TAKE(x, call.operandOf(argument));
  return Values{cast(call.emit, x, call.dtypeOf(argument), call.resultDtype())};
}

/// The slices of x along `dim` at the indices.
Handled picked(Call& call, const Value& x, std::int64_t dim, const Value& indices) {
  FXS_TAKE(result, call.result());
  if (x.tensor.isBool()) return refuse("tosa.gather does not support bool");
  Sizes line{1, x.tensor.sizes[static_cast<std::size_t>(dim)], 1};
  for (std::int64_t d = 0; d < x.tensor.rank(); ++d)
    if (d != dim) {
      std::int64_t& side = line[d < dim ? 0 : 2];
      side = times(side, x.tensor.sizes[static_cast<std::size_t>(d)]);
    }
  OpBuilder& emit = call.emit;
  const std::int64_t count = indices.tensor.elements();
  const Value index = tile(emit, reshape(emit, indices, {1, count}), {line[0], 1});
  const Value slices = emit.op("tosa.gather", {reshape(emit, x, line), index},
                               withSizes(x.tensor, {line[0], count, line[2]}));
  return Values{reshape(emit, slices, result.sizes)};
}

Handled embedding(Call& call) {
  FXS_TAKE(weight, call.operand("weight"));
  FXS_TAKE(indices, call.operand("indices"));
  if (weight.tensor.rank() != 2)
    return refuse("the weight of an embedding must have two dimensions");
  return picked(call, weight, 0, indices);
}

Handled indexSelect(Call& call) {
  FXS_TAKE(x, call.operand("self"));
  FXS_TAKE(dim, call.dim("dim", x.tensor.rank()));
  FXS_TAKE(indices, call.operand("index"));
  if (x.tensor.rank() == 0) return refuse("a scalar has no dimension to select from");
  return picked(call, x, dim, indices);
}

/// start + i * step, computed in integers or in f64 as PyTorch does, then given the type of the
/// result.
Handled numbers(Call& call, const Scalar& start, const Scalar& step) {
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  const bool isInteger = isIntegerOrBool(dtype) && std::holds_alternative<std::int64_t>(start) &&
                         std::holds_alternative<std::int64_t>(step);
  OpBuilder& emit = call.emit;
  if (result.elements() <= kWrittenOut) {
    std::vector<Scalar> values;
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      // Wraps, as PyTorch's integers do.
      if (isInteger)
        values.emplace_back(static_cast<std::int64_t>(
            static_cast<std::uint64_t>(std::get<std::int64_t>(start)) +
            static_cast<std::uint64_t>(i) *
                static_cast<std::uint64_t>(std::get<std::int64_t>(step))));
      else values.push_back(numberOf(realOf(start) + static_cast<double>(i) * realOf(step), dtype));
    }
    return Values{emit.constant(result, values)};
  }
  const DType computed = isInteger ? DType::Int64 : DType::Float64;
  const std::string type = elementOf(computed);
  const TensorType counted{result.sizes, type};
  const Value out =
      loop(emit, {"p", {"d0"}}, {}, emptyTensor(emit, counted), [&](std::span<const Value>) {
        Value i = element(emit, "arith.index_cast", {loopIndex(emit, 0)}, "i64");
        if (!isInteger) i = element(emit, "arith.sitofp", {i}, type);
        const Value product = element(emit, isInteger ? "arith.muli" : "arith.mulf",
                                      {i, emit.scalar(type, numberOf(step, computed))});
        return Values{element(emit, isInteger ? "arith.addi" : "arith.addf",
                              {product, emit.scalar(type, numberOf(start, computed))})};
      });
  return Values{cast(emit, out, computed, dtype)};
}

Handled iota(Call& call) {
  FXS_TAKE(start, call.number("start"));
  FXS_TAKE(step, call.number("step"));
  return numbers(call, start, step);
}

}  // namespace

void registerTosaConversions(Registries& registries) {
  using namespace tosa;
  addTosa(registries, {"ConvertElementTypeOp"}, convert, kAnySign);
  addTosa(registries, {"EmbeddingOp"}, embedding, kAnySign);
  addTosa(registries, {"IndexSelectOp"}, indexSelect, kAnySign);
  addTosa(registries, {"IotaOp", "ArangeStartStepOp"}, iota, kAnySign);
  registries.anySizes("tosa", {"ConvertElementTypeOp"});
}

}  // namespace fxs::registry
