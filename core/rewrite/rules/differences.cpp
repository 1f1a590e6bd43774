// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differences and trapezoids along a dimension: slices subtracted or added.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// All elements but the first, and all but the last.
Tensor tail(Emitter& e, const Tensor& x, std::size_t dim) { return e.slice(x, dim, 1, kToEnd); }
Tensor head(Emitter& e, const Tensor& x, std::size_t dim) { return e.slice(x, dim, 0, -1); }

Results diff(Emitter& e) {
  Tensor x = e.tensor("self");
  const std::int64_t n = e.integer("n");
  const std::size_t dim = e.dim(e.integer("dim"), x);
  const std::optional<Tensor> before = e.optionalTensor("prepend"),
                              after = e.optionalTensor("append");
  e.require(n >= 0 && n <= 64 && x.rank() > 0);
  std::vector<Tensor> parts;
  if (before) parts.push_back(*before);
  parts.push_back(x);
  if (after) parts.push_back(*after);
  x = e.cat(parts, dim);
  for (std::int64_t i = 0; i < n; ++i) {
    const fx::SymInt& size = x.meta.sizes[dim];
    if (size.isStatic() && size.value() == 0) break;
    const Tensor later = tail(e, x, dim), earlier = head(e, x, dim);
    x = x.dtype() == DType::Bool ? e.op("aten.logical_xor.default", {later.value, earlier.value},
                                        DType::Bool, later.meta.sizes)
                                 : e.sub(later, earlier);
  }
  return one(n == 0 ? e.clone(x) : x);
}

/// Sums of neighbours along a dimension, and half of the step: their products are the areas.
struct Trapezoids {
  Tensor sums;
  std::size_t dim;
  double half;
};
/// nullopt if the rules do not handle the form of the node.
std::optional<Trapezoids> trapezoids(Emitter& e) {
  const Tensor y = e.tensor("y");
  const std::size_t dim = e.dim(e.integer("dim"), y);
  const double half = e.number("dx") / 2;
  e.require(y.rank() > 0 && isFloating(y.dtype()) && !e.size(y, dim).is(0));
  return Trapezoids{e.add(tail(e, y, dim), head(e, y, dim)), dim, half};
}

Results trapezoid(Emitter& e) {
  const std::optional<Trapezoids> t = trapezoids(e);
  if (!t) return {};
  return one(e.mul(e.sum(t->sums, {t->dim}, false), t->half));
}

Results cumulativeTrapezoid(Emitter& e) {
  const std::optional<Trapezoids> t = trapezoids(e);
  if (!t) return {};
  const Tensor areas = e.mul(t->sums, t->half);
  return one(
      e.op("aten.cumsum.default", {areas.value, static_cast<std::int64_t>(t->dim)}, areas.meta));
}

/// Areas between neighbours, of samples at `x`: positions of every sample, or one line of them.
Tensor areasAt(Emitter& e, const Tensor& y, std::size_t dim) {
  Tensor x = e.tensor("x");
  e.require(y.rank() > 0 && isFloating(y.dtype()) && x.dtype() == y.dtype());
  e.require(x.rank() == 1 || x.rank() == y.rank());  // PyTorch checks that their sizes agree
  if (x.rank() < y.rank()) x = e.along(x, e.size(x, 0), dim, y.rank());
  e.require(!e.size(y, dim).is(0) && !e.size(x, dim).is(0));
  return e.mul(e.add(head(e, y, dim), tail(e, y, dim)), e.sub(tail(e, x, dim), head(e, x, dim)));
}

Results trapezoidAt(Emitter& e) {
  const Tensor y = e.tensor("y");
  const std::size_t dim = e.dim(e.integer("dim"), y);
  return one(e.div(e.sum(areasAt(e, y, dim), {dim}, false), 2.0));
}

Results cumulativeTrapezoidAt(Emitter& e) {
  const Tensor y = e.tensor("y");
  const std::size_t dim = e.dim(e.integer("dim"), y);
  const Tensor areas = areasAt(e, y, dim);
  const Tensor sums =
      e.op("aten.cumsum.default", {areas.value, static_cast<std::int64_t>(dim)}, areas.meta);
  return one(e.div(sums, 2.0));
}

/// Central differences inside, one-sided at the two ends.
Results gradient(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::optional<double> given = e.optionalNumber("spacing");
  const std::optional<std::int64_t> only = e.optionalInteger("dim");
  std::vector<std::size_t> dims = allDims(x);
  if (only) dims = {e.dim(*only, x)};
  e.require(e.integer("edge_order") == 1 && isFloating(x.dtype()) && x.rank() > 0);
  for (const std::size_t d : dims) e.require(!e.size(x, d).is(0) && !e.size(x, d).is(1));
  const double step = given.value_or(1.0);
  std::vector<fx::Argument> results;
  for (const std::size_t d : dims) {
    const Tensor first = e.sub(e.slice(x, d, 1, 2), e.slice(x, d, 0, 1));
    const Tensor last = e.sub(e.slice(x, d, -1, kToEnd), e.slice(x, d, -2, -1));
    std::vector<Tensor> parts{first};
    if (!e.size(x, d).is(2))
      parts.push_back(e.div(e.sub(e.slice(x, d, 2, kToEnd), e.slice(x, d, 0, -2)), 2.0));
    parts.push_back(last);
    results.push_back(e.div(e.cat(parts, d), step).value);
  }
  return results;
}

}  // namespace

void registerDifferences(RewriteRules& rules) {
  rules.add({"aten.diff.default", "becomes a difference of slices", true, diff});
  rules.add({"aten.trapezoid.dx", "becomes the sum of neighbours' means", true, trapezoid});
  rules.add({"aten.cumulative_trapezoid.dx", "becomes the running sum of neighbours' means", true,
             cumulativeTrapezoid});
  rules.add({"aten.trapezoid.x", "becomes the sum of areas", true, trapezoidAt});
  rules.add({"aten.cumulative_trapezoid.x", "becomes the running sum of areas", true,
             cumulativeTrapezoidAt});
  rules.add({"aten.gradient.scalarint", "becomes central differences", true, gradient});
}

}  // namespace fxs::rewrite
