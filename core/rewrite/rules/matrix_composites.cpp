// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of any rank by mm and bmm, which op registries support. torch-mlir supports the
// composite forms.

#include "ops/shapes.h"
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Sizes first(Sizes sizes, std::size_t count) {
  sizes.resize(count);
  return sizes;
}

Tensor mm(Emitter& e, const Tensor& a, const Tensor& b) {
  return e.op("aten.mm.default", {a.value, b.value}, a.dtype(), {a.meta.sizes[0], b.meta.sizes[1]});
}

/// [.., k] by [k, n]: flattens the leading dimensions for the product.
Tensor rowsBy(Emitter& e, const Tensor& a, const Tensor& b) {
  if (a.rank() == 2) return mm(e, a, b);
  const Sizes leading = first(e.sizes(a), a.rank() - 1);
  Sizes shape = leading;
  shape.push_back(e.size(b, 1));
  return e.reshape(mm(e, e.reshape(a, {e.product(leading), e.size(a, a.rank() - 1)}), b), shape);
}

/// The broadcast batch dimensions; nullopt if uncertain.
std::optional<Sizes> batchOf(const Sizes& a, const Sizes& b) {
  const auto sizes = ops::broadcastShapes(valuesOf(a), valuesOf(b));
  if (!sizes) return std::nullopt;
  const std::size_t rank = sizes->size();
  Sizes out;
  for (std::size_t i = 0; i < rank; ++i) {
    const Size* left = i + a.size() >= rank ? &a[i + a.size() - rank] : nullptr;
    out.push_back(left && left->value == (*sizes)[i] ? *left : b[i + b.size() - rank]);
  }
  return out;
}

Tensor batched(Emitter& e, const Tensor& x, const Sizes& batch) {
  Sizes full = batch;
  for (std::size_t i = x.rank() - 2; i < x.rank(); ++i) full.push_back(e.size(x, i));
  const Tensor expanded = valuesOf(full) == x.meta.sizes ? x : e.expand(x, full);
  return x.rank() == 3 && full.size() == 3
             ? expanded
             : e.reshape(expanded, {e.product(batch), full[batch.size()], full.back()});
}

Results matmul(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("other");
  e.require(a.rank() > 0 && b.rank() > 0);
  if (a.rank() == 1 && b.rank() == 1) return one(e.cast(e.sum(e.mul(a, b), {0}, false), a.dtype()));
  if (b.rank() == 1) {
    const Tensor product = rowsBy(e, a, e.unsqueeze(b, 1));
    return one(e.squeeze(product, product.rank() - 1));
  }
  if (b.rank() == 2 && a.rank() > 1) return one(rowsBy(e, a, b));
  const Tensor left = a.rank() == 1 ? e.unsqueeze(a, 0) : a;
  if (left.rank() == 2 && b.rank() == 2) return one(e.squeeze(mm(e, left, b), 0));
  const std::optional<Sizes> batch =
      batchOf(first(e.sizes(left), left.rank() - 2), first(e.sizes(b), b.rank() - 2));
  e.require(batch.has_value());
  const Tensor x = batched(e, left, *batch), y = batched(e, b, *batch);
  const Tensor product = e.op("aten.bmm.default", {x.value, y.value}, x.dtype(),
                              {x.meta.sizes[0], x.meta.sizes[1], y.meta.sizes[2]});
  Sizes shape = *batch;
  shape.push_back(e.size(left, left.rank() - 2));
  shape.push_back(e.size(b, b.rank() - 1));
  const Tensor full = shape.size() == 3 ? product : e.reshape(product, shape);
  return one(a.rank() == 1 ? e.squeeze(full, full.rank() - 2) : full);
}

Results linear(Emitter& e) {
  const Tensor x = e.tensor("input"), weight = e.tensor("weight");
  const std::optional<Tensor> bias = e.optionalTensor("bias");
  e.require(x.rank() > 0 && (weight.rank() == 2 || weight.rank() == 1));
  if (weight.rank() == 1) {
    const Tensor product = x.rank() == 1
                               ? e.sum(e.mul(x, weight), {0}, false)
                               : e.squeeze(rowsBy(e, x, e.unsqueeze(weight, 1)), x.rank() - 1);
    return one(bias ? e.add(product, *bias) : product);
  }
  const Tensor rows = x.rank() == 1 ? e.unsqueeze(x, 0) : x;
  const Tensor transposed = e.permute(weight, {1, 0});
  if (!bias) {
    const Tensor product = rowsBy(e, rows, transposed);
    return one(x.rank() == 1 ? e.squeeze(product, 0) : product);
  }
  const Tensor flat = rows.rank() == 2
                          ? rows
                          : e.reshape(rows, {e.product(first(e.sizes(rows), rows.rank() - 1)),
                                             e.size(rows, rows.rank() - 1)});
  const Tensor sum = e.op("aten.addmm.default", {bias->value, flat.value, transposed.value},
                          x.dtype(), {flat.meta.sizes[0], weight.meta.sizes[0]});
  if (rows.rank() == 2) return one(x.rank() == 1 ? e.squeeze(sum, 0) : sum);
  Sizes shape = first(e.sizes(rows), rows.rank() - 1);
  shape.push_back(e.size(weight, 0));
  return one(e.reshape(sum, shape));
}

}  // namespace

void registerMatrixComposites(RewriteRules& rules) {
  rules.add({"aten.matmul.default", "becomes aten.mm or aten.bmm", false, matmul});
  rules.add({"aten.linear.default", "becomes aten.addmm, or aten.mm, with the weight transposed",
             false, linear});
}

}  // namespace fxs::rewrite
