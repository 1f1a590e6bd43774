// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of writes to a part of a tensor, of fills, and
// of other shapes, checked against PyTorch operation by operation.
#include <algorithm>
#include <cstdint>

#include "rewrite/default_parts.h"
#include "rewrite/rule.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

Results selectScatter(Emitter& e) {
  const Tensor x = e.tensor("self"), source = e.tensor("src");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  std::int64_t index = e.integer("index");
  e.require(source.dtype() == x.dtype());
  if (index < 0) index += e.fixed(x, dim);
  const Size size = e.size(x, dim);
  const Tensor isWritten = e.compare("eq", e.along(e.arange(size), size, dim, x.rank()), index);
  const Tensor values = expanded(e, e.unsqueeze(source, dim), e.sizes(x));
  return one(e.op("aten.where.self", {isWritten.value, values.value, x.value}, e.result()));
}

Results filledByTensor(Emitter& e) {
  const Tensor x = e.tensor("self"), value = e.tensor("value");
  return one(e.op("aten.copy.default", {x.value, value.value}, e.result()));
}

Results filledByNumber(Emitter& e) {
  const Tensor x = e.tensor("self");
  return one(e.op("aten.full_like.default",
                  {x.value, e.argument("value"), fx::None{}, fx::None{}, fx::None{}, false},
                  e.result()));
}

Results detached(Emitter& e) {
  return one(e.op("aten.alias.default", {e.tensor("self").value}, e.result()));
}

/// The smallest type of those in which PyTorch counts rows and columns.
DType countingType(std::int64_t most) {
  if (most <= UINT8_MAX) return DType::UInt8;
  if (most <= UINT16_MAX) return DType::UInt16;
  return most <= INT32_MAX ? DType::Int32 : DType::Int64;
}

Results identity(Emitter& e) {
  const bool isSquare = e.matched().target == "aten.eye.default";
  const std::int64_t rows = e.integer("n"), columns = e.integer(isSquare ? "n" : "m");
  const fx::TensorMeta result = e.result();
  const DType dtype = countingType(std::max(rows, columns));
  const auto range = [&](std::int64_t end) {
    return e.op(
        "aten.arange.start_step",
        {std::int64_t{0}, end, std::int64_t{1}, dtype, Layout::Strided, result.device, false},
        dtype, {fx::SymInt(end)});
  };
  const Tensor row = e.unsqueeze(range(rows), 1), column = range(columns);
  return one(e.cast(e.compare("eq", row, column), result.dtype));
}

Results broadcast(Emitter& e) {
  const std::vector<Tensor> operands = e.tensors("tensors");
  const fx::ValueList* results = e.matched().val.list();
  e.require(results != nullptr && results->size() == operands.size() && !operands.empty());
  Sizes shape;
  std::vector<fx::SymInt> all;
  for (const Tensor& operand : operands) all = e.broadcastSizes(all, operand.meta.sizes);
  for (std::size_t d = 0; d < all.size(); ++d) {
    const auto has = [&](const Tensor& x) {
      return x.rank() + d >= all.size() && x.meta.sizes[x.rank() + d - all.size()] == all[d];
    };
    const auto found = std::ranges::find_if(operands, has);
    e.require(found != operands.end());
    shape.push_back(e.size(*found, found->rank() + d - all.size()));
  }
  std::vector<fx::Argument> out;
  for (const Tensor& operand : operands) out.push_back(e.expand(operand, shape).value);
  return out;
}

Results pixelShuffleByDefault(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t factor = e.integer("upscale_factor");
  e.require(x.rank() == 4 && factor > 1 && factor <= kMaxNumber && isContiguous(x.meta) == true);
  const Size times = Size::of(factor), n = e.size(x, 0), h = e.size(x, 2), w = e.size(x, 3);
  const std::int64_t square = saturated(factor, factor), all = e.fixed(x, 1);
  e.require(all % square == 0);
  const Size channels = Size::of(all / square);
  const Tensor parts =
      e.permute(e.reshape(x, {n, channels, times, times, h, w}), {0, 1, 4, 2, 5, 3});
  return one(e.contiguousCopy(
      e.reshape(e.contiguousCopy(parts), {n, channels, e.times(h, times), e.times(w, times)})));
}

Results floorQuotient(Emitter& e) {
  const Tensor x = e.tensor("self");
  return e.call("aten.div.Tensor_mode",
                {{"self", x.value, false},
                 {"other", e.argument("other"), false},
                 {"rounding_mode", std::string("floor"), true}},
                fx::Value(e.result()));
}

}  // namespace

void addDefaultWrites(RewriteRules& forms) {
  addDefault(forms, {"aten.select_scatter.default"}, selectScatter);
  addDefault(forms, {"aten.fill.Tensor"}, filledByTensor);
  addDefault(forms, {"aten.fill.Scalar"}, filledByNumber);
  addDefault(forms, {"aten.detach.default"}, detached);
  addDefault(forms, {"aten.eye.default", "aten.eye.m"}, identity);
  addDefault(forms, {"aten.broadcast_tensors.default"}, broadcast);
  addDefault(forms, {"aten.pixel_shuffle.default"}, pixelShuffleByDefault);
  addDefault(forms, {"aten.floor_divide.default"}, floorQuotient);
}

}  // namespace fxs::rewrite
