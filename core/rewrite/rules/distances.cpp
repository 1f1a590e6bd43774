// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Norms and distances, and the losses made of them.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

/// (sum |x|^p)^(1/p) over `dims`, with the usual limits for p of 0 and infinity.
Tensor pNorm(Emitter& e, const Tensor& x, double p, const std::vector<std::size_t>& dims,
             bool keepDims) {
  const Tensor size = isFloating(x.dtype()) ? e.abs(x) : x;
  if (std::isinf(p)) return p > 0 ? e.amax(size, dims, keepDims) : e.amin(size, dims, keepDims);
  if (p == 0) return e.sum(e.cast(e.compare("ne", x, 0.0), x.dtype()), dims, keepDims);
  if (p == 1) return e.sum(size, dims, keepDims);
  if (p == 2) return e.sqrt(e.sum(e.square(x), dims, keepDims));
  return e.pow(e.sum(e.pow(size, p), dims, keepDims), 1 / p);
}

/// `order` is the name of the argument p, which is 2 by default. Without dimensions it is the norm
/// of all elements.
Results normOfOrder(Emitter& e, std::string_view order) {
  const Tensor x = e.tensor("self");
  const double p = e.optionalNumber(order).value_or(2.0);
  const std::vector<std::size_t> dims = e.dims("dim", x);
  const bool keep = e.flag("keepdim");
  const fx::TensorMeta result = e.result();
  e.require(isFloating(x.dtype()));
  return one(
      e.cast(pNorm(e, e.cast(x, ops::computationType(result.dtype)), p, dims, keep), result.dtype));
}
Results vectorNorm(Emitter& e) { return normOfOrder(e, "ord"); }
Results norm(Emitter& e) { return normOfOrder(e, "p"); }

/// Frobenius norm; the nuclear norm needs singular values.
Results frobeniusNorm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", x);
  const bool keep = e.flag("keepdim");
  e.require(e.text("ord") == "fro" && isFloating(x.dtype()) && x.rank() >= 2 && dims.size() == 2);
  const fx::TensorMeta result = e.result();
  return one(pNorm(e, e.cast(x, result.dtype), 2, dims, keep));
}

/// The largest or smallest sum of absolute values of a row (inf) or column (1); of order 2 they are
/// singular values.
Tensor sumNorm(Emitter& e, const Tensor& x, double order, std::vector<std::size_t> dims,
               bool keep) {
  e.require(dims.size() == 2 && dims[0] != dims[1] && (std::abs(order) == 1 || std::isinf(order)));
  if (std::isinf(order)) std::swap(dims[0], dims[1]);
  const Tensor sums = e.sum(e.abs(x), {dims[0]}, true);
  const Tensor out = order > 0 ? e.amax(sums, {dims[1]}, true) : e.amin(sums, {dims[1]}, true);
  return keep ? out
              : e.squeeze(e.squeeze(out, std::max(dims[0], dims[1])), std::min(dims[0], dims[1]));
}

Results matrixNorm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const std::vector<std::size_t> dims = e.dims("dim", x);
  const double order = e.number("ord");
  const bool keep = e.flag("keepdim");
  e.require(isFloating(x.dtype()) && x.rank() >= 2);
  return one(sumNorm(e, e.cast(x, e.result().dtype), order, dims, keep));
}

/// Of vectors, or of matrices if there is an order and two dimensions.
Results linalgNorm(Emitter& e) {
  const Tensor x = e.tensor("self");
  const bool isText = e.matched().target.ends_with(".ord_str"),
             hasOrder = !e.argument("ord").isNone();
  const std::vector<std::size_t> dims = e.dims("dim", x);
  const bool keep = e.flag("keepdim"), matrices = hasOrder && dims.size() == 2;
  const fx::TensorMeta result = e.result();
  e.require(isFloating(x.dtype()) && x.rank() > 0 &&
            (!isText || (e.text("ord") == "fro" && matrices)));
  const Tensor y = e.cast(x, result.dtype);
  if (isText || !hasOrder) return one(pNorm(e, y, 2, dims, keep));
  const double order = e.number("ord");
  e.require(matrices || dims.size() == 1);
  return one(matrices ? sumNorm(e, y, order, dims, keep) : pNorm(e, y, order, dims, keep));
}

Results dist(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  const double p = e.number("p");
  e.require(isFloating(a.dtype()) && isFloating(b.dtype()));
  const Tensor apart = e.sub(a, b);
  return one(pNorm(e, apart, p, allDims(apart), false));
}

/// Every row of x1 with every row of x2.
Results cdist(Emitter& e) {
  const Tensor a = e.tensor("x1"), b = e.tensor("x2");
  const double p = e.number("p");
  e.require(a.rank() >= 2 && b.rank() >= 2 && isFloating(a.dtype()));
  const Tensor apart = e.sub(e.unsqueeze(a, a.rank() - 1), e.unsqueeze(b, b.rank() - 2));
  return one(pNorm(e, apart, p, {apart.rank() - 1}, false));
}

constexpr std::string_view kDistances =
    "    if p != 2:\n"
    "        return NotImplemented\n"
    "    apart = x1.unsqueeze(-2) - x2.unsqueeze(-3)\n"
    "    return (apart * apart).sum(-1).sqrt()\n";

Results euclidean(Emitter& e) {
  e.require(e.number("p") == 2);
  return cdist(e);
}

/// The upper triangle of cdist(x, x), row by row.
Results pdist(Emitter& e) {
  const Tensor x = e.tensor("self");
  const double p = e.number("p");
  e.require(x.rank() == 2 && isFloating(x.dtype()));
  const std::int64_t n = e.fixed(x, 0);
  e.require(n >= 2 && n <= 512);
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i + 1 < n; ++i)
    rows.push_back(e.sub(e.slice(x, 0, i, i + 1), e.slice(x, 0, i + 1, n)));
  return one(pNorm(e, e.cat(rows, 0), p, {1}, false));
}

Tensor pairwise(Emitter& e, const Tensor& a, const Tensor& b, double p, double eps, bool keep) {
  const Tensor apart = e.add(e.sub(a, b), eps);
  return pNorm(e, apart, p, {apart.rank() - 1}, keep);
}

Results pairwiseDistance(Emitter& e) {
  const Tensor a = e.tensor("x1"), b = e.tensor("x2");
  const double p = e.number("p"), eps = e.number("eps");
  const bool keep = e.flag("keepdim");
  e.require(isFloating(a.dtype()) && a.rank() > 0 && b.rank() > 0);
  return one(pairwise(e, a, b, p, eps, keep));
}

Results tripletMargin(Emitter& e) {
  const Tensor anchor = e.tensor("anchor"), positive = e.tensor("positive"),
               negative = e.tensor("negative");
  const double margin = e.number("margin"), p = e.number("p"), eps = e.number("eps");
  const bool swap = e.flag("swap");
  const std::int64_t reduction = e.integer("reduction");
  e.require(isFloating(anchor.dtype()) && anchor.rank() > 0);
  const Tensor near = pairwise(e, anchor, positive, p, eps, false);
  Tensor far = pairwise(e, anchor, negative, p, eps, false);
  if (swap) far = e.minimum(far, pairwise(e, positive, negative, p, eps, false));
  const Tensor loss = e.relu(e.add(e.sub(near, far), margin));
  if (reduction == 0) return one(loss);
  return one(reduction == 1 ? e.mean(loss, allDims(loss), false)
                            : e.sum(loss, allDims(loss), false));
}

/// v scaled to the norm g, each slice along `dim` by itself.
Results weightNorm(Emitter& e) {
  const Tensor v = e.tensor("v"), g = e.tensor("g");
  const std::int64_t given = e.integer("dim");
  const bool full = given == -1;
  const std::size_t dim = full ? 0 : e.dim(given, v);
  e.require(isFloating(v.dtype()) && v.rank() > 0);
  std::vector<std::size_t> dims;
  for (std::size_t i = 0; i < v.rank(); ++i)
    if (full || i != dim) dims.push_back(i);
  return one(e.mul(v, e.div(g, pNorm(e, v, 2, dims, true))));
}

}  // namespace

void registerDistances(RewriteRules& rules) {
  rules.add({"aten.linalg_vector_norm.default", "becomes powers and a sum", false, vectorNorm});
  rules.addEach({"aten.norm.Scalar", "aten.norm.ScalarOpt_dim", "aten.frobenius_norm.dim"},
                "becomes powers and a sum", false, norm);
  rules.add({"aten.linalg_matrix_norm.str_ord", "becomes the root of a sum of squares", true,
             frobeniusNorm});
  rules.add(
      {"aten.linalg_matrix_norm.default", "becomes sums of absolute values", true, matrixNorm});
  rules.addEach({"aten.linalg_norm.default", "aten.linalg_norm.ord_str"},
                "becomes powers and a sum", true, linalgNorm);
  rules.add({"aten.dist.default", "becomes the norm of the difference", true, dist});
  for (const char* target : {"aten.cdist.default", "aten._cdist_forward.default"}) {
    const std::string norm = "becomes the norm of broadcast differences";
    rules.add({target, norm, true, euclidean, {}, kDistances});
    rules.add({target, norm, true, cdist});
  }
  for (const char* target : {"aten.pdist.default", "aten._pdist_forward.default"})
    rules.add({target,
               "becomes the norm of each pair's difference",
               true,
               pdist,
               {},
               "    parts = [self[i:i + 1] - self[i + 1:] for i in range(self.shape[0] - 1)]\n"
               "    x = torch.cat(parts).abs()\n"
               "    if p == math.inf:\n"
               "        return x.amax([1])\n"
               "    if p == 0:\n"
               "        return (x != 0).to(x.dtype).sum([1])\n"
               "    if p == 2:\n"
               "        return (x * x).sum([1]).sqrt()\n"
               "    return x.sum([1]) if p == 1 else (x**p).sum([1]) ** (1 / p)\n"});
  rules.add({"aten.pairwise_distance.default", "becomes the norm of the difference", true,
             pairwiseDistance});
  rules.add({"aten.triplet_margin_loss.default", "becomes its formula", true, tripletMargin});
  rules.add({"aten._weight_norm.default",
             "becomes v * (g / norm of v)",
             true,
             weightNorm,
             {},
             "    dims = [d for d in range(v.dim()) if dim == -1 or d != dim % v.dim()]\n"
             "    return v * (g / (v * v).sum(dims, keepdim=True).sqrt())\n"});
}

}  // namespace fxs::rewrite
