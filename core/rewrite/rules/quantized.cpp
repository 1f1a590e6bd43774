// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quantization by groups of columns and by rows (quantized_decomposed), which torch-mlir does not
// know, as arithmetic.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

bool isSmallInteger(DType t) { return isIntegral(t) && facts(t).bytes < 4; }

/// Differences of small integers wrap in their type, and backends subtract in int32.
Tensor wrappedDifference(Emitter& e, const Tensor& a, const Tensor& b) {
  const DType dtype = Emitter::resultType({Operand(a).typed(), Operand(b).typed()});
  if (!isSmallInteger(dtype)) return e.sub(a, b);
  return e.cast(e.sub(e.cast(a, DType::Int32), e.cast(b, DType::Int32)), dtype);
}

Tensor dequantized(Emitter& e, const Tensor& x, const Tensor& scale,
                   const std::optional<Tensor>& zero, DType dtype) {
  Tensor difference = zero ? wrappedDifference(e, x, *zero) : x;
  if (!isFloating(difference.dtype())) difference = e.cast(difference, scale.dtype());
  return e.cast(e.mul(difference, scale), dtype);
}

Tensor quantized(Emitter& e, const Tensor& x, const Tensor& scale, const Tensor& zero,
                 DType dtype) {
  const Tensor scaled = e.mul(x, e.reciprocal(scale));
  const Tensor steps = e.unary(
      "round", e.add(scaled, isFloating(zero.dtype()) ? zero : e.cast(zero, scaled.dtype())));
  return e.cast(e.clamp(steps, e.number("quant_min"), e.number("quant_max")), dtype);
}

/// Rows of the groups of a matrix: [rows * groups, columns / groups].
struct Groups {
  Tensor x, scale;
  std::optional<Tensor> zero;
};
Groups groupsOf(Emitter& e) {
  const Tensor x = e.tensor("input"), scales = e.tensor("scales");
  const std::optional<Tensor> zeros = e.optionalTensor("zero_points");
  e.require(x.rank() == 2 && scales.rank() > 0 && isFloating(scales.dtype()));
  const std::int64_t columns = e.fixed(x, 1), asked = e.integer("group_size");
  const std::int64_t size =
      asked > columns && scales.meta.sizes.back() == fx::SymInt(1) ? columns : asked;
  e.require(size > 0 && columns % size == 0);
  const Size rows = e.times(e.size(x, 0), Size::of(columns / size));
  const auto column = [&](const Tensor& t) { return e.reshape(t, {rows, Size::of(1)}); };
  Groups out{e.reshape(x, {rows, Size::of(size)}), column(scales), std::nullopt};
  if (zeros) out.zero = column(*zeros);
  return out;
}

Results dequantizeGroups(Emitter& e) {
  const Groups g = groupsOf(e);
  return one(e.reshape(dequantized(e, g.x, g.scale, g.zero, e.result().dtype),
                       e.sizes(e.tensor("input"))));
}

Results quantizeGroups(Emitter& e) {
  const Groups g = groupsOf(e);
  e.require(g.zero.has_value() && isFloating(g.x.dtype()));
  return one(
      e.reshape(quantized(e, g.x, g.scale, *g.zero, e.result().dtype), e.sizes(e.tensor("input"))));
}

Results dequantizeTokens(Emitter& e) {
  return one(dequantized(e, e.tensor("input"), e.tensor("scales"), e.tensor("zero_points"),
                         e.result().dtype));
}

Results quantizeTokens(Emitter& e) {
  const Tensor x = e.tensor("input");
  e.require(isFloating(x.dtype()));
  return one(quantized(e, x, e.tensor("scales"), e.tensor("zero_points"), e.result().dtype));
}

}  // namespace

void registerQuantized(RewriteRules& rules) {
  const auto add = [&](const std::string& name, const char* reason,
                       const decltype(Rule::apply)& apply) {
    rules.add({"quantized_decomposed." + name + ".default", reason, true, apply});
  };
  add("dequantize_per_channel_group", "becomes a difference and a product of each group",
      dequantizeGroups);
  add("quantize_per_channel_group", "becomes rounding and a clamp of each group", quantizeGroups);
  add("dequantize_per_token", "becomes a difference and a product of each row", dequantizeTokens);
  add("quantize_per_token", "becomes rounding and a clamp of each row", quantizeTokens);
}

}  // namespace fxs::rewrite
