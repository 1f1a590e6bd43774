// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What torch.export.default_decompositions() makes of products, checked against PyTorch operation
// by operation.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "ops/promotion.h"
#include "rewrite/default_parts.h"
#include "rewrite/rule.h"
#include "rewrite/view_ops.h"

namespace fxs::rewrite {
namespace {

Tensor product(Emitter& e, const Tensor& a, const Tensor& b) {
  return e.op("aten.mm.default", {a.value, b.value}, a.dtype(), {a.meta.sizes[0], b.meta.sizes[1]});
}

/// Whether leading dimensions are one in memory, so that PyTorch multiplies them as one.
bool foldsToMatrix(const Tensor& x) {
  for (std::size_t d = 0; d + 2 < x.rank(); ++d)
    if (x.meta.strides[d] != x.meta.strides[d + 1] * x.meta.sizes[d + 1]) return false;
  return true;
}

Tensor rowsOf(Emitter& e, const Tensor& x) {
  Sizes lead = e.sizes(x);
  const Size last = lead.back();
  lead.pop_back();
  return e.reshape(x, {e.product(lead), last});
}

Tensor batchOf(Emitter& e, const Tensor& x, const Sizes& batch) {
  Sizes shape = batch;
  const Size rows = e.size(x, x.rank() - 2), columns = e.size(x, x.rank() - 1);
  shape.push_back(rows);
  shape.push_back(columns);
  return e.reshape(expanded(e, x, shape), {e.product(batch), rows, columns});
}

Tensor matmulOf(Emitter& e, const Tensor& a, const Tensor& b) {
  e.require(a.dtype() == b.dtype() && a.meta.strides.size() == a.rank() &&
            b.meta.strides.size() == b.rank());
  if (a.rank() == 2 && b.rank() == 2) return product(e, a, b);
  e.require(a.rank() >= 3 && b.rank() >= 2);
  Sizes shape = e.sizes(a);
  shape.back() = e.size(b, b.rank() - 1);
  if (b.rank() == 2 && foldsToMatrix(a)) return e.reshape(product(e, rowsOf(e, a), b), shape);
  Sizes batch = e.sizes(a);
  batch.resize(a.rank() - 2);
  if (b.rank() > a.rank()) e.require(false);
  for (std::size_t d = 0; d + 2 < b.rank(); ++d) {
    Size& own = batch[a.rank() - b.rank() + d];
    if (own.is(1)) own = e.size(b, d);
  }
  const Tensor left = batchOf(e, a, batch), right = batchOf(e, b, batch);
  const Tensor out = e.op("aten.bmm.default", {left.value, right.value}, a.dtype(),
                          {left.meta.sizes[0], left.meta.sizes[1], right.meta.sizes[2]});
  shape = batch;
  shape.push_back(e.size(a, a.rank() - 2));
  shape.push_back(e.size(b, b.rank() - 1));
  return e.reshape(out, shape);
}

bool isPermuted(const fx::Node* node, std::initializer_list<std::int64_t> order) {
  const fx::ArgumentList* dims =
      node != nullptr && node->target == "aten.permute.default" && node->args.size() == 2
          ? node->args[1].value.list()
          : nullptr;
  return dims != nullptr && *dims == fx::ArgumentList(order.begin(), order.end());
}

/// With the strides that PyTorch gives it: the rows of attention, heads beside each other, lie row
/// by row where its kernel for the CPU, whose strides are recorded, has them batch by batch.
Tensor laidOut(Emitter& e, Tensor x) {
  const auto operandOf = [&](const fx::Node* node) {
    const bool isCall = node != nullptr && !node->args.empty();
    return isCall ? e.context().producer(node->args.front().value) : nullptr;
  };
  const fx::Node* view = e.context().producer(x.value);
  const fx::Node* heads = operandOf(view);
  if (view == nullptr || x.rank() != 3 || x.meta.sizes[0] == fx::SymInt(1) ||
      view->target != "aten.view.default" || !isPermuted(heads, {0, 2, 1, 3}) ||
      !isPermuted(operandOf(heads), {1, 2, 0, 3}))
    return x;
  const fx::TensorMeta* parts = heads->val.tensor();
  const bool isOfRows = parts != nullptr && parts->rank() == 4 &&
                        parts->sizes[0] == x.meta.sizes[0] && parts->sizes[1] == x.meta.sizes[1];
  const fx::Node* copy = operandOf(operandOf(heads));
  if (isOfRows && copy != nullptr && copy->target == "aten.clone.default")
    x.meta.strides = {x.meta.sizes[2], x.meta.sizes[0] * x.meta.sizes[2], fx::SymInt(1)};
  return x;
}

Results matmulByDefault(Emitter& e) {
  return one(matmulOf(e, laidOut(e, e.tensor("self")), e.tensor("other")));
}

Results linearByDefault(Emitter& e) {
  const Tensor x = laidOut(e, e.tensor("input")), weight = e.tensor("weight");
  const std::optional<Tensor> bias = e.optionalTensor("bias");
  e.require(x.rank() >= 2 && weight.rank() == 2 && isFloating(x.dtype()));
  if (!bias) return one(matmulOf(e, x, e.permute(weight, {1, 0})));
  const auto sum = [&](const Tensor& rows, const Tensor& columns) {
    return e.op("aten.addmm.default", {bias->value, rows.value, columns.value}, x.dtype(),
                {rows.meta.sizes[0], columns.meta.sizes[1]});
  };
  if (x.rank() == 2) return one(sum(x, e.permute(weight, {1, 0})));
  if (!isContiguous(x.meta).value_or(false))
    return one(e.add(matmulOf(e, x, e.permute(weight, {1, 0})), *bias));
  Sizes shape = e.sizes(x);
  const Tensor rows = rowsOf(e, x);
  shape.back() = e.size(weight, 0);
  return one(e.reshape(sum(rows, e.permute(weight, {1, 0})), shape));
}

Tensor safeSoftmaxOf(Emitter& e, const Tensor& x) {
  const std::int64_t dim = -1;
  const Tensor plain = e.op("aten._softmax.default", {x.value, dim, false}, x.meta);
  const Tensor lowest = e.compare("eq", x, -INFINITY);
  const Tensor any = e.op("aten.any.dim", {e.logicalNot(lowest).value, dim, true}, DType::Bool,
                          reducedSizes(x.meta.sizes, {x.rank() - 1}, true));
  const Tensor zeros =
      e.op("aten.full_like.default",
           {plain.value, std::int64_t{0}, fx::None{}, fx::None{}, fx::None{}, false}, plain.meta);
  return e.where(e.logicalNot(any), zeros, plain);
}

/// Zero where a query may attend, else minus infinity.
Tensor causalBias(Emitter& e, const Size& rows, const Size& columns, DType dtype) {
  const Tensor all = e.full({rows, columns}, true, DType::Bool);
  const Tensor column = e.unsqueeze(e.arange(columns), 0), row = e.unsqueeze(e.arange(rows), 1);
  const Tensor may = e.logicalAnd(e.compare("le", e.sub(column, row), 0), all);
  const Tensor lowest = scalar(e, -INFINITY, dtype);
  return e.where(may, scalar(e, 0.0, dtype), lowest);
}

/// Whether PyTorch takes its kernel for the CPU, whose result has another layout.
bool isFlash(const Tensor& q, const Tensor& k, const Tensor& v, const std::optional<Tensor>& mask) {
  const auto isDense = [](const Tensor& x) { return x.meta.strides.back() == fx::SymInt(1); };
  return q.rank() == 4 && isDense(q) && isDense(k) && isDense(v) &&
         q.meta.sizes[3] == v.meta.sizes[3] && (!mask || mask->rank() == 2 || mask->rank() == 4);
}

Tensor droppedOut(Emitter& e, const Tensor& x, double probability) {
  fx::TensorMeta kept = x.meta;
  kept.dtype = DType::Bool;
  return {e.call("aten.native_dropout.default",
                 {{"input", x.value, false}, {"p", probability, false}, {"train", true, false}},
                 fx::ValueList{fx::Value(x.meta), fx::Value(kept)})
              .front(),
          x.meta};
}

Results attentionByDefault(Emitter& e) {
  Tensor q = e.tensor("query"), k = e.tensor("key"), v = e.tensor("value");
  std::optional<Tensor> mask = e.optionalTensor("attn_mask");
  const bool causal = e.flag("is_causal");
  const std::optional<double> given = e.optionalNumber("scale");
  e.require(q.rank() >= 3 && k.rank() == q.rank() && v.rank() == q.rank() &&
            isFloating(q.dtype()) && !(causal && mask) && q.meta.device.type == "cpu");
  const double dropped = e.number("dropout_p");
  const bool flash = dropped == 0 && isFlash(q, k, v, mask);
  const std::size_t row = q.rank() - 2;
  const double scale =
      std::sqrt(given ? *given : 1 / std::sqrt(static_cast<double>(e.fixed(q, row + 1))));
  e.require(scale > 0);
  std::int64_t repeats = 1;
  if (e.flag("enable_gqa") && q.rank() == 4) {
    const std::int64_t heads = e.fixed(q, 1), own = e.fixed(k, 1);
    e.require(own > 0 && heads % own == 0 && e.fixed(v, 1) == own);
    repeats = heads / own;
  }
  const auto biasOf = [&](const Tensor& m) {
    if (m.dtype() != DType::Bool) return m;
    const Tensor lowest = scalar(e, -INFINITY, q.dtype());
    return e.where(m, scalar(e, 0.0, q.dtype()), lowest);
  };
  if (mask) mask = biasOf(*mask);
  const DType dtype = ops::computationType(q.dtype());
  for (Tensor* x : {&q, &k, &v}) {
    if (x->dtype() == dtype) continue;
    const fx::TensorMeta narrow = x->meta;
    *x = e.cast(*x, dtype);
    x->meta.strides = narrow.isStaticShape() ? freshMeta(narrow).strides : narrow.strides;
  }
  q = e.op("aten.mul.Scalar", {q.value, scale}, q.meta);
  if (causal) mask = causalBias(e, e.size(q, row), e.size(k, row), q.dtype());
  if (repeats != 1) {
    k = repeated(e, k, 1, repeats);
    v = repeated(e, v, 1, repeats);
  }
  const Tensor turned = permuted(e, k, row, row + 1);
  Tensor scores = matmulOf(e, q, e.op("aten.mul.Scalar", {turned.value, scale}, turned.meta));
  if (mask) scores = e.cast(e.add(scores, *mask), q.dtype());
  Tensor weights = safeSoftmaxOf(e, scores);
  if (dropped != 0) weights = droppedOut(e, weights, dropped);
  const Tensor out = e.asResult(matmulOf(e, weights, v));
  if (!flash) return one(out);
  return one(e.permute(e.contiguousCopy(e.permute(out, {2, 0, 1, 3})), {1, 2, 0, 3}));
}

Results batchedSum(Emitter& e) {
  const Tensor self = widened(e, "self"), a = widened(e, "batch1"), b = widened(e, "batch2");
  fx::TensorMeta meta = e.result();
  meta.dtype = a.dtype();
  Tensor product = e.op("aten.bmm.default", {a.value, b.value}, meta);
  const fx::Argument beta = e.argument("beta"), alpha = e.argument("alpha");
  if (!isNumber(alpha, 1)) product = e.mul(product, alpha);
  if (isNumber(beta, 0)) return one(e.asResult(product));
  return one(e.asResult(e.add(isNumber(beta, 1) ? self : e.mul(self, beta), product)));
}

/// The labels of an equation of two operands, "bij,jk->bik", or of one.
struct Equation {
  std::string left, right, out;
};

Equation equationOf(Emitter& e) {
  std::string text = e.text("equation");
  std::erase(text, ' ');
  const std::size_t comma = text.find(','), arrow = text.find("->");
  e.require(arrow != std::string::npos && (comma == std::string::npos || comma < arrow));
  const std::size_t end = std::min(comma, arrow);
  Equation out{text.substr(0, end), "", text.substr(arrow + 2)};
  if (end != arrow) out.right = text.substr(end + 1, arrow - end - 1);
  for (const std::string* labels : {&out.left, &out.right, &out.out})
    for (std::size_t i = 0; i < labels->size(); ++i)
      e.require(std::isalpha(static_cast<unsigned char>((*labels)[i])) != 0 &&
                labels->find((*labels)[i], i + 1) == std::string::npos);
  return out;
}

/// The labels that are summed over, sorted.
std::string contractedBy(const Equation& equation) {
  std::string out;
  for (const char label : equation.left + equation.right)
    if (equation.out.find(label) == std::string::npos && out.find(label) == std::string::npos)
      out.push_back(label);
  std::sort(out.begin(), out.end());
  return out;
}

/// An operand with a dimension for each label, of size 1 where it has none.
Tensor aligned(Emitter& e, Tensor x, const std::string& labels, const std::string& all) {
  e.require(x.rank() == labels.size());
  std::vector<std::size_t> order;
  for (const char label : all) {
    const std::size_t at = labels.find(label);
    order.push_back(at != std::string::npos ? at : x.rank());
    if (at == std::string::npos) x = e.unsqueeze(x, x.rank());
  }
  return e.permute(x, order);
}

Results ofOneOperand(Emitter& e, const Tensor& x, const Equation& equation) {
  e.require(equation.right.empty() && equation.left.size() == equation.out.size());
  return one(aligned(e, x, equation.left, equation.out));
}

Results einsumByDefault(Emitter& e) {
  const std::vector<Tensor> operands = e.tensors("tensors");
  const Equation equation = equationOf(e);
  if (operands.size() == 1) return ofOneOperand(e, operands.front(), equation);
  e.require(operands.size() == 2);
  const std::string contracted = contractedBy(equation);
  const std::string all = equation.out + contracted;
  const Tensor left = aligned(e, operands[0], equation.left, all),
               right = aligned(e, operands[1], equation.right, all);
  if (contracted.empty()) return one(e.mul(left, right));
  // Dimensions of both, of the left only, summed, of the right only.
  std::vector<std::size_t> both, ofLeft, summed, ofRight;
  for (std::size_t d = 0; d < all.size(); ++d) {
    const bool isLeft = left.meta.sizes[d] != fx::SymInt(1),
               isRight = right.meta.sizes[d] != fx::SymInt(1);
    if (d >= equation.out.size()) {
      e.require(isLeft && isRight);
      summed.push_back(d);
    } else {
      std::vector<std::size_t>& ofOne = isLeft ? ofLeft : ofRight;
      (isLeft && isRight ? both : ofOne).push_back(d);
    }
  }
  const auto joined = [](std::initializer_list<const std::vector<std::size_t>*> parts) {
    std::vector<std::size_t> out;
    for (const auto* part : parts) out.insert(out.end(), part->begin(), part->end());
    return out;
  };
  const auto sizesAt = [&](const Tensor& x, const std::vector<std::size_t>& dims) {
    Sizes out;
    for (const std::size_t d : dims) out.push_back(e.size(x, d));
    return out;
  };
  const std::vector<std::size_t> order = joined({&both, &ofLeft, &summed, &ofRight});
  const Size batch = e.product(sizesAt(left, both)), depth = e.product(sizesAt(left, summed)),
             rows = e.product(sizesAt(left, ofLeft)), columns = e.product(sizesAt(right, ofRight));
  const Tensor a = e.reshape(e.permute(left, order), {batch, rows, depth});
  const Tensor b = e.reshape(e.permute(right, joined({&both, &summed, &ofRight, &ofLeft})),
                             {batch, depth, columns});
  const Tensor product = e.op("aten.bmm.default", {a.value, b.value}, a.dtype(),
                              {batch.value, rows.value, columns.value});
  Sizes shape = sizesAt(left, both);
  for (const Size& size : sizesAt(left, ofLeft)) shape.push_back(size);
  shape.insert(shape.end(), summed.size(), Size::of(1));
  for (const Size& size : sizesAt(right, ofRight)) shape.push_back(size);
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  const Tensor out = e.permute(e.reshape(product, shape), back);
  Sizes kept = e.sizes(out);
  kept.resize(equation.out.size());
  return one(e.reshape(out, kept));
}

Results outerByDefault(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("vec2");
  return one(e.mul(e.reshape(a, {e.size(a, 0), Size::of(1)}), b));
}

Results dotByDefault(Emitter& e) {
  const Tensor a = widened(e, "self"), b = widened(e, "tensor");
  return one(e.asResult(e.sum(e.mul(a, b), {0}, false)));
}

}  // namespace

void addDefaultProducts(RewriteRules& forms) {
  addDefault(forms, {"aten.linear.default"}, linearByDefault);
  addDefault(forms, {"aten.matmul.default"}, matmulByDefault);
  addDefault(forms, {"aten.scaled_dot_product_attention.default"}, attentionByDefault);
  addDefault(forms, {"aten.baddbmm.default"}, batchedSum);
  addDefault(forms, {"aten.outer.default"}, outerByDefault);
  addDefault(forms, {"aten.dot.default"}, dotByDefault);
  addDefault(forms, {"aten.einsum.default"}, einsumByDefault);
}

}  // namespace fxs::rewrite
