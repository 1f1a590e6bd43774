// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampling at coordinates in -1 .. 1: the neighbours of each point are gathered from the flattened
// image and weighted.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

enum class Mode { Bilinear = 0, Nearest = 1 };
enum class Padding { Zeros = 0, Border = 1, Reflection = 2 };

struct Sampling {
  Tensor input, grid;
  Mode mode = Mode::Bilinear;
  Padding padding = Padding::Zeros;
  bool corners = false;
};

Sampling samplingOf(Emitter& e) {
  Sampling s{e.tensor("input"), e.tensor("grid")};
  const std::int64_t mode = e.integer("interpolation_mode"), padding = e.integer("padding_mode");
  s.corners = e.flag("align_corners");
  e.require((mode == 0 || mode == 1) && padding >= 0 && padding <= 2);
  e.require((s.input.rank() == 4 || s.input.rank() == 5) && s.grid.rank() == s.input.rank() &&
            isFloating(s.input.dtype()) && isFloating(s.grid.dtype()));
  for (std::size_t i = 1; i < s.input.rank(); ++i) e.require(e.fixed(s.input, i) > 0);
  s.mode = mode == 1 ? Mode::Nearest : Mode::Bilinear;
  s.padding = static_cast<Padding>(padding);
  return s;
}

/// Reflects at the two bounds, given doubled, until inside.
Tensor reflect(Emitter& e, const Tensor& at, double twiceLow, double twiceHigh) {
  if (twiceLow == twiceHigh) return e.mul(at, 0.0);
  const double low = twiceLow / 2, span = (twiceHigh - twiceLow) / 2;
  const Tensor away = e.abs(e.sub(at, low));
  const Tensor flips = e.floor(e.div(away, span));
  const Tensor extra = e.sub(away, e.mul(flips, span));
  const Tensor odd = e.sub(flips, e.mul(e.floor(e.div(flips, 2.0)), 2.0));
  return e.where(e.compare("eq", odd, 0.0), e.add(extra, low), e.sub(span + low, extra));
}

/// The grid's coordinate in pixels of a dimension.
Tensor pixelPosition(Emitter& e, const Tensor& coordinate, std::int64_t size, const Sampling& s) {
  const auto n = static_cast<double>(size);
  Tensor at = s.corners ? e.mul(e.add(coordinate, 1.0), (n - 1) / 2)
                        : e.div(e.sub(e.mul(e.add(coordinate, 1.0), n), 1.0), 2.0);
  if (s.padding == Padding::Zeros) return at;
  if (s.padding == Padding::Reflection)
    at = s.corners ? reflect(e, at, 0, 2 * (n - 1)) : reflect(e, at, -1, 2 * n - 1);
  return e.clamp(at, 0.0, n - 1);
}

struct Neighbour {
  Tensor index, weight;  ///< weight 0 outside the image
};

/// The one or two pixels of a dimension that contribute to each position.
std::vector<Neighbour> neighbours(Emitter& e, const Tensor& at, std::int64_t size, Mode mode) {
  const Tensor base = mode == Mode::Nearest ? e.unary("round", at) : e.floor(at);
  std::vector<Neighbour> out;
  for (int i = 0; i < (mode == Mode::Nearest ? 1 : 2); ++i) {
    const Tensor pixel = i == 0 ? base : e.add(base, 1.0);
    const Tensor inside = e.logicalAnd(e.compare("ge", pixel, 0.0),
                                       e.compare("le", pixel, static_cast<double>(size - 1)));
    Tensor weight = e.cast(inside, at.dtype());
    if (mode == Mode::Bilinear)
      weight = e.mul(weight, i == 0 ? e.sub(e.add(base, 1.0), at) : e.sub(at, base));
    out.push_back(
        {e.cast(e.clamp(pixel, 0.0, static_cast<double>(size - 1)), DType::Int64), weight});
  }
  return out;
}

Results sample(Emitter& e) {
  const Sampling s = samplingOf(e);
  const std::size_t spatial = s.input.rank() - 2;
  const Size batch = e.size(s.input, 0), channels = e.size(s.input, 1);
  Sizes points;
  for (std::size_t i = 1; i <= spatial; ++i) points.push_back(e.size(s.grid, i));
  const Size count = e.product(points);
  std::int64_t pixels = 1;
  for (std::size_t i = 2; i < s.input.rank(); ++i) pixels *= e.fixed(s.input, i);
  const Tensor image = e.reshape(s.input, {batch, channels, Size::of(pixels)});
  const Tensor grid =
      e.reshape(s.grid, {batch, count, Size::of(static_cast<std::int64_t>(spatial))});
  // One entry for each combination of neighbours: index into the flattened image, and weight, [N,
  // points].
  std::vector<Neighbour> corners;
  for (std::size_t d = 0; d < spatial; ++d) {
    const std::int64_t size = e.fixed(s.input, d + 2);
    const auto column =
        static_cast<std::int64_t>(spatial - 1 - d);  // x, the innermost dimension, comes first
    const Tensor coordinate = e.squeeze(e.slice(grid, 2, column, column + 1), 2);
    const std::vector<Neighbour> own =
        neighbours(e, pixelPosition(e, coordinate, size, s), size, s.mode);
    if (corners.empty()) {
      corners = own;
      continue;
    }
    std::vector<Neighbour> combined;
    for (const Neighbour& outer : corners)
      for (const Neighbour& inner : own)
        combined.push_back(
            {e.add(e.mul(outer.index, size), inner.index), e.mul(outer.weight, inner.weight)});
    corners = std::move(combined);
  }
  std::optional<Tensor> sum;
  for (const Neighbour& corner : corners) {
    const Tensor index = e.expand(e.unsqueeze(corner.index, 1), {batch, channels, count});
    const Tensor term = e.mul(e.gather(image, 2, index), e.unsqueeze(corner.weight, 1));
    sum = sum ? e.add(*sum, term) : term;
  }
  Sizes shape{batch, channels};
  shape.insert(shape.end(), points.begin(), points.end());
  return one(e.cast(e.reshape(*sum, shape), s.input.dtype()));
}

constexpr std::string_view kSampled =
    "    corners = []\n"
    "    for dim, size in enumerate(input.shape[2:]):\n"
    "        at = grid[..., -1 - dim] + 1\n"
    "        at = at * ((size - 1) / 2) if align_corners else (at * size - 1) / 2\n"
    "        if padding_mode == 2:\n"
    "            low, span = (0, max(size - 1, 1)) if align_corners else (-0.5, size)\n"
    "            flips = ((at - low).abs() / span).floor()\n"
    "            rest, odd = (at - low).abs() - flips * span, flips - 2 * (flips / 2).floor()\n"
    "            at = torch.where(odd == 0, rest + low, span + low - rest)\n"
    "        at = at.clamp(0, size - 1) if padding_mode else at\n"
    "        places = [at.round()] if interpolation_mode == 1 else [at.floor(), at.floor() + 1]\n"
    "        own = []\n"
    "        for place in places:\n"
    "            weight = (place >= 0).logical_and(place <= size - 1).to(at.dtype)\n"
    "            weight = weight if interpolation_mode == 1 else weight * (1 - (at - "
    "place).abs())\n"
    "            own.append((place.clamp(0, size - 1).long(), weight))\n"
    "        corners = [(i * size + j, v * w) for i, v in corners for j, w in own] if corners else "
    "own\n"
    "    image, shape = input.flatten(2), (input.shape[0], input.shape[1], -1)\n"
    "    terms = [image.gather(2, i.flatten(1).unsqueeze(1).expand(shape)) * "
    "w.flatten(1).unsqueeze(1)\n"
    "             for i, w in corners]\n"
    "    return sum(terms[1:], terms[0]).unflatten(2, grid.shape[1:-1]).to(input.dtype)\n";

}  // namespace

void registerGridSampler(RewriteRules& rules) {
  const std::string reason = "becomes gathers of each point's neighbours, weighted";
  for (const char* target : {"aten.grid_sampler.default", "aten.grid_sampler_2d.default",
                             "aten.grid_sampler_3d.default"})
    rules.add({target, reason, true, sample, {}, kSampled});
}

}  // namespace fxs::rewrite
