// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Non-constant padding, and roll: each dimension is read by an index.
#include <fmt/format.h>

#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

enum class Border { Reflect, Replicate, Circular };

/// The source index of each position -before .. size + after - 1 of a dimension.
Tensor sourcePositions(Emitter& e, Border border, std::int64_t size, std::int64_t before,
                       std::int64_t after) {
  const Tensor at = e.arange(-before, size + after);
  if (border == Border::Replicate) return e.clamp(at, 0, static_cast<double>(size - 1));
  if (border == Border::Reflect) {
    const Tensor fromEnd = e.abs(e.sub(e.abs(at), size - 1));
    return e.sub(size - 1, fromEnd);
  }
  const Tensor low = e.where(e.compare("lt", at, std::int64_t{0}), e.add(at, size), at);
  return e.where(e.compare("ge", low, size), e.sub(low, size), low);
}

bool cuts(const std::vector<std::int64_t>& pads) {
  return std::ranges::any_of(pads, [](std::int64_t pad) { return pad < 0; });
}

/// Cuts by the negative amounts, which become 0.
Tensor cut(Emitter& e, Tensor x, std::vector<std::int64_t>& pads) {
  for (std::size_t i = 0; i + 1 < pads.size(); i += 2) {
    const std::size_t dim = x.rank() - 1 - i / 2;
    if (pads[i] >= 0 && pads[i + 1] >= 0) continue;
    x = e.slice(x, dim, std::max<std::int64_t>(-pads[i], 0),
                e.fixed(x, dim) + std::min<std::int64_t>(pads[i + 1], 0));
    for (const std::size_t side : {i, i + 1}) pads[side] = std::max<std::int64_t>(pads[side], 0);
  }
  return x;
}

/// Pairs (before, after) from the last dimension backwards; negative amounts cut. What circular
/// padding cuts does not come back at the other end.
Tensor padded(Emitter& e, Tensor x, std::vector<std::int64_t> pads, Border border) {
  e.require(pads.size() % 2 == 0 && pads.size() / 2 <= x.rank());
  if (border == Border::Circular) x = cut(e, std::move(x), pads);
  for (std::size_t i = 0; i + 1 < pads.size(); i += 2) {
    const std::int64_t size = e.fixed(x, x.rank() - 1 - i / 2);
    std::int64_t most = INT32_MAX;
    if (border == Border::Reflect) most = size - 1;
    else if (border == Border::Circular) most = size;
    e.require(size > 0 && pads[i] <= most && pads[i + 1] <= most &&
              size + pads[i] + pads[i + 1] > 0);
  }
  for (std::size_t i = 0; i + 1 < pads.size(); i += 2) {
    const std::size_t dim = x.rank() - 1 - i / 2;
    if (pads[i] == 0 && pads[i + 1] == 0) continue;
    x = e.indexSelect(x, dim,
                      sourcePositions(e, border, x.meta.sizes[dim].value(), pads[i], pads[i + 1]));
  }
  return x;
}

constexpr const char* modeOf(Border border) {
  if (border == Border::Reflect) return "reflect";
  return border == Border::Replicate ? "replicate" : "circular";
}

constexpr const char* positionsInPython(Border border) {
  if (border == Border::Reflect) return "size - 1 - (size - 1 - at.abs()).abs()";
  return border == Border::Replicate ? "at.clamp(0, size - 1)"
                                     : "torch.where(at < 0, at + size, at)";
}

/// padded() in Python, for a function that has the name of its parameter `pads`.
std::string paddedInPython(Border border, std::string_view pads) {
  std::string out =
      border == Border::Circular ? "    if min(pad) < 0:\n        return NotImplemented\n" : "";
  out += fmt::format(
      "    for i in range(0, len({0}), 2):\n"
      "        if any({0}[i:i + 2]):\n"
      "            size = self.shape[-1 - i // 2]\n"
      "            at = torch.arange(-{0}[i], size + {0}[i + 1], device=self.device)\n"
      "            at = {1}\n",
      pads, positionsInPython(border));
  if (border == Border::Circular)
    out += "            at = torch.where(at >= size, at - size, at)\n";
  return out +
         "            self = self.index_select(-1 - i // 2, at)\n"
         "    return self\n";
}

constexpr std::string_view kPaddedByConstant =
    "    if mode != 'constant':\n"
    "        return NotImplemented\n"
    "    return aten.constant_pad_nd(self, pad, 0 if value is None else value)\n";

Results padByConstant(Emitter& e) {
  e.require(e.text("mode") == "constant");
  const fx::Argument value = e.argument("value");
  return one(e.op("aten.constant_pad_nd.default",
                  {e.tensor("self").value, e.argument("pad"),
                   value.isNone() ? fx::Argument(std::int64_t{0}) : value},
                  e.result()));
}

/// The rules of an operator for one kind of padding, or of aten.pad, which has a mode.
template <Border border, bool isByMode = false>
void addPadding(RewriteRules& rules, const std::string& packet, const std::string& reason) {
  static constexpr const char* kPads = isByMode || border == Border::Circular ? "pad" : "padding";
  static const std::string kPython =
      (isByMode
           ? fmt::format("    if mode != '{}':\n        return NotImplemented\n", modeOf(border))
           : "") +
      paddedInPython(border, kPads);
  const auto apply = [](Emitter& e) {
    if (isByMode) e.require(e.text("mode") == modeOf(border));
    return one(padded(e, e.tensor("self"), e.integers(kPads), border));
  };
  const auto withoutCut = [apply](Emitter& e) {
    e.require(!cuts(e.integers(kPads)));
    return apply(e);
  };
  const std::string target = "aten." + packet + ".default";
  if (border != Border::Circular) {
    rules.add({target, reason, true, apply, {}, kPython});
    return;
  }
  rules.add({target, reason, true, withoutCut, {}, kPython});
  rules.add({target, reason, true, apply});
}

Tensor rolled(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t shift) {
  const std::int64_t size = x.meta.sizes[dim].value();
  const std::int64_t start = size == 0 ? 0 : ((-shift) % size + size) % size;
  if (start == 0) return x;
  const Tensor front = e.slice(x, dim, start, size);
  const Tensor back = e.slice(x, dim, 0, start);
  return e.cat({front, back}, dim);
}

constexpr std::string_view kRolled =
    "    out = self if dims else self.flatten()\n"
    "    for shift, dim in zip(shifts, dims or [0]):\n"
    "        start = -shift % max(out.shape[dim], 1)\n"
    "        if start:\n"
    "            out = torch.cat(out.tensor_split([start], dim)[::-1], dim)\n"
    "    return out if dims else out.reshape(self.shape)\n";

/// Without dimensions the flattened tensor is shifted.
Results roll(Emitter& e) {
  const Tensor self = e.tensor("self");
  const std::vector<std::int64_t> shifts = e.integers("shifts"), dims = e.integers("dims");
  e.require(dims.empty() ? shifts.size() == 1 && e.isStatic(self) : shifts.size() == dims.size());
  for (const std::int64_t d : dims) e.fixed(self, e.dim(d, self));
  if (dims.empty()) return one(e.reshape(rolled(e, e.flatten(self), 0, shifts[0]), e.sizes(self)));
  Tensor x = self;
  for (std::size_t i = 0; i < dims.size(); ++i) x = rolled(e, x, e.dim(dims[i], self), shifts[i]);
  return one(x);
}

template <bool inverse>
Results fftShift(Emitter& e) {
  Tensor x = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", x);
  for (const std::size_t d : dims) e.fixed(x, d);
  for (const std::size_t d : dims) {
    const std::int64_t size = x.meta.sizes[d].value();
    x = rolled(e, x, d, inverse ? (size + 1) / 2 : size / 2);
  }
  return one(x);
}

/// `first`: how many elements come last.
std::string shiftInPython(std::string_view first) {
  return fmt::format(
      "    out = self\n"
      "    for d in range(self.dim()) if dim is None else dim:\n"
      "        size = self.shape[d]\n"
      "        first = {}\n"
      "        if 0 < first < size:\n"
      "            out = torch.cat([aten.slice(out, d, first), aten.slice(out, d, 0, first)], d)\n"
      "    return out\n",
      first);
}

}  // namespace

void registerPadding(RewriteRules& rules) {
  const auto add = [&](const std::string& packet, std::string reason, decltype(Rule::apply) apply,
                       std::string_view python = {}) {
    rules.add(
        {"aten." + packet + ".default", std::move(reason), true, std::move(apply), "", python});
  };
  const std::string reads = "becomes a read by index along each dimension";
  add("pad", "becomes aten.constant_pad_nd", padByConstant, kPaddedByConstant);
  addPadding<Border::Reflect, true>(rules, "pad", reads);
  addPadding<Border::Replicate, true>(rules, "pad", reads);
  addPadding<Border::Circular, true>(rules, "pad", reads);
  for (const std::string dims : {"1d", "2d", "3d"}) {
    addPadding<Border::Reflect>(rules, "reflection_pad" + dims, reads);
    addPadding<Border::Replicate>(rules, "replication_pad" + dims, reads);
  }
  addPadding<Border::Circular>(rules, "_pad_circular", reads);
  add("roll", "becomes slices, concatenated in rotated order", roll, kRolled);
  // The rules refer to them.
  static const std::string shift = shiftInPython("(size + 1) // 2"),
                           inverse = shiftInPython("size // 2");
  add("fft_fftshift", "becomes slices, concatenated in rotated order", fftShift<false>, shift);
  add("fft_ifftshift", "becomes slices, concatenated in rotated order", fftShift<true>, inverse);
}

}  // namespace fxs::rewrite
