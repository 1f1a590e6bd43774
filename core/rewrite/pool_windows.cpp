// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

/// Limit of kernels, strides, dilations, paddings and outputs, so that products of two do not
/// overflow.
constexpr std::int64_t kMostSpan = 1 << 20;

/// A list of one element stands for all dimensions.
std::int64_t at(const std::vector<std::int64_t>& list, std::size_t i) {
  return list.size() == 1 ? list[0] : list[i];
}

}  // namespace

std::vector<PoolOptions> poolOptions(Emitter& e, const Tensor& x, std::size_t spatial,
                                     bool hasDilation) {
  const std::vector<std::int64_t> kernel = e.integers("kernel_size"),
                                  padding = e.integers("padding");
  const std::vector<std::int64_t> dilation =
      hasDilation ? e.integers("dilation") : std::vector<std::int64_t>{1};
  const std::vector<std::int64_t> given = e.integers("stride"),
                                  stride = given.empty() ? kernel : given;
  e.require(x.rank() >= spatial + 1 && isFloating(x.dtype()));
  for (const auto* list : {&kernel, &padding, &dilation, &stride})
    e.require(list->size() == 1 || list->size() == spatial);
  std::vector<PoolOptions> out;
  for (std::size_t i = 0; i < spatial; ++i) {
    const PoolOptions& o = out.emplace_back(
        PoolOptions{at(kernel, i), at(stride, i), at(padding, i), at(dilation, i)});
    e.require(o.padding >= 0 && o.padding <= kMostSpan);
    for (const std::int64_t v : {o.kernel, o.stride, o.dilation})
      e.require(v > 0 && v <= kMostSpan);
  }
  return out;
}

std::vector<PoolWindow> poolWindows(Emitter& e, const Tensor& x, const fx::TensorMeta& result,
                                    std::size_t spatial, bool hasDilation) {
  e.require(result.rank() == x.rank());
  const std::size_t lead = x.rank() - spatial;
  std::vector<PoolWindow> windows;
  for (const PoolOptions& options : poolOptions(e, x, spatial, hasDilation)) {
    const std::size_t dim = lead + windows.size();
    e.require(result.sizes[dim].isStatic());
    const PoolWindow& w =
        windows.emplace_back(PoolWindow{options, e.fixed(x, dim), result.sizes[dim].value()});
    e.require(w.size <= kMaxNumber && w.outputs > 0 && w.outputs <= kMostSpan);
  }
  return windows;
}

Maxima maximaOfRows(Emitter& e, const Tensor& rows, const Tensor& places, std::int64_t planeSize) {
  const std::size_t last = rows.rank() - 1;
  const Tensor best = e.amax(rows, {last}, false);
  const auto number = [&](std::int64_t n) { return e.full({}, n, DType::Int64); };
  const Tensor isBest = e.compare("eq", rows, e.unsqueeze(best, last)),
               isNan = e.compare("ne", rows, rows);
  const Tensor first = e.amin(e.where(isBest, places, number(planeSize)), {last}, false),
               lastNan = e.amax(e.where(isNan, places, number(-1)), {last}, false);
  return {best, e.where(e.compare("ge", lastNan, std::int64_t{0}), lastNan, first)};
}

Maxima maximaOf(Emitter& e, const Tensor& x, const std::vector<WindowReads>& windows) {
  const std::size_t spatial = windows.size(), lead = x.rank() - spatial;
  // Each pooled dimension becomes [outputs, elements].
  Tensor read = x;
  for (std::size_t i = 0; i < spatial; ++i)
    read = e.indexAt(read, lead + 2 * i, windows[i].positions);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lead; ++i) order.push_back(i);
  for (std::size_t i = 0; i < spatial; ++i) order.push_back(lead + 2 * i);
  for (std::size_t i = 0; i < spatial; ++i) order.push_back(lead + 2 * i + 1);
  Sizes outer, rows;
  for (std::size_t i = 0; i < lead; ++i) rows.push_back(e.size(x, i));
  std::int64_t count = 1, planeSize = 1;
  std::optional<Tensor> place;
  for (std::size_t i = 0; i < spatial; ++i) {
    const WindowReads& w = windows[i];
    Sizes own(2 * spatial, Size::of(1));
    own[i] = Size::of(w.outputs);
    own[spatial + i] = Size::of(w.elements);
    const Tensor part = e.reshape(w.positions, own);
    place = place ? e.add(e.mul(*place, w.size), part) : part;
    rows.push_back(Size::of(w.outputs));
    outer.push_back(Size::of(w.outputs));
    count = saturated(count, w.elements);
    planeSize = saturated(planeSize, w.size);
  }
  e.require(place && count <= kMaxNumber && planeSize <= kMaxNumber);
  rows.push_back(Size::of(count));
  outer.push_back(Size::of(count));
  return maximaOfRows(e, e.reshape(e.permute(read, order), rows), e.reshape(*place, outer),
                      planeSize);
}

}  // namespace fxs::rewrite
