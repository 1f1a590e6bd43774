// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions that torch-mlir knows and op registries do not, by others: on request.
#include <algorithm>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results typeAs(Emitter& e) {
  const Tensor x = e.tensor("self"), other = e.tensor("other");
  e.require(isComplex(x.dtype()) == isComplex(other.dtype()));
  return one(e.cast(x, other.dtype()));
}

Results expandToOther(Emitter& e) { return one(e.expandAs(e.tensor("self"), e.tensor("other"))); }

Results broadcastTo(Emitter& e) {
  return one(e.op("aten.expand.default", {e.tensor("self").value, e.argument("size")}, e.result()));
}

/// Each tensor, expanded to the shape of all.
Results broadcastTensors(Emitter& e) {
  const std::vector<Tensor> tensors = e.tensors("tensors");
  std::vector<fx::SymInt> shape;
  for (const Tensor& x : tensors) shape = Emitter::broadcastSizes(shape, x.meta.sizes);
  Sizes sizes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::optional<Size> size;
    for (const Tensor& x : tensors) {
      const std::size_t missing = shape.size() - x.rank();
      if (!size && d >= missing && x.meta.sizes[d - missing] == shape[d])
        size = e.size(x, d - missing);
    }
    e.require(size.has_value());
    sizes.push_back(*size);
  }
  std::vector<fx::Argument> results;
  for (const Tensor& x : tensors) results.push_back(e.expand(x, sizes).value);
  return results;
}

Results reversedDims(Emitter& e) {
  const Tensor x = e.tensor("self");
  std::vector<std::size_t> order = allDims(x);
  std::reverse(order.begin(), order.end());
  return one(e.permute(x, order));
}

/// At most one of `sizes` is -1, which aten.reshape takes, too.
Results unflatten(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const fx::TensorMeta result = e.result();
  const fx::Argument given = e.argument("sizes");
  e.require(given.list() != nullptr && x.rank() > 0 &&
            result.rank() == x.rank() - 1 + given.list()->size());
  fx::ArgumentList shape;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (d != dim) shape.push_back(e.size(x, d).argument);
    else shape.insert(shape.end(), given.list()->begin(), given.list()->end());
  }
  return one(e.op("aten.reshape.default", {x.value, std::move(shape)}, x.dtype(), result.sizes));
}

/// The last dimensions of `x` in groups: `front` dimensions stay, those after them become `groups`,
/// which are permuted by `order`.
Tensor regrouped(Emitter& e, const Tensor& x, std::size_t front, const Sizes& groups,
                 const std::vector<std::size_t>& order) {
  Sizes shape = e.sizes(x);
  shape.resize(front);
  shape.insert(shape.end(), groups.begin(), groups.end());
  std::vector<std::size_t> full;
  for (std::size_t d = 0; d < front; ++d) full.push_back(d);
  for (const std::size_t d : order) full.push_back(front + d);
  return e.permute(e.reshape(x, shape), full);
}

Tensor withLast(Emitter& e, const Tensor& like, const Tensor& x, std::size_t front,
                const Sizes& last) {
  Sizes shape = e.sizes(like);
  shape.resize(front);
  shape.insert(shape.end(), last.begin(), last.end());
  return e.reshape(x, shape);
}

/// Groups of channels become squares of pixels.
Results pixelShuffle(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t by = e.integer("upscale_factor");
  e.require(x.rank() >= 3 && by > 0 && by <= 1 << 10);
  const std::size_t front = x.rank() - 3;
  const std::int64_t channels = e.fixed(x, front);
  e.require(channels % (by * by) == 0);
  const Size own = Size::of(channels / (by * by)), factor = Size::of(by),
             height = e.size(x, front + 1), width = e.size(x, front + 2);
  const Tensor turned =
      regrouped(e, x, front, {own, factor, factor, height, width}, {0, 3, 1, 4, 2});
  return one(withLast(e, x, turned, front, {own, e.times(height, factor), e.times(width, factor)}));
}

constexpr std::string_view kPixelShuffle =
    "    *batch, channels, height, width = self.shape\n"
    "    own, n, by = channels // upscale_factor**2, len(batch), upscale_factor\n"
    "    x = self.reshape(*batch, own, by, by, height, width)\n"
    "    x = x.permute(*range(n + 1), n + 3, n + 1, n + 4, n + 2)\n"
    "    return x.reshape(*batch, own, height * by, width * by)\n";

Results pixelUnshuffle(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t by = e.integer("downscale_factor");
  e.require(x.rank() >= 3 && by > 0 && by <= 1 << 10);
  const std::size_t front = x.rank() - 3;
  const std::int64_t height = e.fixed(x, front + 1), width = e.fixed(x, front + 2);
  e.require(height % by == 0 && width % by == 0);
  const Size channels = e.size(x, front), factor = Size::of(by), rows = Size::of(height / by),
             columns = Size::of(width / by);
  const Tensor turned =
      regrouped(e, x, front, {channels, rows, factor, columns, factor}, {0, 2, 4, 1, 3});
  return one(withLast(e, x, turned, front, {e.times(channels, Size::of(by * by)), rows, columns}));
}

template <std::size_t dim>
Results flipped(Emitter& e) {
  const Tensor x = e.tensor("self");
  e.require(x.rank() > dim);
  return one(e.flip(x, dim));
}

Results rotated(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> dims = e.integers("dims");
  e.require(dims.size() == 2);
  const std::size_t a = e.dim(dims[0], x), b = e.dim(dims[1], x);
  const std::int64_t turns = ((e.integer("k") % 4) + 4) % 4;
  e.require(x.rank() >= 2 && a != b);
  if (turns == 0) return one(e.clone(x));
  if (turns == 2) return one(e.flip(e.flip(x, a), b));
  return one(e.transpose(e.flip(x, turns == 1 ? b : a), a, b));
}

Results narrowed(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t start = e.integer("start"), length = e.integer("length"),
                     count = e.fixed(x, dim);
  const std::int64_t first = start < 0 ? start + count : start;
  e.require(first >= 0 && length >= 0 && first + length <= count);
  return one(e.slice(x, dim, first, first + length));
}

Results stacked(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  const Tensor full = e.stack(parts, e.dimOf(e.integer("dim"), parts.front().rank() + 1));
  e.require(full.dtype() == e.result().dtype);
  return one(full);
}

/// column - row of each element of the last two dimensions.
Tensor diagonalOfEach(Emitter& e, const Size& rows, const Size& columns) {
  return e.sub(e.unsqueeze(e.arange(columns), 0), e.unsqueeze(e.arange(rows), 1));
}

template <bool isUpper>
Results triangle(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t diagonal = e.integer("diagonal");
  e.require(x.rank() >= 2 && !isComplex(x.dtype()));
  const Tensor at = diagonalOfEach(e, e.size(x, x.rank() - 2), e.size(x, x.rank() - 1));
  return one(e.where(e.compare(isUpper ? "ge" : "le", at, diagonal), x, e.zeros({}, x.dtype())));
}

Results identityMatrix(Emitter& e) {
  const fx::TensorMeta result = e.result();
  e.require(result.rank() == 2 && !isComplex(result.dtype));
  const bool isSquare = e.matched().target == "aten.eye.default";
  const Size rows{result.sizes[0], e.argument("n")},
      columns{result.sizes[1], e.argument(isSquare ? "n" : "m")};
  return one(
      e.cast(e.compare("eq", diagonalOfEach(e, rows, columns), std::int64_t{0}), result.dtype));
}

Results oneHot(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t classes = e.integer("num_classes");
  e.require(classes > 0 && isIntegral(x.dtype()));
  return one(
      e.cast(e.compare("eq", e.unsqueeze(x, x.rank()), e.arange(Size::of(classes))), DType::Int64));
}

Results copyOver(Emitter& e) {
  const Tensor self = e.tensor("self"), source = e.tensor("src");
  e.require(isComplex(self.dtype()) == isComplex(source.dtype()));
  return one(e.clone(e.expandAs(e.cast(source, self.dtype()), self)));
}

}  // namespace

void registerShapeForms(RewriteRules& rules) {
  const auto add = [&](std::initializer_list<std::string_view> targets, std::string_view reason,
                       const decltype(Rule::apply)& apply) {
    rules.addEach(targets, reason, false, apply);
  };
  add({"aten.type_as.default"}, "becomes a conversion when the type changes", typeAs);
  add({"aten.expand_as.default"}, "becomes aten.expand", expandToOther);
  add({"aten.broadcast_to.default"}, "becomes aten.expand", broadcastTo);
  add({"aten.broadcast_tensors.default"}, "becomes aten.expand of each tensor", broadcastTensors);
  add({"aten.numpy_T.default"}, "becomes aten.permute", reversedDims);
  add({"aten.unflatten.int"}, "becomes aten.reshape", unflatten);
  rules.add({"aten.pixel_shuffle.default",
             "becomes reshapes and a permutation",
             false,
             pixelShuffle,
             {},
             kPixelShuffle});
  add({"aten.pixel_unshuffle.default"}, "becomes reshapes and a permutation", pixelUnshuffle);
  add({"aten.flipud.default"}, "becomes aten.flip", flipped<0>);
  add({"aten.fliplr.default"}, "becomes aten.flip", flipped<1>);
  add({"aten.rot90.default"}, "becomes aten.flip and aten.transpose", rotated);
  add({"aten.narrow.default"}, "becomes aten.slice", narrowed);
  add({"aten.stack.default"}, "becomes aten.cat", stacked);
  add({"aten.triu.default"}, "becomes aten.where of row and column indices", triangle<true>);
  add({"aten.tril.default"}, "becomes aten.where of row and column indices", triangle<false>);
  add({"aten.eye.default", "aten.eye.m"}, "becomes a comparison of row and column indices",
      identityMatrix);
  add({"aten.one_hot.default"}, "becomes a comparison with each class", oneHot);
  add({"aten.copy.default"}, "becomes a conversion and aten.expand", copyOver);
}

}  // namespace fxs::rewrite
