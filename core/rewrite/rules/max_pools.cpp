// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maximum pooling with the positions of the maxima, by an index of each window's elements: TOSA and
// StableHLO pool without positions.
#include <fmt/format.h>

#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

/// Elements of the padding are those of the window that are next to it, which changes no maximum.
WindowReads readsOf(Emitter& e, const PoolWindow& w) {
  const Tensor starts =
      e.unsqueeze(e.sub(e.mul(e.arange(Size::of(w.outputs)), w.stride), w.padding), 1);
  const Tensor offsets = e.mul(e.arange(Size::of(w.kernel)), w.dilation);
  // The first one that is not below 0, and the last one that is not beyond the end.
  const auto divided = [&](const Tensor& x) {
    return e.op("aten.floor_divide.default", {x.value, e.full({}, w.dilation, DType::Int64).value},
                DType::Int64, x.meta.sizes);
  };
  const auto stepsTo = [&](const Tensor& distance) { return e.mul(divided(distance), w.dilation); };
  const Tensor first = e.sub(starts, stepsTo(e.clamp(starts, {}, 0.0))),
               last = e.add(starts, stepsTo(e.sub(w.size - 1, starts)));
  return {e.minimum(e.maximum(e.add(starts, offsets), first), last), w.size, w.outputs, w.kernel};
}

Results valuesAndPositions(Emitter& e, const Maxima& maxima) {
  e.require(maxima.positions.dtype() == e.result(1).dtype);
  return std::vector<fx::Argument>{maxima.values.value, maxima.positions.value};
}

template <std::size_t spatial>
Results maxPoolWithPositions(Emitter& e) {
  const Tensor x = e.tensor("self");
  std::vector<WindowReads> reads;
  for (const PoolWindow& w : poolWindows(e, x, e.result(0), spatial, true))
    reads.push_back(readsOf(e, w));
  return valuesAndPositions(e, maximaOf(e, x, reads));
}

/// Where the windows of PyTorch's random sequence begin: [planes, outputs], as float32 gives it.
Tensor randomStarts(Emitter& e, const Tensor& sample, const PoolWindow& w) {
  const Size planes = e.size(sample, 0);
  if (w.outputs == 1) return e.full({planes, Size::of(1)}, w.size - w.kernel, DType::Int64);
  const double alpha = static_cast<float>(w.size - w.kernel) / static_cast<float>(w.outputs - 1);
  const auto whole = [&](const Tensor& t) {
    return e.cast(e.floor(e.mul(t, alpha)), DType::Int64);
  };
  const Tensor column = e.unsqueeze(sample, 1);
  const Tensor ramp = e.cast(e.arange(Size::of(w.outputs - 1)), sample.dtype());
  const Tensor starts = e.sub(whole(e.add(e.unsqueeze(ramp, 0), column)), whole(column));
  return e.cat({starts, e.full({planes, Size::of(1)}, w.size - w.kernel, DType::Int64)}, 1);
}

/// The samples of a plane are those of its width and height, or of its depth, height and width.
template <std::size_t spatial>
Results fractionalMaxPool(Emitter& e) {
  const Tensor x = e.tensor("self"), samples = e.tensor("random_samples");
  const std::vector<std::int64_t> kernel = e.integers("kernel_size");
  const fx::TensorMeta result = e.result(0);
  const std::size_t lead = x.rank() - spatial;
  e.require(x.rank() > spatial && kernel.size() == spatial && result.rank() == x.rank() &&
            x.dtype() == DType::Float32 && samples.dtype() == DType::Float32 && e.isStatic(x) &&
            result.isStaticShape());
  std::int64_t planes = 1, planeSize = 1, count = 1;
  for (std::size_t d = 0; d < lead; ++d) planes = saturated(planes, e.fixed(x, d));
  for (std::size_t i = 0; i < spatial; ++i) planeSize = saturated(planeSize, e.fixed(x, lead + i));
  e.require(planes <= kMaxNumber && planeSize <= kMaxNumber);
  const Tensor sample = e.reshape(samples, sizesOf({planes, spatial}));
  Sizes rows{Size::of(planes)};
  std::optional<Tensor> place;
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::int64_t outputs = result.sizes[lead + i].value();
    const PoolWindow w{{kernel[i], 1, 0, 1}, e.fixed(x, lead + i), outputs};
    e.require(outputs > 0 && w.kernel > 0 && w.kernel <= w.size);
    const std::size_t own = spatial == 2 ? spatial - 1 - i : i;
    const Tensor starts = randomStarts(e, e.select(sample, 1, static_cast<std::int64_t>(own)), w);
    const Tensor positions = e.add(e.unsqueeze(starts, 2), e.arange(Size::of(w.kernel)));
    Sizes shape(1 + 2 * spatial, Size::of(1));
    shape[0] = Size::of(planes);
    shape[1 + i] = Size::of(outputs);
    shape[1 + spatial + i] = Size::of(w.kernel);
    const Tensor part = e.reshape(positions, shape);
    place = place ? e.add(e.mul(*place, w.size), part) : part;
    rows.push_back(Size::of(outputs));
    count = saturated(count, w.kernel);
  }
  e.require(count <= kMaxNumber);
  rows.push_back(Size::of(count));
  const Tensor places = e.reshape(*place, rows);
  std::int64_t reads = count;
  for (std::size_t i = 0; i < spatial; ++i)
    reads = saturated(reads, result.sizes[lead + i].value());
  e.require(reads <= kMaxNumber);
  const Tensor read = e.gather(e.reshape(x, sizesOf({planes, planeSize})), 1,
                               e.reshape(places, sizesOf({planes, reads})));
  const Maxima maxima = maximaOfRows(e, e.reshape(read, rows), places, planeSize);
  Sizes shape;
  for (const fx::SymInt& size : result.sizes) shape.push_back(Size::of(size.value()));
  return valuesAndPositions(e,
                            {e.reshape(maxima.values, shape), e.reshape(maxima.positions, shape)});
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

std::string poolInPython(std::size_t spatial) {
  return fmt::format(
             "    def each(values):\n"
             "        return list(values) * {0} if len(values) == 1 else list(values)\n"
             "    options = [each(x) for x in (kernel_size, stride or kernel_size, padding, "
             "dilation)]\n"
             "    reads = []\n"
             "    for size, k, step, pad, gap in zip(self.shape[-{0}:], *options):\n"
             "        more, gaps = step - 1 if ceil_mode else 0, torch.full([], gap, "
             "dtype=torch.int64)\n"
             "        count = (size + 2 * pad - gap * (k - 1) - 1 + more) // step + 1\n"
             "        count -= ceil_mode and (count - 1) * step >= size + pad\n"
             "        start = (torch.arange(count) * step - pad).unsqueeze(1)\n"
             "        first = start - torch.floor_divide(start.clamp(max=0), gaps) * gap\n"
             "        last = start + torch.floor_divide(size - 1 - start, gaps) * gap\n"
             "        at = torch.maximum(start + torch.arange(k) * gap, first)\n"
             "        reads.append(torch.minimum(at, last))\n",
             spatial) +
         std::string(kPythonRows) + std::string(kPythonMaximaOfRows);
}

std::string fractionalInPython(std::size_t spatial) {
  return fmt::format(
             "    n, lead = {0}, self.dim() - {0}\n"
             "    planes, places = self.shape[:lead].numel(), 0\n"
             "    samples = random_samples.reshape([planes, n])\n"
             "    for i, (k, count) in enumerate(zip(kernel_size, output_size)):\n"
             "        most = self.shape[lead + i] - k\n"
             "        starts = torch.full([planes, 1], most, dtype=torch.int64)\n"
             "        if count > 1:\n"
             "            sample = samples[:, {1}].unsqueeze(1)\n"
             "            ramp, step = torch.arange(count - 1), most / (count - 1)\n"
             "            each = ((ramp.to(self.dtype) + sample) * step).floor().to(torch.int64)\n"
             "            each = each - (sample * step).floor().to(torch.int64)\n"
             "            starts = torch.cat([each, starts], 1)\n"
             "        own = [planes] + [1] * (2 * n)\n"
             "        own[1 + i], own[1 + n + i] = count, k\n"
             "        at = starts.unsqueeze(2) + torch.arange(k)\n"
             "        places = places * self.shape[lead + i] + at.reshape(own)\n"
             "    shape = [*self.shape[:lead], *output_size, math.prod(kernel_size)]\n"
             "    read = self.reshape([planes, -1]).gather(1, places.reshape([planes, -1]))\n"
             "    rows, places = read.reshape(shape), places.reshape(shape)\n",
             spatial, spatial == 2 ? "n - 1 - i" : "i") +
         std::string(kPythonMaximaOfRows);
}

constexpr std::string_view kUnpoolInPython =
    "    lead = self.dim() - len(output_size)\n"
    "    plane = [*self.shape[:lead], math.prod(output_size)]\n"
    "    source, at = (t.reshape([*t.shape[:lead], -1]) for t in (self, indices))\n"
    "    written = aten.scatter(torch.zeros(plane, dtype=self.dtype), lead, at, source)\n"
    "    return written.reshape([*self.shape[:lead], *output_size])\n";

}  // namespace

void registerMaxPools(RewriteRules& rules) {
  const std::string reason = "becomes an index of each window's elements, and a maximum";
  // The rules refer to them.
  static const std::string of1d = poolInPython(1), of2d = poolInPython(2), of3d = poolInPython(3);
  rules.add(
      {"aten.max_pool1d_with_indices.default", reason, false, maxPoolWithPositions<1>, {}, of1d});
  rules.add(
      {"aten.max_pool2d_with_indices.default", reason, false, maxPoolWithPositions<2>, {}, of2d});
  rules.add(
      {"aten.max_pool3d_with_indices.default", reason, false, maxPoolWithPositions<3>, {}, of3d});
  static const std::string fractional2d = fractionalInPython(2),
                           fractional3d = fractionalInPython(3);
  rules.add(
      {"aten.fractional_max_pool2d.default", reason, true, fractionalMaxPool<2>, {}, fractional2d});
  rules.add(
      {"aten.fractional_max_pool3d.default", reason, true, fractionalMaxPool<3>, {}, fractional3d});
  const std::string scattered = "becomes aten.scatter";
  rules.add({"aten.max_unpool2d.default", scattered, false, maxUnpool<2>, {}, kUnpoolInPython});
  rules.add({"aten.max_unpool3d.default", scattered, false, maxUnpool<3>, {}, kUnpoolInPython});
}

}  // namespace fxs::rewrite
