// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes at the positions of a 1-d index: index_copy, index_add, index_fill, index_reduce, put.
#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

struct Target {
  Tensor self, index;
  std::size_t dim = 0;
};

Target targetOf(Emitter& e) {
  Target t{e.tensor("self"), e.tensor("index")};
  t.dim = e.dim(e.integer("dim"), t.self);
  e.require(t.index.rank() <= 1 && t.self.rank() > 0);
  return t;
}

Tensor asVector(Emitter& e, const Tensor& index) {
  return index.rank() == 1 ? index : e.reshape(index, {Size::of(1)});
}

Tensor indexPut(Emitter& e, const Target& t, const Tensor& values, bool accumulate) {
  fx::ArgumentList indices(t.dim, fx::None{});
  indices.push_back(asVector(e, t.index).value);
  return e.op("aten.index_put.default",
              {t.self.value, std::move(indices), values.value, accumulate}, e.result());
}

Results indexCopy(Emitter& e) {
  const Target t = targetOf(e);
  return one(indexPut(e, t, e.tensor("source"), false));
}

Results indexAdd(Emitter& e) {
  const Target t = targetOf(e);
  const Tensor source = e.tensor("source");
  const fx::Argument alpha = e.argument("alpha");
  return one(indexPut(e, t, isNumber(alpha, 1) ? source : e.mul(source, alpha), true));
}

/// index_put broadcasts its tensor of values over the indexed elements.
Results indexFillTensor(Emitter& e) {
  const Target t = targetOf(e);
  const Tensor value = e.tensor("value");
  e.require(value.rank() == 0);
  return one(indexPut(e, t, e.cast(value, t.self.dtype()), false));
}

Results indexFillScalar(Emitter& e) {
  const Target t = targetOf(e);
  return one(indexPut(e, t, e.full({}, e.argument("value"), t.self.dtype()), false));
}

Results scatterReduced(Emitter& e, const Tensor& self, std::int64_t dim, const Tensor& index,
                       const Tensor& source, const std::string& reduce, bool includeSelf) {
  return one(e.op("aten.scatter_reduce.two",
                  {self.value, dim, index.value, source.value, reduce, includeSelf}, e.result()));
}

/// Each position of the index becomes a full row of indices for scatter_reduce.
Results indexReduce(Emitter& e) {
  const Target t = targetOf(e);
  const Tensor source = e.tensor("source");
  const std::string reduce = e.text("reduce");
  const bool includeSelf = e.flag("include_self");
  e.require(source.rank() == t.self.rank());
  const Tensor column = e.along(t.index, e.size(source, t.dim), t.dim, source.rank());
  const Tensor index = e.expandAs(column, source);
  return scatterReduced(e, t.self, static_cast<std::int64_t>(t.dim), index, source, reduce,
                        includeSelf);
}

/// The older names of aten.scatter_reduce and its reductions.
Results scatterReduce(Emitter& e, const Tensor& source) {
  const std::string reduce = e.text("reduce");
  e.require(reduce == "add" || reduce == "multiply");
  return scatterReduced(e, e.tensor("self"), e.integer("dim"), e.tensor("index"), source,
                        reduce == "add" ? "sum" : "prod", true);
}
Results scatterReduceSource(Emitter& e) { return scatterReduce(e, e.tensor("src")); }
Results scatterReduceNumber(Emitter& e) {
  return scatterReduce(
      e, e.expandAs(e.full({}, e.argument("value"), e.tensor("self").dtype()), e.tensor("index")));
}

Results put(Emitter& e) {
  const Tensor self = e.tensor("self"), index = e.tensor("index"), source = e.tensor("source");
  const bool accumulate = e.flag("accumulate");
  const Tensor flat = e.flatten(self);
  const Tensor written = e.op(
      "aten.index_put.default",
      {flat.value, fx::ArgumentList{e.flatten(index).value}, e.flatten(source).value, accumulate},
      flat.meta);
  return one(e.reshape(written, e.sizes(self)));
}

/// The elements from `start` up to `end` of one dimension, which are `count`.
Tensor part(Emitter& e, const Tensor& x, std::size_t dim, const fx::Argument& start,
            const fx::Argument& end, const fx::SymInt& count) {
  std::vector<fx::SymInt> sizes = x.meta.sizes;
  sizes[dim] = count;
  return e.op("aten.slice.Tensor", {x.value, static_cast<std::int64_t>(dim), start, end}, x.dtype(),
              std::move(sizes));
}

bool isFromBegin(Emitter& e) {
  const fx::Argument start = e.argument("start");
  return start.isNone() || start == fx::Argument(std::int64_t{0});
}

bool isToEnd(Emitter& e) {
  const fx::Argument end = e.argument("end");
  return end.isNone() || end == fx::Argument(kToEnd);
}

/// At the begin or the end of a dimension of symbolic size: the source beside the rest.
Results joined(Emitter& e, const Tensor& self, const Tensor& src, std::size_t dim) {
  const bool toEnd = isToEnd(e);
  e.require(isFromBegin(e) != toEnd && src.rank() == self.rank());
  for (std::size_t d = 0; d < self.rank(); ++d)
    e.require(d == dim || src.meta.sizes[d] == self.meta.sizes[d]);
  const Size all = e.size(self, dim), written = e.size(src, dim);
  const Size rest = e.plus(all, e.times(Size::of(-1), written));
  if (toEnd)
    return one(e.cat({part(e, self, dim, std::int64_t{0}, rest.argument, rest.value), src}, dim));
  return one(e.cat({src, part(e, self, dim, written.argument, kToEnd, rest.value)}, dim));
}

/// Clamps bounds to the size: for bounds beyond it, which PyTorch writes for "to the end", the
/// engine would materialize the whole range.
Results sliceScatter(Emitter& e) {
  const Tensor self = e.tensor("self"), src = e.tensor("src");
  const std::size_t dim = e.dim(e.integer("dim"), self);
  const std::int64_t step = e.integer("step");
  // As many elements as there are: all of them, also of a symbolic size.
  if (step == 1 && src.meta.sizes == self.meta.sizes) return one(src);
  if (isEmpty(src)) return one(self);
  if (step == 1 && !self.meta.sizes[dim].isStatic()) return joined(e, self, src, dim);
  const std::optional<std::int64_t> start = e.optionalInteger("start"),
                                    end = e.optionalInteger("end");
  const std::int64_t size = e.fixed(self, dim);
  const std::int64_t from = ops::sliceBound(start.value_or(0), size),
                     to = ops::sliceBound(end.value_or(size), size);
  if (from == 0 && to == size && step == 1) return one(e.expandAs(src, self));
  if (start == from && end == to) return {};
  return one(e.op("aten.slice_scatter.default",
                  {self.value, src.value, static_cast<std::int64_t>(dim), from, to, step},
                  e.result()));
}

Results staticSliceScatter(Emitter& e) {
  e.require(e.isStatic(e.tensor("self")) && e.isStatic(e.tensor("src")));
  return sliceScatter(e);
}

/// Of all elements or none, also of symbolic sizes.
Results wholeSliceScatter(Emitter& e) {
  const Tensor src = e.tensor("src");
  if (isEmpty(src)) return one(e.tensor("self"));
  e.require(isFromBegin(e) && isToEnd(e) && e.integer("step") == 1 &&
            src.meta.sizes == e.tensor("self").meta.sizes);
  return one(src);
}

}  // namespace

void registerIndexWrites(RewriteRules& rules) {
  rules.add({"aten.index_copy.default",
             "becomes aten.index_put",
             true,
             indexCopy,
             {},
             "    indices = [None] * (dim % self.dim()) + [torch.atleast_1d(index)]\n"
             "    return aten.index_put(self, indices, source)\n"});
  rules.add({"aten.index_add.default",
             "becomes an accumulating aten.index_put",
             true,
             indexAdd,
             {},
             "    indices = [None] * (dim % self.dim()) + [torch.atleast_1d(index)]\n"
             "    return aten.index_put(self, indices, source if alpha == 1 else source * alpha, "
             "True)\n"});
  static const std::string fill =
      "    indices = [None] * (dim % self.dim()) + [torch.atleast_1d(index)]\n";
  static const std::string number = "    value = torch.full([], value, dtype=self.dtype)\n" + fill +
                                    "    return aten.index_put(self, indices, value)\n";
  static const std::string tensor =
      fill + "    return aten.index_put(self, indices, value.to(self.dtype))\n";
  const std::string ofOne = "becomes aten.index_put of one value";
  rules.add({"aten.index_fill.int_Scalar", ofOne, true, indexFillScalar, {}, number});
  rules.add({"aten.index_fill.int_Tensor", ofOne, true, indexFillTensor, {}, tensor});
  rules.add({"aten.index_reduce.default",
             "becomes aten.scatter_reduce with the index expanded",
             true,
             indexReduce,
             {},
             "    ones = [1] * (self.dim() - dim % self.dim() - 1)\n"
             "    index = index.reshape([-1, *ones]).expand(source.shape)\n"
             "    return aten.scatter_reduce(self, dim, index, source, reduce, "
             "include_self=include_self)\n"});
  rules.add({"aten.scatter.reduce",
             "becomes aten.scatter_reduce",
             true,
             scatterReduceSource,
             {},
             "    reduce = {\"add\": \"sum\", \"multiply\": \"prod\"}[reduce]\n"
             "    return aten.scatter_reduce(self, dim, index, src, reduce)\n"});
  rules.add({"aten.scatter.value_reduce",
             "becomes aten.scatter_reduce of one value",
             true,
             scatterReduceNumber,
             {},
             "    reduce = {\"add\": \"sum\", \"multiply\": \"prod\"}[reduce]\n"
             "    source = torch.full([], value, dtype=self.dtype).expand(index.shape)\n"
             "    return aten.scatter_reduce(self, dim, index, source, reduce)\n"});
  const std::string clamped =
      "becomes its source, if that is all; else has its bounds clamped to the size: the engine "
      "runs out of memory on an open end";
  rules.add({"aten.slice_scatter.default",
             clamped,
             true,
             staticSliceScatter,
             {},
             "    size = self.shape[dim]\n"
             "    first, last, _ = slice(start, end).indices(size)\n"
             "    if 0 in src.shape:\n"
             "        return self\n"
             "    if (first, last, step) == (0, size, 1):\n"
             "        return src.expand_as(self)\n"
             "    if (first, last) == (start, end):\n"
             "        return NotImplemented\n"
             "    return aten.slice_scatter(self, src, dim, first, last, step)\n"});
  rules.add({"aten.slice_scatter.default",
             clamped,
             true,
             wholeSliceScatter,
             {},
             "    if any(n == 0 for n in src.shape if isinstance(n, int)):\n"
             "        return self\n"
             "    is_symbolic = torch.SymInt in (type(start), type(end))\n"
             "    if is_symbolic or start or step != 1 or end not in (None, 2**63 - 1):\n"
             "        return NotImplemented\n"
             "    return src\n"});
  rules.add({"aten.slice_scatter.default", clamped, true, sliceScatter});
  rules.add({"aten.put.default",
             "becomes aten.index_put on the flattened tensor",
             true,
             put,
             {},
             "    index, source = [index.reshape(-1)], source.reshape(-1)\n"
             "    written = aten.index_put(self.reshape(-1), index, source, accumulate)\n"
             "    return written.reshape(self.shape)\n"});
}

}  // namespace fxs::rewrite
