// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape functions that PyTorch defines by others, which alone are in the torch dialect.
#include <algorithm>

#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results swapLastTwo(Emitter& e) {
  const Tensor x = e.tensor("self");
  // mH and matrix_H also conjugate complex tensors.
  e.require(x.rank() >= 2 && (e.matched().target == "aten.mT.default" || !isComplex(x.dtype())));
  return one(e.transpose(x, x.rank() - 2, x.rank() - 1));
}

Results matrixDiagonal(Emitter& e) {
  const Tensor x = e.tensor("A");
  return one(e.op("aten.diagonal.default",
                  {x.value, e.integer("offset"), e.integer("dim1"), e.integer("dim2")},
                  e.result()));
}

Results swap(Emitter& e, std::string_view first, std::string_view second) {
  const Tensor x = e.tensor("self");
  const std::size_t a = e.dim(e.integer(first), x), b = e.dim(e.integer(second), x);
  return one(x.rank() == 0 ? x : e.transpose(x, a, b));
}
Results swapAxes(Emitter& e) { return swap(e, "axis0", "axis1"); }
Results swapDims(Emitter& e) { return swap(e, "dim0", "dim1"); }

Results moveDims(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> from = e.integers("source"), to = e.integers("destination");
  e.require(from.size() == to.size() && x.rank() > 0);
  constexpr std::size_t kFree = SIZE_MAX;
  std::vector<std::size_t> order(x.rank(), kFree);
  std::vector<bool> placed(x.rank(), false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t source = e.dim(from[i], x), target = e.dim(to[i], x);
    order[target] = source;
    placed[source] = true;
  }
  std::size_t next = 0;
  for (std::size_t& slot : order) {
    if (slot != kFree) continue;
    while (next < placed.size() && placed[next]) ++next;
    e.require(next < placed.size());
    slot = next++;
  }
  return one(e.permute(x, order));
}

Results ravel(Emitter& e) { return one(e.flatten(e.tensor("self"))); }

Results shapeOfOther(Emitter& e) {
  const Tensor x = e.tensor("self"), other = e.tensor("other");
  return one(e.reshape(x, e.sizes(other)));
}

/// atleast_1d, _2d and _3d put the new dimensions where NumPy does.
Tensor atLeast(Emitter& e, const Tensor& x, std::size_t rank) {
  Tensor out = x;
  while (out.rank() < rank) out = e.unsqueeze(out, rank == 3 && out.rank() == 2 ? 2 : 0);
  return out;
}
template <std::size_t rank>
Results atLeastRule(Emitter& e) {
  return one(atLeast(e, e.tensor("self"), rank));
}

/// hstack, vstack and dstack: each part made at least 1-d, 2-d or 3-d, then joined along a fixed
/// dimension; vectors along their own.
template <std::size_t rank, std::size_t dim>
Results stackAtLeast(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  std::vector<Tensor> raised;
  for (const Tensor& part : parts) raised.push_back(atLeast(e, part, rank));
  return one(e.cat(raised, std::min(dim, raised.front().rank() - 1)));
}

Results columnStack(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  std::vector<Tensor> columns;
  for (const Tensor& part : parts)
    columns.push_back(part.rank() <= 1 ? e.reshape(part, {e.product(e.sizes(part)), Size::of(1)})
                                       : part);
  return one(e.cat(columns, 1));
}

std::vector<fx::Argument> slices(Emitter& e, const Tensor& x, std::size_t dim,
                                 const std::vector<std::int64_t>& cuts) {
  e.expectNodes(cuts.size() + 1);
  std::vector<fx::Argument> parts;
  const std::int64_t count = e.fixed(x, dim);
  std::int64_t from = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const std::int64_t to = i < cuts.size() ? cuts[i] : count;
    parts.push_back(e.slice(x, dim, from, to).value);
    from = to;
  }
  return parts;
}

/// tensor_split by `indices` (cut points, negative ones from the end) or into `sections` of sizes
/// that differ by one at most.
Results splitBy(Emitter& e, const Tensor& x, std::size_t dim, bool byIndices) {
  const std::int64_t count = e.fixed(x, dim);
  std::vector<std::int64_t> cuts;
  if (byIndices) {
    cuts = e.integers("indices");
  } else {
    const std::int64_t sections = e.integer("sections");
    e.require(sections > 0 && sections <= 1 << 16);
    std::int64_t at = 0;
    for (std::int64_t i = 0; i + 1 < sections; ++i)
      cuts.push_back(at += count / sections + (i < count % sections ? 1 : 0));
  }
  for (std::int64_t& cut : cuts) cut = ops::sliceBound(cut, count);
  return slices(e, x, dim, cuts);
}

template <bool byIndices>
Results tensorSplit(Emitter& e) {
  const Tensor x = e.tensor("self");
  return splitBy(e, x, e.dim(e.integer("dim"), x), byIndices);
}

/// hsplit, vsplit and dsplit along a fixed dimension.
template <std::size_t fixedDim, bool byIndices>
Results splitAlong(Emitter& e) {
  const Tensor x = e.tensor("self");
  return splitBy(e, x, fixedDim == 1 && x.rank() == 1 ? 0 : fixedDim, byIndices);
}

/// Pieces of `size`, the last one possibly smaller; as many as recorded.
Results pieces(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t size) {
  const std::int64_t count = e.fixed(x, dim);
  e.require(size > 0 || count == 0);
  if (size > 0) e.expectNodes(static_cast<std::uint64_t>(count / size));
  std::vector<std::int64_t> cuts;
  for (std::int64_t left = count - size; left > 0; left -= size) cuts.push_back(count - left);
  return slices(e, x, dim, cuts);
}

Results unsafeChunk(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t chunks = e.integer("chunks");
  e.require(chunks > 0);
  const std::int64_t count = e.fixed(x, dim);
  return pieces(e, x, dim, count / chunks + (count % chunks == 0 ? 0 : 1));
}

Results contiguous(Emitter& e) {
  const Tensor x = e.tensor("self");
  const fx::Argument format = e.argument("memory_format");  // defaults to contiguous
  e.require(!std::holds_alternative<MemoryFormat>(format) ||
            format == fx::Argument(MemoryFormat::Contiguous));
  return one(
      e.op("aten.clone.default", {x.value, MemoryFormat::Contiguous}, x.dtype(), x.meta.sizes));
}

Results flattenDims(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t begin = e.dim(e.integer("start_dim"), x), end = e.dim(e.integer("end_dim"), x);
  e.require(begin <= end);
  if (x.rank() == 0) return one(e.reshape(x, {Size::of(1)}));
  const Sizes sizes = e.sizes(x);
  const auto at = [&](std::size_t i) { return sizes.begin() + static_cast<std::ptrdiff_t>(i); };
  Sizes shape(at(0), at(begin));
  shape.push_back(e.product(Sizes(at(begin), at(end + 1))));
  shape.insert(shape.end(), at(end + 1), sizes.end());
  return one(e.reshape(x, shape));
}

Results unsafeSplit(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  return pieces(e, x, dim, e.integer("split_size"));
}

Results unsafeSplitWithSizes(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::vector<std::int64_t> sizes = e.integers("split_sizes");
  e.require(!sizes.empty());
  std::vector<std::int64_t> cuts;
  std::int64_t at = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    e.require(sizes[i] >= 0 && sizes[i] <= kMaxNumber && at <= kMaxNumber);
    cuts.push_back(at += sizes[i]);
  }
  return slices(e, x, dim, cuts);
}

/// A part whose size is known only at run time begins where the one before it ends.
Results symbolicSplitWithSizes(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const fx::Argument given = e.context().argument("split_sizes");
  const fx::ArgumentList* lengths = given.list();
  e.require(lengths != nullptr && std::any_of(lengths->begin(), lengths->end(),
                                              [](const auto& n) { return n.node() != nullptr; }));
  std::vector<fx::Argument> parts;
  Size start = Size::of(0);
  for (std::size_t i = 0; i < lengths->size(); ++i) {
    const fx::TensorMeta* part = e.context().result(i);
    e.require(part != nullptr && dim < part->rank());
    const Size end = e.plus(start, {part->sizes[dim], (*lengths)[i]});
    fx::TensorMeta meta = *part;
    parts.push_back(e.op("aten.slice.Tensor",
                         {x.value, static_cast<std::int64_t>(dim), start.argument, end.argument},
                         std::move(meta))
                        .value);
    start = end;
  }
  return parts;
}

/// Each element is a slice without its dimension.
Results unbind(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t count = e.fixed(x, dim);
  e.require(x.rank() > 0);
  e.expectNodes(2 * static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)));
  std::vector<fx::Argument> parts;
  for (std::int64_t i = 0; i < count; ++i)
    parts.push_back(e.squeeze(e.slice(x, dim, i, i + 1), dim).value);
  return parts;
}

/// Each vector along its own dimension, expanded over the others; "xy" exchanges the first two.
Results meshgrid(Emitter& e) {
  const std::vector<Tensor> parts = e.tensors("tensors");
  const bool exchanged = e.matched().target == "aten.meshgrid.indexing" &&
                         e.text("indexing") == "xy" && parts.size() >= 2;
  for (const Tensor& part : parts) e.require(part.rank() <= 1);
  const auto position = [&](std::size_t i) { return exchanged && i < 2 ? 1 - i : i; };
  Sizes grid(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    grid[position(i)] = parts[i].rank() == 0 ? Size::of(1) : e.size(parts[i], 0);
  std::vector<fx::Argument> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Sizes own(parts.size(), Size::of(1));
    own[position(i)] = grid[position(i)];
    results.push_back(e.expand(e.reshape(parts[i], own), grid).value);
  }
  return results;
}

/// A transpose of nothing: PyTorch allows it for vectors and scalars, TOSA and StableHLO do not.
Results untransposed(Emitter& e) {
  const Tensor x = e.tensor("self");
  if (e.matched().target == "aten.t.default") {
    e.require(x.rank() < 2);
  } else {
    const auto axis = [&](std::string_view name) {
      return e.dimOf(e.integer(name), std::max<std::size_t>(x.rank(), 1));
    };
    e.require(axis("dim0") == axis("dim1"));
  }
  return one(x);
}

Results channelShuffle(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::int64_t groups = e.integer("groups");
  e.require(x.rank() >= 3 && groups > 0 && e.fixed(x, 1) % groups == 0);
  Sizes grouped = e.sizes(x);
  grouped[1] = Size::of(e.fixed(x, 1) / groups);
  grouped.insert(grouped.begin() + 1, Size::of(groups));
  return one(e.reshape(e.transpose(e.reshape(x, grouped), 1, 2), e.sizes(x)));
}

/// The dialect takes no dimension that is counted from the back.
Results permutedFromFront(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> dims = e.integers("dims");
  e.require(std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; }));
  std::vector<std::size_t> order;
  for (const std::int64_t dim : dims) order.push_back(e.dim(dim, x));
  e.require(order.size() == x.rank());
  return one(e.permute(x, order));
}

/// As PyTorch, which keeps aten.sym_numel in no program that it decomposes.
Results productOfSizes(Emitter& e) {
  return std::vector<fx::Argument>{e.product(e.sizes(e.tensor("self"))).argument};
}

/// With symbolic sizes, which the engine asserts with an operation that StableHLO does not take.
Results symbolicUnflatten(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const fx::TensorMeta result = e.result();
  const fx::Argument sizes = e.argument("sizes");
  e.require(!result.isStaticShape() && sizes.list() != nullptr);
  fx::ArgumentList shape;
  for (std::size_t d = 0; d < x.rank(); ++d) {
    if (d == dim) shape.insert(shape.end(), sizes.list()->begin(), sizes.list()->end());
    else shape.push_back(e.size(x, d).argument);
  }
  return one(e.op("aten.view.default", {x.value, std::move(shape)}, result));
}

}  // namespace

void registerShapeComposites(RewriteRules& rules) {
  const std::string transposed = "becomes aten.transpose of the last two dimensions",
                    moved = "becomes aten.permute",
                    raised = "becomes aten.unsqueeze where dimensions are missing",
                    sliced = "becomes aten.slice for each part";
  rules.addEach(
      {"aten.mT.default", "aten.mH.default", "aten.matrix_H.default", "aten.adjoint.default"},
      transposed, true, swapLastTwo);
  rules.add({"aten.linalg_diagonal.default", "becomes aten.diagonal", true, matrixDiagonal});
  rules.addEach({"aten.t.default", "aten.transpose.int"}, "is its tensor, if no dimension moves",
                true, untransposed);
  rules.add({"aten.swapaxes.default", "becomes aten.transpose", true, swapAxes});
  rules.add({"aten.swapdims.default", "becomes aten.transpose", true, swapDims});
  rules.addEach(
      {"aten.movedim.int", "aten.movedim.intlist", "aten.moveaxis.int", "aten.moveaxis.intlist"},
      moved, true, moveDims);
  rules.add({"aten.meshgrid.default",
             "becomes aten.expand of each vector",
             true,
             meshgrid,
             {},
             "    sizes = [tensor.numel() for tensor in tensors]\n"
             "    forms = [[-1 if d == i else 1 for d in range(len(sizes))] for i in "
             "range(len(sizes))]\n"
             "    return [tensor.reshape(form).expand(sizes) for tensor, form in zip(tensors, "
             "forms)]\n"});
  rules.add({"aten.meshgrid.indexing",
             "becomes aten.expand of each vector",
             true,
             meshgrid,
             {},
             "    tensors = list(tensors)\n"
             "    if indexing == \"xy\":\n"
             "        tensors[:2] = reversed(tensors[:2])\n"
             "    sizes = [tensor.numel() for tensor in tensors]\n"
             "    forms = [[-1 if d == i else 1 for d in range(len(sizes))] for i in "
             "range(len(sizes))]\n"
             "    grid = [tensor.reshape(form).expand(sizes) for tensor, form in zip(tensors, "
             "forms)]\n"
             "    if indexing == \"xy\":\n"
             "        grid[:2] = reversed(grid[:2])\n"
             "    return grid\n"});
  rules.add({"aten.ravel.default", "becomes aten.reshape", true, ravel});
  rules.add({"aten.permute.default",
             "counts its dimensions from the front",
             true,
             permutedFromFront,
             {},
             "    if all(dim >= 0 for dim in dims):\n"
             "        return NotImplemented\n"
             "    return aten.permute.default(self, [dim % self.dim() for dim in dims])\n"});
  rules.add({"aten.sym_numel.default", "becomes the product of the sizes", true, productOfSizes});
  rules.add(
      {"aten.unflatten.int", "becomes aten.view, if a size is symbolic", true, symbolicUnflatten});
  rules.addEach({"aten.view_as.default", "aten.reshape_as.default"},
                "becomes aten.reshape to the other's sizes", true, shapeOfOther);
  rules.add({"aten.atleast_1d.default", raised, true, atLeastRule<1>});
  rules.add({"aten.atleast_2d.default", raised, true, atLeastRule<2>});
  rules.add({"aten.atleast_3d.default", raised, true, atLeastRule<3>});
  rules.addEach({"aten.vstack.default", "aten.row_stack.default"},
                "becomes aten.cat along dimension 0", true, stackAtLeast<2, 0>);
  rules.add(
      {"aten.dstack.default", "becomes aten.cat along dimension 2", true, stackAtLeast<3, 2>});
  rules.add({"aten.hstack.default", "becomes aten.cat", true, stackAtLeast<1, 1>});
  rules.add({"aten.column_stack.default", "becomes aten.cat of columns", true, columnStack});
  rules.add({"aten.tensor_split.indices", sliced, true, tensorSplit<true>});
  rules.add({"aten.tensor_split.sections", sliced, true, tensorSplit<false>});
  rules.add({"aten.hsplit.int", sliced, true, splitAlong<1, false>});
  rules.add({"aten.hsplit.array", sliced, true, splitAlong<1, true>});
  rules.add({"aten.vsplit.int", sliced, true, splitAlong<0, false>});
  rules.add({"aten.vsplit.array", sliced, true, splitAlong<0, true>});
  rules.add({"aten.dsplit.int", sliced, true, splitAlong<2, false>});
  rules.add({"aten.dsplit.array", sliced, true, splitAlong<2, true>});
  rules.add({"aten.unsafe_chunk.default", sliced, true, unsafeChunk});
  rules.add({"aten.unsafe_split.Tensor", sliced, true, unsafeSplit});
  rules.add({"aten.unsafe_split_with_sizes.default", sliced, true, unsafeSplitWithSizes});
  rules.add({"aten.split_with_sizes.default",
             "becomes aten.slice, if a size is symbolic",
             true,
             symbolicSplitWithSizes,
             {},
             "    if all(isinstance(size, int) for size in split_sizes):\n"
             "        return NotImplemented\n"
             "    parts, end = [], 0\n"
             "    for size in split_sizes:\n"
             "        start, end = end, end + size\n"
             "        parts.append(aten.slice.Tensor(self, dim, start, end))\n"
             "    return parts\n"});
  rules.add({"aten.channel_shuffle.default",
             "becomes a transpose of groups and channels",
             false,
             channelShuffle,
             {},
             "    return self.unflatten(1, [groups, -1]).transpose(1, 2).flatten(1, 2)\n"});
  rules.add({"aten.chunk.default", sliced, false, unsafeChunk});
  rules.add(
      {"aten.contiguous.default", "becomes aten.clone in contiguous format", false, contiguous});
  rules.add({"aten.flatten.using_ints", "becomes aten.reshape", false, flattenDims,
             "decompose:aten.flatten"});
  rules.add(
      {"aten.unbind.int",
       "becomes a slice for each part; the op itself leaves an aten.select that no backend lowers",
       true,
       unbind,
       {},
       "    parts = [aten.slice(self, dim, i, i + 1) for i in range(self.shape[dim])]\n"
       "    return [aten.squeeze(part, dim) for part in parts]\n"});
}

}  // namespace fxs::rewrite
