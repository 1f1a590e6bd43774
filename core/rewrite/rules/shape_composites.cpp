// Shape functions that PyTorch defines by others, which alone are in the torch dialect.
#include <algorithm>

#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results swapLastTwo(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  // mH also conjugates complex tensors.
  e.require(x.rank() >= 2 && (context.matched().target == "aten.mT.default" || !isComplex(x.dtype())));
  if (!e.valid()) return {};
  return one(e.transpose(x, x.rank() - 2, x.rank() - 1));
}

Results swap(RuleContext& context, std::string_view first, std::string_view second) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t a = e.dim(e.integer(first), x), b = e.dim(e.integer(second), x);
  if (!e.valid()) return {};
  return one(x.rank() == 0 ? x : e.transpose(x, a, b));
}
Results swapAxes(RuleContext& context) { return swap(context, "axis0", "axis1"); }
Results swapDims(RuleContext& context) { return swap(context, "dim0", "dim1"); }

Results moveDims(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> from = e.integers("source"), to = e.integers("destination");
  e.require(from.size() == to.size() && x.rank() > 0);
  if (!e.valid()) return {};
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
    if (!e.valid()) return {};
    slot = next++;
  }
  return one(e.permute(x, order));
}

Results ravel(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  if (!e.valid()) return {};
  return one(e.flatten(x));
}

Results shapeOfOther(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self"), other = e.tensor("other");
  if (!e.valid()) return {};
  return one(e.reshape(x, e.sizes(other)));
}

/// atleast_1d, _2d and _3d put the new dimensions where NumPy does.
Tensor atLeast(Emitter& e, const Tensor& x, std::size_t rank) {
  Tensor out = x;
  while (out.rank() < rank) out = e.unsqueeze(out, rank == 3 && out.rank() == 2 ? 2 : 0);
  return out;
}
template <std::size_t rank>
Results atLeastRule(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  if (!e.valid()) return {};
  return one(atLeast(e, x, rank));
}

/// vstack and dstack: each part made at least 2-d or 3-d, then joined along a fixed dimension.
template <std::size_t rank, std::size_t dim>
Results stackAtLeast(RuleContext& context) {
  Emitter e(context);
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  if (!e.valid()) return {};
  std::vector<Tensor> raised;
  for (const Tensor& part : parts) raised.push_back(atLeast(e, part, rank));
  return one(e.cat(raised, dim));
}

Results hstack(RuleContext& context) {
  Emitter e(context);
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  if (!e.valid()) return {};
  std::vector<Tensor> raised;
  for (const Tensor& part : parts) raised.push_back(atLeast(e, part, 1));
  return one(e.cat(raised, raised.front().rank() == 1 ? 0 : 1));
}

Results columnStack(RuleContext& context) {
  Emitter e(context);
  const std::vector<Tensor> parts = e.tensors("tensors");
  e.require(!parts.empty());
  if (!e.valid()) return {};
  std::vector<Tensor> columns;
  for (const Tensor& part : parts) columns.push_back(part.rank() <= 1 ? e.reshape(part, {e.product(e.sizes(part)), Size::of(1)}) : part);
  return one(e.cat(columns, 1));
}

std::vector<fx::Argument> slices(Emitter& e, const Tensor& x, std::size_t dim, const std::vector<std::int64_t>& cuts) {
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

/// tensor_split by indices (cut points, negative ones from the end) or into sections of sizes that differ by one at most.
Results tensorSplit(Emitter& e, const Tensor& x, std::size_t dim, const std::optional<std::int64_t>& sections,
                    std::vector<std::int64_t> indices) {
  const std::int64_t count = e.fixed(x, dim);
  e.require(!sections || (*sections > 0 && *sections <= 1 << 16));
  if (!e.valid()) return {};
  if (sections) {
    std::int64_t at = 0;
    for (std::int64_t i = 0; i + 1 < *sections; ++i) indices.push_back(at += count / *sections + (i < count % *sections ? 1 : 0));
  }
  for (std::int64_t& cut : indices) cut = ops::sliceBound(cut, count);
  return slices(e, x, dim, indices);
}

Results tensorSplitIndices(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::vector<std::int64_t> indices = e.integers("indices");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  return tensorSplit(e, x, dim, std::nullopt, indices);
}

Results tensorSplitSections(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::int64_t sections = e.integer("sections");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  return tensorSplit(e, x, dim, sections, {});
}

/// hsplit, vsplit and dsplit along a fixed dimension.
template <std::size_t fixedDim, bool byIndices>
Results splitAlong(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t dim = fixedDim == 1 && x.rank() == 1 ? 0 : fixedDim;
  if constexpr (byIndices) {
    const std::vector<std::int64_t> indices = e.integers("indices");
    return tensorSplit(e, x, dim, std::nullopt, indices);
  } else {
    const std::int64_t sections = e.integer("sections");
    return tensorSplit(e, x, dim, sections, {});
  }
}

/// Pieces of `size`, the last one possibly smaller; as many as recorded.
Results pieces(Emitter& e, const Tensor& x, std::size_t dim, std::int64_t size) {
  const std::int64_t count = e.fixed(x, dim);
  e.require(size > 0 || count == 0);
  if (!e.valid()) return {};
  if (size > 0) e.expectNodes(static_cast<std::uint64_t>(count / size));
  std::vector<std::int64_t> cuts;
  for (std::int64_t at = size; at < count; at += size) cuts.push_back(at);
  return slices(e, x, dim, cuts);
}

Results unsafeChunk(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t chunks = e.integer("chunks");
  e.require(chunks > 0);
  if (!e.valid()) return {};
  return pieces(e, x, dim, (e.fixed(x, dim) + chunks - 1) / chunks);
}

Results contiguous(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const fx::Argument format = e.argument("memory_format");  // defaults to contiguous
  e.require(!std::holds_alternative<MemoryFormat>(format) || format == fx::Argument(MemoryFormat::Contiguous));
  if (!e.valid()) return {};
  return one(e.op("aten.clone.default", {x.value, MemoryFormat::Contiguous}, x.dtype(), x.meta.sizes));
}

Results flattenDims(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t begin = e.dim(e.integer("start_dim"), x), end = e.dim(e.integer("end_dim"), x);
  e.require(begin <= end);
  if (!e.valid()) return {};
  if (x.rank() == 0) return one(e.reshape(x, {Size::of(1)}));
  const Sizes sizes = e.sizes(x);
  const auto at = [&](std::size_t i) { return sizes.begin() + static_cast<std::ptrdiff_t>(i); };
  Sizes shape(at(0), at(begin));
  shape.push_back(e.product(Sizes(at(begin), at(end + 1))));
  shape.insert(shape.end(), at(end + 1), sizes.end());
  return one(e.reshape(x, shape));
}

Results unsafeSplit(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  return pieces(e, x, dim, e.integer("split_size"));
}

Results unsafeSplitWithSizes(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::vector<std::int64_t> sizes = e.integers("split_sizes");
  e.require(!sizes.empty());
  if (!e.valid()) return {};
  std::vector<std::int64_t> cuts;
  std::int64_t at = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    e.require(sizes[i] >= 0 && sizes[i] <= kMaxNumber && at <= kMaxNumber);
    if (!e.valid()) return {};
    cuts.push_back(at += sizes[i]);
  }
  return slices(e, x, dim, cuts);
}

/// Each element is a slice without its dimension.
Results unbind(RuleContext& context) {
  Emitter e(context);
  const Tensor x = e.tensor("self");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::int64_t count = e.fixed(x, dim);
  e.require(x.rank() > 0);
  if (!e.valid()) return {};
  e.expectNodes(2 * static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0)));
  std::vector<fx::Argument> parts;
  for (std::int64_t i = 0; i < count; ++i) parts.push_back(e.squeeze(e.slice(x, dim, i, i + 1), dim).value);
  return parts;
}

/// Each vector along its own dimension, expanded over the others; "xy" exchanges the first two.
Results meshgrid(RuleContext& context) {
  Emitter e(context);
  const std::vector<Tensor> parts = e.tensors("tensors");
  const bool exchanged = context.matched().target == "aten.meshgrid.indexing" && e.text("indexing") == "xy" && parts.size() >= 2;
  for (const Tensor& part : parts) e.require(part.rank() <= 1);
  if (!e.valid()) return {};
  const auto place = [&](std::size_t i) { return exchanged && i < 2 ? 1 - i : i; };
  Sizes grid(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) grid[place(i)] = parts[i].rank() == 0 ? Size::of(1) : e.size(parts[i], 0);
  std::vector<fx::Argument> results;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Sizes own(parts.size(), Size::of(1));
    own[place(i)] = grid[place(i)];
    results.push_back(e.expand(e.reshape(parts[i], own), grid).value);
  }
  return results;
}

}  // namespace

void registerShapeComposites(RewriteRules& rules) {
  const auto add = [&](std::string target, std::string reason, decltype(Rule::apply) apply) {
    const std::string id = "decompose:" + (target.ends_with(".default") ? target.substr(0, target.rfind('.')) : target);
    rules.add({std::move(target), id, std::move(reason), true, apply});
  };
  add("aten.mT.default", "becomes aten.transpose of the last two dimensions", swapLastTwo);
  add("aten.mH.default", "becomes aten.transpose of the last two dimensions", swapLastTwo);
  add("aten.adjoint.default", "becomes aten.transpose of the last two dimensions", swapLastTwo);
  add("aten.swapaxes.default", "becomes aten.transpose", swapAxes);
  add("aten.swapdims.default", "becomes aten.transpose", swapDims);
  add("aten.movedim.int", "becomes aten.permute", moveDims);
  add("aten.movedim.intlist", "becomes aten.permute", moveDims);
  add("aten.moveaxis.int", "becomes aten.permute", moveDims);
  add("aten.moveaxis.intlist", "becomes aten.permute", moveDims);
  add("aten.meshgrid.default", "becomes aten.expand of each vector", meshgrid);
  add("aten.meshgrid.indexing", "becomes aten.expand of each vector", meshgrid);
  add("aten.ravel.default", "becomes aten.reshape", ravel);
  add("aten.view_as.default", "becomes aten.reshape to the other's sizes", shapeOfOther);
  add("aten.reshape_as.default", "becomes aten.reshape to the other's sizes", shapeOfOther);
  add("aten.atleast_1d.default", "becomes aten.unsqueeze where dimensions are missing", atLeastRule<1>);
  add("aten.atleast_2d.default", "becomes aten.unsqueeze where dimensions are missing", atLeastRule<2>);
  add("aten.atleast_3d.default", "becomes aten.unsqueeze where dimensions are missing", atLeastRule<3>);
  add("aten.vstack.default", "becomes aten.cat along dimension 0", stackAtLeast<2, 0>);
  add("aten.row_stack.default", "becomes aten.cat along dimension 0", stackAtLeast<2, 0>);
  add("aten.dstack.default", "becomes aten.cat along dimension 2", stackAtLeast<3, 2>);
  add("aten.hstack.default", "becomes aten.cat", hstack);
  add("aten.column_stack.default", "becomes aten.cat of columns", columnStack);
  add("aten.tensor_split.indices", "becomes aten.slice for each part", tensorSplitIndices);
  add("aten.tensor_split.sections", "becomes aten.slice for each part", tensorSplitSections);
  add("aten.hsplit.int", "becomes aten.slice for each part", splitAlong<1, false>);
  add("aten.hsplit.array", "becomes aten.slice for each part", splitAlong<1, true>);
  add("aten.vsplit.int", "becomes aten.slice for each part", splitAlong<0, false>);
  add("aten.vsplit.array", "becomes aten.slice for each part", splitAlong<0, true>);
  add("aten.dsplit.int", "becomes aten.slice for each part", splitAlong<2, false>);
  add("aten.dsplit.array", "becomes aten.slice for each part", splitAlong<2, true>);
  add("aten.unsafe_chunk.default", "becomes aten.slice for each part", unsafeChunk);
  add("aten.unsafe_split.Tensor", "becomes aten.slice for each part", unsafeSplit);
  add("aten.unsafe_split_with_sizes.default", "becomes aten.slice for each part", unsafeSplitWithSizes);
  const auto addOnRequest = [&](std::string target, std::string reason, decltype(&ravel) apply) {
    const std::string id = "decompose:" + target.substr(0, target.rfind('.'));
    rules.add({std::move(target), id, std::move(reason), false, apply});
  };
  addOnRequest("aten.chunk.default", "becomes aten.slice for each part", unsafeChunk);
  addOnRequest("aten.contiguous.default", "becomes aten.clone in contiguous format", contiguous);
  addOnRequest("aten.flatten.using_ints", "becomes aten.reshape", flattenDims);
  add("aten.unbind.int", "becomes a slice for each part; the op itself leaves an aten.select that no backend lowers", unbind);
}

}  // namespace fxs::rewrite
