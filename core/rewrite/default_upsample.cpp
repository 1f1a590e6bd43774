// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of linear interpolation along a line, checked
// against PyTorch operation by operation.
#include "rewrite/default_parts.h"

namespace fxs::rewrite {
namespace {

/// Elements of the input per element of the result.
double stepOf(Emitter& e, std::int64_t from, std::int64_t to, bool isAligned) {
  if (isAligned) return to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0.0;
  if (e.argument("scale_factors").isNone())
    return static_cast<double>(from) / static_cast<double>(to);
  const fx::Argument factors = e.argument("scale_factors");
  const double* factor = nullptr;
  if (factors.list() != nullptr && factors.list()->size() == 1)
    factor = std::get_if<double>(&factors.list()->front());
  e.require(factor != nullptr && *factor > 0);
  return 1.0 / *factor;
}

Results linear1d(Emitter& e) {
  const Tensor x = e.tensor("input");
  const fx::TensorMeta result = e.result();
  const bool isAligned = e.flag("align_corners");
  e.require(x.dtype() == DType::Float32 && x.rank() == 3 && result.sizes.back().isStatic());
  const std::int64_t from = e.fixed(x, 2), to = result.sizes.back().value();
  const auto clamped = [&](const Tensor& t, fx::Argument low, fx::Argument high) {
    return e.op("aten.clamp.default", {t.value, std::move(low), std::move(high)}, t.meta);
  };
  Tensor at = e.cast(e.arange(Size::of(to)), DType::Float32);
  if (!isAligned) at = e.add(at, 0.5);
  at = e.mul(at, stepOf(e, from, to, isAligned));
  if (!isAligned) at = e.sub(at, 0.5);
  at = clamped(at, 0.0, fx::None{});
  const Tensor below = e.cast(at, DType::Int64);
  const Tensor above = clamped(e.add(below, 1), fx::None{}, from - 1);
  const auto read = [&](const Tensor& index) {
    const fx::ArgumentList indices{fx::None{}, fx::None{}, index.value};
    return e.op("aten.index.Tensor", {x.value, indices}, result);
  };
  const Tensor first = read(below), last = read(above);
  const Tensor share = clamped(e.sub(at, below), 0.0, 1.0);
  return one(e.add(first, e.mul(e.sub(last, first), share)));
}

}  // namespace

void addDefaultUpsample(RewriteRules& forms) {
  addDefault(forms, {"aten.upsample_linear1d.vec"}, linear1d);
}

}  // namespace fxs::rewrite
