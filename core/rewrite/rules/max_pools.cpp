// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maximum pooling with the positions of the maxima, by an index of each window's elements: TOSA and
// StableHLO pool without positions.
#include <limits>

#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

template <std::size_t spatial>
Results maxPoolWithPositions(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta values = e.result(0), positions = e.result(1);
  const std::vector<PoolWindow> windows = poolWindows(e, x, values, spatial, true);
  const std::size_t lead = x.rank() - spatial;
  Tensor padded = paddedForPool(e, x, windows, -std::numeric_limits<double>::infinity());
  // Each spatial dimension becomes [outputs, kernel].
  std::size_t dim = lead;
  for (const PoolWindow& w : windows) {
    const Tensor start = e.mul(e.arange(Size::of(w.outputs)), w.stride),
                 offset = e.mul(e.arange(Size::of(w.kernel)), w.dilation);
    padded = e.indexAt(padded, dim, e.add(e.unsqueeze(start, 1), offset));
    dim += 2;
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lead; ++i) order.push_back(i);
  for (std::size_t i = 0; i < spatial; ++i) order.push_back(lead + 2 * i);
  for (std::size_t i = 0; i < spatial; ++i) order.push_back(lead + 2 * i + 1);
  const Tensor turned = e.permute(padded, order);
  std::int64_t count = 1;
  for (const PoolWindow& w : windows) count = saturated(count, w.kernel);
  e.require(count <= kMaxNumber);
  Sizes flat;
  for (std::size_t i = 0; i < lead; ++i) flat.push_back(e.size(x, i));
  for (const PoolWindow& w : windows) flat.push_back(Size::of(w.outputs));
  flat.push_back(Size::of(count));
  const Tensor rows = e.reshape(turned, flat);
  const std::size_t last = rows.rank() - 1;
  const Tensor best = e.amax(rows, {last}, false);
  // The first of equal maxima, or the first NaN.
  const Tensor isBest =
      e.logicalOr(e.compare("eq", rows, e.unsqueeze(best, last)), e.compare("ne", rows, rows));
  const Tensor step =
      e.amin(e.where(isBest, e.arange(Size::of(count)), e.full({}, count - 1, DType::Int64)),
             {last}, false);
  // From the place in the window to the position in the input's plane.
  Tensor position;
  std::int64_t inner = count;
  for (std::size_t i = 0; i < spatial; ++i) {
    const PoolWindow& w = windows[i];
    inner /= w.kernel;
    const Tensor quotient =
        e.op("aten.floor_divide.default", {step.value, e.full({}, inner, DType::Int64).value},
             DType::Int64, step.meta.sizes);
    const Tensor offset =
        e.op("aten.remainder.Scalar", {quotient.value, w.kernel}, DType::Int64, step.meta.sizes);
    Sizes own(values.rank(), Size::of(1));
    own[lead + i] = Size::of(w.outputs);
    const Tensor start =
        e.reshape(e.sub(e.mul(e.arange(Size::of(w.outputs)), w.stride), w.padding), own);
    const Tensor coordinate = e.add(e.mul(offset, w.dilation), start);
    position = i == 0 ? coordinate : e.add(e.mul(position, w.size), coordinate);
  }
  e.require(position.dtype() == positions.dtype);
  return std::vector<fx::Argument>{best.value, position.value};
}

/// Writes each element at its position in a plane of zeros.
template <std::size_t spatial>
Results maxUnpool(Emitter& e) {
  const Tensor x = e.tensor("self"), positions = e.tensor("indices");
  const fx::TensorMeta result = e.result();
  e.require(x.rank() >= spatial && x.meta.sizes == positions.meta.sizes &&
            result.rank() == x.rank() && result.isStaticShape() && e.isStatic(x));
  const std::size_t lead = x.rank() - spatial;
  std::int64_t from = 1, to = 1;
  Sizes flat, plane, full;
  for (std::size_t i = 0; i < x.rank(); ++i) {
    full.push_back(Size::of(result.sizes[i].value()));
    if (i < lead) {
      flat.push_back(e.size(x, i));
      plane.push_back(e.size(x, i));
    } else {
      from = saturated(from, e.fixed(x, i));
      to = saturated(to, result.sizes[i].value());
    }
  }
  e.require(from <= kMaxNumber && to <= kMaxNumber);
  flat.push_back(Size::of(from));
  plane.push_back(Size::of(to));
  const Tensor zeros = e.zeros(plane, x.dtype());
  const Tensor written = e.op("aten.scatter.src",
                              {zeros.value, static_cast<std::int64_t>(lead),
                               e.reshape(positions, flat).value, e.reshape(x, flat).value},
                              zeros.meta);
  return one(e.reshape(written, full));
}

}  // namespace

void registerMaxPools(RewriteRules& rules) {
  const std::string reason = "becomes an index of each window's elements, and a maximum";
  rules.add({"aten.max_pool1d_with_indices.default", reason, false, maxPoolWithPositions<1>});
  rules.add({"aten.max_pool2d_with_indices.default", reason, false, maxPoolWithPositions<2>});
  rules.add({"aten.max_pool3d_with_indices.default", reason, false, maxPoolWithPositions<3>});
  rules.add({"aten.max_unpool2d.default", "becomes aten.scatter", false, maxUnpool<2>});
  rules.add({"aten.max_unpool3d.default", "becomes aten.scatter", false, maxUnpool<3>});
}

}  // namespace fxs::rewrite
