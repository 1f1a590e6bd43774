// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interpolation one dimension at a time: each output position reads one, two or four input
// positions, weighted. Positions and weights are computed as PyTorch's kernels compute them.
#include <fmt/format.h>

#include <array>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

enum class Kind { Nearest, NearestExact, Linear, Cubic };

/// One dimension's resampling.
struct ResampledAxis {
  std::size_t dim = 0;
  Size in, out;
  Operand scale = 1.0;  ///< input positions per output position
};

struct UpsampleRequest {
  Tensor x;
  std::vector<ResampledAxis> axes;
  bool alignCorners = false;
};

/// By dimension: `scale_factors` (.vec), or `scales`, `scales_h` .. (the other overload).
std::vector<std::optional<double>> givenFactors(Emitter& e, std::size_t spatial) {
  std::vector<std::optional<double>> factors(spatial);
  if (e.matched().target.ends_with(".vec")) {
    const fx::Argument given = e.argument("scale_factors");
    if (const fx::ArgumentList* list = given.list())
      for (std::size_t i = 0; i < spatial && i < list->size(); ++i)
        if (const double* d = std::get_if<double>(&(*list)[i])) factors[i] = *d;
    return factors;
  }
  const std::array<std::string_view, 3> names = {"scales_d", "scales_h", "scales_w"};
  for (std::size_t i = 0; i < spatial; ++i)
    factors[i] = e.optionalNumber(spatial == 1 ? "scales" : names[3 - spatial + i]);
  return factors;
}

/// From the result, `output_size` or the factor.
std::optional<Size> outputSize(Emitter& e, const fx::SymInt& result, const ResampledAxis& axis,
                               const std::optional<double>& factor) {
  if (result.isStatic()) return Size::of(result.value());
  const fx::Argument sizes = e.argument("output_size");
  const std::size_t i = axis.dim - 2;
  if (sizes.list() && i < sizes.list()->size()) return Size{result, (*sizes.list())[i]};
  if (!factor || *factor != static_cast<double>(static_cast<std::int64_t>(*factor)))
    return std::nullopt;
  return Size{result, e.times(axis.in, Size::of(static_cast<std::int64_t>(*factor))).argument};
}

/// Of symbolic sizes, a tensor of the type in which PyTorch computes it.
Operand scaleOf(Emitter& e, const UpsampleRequest& r, const ResampledAxis& axis,
                const std::optional<double>& factor) {
  if (factor && *factor > 0 && !r.alignCorners) return 1 / *factor;
  if (!axis.in.isStatic() || !axis.out.isStatic()) {
    const DType type = isFloating(r.x.dtype()) ? ops::computationType(r.x.dtype()) : DType::Float32;
    const auto number = [&](const Size& size) { return e.full({}, size.argument, DType::Int64); };
    Tensor in = number(axis.in), count = number(axis.out);
    if (r.alignCorners) {
      in = e.sub(in, std::int64_t{1});
      count = e.maximum(e.sub(count, std::int64_t{1}), e.full({}, std::int64_t{1}, DType::Int64));
    }
    return e.div(e.cast(in, type), e.cast(count, type));
  }
  const auto in = static_cast<double>(axis.in.value.value()),
             count = static_cast<double>(axis.out.value.value());
  if (!r.alignCorners) return in / count;
  return count > 1 ? (in - 1) / (count - 1) : 0;
}

std::optional<UpsampleRequest> requestOf(Emitter& e, std::size_t spatial, bool hasCorners) {
  const bool vec = e.matched().target.ends_with(".vec");
  UpsampleRequest r{e.tensor(vec ? "input" : "self"), {}, hasCorners && e.flag("align_corners")};
  const fx::TensorMeta result = e.result();
  e.require(r.x.rank() == spatial + 2 && result.rank() == spatial + 2 &&
            (!hasCorners || isFloating(r.x.dtype())));
  const std::vector<std::optional<double>> factors = givenFactors(e, spatial);
  for (std::size_t i = 0; i < spatial; ++i) {
    ResampledAxis axis;
    axis.dim = i + 2;
    axis.in = e.size(r.x, axis.dim);
    const std::optional<Size> out = outputSize(e, result.sizes[axis.dim], axis, factors[i]);
    if (!out) return std::nullopt;
    axis.out = *out;
    if (axis.in.is(0) || axis.out.is(0)) return std::nullopt;
    axis.scale = scaleOf(e, r, axis, factors[i]);
    r.axes.push_back(std::move(axis));
  }
  return r;
}

/// min(position, in - 1), not below 0, as int64.
Tensor bounded(Emitter& e, const Tensor& position, const ResampledAxis& axis) {
  const Tensor low = e.op("aten.clamp.default", {position.value, std::int64_t{0}}, position.dtype(),
                          position.meta.sizes);
  if (axis.in.isStatic()) return e.clamp(low, {}, static_cast<double>(axis.in.value.value() - 1));
  const Tensor last = e.sub(e.full({}, axis.in.argument, DType::Int64), std::int64_t{1});
  return e.minimum(low, last);
}

Tensor outputPositions(Emitter& e, const ResampledAxis& axis, DType dtype) {
  return e.cast(e.arange(axis.out), dtype);
}

/// Where each output position lies in the input.
Tensor sourcePositions(Emitter& e, DType dtype, const ResampledAxis& axis, bool alignCorners) {
  const Tensor at = outputPositions(e, axis, dtype);
  if (alignCorners) return e.mul(at, axis.scale);
  return e.sub(e.mul(e.add(at, 0.5), axis.scale), 0.5);
}

Tensor alongDim(Emitter& e, const Tensor& weights, const Tensor& x, std::size_t dim,
                const ResampledAxis& axis) {
  return e.along(weights, axis.out, dim, x.rank());
}

Tensor nearest(Emitter& e, const Tensor& x, const ResampledAxis& axis, bool exact) {
  if (axis.in.is(1) && axis.out.is(1)) return x;
  const Tensor at = outputPositions(e, axis, DType::Float32);
  const Tensor source = e.floor(e.mul(exact ? e.add(at, 0.5) : at, axis.scale));
  return e.indexSelect(x, axis.dim, bounded(e, e.cast(source, DType::Int64), axis));
}

Tensor linear(Emitter& e, const Tensor& x, const ResampledAxis& axis, bool alignCorners) {
  const Tensor source = e.clamp(sourcePositions(e, x.dtype(), axis, alignCorners), 0.0, {});
  const Tensor first = bounded(e, e.cast(source, DType::Int64), axis);
  const Tensor second = bounded(e, e.add(first, std::int64_t{1}), axis);
  const Tensor weight =
      alongDim(e, e.clamp(e.sub(source, e.cast(first, x.dtype())), 0.0, 1.0), x, axis.dim, axis);
  const Tensor a = e.indexSelect(x, axis.dim, first), b = e.indexSelect(x, axis.dim, second);
  const Tensor fromFirst = e.mul(a, e.sub(1.0, weight));
  return e.add(fromFirst, e.mul(b, weight));
}

/// The cubic convolution kernel with a = -0.75.
Tensor cubic(Emitter& e, const Tensor& x, const ResampledAxis& axis, bool alignCorners) {
  constexpr double a = -0.75;
  const Tensor source = sourcePositions(e, x.dtype(), axis, alignCorners);
  const Tensor floor = e.floor(source);
  const Tensor t = e.sub(source, floor), first = e.cast(floor, DType::Int64);
  const auto near = [&](const Tensor& d) {
    return e.add(e.mul(e.mul(e.sub(e.mul(d, a + 2), a + 3), d), d), 1.0);
  };
  const auto far = [&](const Tensor& d) {
    return e.sub(e.mul(e.add(e.mul(e.sub(e.mul(d, a), 5 * a), d), 8 * a), d), 4 * a);
  };
  const Tensor back = e.sub(1.0, t);
  const std::array<Tensor, 4> weights = {far(e.add(t, 1.0)), near(t), near(back),
                                         far(e.add(back, 1.0))};
  std::optional<Tensor> sum;
  for (int tap = 0; tap < 4; ++tap) {
    const Tensor index = bounded(e, tap == 1 ? first : e.add(first, std::int64_t{tap - 1}), axis);
    const Tensor term =
        e.mul(e.indexSelect(x, axis.dim, index),
              alongDim(e, weights[static_cast<std::size_t>(tap)], x, axis.dim, axis));
    sum = sum ? e.add(*sum, term) : term;
  }
  return *sum;
}

template <Kind kind, std::size_t spatial>
Results upsample(Emitter& e) {
  const auto r = requestOf(e, spatial, kind == Kind::Linear || kind == Kind::Cubic);
  if (!r) return {};
  constexpr bool picks = kind == Kind::Nearest || kind == Kind::NearestExact;
  Tensor x = picks ? r->x : e.cast(r->x, ops::computationType(r->x.dtype()));
  for (const ResampledAxis& axis : r->axes) {
    if constexpr (picks) x = nearest(e, x, axis, kind == Kind::NearestExact);
    else if constexpr (kind == Kind::Linear) x = linear(e, x, axis, r->alignCorners);
    else x = cubic(e, x, axis, r->alignCorners);
  }
  return one(e.cast(x, r->x.dtype()));
}

constexpr std::string_view kPythonNearest =
    "        at = ((torch.arange(size, dtype=torch.float32){}) * scale).long()\n"
    "        x = x.index_select(dim, torch.minimum(at, end))\n"
    "    return x\n";
constexpr std::string_view kPythonLinear =
    "        at = at.clamp(min=0)\n"
    "        first = torch.minimum(at.long(), end)\n"
    "        weight = (at - first).clamp(0, 1).reshape([-1] + [1] * (x.dim() - dim - 1))\n"
    "        second = x.index_select(dim, torch.minimum(first + 1, end))\n"
    "        x = x.index_select(dim, first) * (1 - weight) + second * weight\n";
constexpr std::string_view kPythonCubic =
    "        floor, parts = at.floor(), []\n"
    "        for tap in (-1, 0, 1, 2):\n"
    "            d = (at - floor - tap).abs()\n"
    "            near, far = (1.25 * d - 2.25) * d * d + 1, ((-0.75 * d + 3.75) * d - 6) * d + 3\n"
    "            weight = (near if tap in (0, 1) else far).reshape([-1] + [1] * (x.dim() - dim - "
    "1))\n"
    "            index = torch.minimum((floor.long() + tap).clamp(min=0), end)\n"
    "            parts.append(x.index_select(dim, index) * weight)\n"
    "        x = parts[0] + parts[1] + parts[2] + parts[3]\n";

/// What `upsample` of the kind does.
std::string pythonOf(Kind kind, std::size_t spatial, bool vec) {
  const bool picks = kind == Kind::Nearest || kind == Kind::NearestExact;
  const std::string self = vec ? "input" : "self";
  std::string out;
  if (vec) {
    out = fmt::format("    factors = scale_factors or [None] * {}\n", spatial);
    out += "    sizes = output_size or [int(n * f) for n, f in zip(input.shape[2:], factors)]\n";
  } else {
    constexpr std::array<std::string_view, 4> kFactors = {"", "[scales]", "[scales_h, scales_w]",
                                                          "[scales_d, scales_h, scales_w]"};
    out = fmt::format("    sizes, factors = output_size, {}\n", kFactors[spatial]);
  }
  out += picks
             ? fmt::format("    x = {}\n", self)
             : fmt::format("    x = {0}.to(torch.promote_types({0}.dtype, torch.float32))\n", self);
  out +=
      "    for dim, (size, factor) in enumerate(zip(sizes, factors), 2):\n"
      "        end = torch.full((), x.shape[dim] - 1)\n"
      "        scale = 1 / factor if factor else x.shape[dim] / size\n";
  if (picks)
    return out +
           fmt::format(fmt::runtime(kPythonNearest), kind == Kind::NearestExact ? " + 0.5" : "");
  out +=
      "        at = (torch.arange(size, dtype=x.dtype) + 0.5) * scale - 0.5\n"
      "        if align_corners:\n"
      "            at = torch.arange(size, dtype=x.dtype) * ((x.shape[dim] - 1) / max(size - 1, "
      "1))\n";
  out += kind == Kind::Linear ? kPythonLinear : kPythonCubic;
  return out + fmt::format("    return x.to({}.dtype)\n", self);
}

template <Kind kind, std::size_t spatial, bool vec>
void addUpsampleForm(RewriteRules& rules, const std::string& name) {
  static const std::string kPython = pythonOf(kind, spatial, vec);
  rules.add({name + (vec ? ".vec" : ".default"), "becomes reads and weights along each dimension",
             true, upsample<kind, spatial>, "decompose:" + name + (vec ? ".vec" : ""), kPython});
}

template <Kind kind, std::size_t spatial>
void addUpsample(RewriteRules& rules, const std::string& name) {
  addUpsampleForm<kind, spatial, true>(rules, name);
  addUpsampleForm<kind, spatial, false>(rules, name);
}

}  // namespace

void registerUpsample(RewriteRules& rules) {
  addUpsample<Kind::Linear, 1>(rules, "aten.upsample_linear1d");
  addUpsample<Kind::Linear, 2>(rules, "aten.upsample_bilinear2d");
  addUpsample<Kind::Linear, 3>(rules, "aten.upsample_trilinear3d");
  addUpsample<Kind::Cubic, 2>(rules, "aten.upsample_bicubic2d");
  addUpsample<Kind::Nearest, 1>(rules, "aten.upsample_nearest1d");
  addUpsample<Kind::Nearest, 2>(rules, "aten.upsample_nearest2d");
  addUpsample<Kind::Nearest, 3>(rules, "aten.upsample_nearest3d");
  addUpsample<Kind::NearestExact, 1>(rules, "aten._upsample_nearest_exact1d");
  addUpsample<Kind::NearestExact, 2>(rules, "aten._upsample_nearest_exact2d");
  addUpsample<Kind::NearestExact, 3>(rules, "aten._upsample_nearest_exact3d");
}

}  // namespace fxs::rewrite
