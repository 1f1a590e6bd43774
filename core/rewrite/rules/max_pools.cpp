// Maximum pooling with the positions of the maxima, by an index of each window's elements: TOSA and StableHLO pool without positions.
#include <algorithm>
#include <limits>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// One spatial dimension of a pool. All in elements.
struct PoolWindow {
  std::int64_t size, kernel, stride, padding, dilation, outputs;
};

/// Limit of kernels, strides, dilations, paddings and outputs, so that products of two do not overflow.
constexpr std::int64_t kMostSpan = 1 << 20;

/// A list of one element stands for all dimensions.
std::int64_t at(const std::vector<std::int64_t>& list, std::size_t i) { return list.size() == 1 ? list[0] : list[i]; }

template <std::size_t spatial>
Results maxPool(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::TensorMeta values = e.result(0), positions = e.result(1);
  const std::vector<std::int64_t> kernel = e.integers("kernel_size"), padding = e.integers("padding"), dilation = e.integers("dilation");
  const std::vector<std::int64_t> given = e.integers("stride"), stride = given.empty() ? kernel : given;
  e.require(x.rank() >= spatial + 1 && values.rank() == x.rank() && isFloating(x.dtype()));
  for (const auto* list : {&kernel, &padding, &dilation, &stride}) e.require(list->size() == 1 || list->size() == spatial);
  const std::size_t lead = x.rank() - spatial;
  std::vector<PoolWindow> windows;
  std::vector<std::int64_t> pads;
  for (std::size_t i = 0; i < spatial; ++i) {
    e.require(values.sizes[lead + i].isStatic());
    windows.push_back(
        {e.fixed(x, lead + i), at(kernel, i), at(stride, i), at(padding, i), at(dilation, i), values.sizes[lead + i].value()});
    const PoolWindow& w = windows.back();
    e.require(w.padding >= 0 && w.padding <= kMostSpan && w.size <= kMaxNumber);
    for (const std::int64_t v : {w.kernel, w.stride, w.dilation, w.outputs}) e.require(v > 0 && v <= kMostSpan);
  }
  for (std::size_t i = spatial; i-- > 0;) {
    const PoolWindow& w = windows[i];
    const std::int64_t reach = (w.outputs - 1) * w.stride + (w.kernel - 1) * w.dilation + 1;  // more than the input with ceil_mode
    pads.push_back(w.padding);
    pads.push_back(std::max<std::int64_t>(reach - w.size - w.padding, 0));
  }
  Tensor padded = e.pad(x, pads, -std::numeric_limits<double>::infinity());
  // Each spatial dimension becomes [outputs, kernel].
  std::size_t dim = lead;
  for (const PoolWindow& w : windows) {
    const Tensor start = e.mul(e.arange(Size::of(w.outputs)), w.stride), offset = e.mul(e.arange(Size::of(w.kernel)), w.dilation);
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
  const Tensor isBest = e.logicalOr(e.compare("eq", rows, e.unsqueeze(best, last)), e.compare("ne", rows, rows));
  const Tensor step = e.amin(e.where(isBest, e.arange(Size::of(count)), e.full({}, count - 1, DType::Int64)), {last}, false);
  // From the place in the window to the position in the input's plane.
  Tensor position;
  std::int64_t inner = count;
  for (std::size_t i = 0; i < spatial; ++i) {
    const PoolWindow& w = windows[i];
    inner /= w.kernel;
    const Tensor quotient =
        e.op("aten.floor_divide.default", {step.value, e.full({}, inner, DType::Int64).value}, DType::Int64, step.meta.sizes);
    const Tensor place = e.op("aten.remainder.Scalar", {quotient.value, w.kernel}, DType::Int64, step.meta.sizes);
    Sizes own(values.rank(), Size::of(1));
    own[lead + i] = Size::of(w.outputs);
    const Tensor start = e.reshape(e.sub(e.mul(e.arange(Size::of(w.outputs)), w.stride), w.padding), own);
    const Tensor coordinate = e.add(e.mul(place, w.dilation), start);
    position = i == 0 ? coordinate : e.add(e.mul(position, w.size), coordinate);
  }
  e.require(position.dtype() == positions.dtype);
  return std::vector<fx::Argument>{best.value, position.value};
}

}  // namespace

void registerMaxPools(RewriteRules& rules) {
  const std::string reason = "becomes an index of each window's elements, and a maximum";
  rules.add({"aten.max_pool1d_with_indices.default", reason, false, maxPool<1>});
  rules.add({"aten.max_pool2d_with_indices.default", reason, false, maxPool<2>});
  rules.add({"aten.max_pool3d_with_indices.default", reason, false, maxPool<3>});
}

}  // namespace fxs::rewrite
