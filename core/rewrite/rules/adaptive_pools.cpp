// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adaptive pools with windows of different sizes, or with one or three dimensions. Output i of n
// over a size s pools the inputs floor(i s / n) .. ceil((i + 1) s / n).
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/pool_windows.h"

namespace fxs::rewrite {
namespace {

constexpr std::int64_t kMaxSize = 1 << 20;

/// floor((i * factor + shift) / n) for i in the ramp, in float32; adding half a unit avoids
/// rounding errors.
Tensor dividedRamp(Emitter& e, std::int64_t count, std::int64_t factor, std::int64_t shift,
                   std::int64_t n) {
  const Tensor ramp = e.cast(e.arange(Size::of(count)), DType::Float32);
  const Tensor scaled =
      e.add(e.mul(ramp, static_cast<double>(factor)), static_cast<double>(shift) + 0.5);
  return e.cast(e.floor(e.div(scaled, static_cast<double>(n))), DType::Int64);
}

std::int64_t longestWindow(std::int64_t in, std::int64_t out) {
  std::int64_t longest = 0;
  for (std::int64_t i = 0; i < out; ++i)
    longest = std::max(longest, ((i + 1) * in + out - 1) / out - i * in / out);
  return longest;
}

/// Windows of different sizes: reads as many elements as the largest has, with 0 beyond a window's
/// end.
Tensor unevenMean(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t in, std::int64_t out) {
  const Tensor starts = dividedRamp(e, out, in, 0, out);
  const Tensor lengths = e.sub(dividedRamp(e, out, in, in + out - 1, out), starts);
  const std::int64_t longest = longestWindow(in, out);
  const Tensor offset = e.unsqueeze(e.arange(Size::of(longest)), 0);
  const Tensor index =
      e.clamp(e.add(e.unsqueeze(starts, 1), offset), {}, static_cast<double>(in - 1));
  const Tensor read = e.indexAt(x, dim, index);
  const auto placed = [&](const Tensor& t) {
    Sizes shape((t.rank() == 2 ? read.rank() : x.rank()) - dim, Size::of(1));
    shape[0] = Size::of(out);
    if (t.rank() == 2) shape[1] = Size::of(longest);
    return e.reshape(t, shape);
  };
  const Tensor inside = e.compare("lt", offset, e.unsqueeze(lengths, 1));
  const Tensor sum = e.sum(e.where(placed(inside), read, 0.0), {dim + 1}, false);
  return e.div(sum, placed(e.cast(lengths, x.dtype())));
}

Tensor evenMean(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t in, std::int64_t out) {
  if (out == 1) return e.mean(x, {dim}, true);
  Sizes split = e.sizes(x);
  split[dim] = Size::of(out);
  split.insert(split.begin() + static_cast<std::ptrdiff_t>(dim) + 1, Size::of(in / out));
  return e.mean(e.reshape(x, split), {dim + 1}, false);
}

struct PooledDim {
  std::size_t dim;
  std::int64_t in, out;
};

/// The dimensions from `first`.
std::vector<PooledDim> pooledDims(Emitter& e, const Tensor& self, const fx::TensorMeta& result,
                                  std::size_t first) {
  std::vector<PooledDim> dims;
  for (std::size_t d = first; d < self.rank(); ++d) {
    e.require(self.meta.sizes[d].isStatic() && result.sizes[d].isStatic());
    const std::int64_t in = self.meta.sizes[d].value(), out = result.sizes[d].value();
    e.require(out > 0 && in > 0 && in <= kMaxSize && out <= kMaxSize);
    dims.push_back({d, in, out});
  }
  return dims;
}

template <std::size_t spatial, bool always>
Results adaptiveMean(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(self.dtype()) && self.rank() > spatial && result.rank() == self.rank());
  const std::vector<PooledDim> dims = pooledDims(e, self, result, self.rank() - spatial);
  const bool even = std::all_of(dims.begin(), dims.end(), [](const PooledDim& pooled) {
    return pooled.in % pooled.out == 0;
  });
  const bool single = std::all_of(dims.begin(), dims.end(),
                                  [](const PooledDim& pooled) { return pooled.out == 1; });
  // The engine supports these.
  if (!always && ((spatial == 2 && even) || (spatial == 1 && single))) return {};
  if (spatial == 2 && even) {
    const fx::ArgumentList window{dims[0].in / dims[0].out, dims[1].in / dims[1].out};
    return one(e.op("aten.avg_pool2d.default", {self.value, window, window}, result));
  }
  Tensor x = e.cast(self, ops::computationType(self.dtype()));
  for (const auto& [dim, in, out] : dims) {
    if (in == out) continue;
    x = in % out == 0 ? evenMean(e, x, dim, in, out) : unevenMean(e, x, dim, in, out);
  }
  return one(e.cast(x, self.dtype()));
}

/// As a 2-d pool of one row.
Results adaptiveMax1d(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::int64_t> out = e.integers("output_size");
  const fx::TensorMeta values = e.result(0), indices = e.result(1);
  e.require(out.size() == 1 && self.rank() >= 2);
  // With a symbolic size, the engine supports the pool only in one dimension.
  e.fixed(self, self.rank() == 0 ? 0 : self.rank() - 1);
  if (out[0] == 1) return {};
  const Tensor x = e.unsqueeze(self, self.rank() - 1);
  const auto raised = [&](const fx::TensorMeta& m) {
    std::vector<fx::SymInt> sizes = m.sizes;
    sizes.insert(sizes.end() - 1, fx::SymInt(1));
    return e.meta(m.dtype, std::move(sizes));
  };
  const std::vector<fx::Argument> both = e.call(
      "aten.adaptive_max_pool2d.default",
      {{"self", x.value, false}, {"output_size", fx::ArgumentList{std::int64_t{1}, out[0]}, false}},
      fx::ValueList{fx::Value(raised(values)), fx::Value(raised(indices))});
  const Tensor first{both[0], raised(values)}, second{both[1], raised(indices)};
  return std::vector<fx::Argument>{e.squeeze(first, x.rank() - 2).value,
                                   e.squeeze(second, x.rank() - 2).value};
}

/// The last element of a window is read again for those that others have more.
WindowReads adaptiveReads(Emitter& e, const PooledDim& pooled) {
  const auto& [dim, in, out] = pooled;
  const Tensor starts = e.unsqueeze(dividedRamp(e, out, in, 0, out), 1),
               ends = e.unsqueeze(dividedRamp(e, out, in, in + out - 1, out), 1);
  const std::int64_t count = longestWindow(in, out);
  const Tensor positions =
      e.minimum(e.add(starts, e.unsqueeze(e.arange(Size::of(count)), 0)), e.sub(ends, 1));
  return {positions, in, out, count};
}

template <std::size_t spatial, bool always>
Results adaptiveMax(Emitter& e) {
  const Tensor self = e.tensor("self");
  e.require(isFloating(self.dtype()) && self.rank() > spatial &&
            e.result(0).rank() == self.rank() && e.result(1).dtype == DType::Int64);
  std::vector<WindowReads> reads;
  bool even = true;
  for (const PooledDim& pooled : pooledDims(e, self, e.result(0), self.rank() - spatial)) {
    reads.push_back(adaptiveReads(e, pooled));
    even = even && pooled.in % pooled.out == 0;
  }
  if (even && !always) return {};  // the engine supports these
  const Maxima maxima = maximaOf(e, self, reads);
  return std::vector<fx::Argument>{maxima.values.value, maxima.positions.value};
}

/// As a pool of even windows.
Results adaptiveMax3d(Emitter& e) {
  const Tensor self = e.tensor("self");
  const fx::TensorMeta values = e.result(0), indices = e.result(1);
  e.require(self.rank() >= 4 && values.rank() == self.rank());
  fx::ArgumentList window;
  for (const PooledDim& pooled : pooledDims(e, self, values, self.rank() - 3)) {
    if (pooled.in % pooled.out != 0) return adaptiveMax<3, true>(e);
    window.emplace_back(pooled.in / pooled.out);
  }
  return e.call(
      "aten.max_pool3d_with_indices.default",
      {{"self", self.value, false}, {"kernel_size", window, false}, {"stride", window, false}},
      fx::ValueList{fx::Value(values), fx::Value(indices)});
}

/// Rule::python of the means. `stays`: for which calls there is none; "" for none of them.
std::string meansOfWindows(std::string_view stays) {
  return (stays.empty() ? std::string()
                        : fmt::format("    if {}:\n        return NotImplemented\n", stays)) +
         "    out = self.float() if self.dtype in (torch.float16, torch.bfloat16) else self\n"
         "    for dim, count in enumerate(output_size, self.dim() - len(output_size)):\n"
         "        size = self.shape[dim]\n"
         "        bounds = [(i * size // count, -(-(i + 1) * size // count)) for i in "
         "range(count)]\n"
         "        parts = [aten.slice(out, dim, a, b).mean(dim, True) for a, b in bounds]\n"
         "        out = torch.cat(parts, dim) if count > 1 else parts[0]\n"
         "    return out.to(self.dtype)\n";
}

std::string maximaOfWindows(std::size_t spatial) {
  return fmt::format(
             "    reads = []\n"
             "    for size, count in zip(self.shape[-{}:], output_size):\n"
             "        ramp = torch.arange(count).to(torch.float32) * size + 0.5\n"
             "        start = (ramp / count).floor().to(torch.int64).unsqueeze(1)\n"
             "        end = ((ramp + (size + count - 1)) / count).floor().to(torch.int64)\n"
             "        most = max(-(-(i + 1) * size // count) - i * size // count for i in "
             "range(count))\n"
             "        reads.append(torch.minimum(start + torch.arange(most), end.unsqueeze(1) - "
             "1))\n",
             spatial) +
         std::string(kPythonRows) + std::string(kPythonMaximaOfRows);
}

}  // namespace

void registerAdaptivePools(RewriteRules& rules) {
  // The rules refer to them.
  static const std::string of1d = meansOfWindows("list(output_size) == [1]"),
                           ofAny = meansOfWindows(""), maxOf1d = maximaOfWindows(1),
                           maxOf2d = maximaOfWindows(2), maxOf3d = maximaOfWindows(3);
  const std::string reason = "becomes means of windows where these differ in size",
                    means = "becomes means of windows";
  rules.add({"aten.adaptive_avg_pool1d.default", reason, true, adaptiveMean<1, false>, {}, of1d});
  rules.add({"aten.adaptive_avg_pool1d.default",
             means,
             false,
             adaptiveMean<1, true>,
             {},
             ofAny,
             false,
             1});
  rules.addEach({"aten.adaptive_avg_pool2d.default", "aten._adaptive_avg_pool2d.default"}, reason,
                true, adaptiveMean<2, false>);
  rules.addEach({"aten.adaptive_avg_pool2d.default", "aten._adaptive_avg_pool2d.default"}, means,
                false, adaptiveMean<2, true>);
  for (const char* target :
       {"aten.adaptive_avg_pool3d.default", "aten._adaptive_avg_pool3d.default"})
    rules.add({target, means, true, adaptiveMean<3, true>, {}, ofAny});
  Rule max1d{"aten.adaptive_max_pool1d.default",
             "becomes a 2-d pool of one row",
             true,
             adaptiveMax1d,
             "",
             maxOf1d};
  Rule max3d{"aten.adaptive_max_pool3d.default",
             "becomes aten.max_pool3d_with_indices, if its windows are even, or an index of each "
             "window's elements; the engine's result is wrong",
             true,
             adaptiveMax3d,
             "",
             maxOf3d,
             true};
  for (Rule* rule : {&max1d, &max3d}) {
    rule->isPythonWhole = true;
    rules.add(std::move(*rule));
  }
  const std::string windows = "becomes an index of each window's elements, and a maximum";
  rules.add(
      {"aten.adaptive_max_pool2d.default", windows, true, adaptiveMax<2, false>, {}, maxOf2d});
  rules.add(
      {"aten.adaptive_max_pool2d.default", windows, false, adaptiveMax<2, true>, {}, maxOf2d});
}

}  // namespace fxs::rewrite
