// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of padding, checked against PyTorch operation by
// operation.
#include <algorithm>

#include "ops/promotion.h"
#include "rewrite/default_parts.h"

namespace fxs::rewrite {
namespace {

/// Of a dimension. Negative amounts cut.
struct Amounts {
  std::int64_t before, after;
};

/// Those of the last dimensions, the first of these first.
std::vector<Amounts> amountsOf(Emitter& e, std::string_view name) {
  const std::vector<std::int64_t> pads = e.integers(name);
  e.require(!pads.empty() && pads.size() % 2 == 0 &&
            std::ranges::all_of(
                pads, [](std::int64_t pad) { return pad >= -kMaxNumber && pad <= kMaxNumber; }));
  std::vector<Amounts> out;
  for (std::size_t i = pads.size(); i > 0; i -= 2) out.push_back({pads[i - 2], pads[i - 1]});
  return out;
}

/// aten.index along each dimension.
Results padByIndex(Emitter& e, const std::vector<Amounts>& amounts, bool reflects) {
  Tensor x = e.tensor("self");
  e.require((x.rank() == amounts.size() + 1 || x.rank() == amounts.size() + 2) &&
            isContiguous(x.meta).value_or(false));
  x = e.cast(x, ops::computationType(x.dtype()));
  const std::size_t first = x.rank() - amounts.size();
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    const std::size_t dim = first + i;
    const auto [before, after] = amounts[i];
    const Size size = e.size(x, dim), end = e.plus(size, Size::of(after)),
               last = e.plus(size, Size::of(-1));
    const fx::TensorMeta positions = e.meta(DType::Int64, {end.value + fx::SymInt(before)});
    Tensor at = e.op("aten.arange.start_step",
                     {-before, end.argument, std::int64_t{1}, fx::None{}, Layout::Strided,
                      positions.device, false},
                     positions);
    const auto fromLast = [&](const Tensor& distance) {
      return e.op("aten.sub.Tensor", {last.argument, distance.value}, distance.meta);
    };
    if (reflects) at = fromLast(e.abs(fromLast(e.abs(at))));
    else at = e.op("aten.clamp.default", {at.value, std::int64_t{0}, last.argument}, at.meta);
    fx::ArgumentList indices(x.rank(), fx::None{});
    indices[dim] = at.value;
    std::vector<fx::SymInt> sizes = x.meta.sizes;
    sizes[dim] = at.meta.sizes[0];
    x = e.op("aten.index.Tensor", {x.value, std::move(indices)}, x.dtype(), std::move(sizes));
  }
  return one(e.asResult(x));
}

/// A part of a dimension.
struct Part {
  std::size_t dim;
  Size start, end;
  fx::SymInt size;
};
Tensor taken(Emitter& e, const Tensor& x, const Part& part) {
  fx::TensorMeta meta = x.meta;
  meta.sizes[part.dim] = part.size;
  return e.op(
      "aten.slice.Tensor",
      {x.value, static_cast<std::int64_t>(part.dim), part.start.argument, part.end.argument}, meta);
}
Tensor put(Emitter& e, const Tensor& x, const Tensor& source, const Part& part) {
  return e.op("aten.slice_scatter.default",
              {x.value, source.value, static_cast<std::int64_t>(part.dim), part.start.argument,
               part.end.argument},
              x.meta);
}
Tensor copied(Emitter& e, const Tensor& over, const Tensor& source) {
  return e.op("aten.copy.default", {over.value, source.value}, over.dtype(), over.meta.sizes);
}

/// Written where it belongs in a tensor, whose ends are then copied from each other.
Results padInCircle(Emitter& e, const std::vector<Amounts>& amounts) {
  const Tensor x = e.tensor("self");
  e.require(x.rank() == amounts.size() + 2);
  Sizes shape = e.sizes(x);
  std::vector<Part> inner, outer;  // the last dimension first
  for (std::size_t i = amounts.size(); i-- > 0;) {
    const auto [before, after] = amounts[i];
    Size& size = shape[i + 2];
    const auto cut = [](std::int64_t amount) { return std::max<std::int64_t>(-amount, 0); };
    const auto added = [](std::int64_t amount) { return std::max<std::int64_t>(amount, 0); };
    const fx::SymInt kept = size.value + fx::SymInt(-cut(before) - cut(after));
    inner.push_back({i + 2, Size::of(cut(before)), e.plus(size, Size::of(-cut(after))), kept});
    size = e.plus(e.plus(size, Size::of(before)), Size::of(after));
    outer.push_back({i + 2, Size::of(added(before)), e.plus(size, Size::of(-added(after))), kept});
  }
  const fx::TensorMeta result = e.meta(x.dtype(), valuesOf(shape));
  Tensor out = e.op("aten.empty.memory_format",
                    {argumentsOf(shape), x.dtype(), Layout::Strided, result.device, false}, result);
  Tensor place = out, source = x;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    place = taken(e, place, outer[i]);
    source = taken(e, source, inner[i]);
  }
  Tensor written = copied(e, place, source);
  std::vector<Tensor> places{out};
  for (std::size_t i = 0; i + 1 < outer.size(); ++i)
    places.push_back(taken(e, places.back(), outer[i]));
  for (std::size_t i = outer.size(); i-- > 0;) written = put(e, places[i], written, outer[i]);
  out = written;
  for (const Part& middle : outer) {
    const auto [before, after] = amounts[middle.dim - 2];
    const auto copyEnd = [&](const Size& from, const Size& to, std::int64_t amount) {
      const auto partAt = [&](const Size& start) {
        return Part{middle.dim, start, e.plus(start, Size::of(amount)), fx::SymInt(amount)};
      };
      const Part end = partAt(to);
      out = put(e, out, copied(e, taken(e, out, end), taken(e, out, partAt(from))), end);
    };
    if (before > 0) copyEnd(e.plus(middle.end, Size::of(-before)), Size::of(0), before);
    if (after > 0) copyEnd(middle.start, middle.end, after);
  }
  return one(out);
}

Results padByMode(Emitter& e) {
  const std::string mode = e.text("mode");
  const fx::Argument given = e.argument("value");
  if (mode == "constant")
    return one(e.op(
        "aten.constant_pad_nd.default",
        {e.tensor("self").value, e.argument("pad"), given.isNone() ? fx::Argument(0.0) : given},
        e.result()));
  const std::vector<Amounts> amounts = amountsOf(e, "pad");
  if (mode == "circular") return padInCircle(e, amounts);
  e.require(mode == "reflect" || mode == "replicate");
  return padByIndex(e, amounts, mode == "reflect");
}

template <bool reflects>
Results padBySourceIndex(Emitter& e) {
  return padByIndex(e, amountsOf(e, "padding"), reflects);
}

Results padCircular(Emitter& e) { return padInCircle(e, amountsOf(e, "pad")); }

}  // namespace

void addDefaultPadding(RewriteRules& forms) {
  addDefault(forms, {"aten.pad.default"}, padByMode);
  addDefault(forms,
             {"aten.reflection_pad1d.default", "aten.reflection_pad2d.default",
              "aten.reflection_pad3d.default"},
             padBySourceIndex<true>);
  addDefault(forms,
             {"aten.replication_pad1d.default", "aten.replication_pad2d.default",
              "aten.replication_pad3d.default"},
             padBySourceIndex<false>);
  addDefault(forms, {"aten._pad_circular.default"}, padCircular);
}

}  // namespace fxs::rewrite
