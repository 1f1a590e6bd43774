// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element type conversions, embeddings, ranges.

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

/// weight[indices]: rows of a matrix.
Handled embedding(Call& call) {
  FXS_TAKE(weight, call.operand("weight"));
  FXS_TAKE(indices, call.operand("indices"));
  FXS_TAKE(result, call.result());
  if (weight.tensor.rank() != 2)
    return refuse("the weight of an embedding must have two dimensions");
  OpBuilder& emit = call.emit;
  const std::int64_t count = indices.tensor.elements();
  const Sizes& sizes = weight.tensor.sizes;
  const Value table = reshape(emit, weight, {1, sizes[0], sizes[1]});
  const Value rows = emit.op("tosa.gather", {table, reshape(emit, indices, {1, count})},
                             withSizes(weight.tensor, {1, count, sizes[1]}));
  return Values{reshape(emit, rows, result.sizes)};
}

/// start + i * step, computed in integers or in f64 as PyTorch does, then given the type of the
/// result.
Handled numbers(Call& call, const Scalar& start, const Scalar& step) {
  FXS_TAKE(result, call.result());
  const DType dtype = call.resultDtype();
  const bool whole = isWhole(dtype) && std::holds_alternative<std::int64_t>(start) &&
                     std::holds_alternative<std::int64_t>(step);
  OpBuilder& emit = call.emit;
  if (result.elements() <= kWrittenOut) {
    std::vector<Scalar> values;
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      // Wraps, as PyTorch's integers do.
      if (whole)
        values.emplace_back(static_cast<std::int64_t>(
            static_cast<std::uint64_t>(std::get<std::int64_t>(start)) +
            static_cast<std::uint64_t>(i) *
                static_cast<std::uint64_t>(std::get<std::int64_t>(step))));
      else values.push_back(numberOf(realOf(start) + static_cast<double>(i) * realOf(step), dtype));
    }
    return Values{emit.constant(result, values)};
  }
  const DType computed = whole ? DType::Int64 : DType::Float64;
  const std::string type = elementOf(computed);
  const TensorType counted{result.sizes, type};
  const Value out =
      loop(emit, {"p", {"d0"}}, {}, emptyTensor(emit, counted), [&](std::span<const Value>) {
        Value i = element(emit, "arith.index_cast", {loopIndex(emit, 0)}, "i64");
        if (!whole) i = element(emit, "arith.sitofp", {i}, type);
        const Value product = element(emit, whole ? "arith.muli" : "arith.mulf",
                                      {i, emit.scalar(type, numberOf(step, computed))});
        return Values{element(emit, whole ? "arith.addi" : "arith.addf",
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
  addTosa(registries, {"IotaOp", "ArangeStartStepOp"}, iota, kAnySign);
  registries.anySizes("tosa", {"ConvertElementTypeOp"});
}

}  // namespace fxs::registry
