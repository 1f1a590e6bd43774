// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scaled_dot_product_attention as products and a softmax. As one op it lowers to linalg, but with a
// mask, causal, or with fewer key heads than query heads not to TOSA and StableHLO.
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Tensor softmax(Emitter& e, const Tensor& x) {
  return e.op("aten._softmax.default", {x.value, static_cast<std::int64_t>(x.rank()) - 1, false},
              x.meta);
}

/// Heads repeated so that the keys have as many as the query.
Tensor repeatedHeads(Emitter& e, const Tensor& x, std::int64_t times) {
  if (times == 1) return x;
  Sizes wide = e.sizes(x);
  const std::size_t head = x.rank() - 3;
  Sizes flat = wide;
  flat[head] = Size::of(wide[head].value.value() * times);
  wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(head) + 1, Size::of(times));
  return e.reshape(e.expand(e.unsqueeze(x, head + 1), wide), flat);
}

/// True where a query may not attend: columns after the row.
Tensor causalMask(Emitter& e, const Size& rows, const Size& columns) {
  const Tensor column = e.unsqueeze(e.arange(columns), 0);
  const Tensor row = e.unsqueeze(e.arange(rows), 1);
  return e.compare("gt", column, row);
}

/// As softmax(), but a fully masked row gives 0.
Tensor safeSoftmax(Emitter& e, const Tensor& x) {
  return e.op("aten._safe_softmax.default", {x.value, static_cast<std::int64_t>(x.rank()) - 1},
              x.dtype(), x.meta.sizes);
}

/// Logarithms of the sums that the softmax divides by; 0 of a fully masked row.
Tensor logSums(Emitter& e, const Tensor& x) {
  const Tensor sums =
      e.op("aten.logsumexp.default",
           {x.value, fx::ArgumentList{static_cast<std::int64_t>(x.rank()) - 1}, false}, x.dtype(),
           reducedSizes(x.meta.sizes, {x.rank() - 1}, false));
  return e.where(e.compare("eq", sums, -INFINITY), e.zeros({}, x.dtype()), sums);
}

/// PyTorch's kernel for the CPU: without dropout, and with the logarithms of the sums as a second
/// result.
Results flashAttention(Emitter& e) {
  const Tensor q = e.tensor("query"), k = e.tensor("key"), v = e.tensor("value");
  const std::optional<Tensor> mask = e.optionalTensor("attn_mask");
  const std::optional<double> scale = e.optionalNumber("scale");
  const bool causal = e.flag("is_causal");
  const DType sums = e.result(1).dtype;
  e.require(q.rank() == 4 && k.rank() == 4 && v.rank() == 4 && isFloating(q.dtype()) &&
            isFloating(sums) && e.number("dropout_p") == 0);
  e.require(!mask || isFloating(mask->dtype()));
  const double factor = scale ? *scale : 1 / std::sqrt(static_cast<double>(e.fixed(q, 3)));
  const Tensor lowest = e.full({}, -INFINITY, sums);
  Tensor scores = e.mul(e.matmul(e.cast(q, sums), e.transpose(e.cast(k, sums), 2, 3)), factor);
  if (mask) scores = e.add(scores, e.cast(*mask, sums));
  if (causal) scores = e.where(causalMask(e, e.size(q, 2), e.size(k, 2)), lowest, scores);
  const Tensor out = e.cast(e.matmul(safeSoftmax(e, scores), e.cast(v, sums)), q.dtype());
  return std::vector<fx::Argument>{out.value, logSums(e, scores).value};
}

/// How often each head of the keys is repeated for the query.
std::int64_t headRepeats(Emitter& e, const Tensor& q, const Tensor& k, const Tensor& v) {
  if (!e.flag("enable_gqa")) return 1;
  e.require(q.rank() >= 3 && k.rank() == q.rank() && v.rank() == q.rank());
  const std::int64_t heads = e.fixed(q, q.rank() - 3), own = e.fixed(k, k.rank() - 3);
  e.require(own > 0 && e.fixed(v, v.rank() - 3) == own && heads % own == 0);
  return heads / own;
}

Results attention(Emitter& e) {
  const Tensor q = e.tensor("query");
  Tensor k = e.tensor("key"), v = e.tensor("value");
  const std::optional<Tensor> mask = e.optionalTensor("attn_mask");
  const double dropout = e.number("dropout_p");
  const bool causal = e.flag("is_causal");
  const std::optional<double> scale = e.optionalNumber("scale");
  e.require(q.rank() >= 2 && k.rank() >= 2 && v.rank() >= 2 && isFloating(q.dtype()) &&
            !(causal && mask));
  const std::int64_t depth = scale ? 1 : e.fixed(q, q.rank() - 1);
  const std::int64_t times = headRepeats(e, q, k, v);
  k = repeatedHeads(e, k, times);
  v = repeatedHeads(e, v, times);
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(depth)));
  const Tensor scores = e.mul(e.matmul(q, e.transpose(k, k.rank() - 2, k.rank() - 1)), factor);
  const Tensor lowest = e.full({}, -INFINITY, q.dtype());
  Tensor weights;
  if (causal) {
    weights = softmax(e, e.where(causalMask(e, e.size(q, q.rank() - 2), e.size(k, k.rank() - 2)),
                                 lowest, scores));
  } else if (mask && mask->dtype() == DType::Bool) {
    weights = softmax(e, e.where(*mask, scores, lowest));
    // A fully masked row gives 0, not NaN.
    const Tensor some = e.compare(
        "gt", e.sum(e.cast(*mask, DType::Int64), {mask->rank() - 1}, true), std::int64_t{0});
    weights = e.where(some, weights, 0.0);
  } else {
    weights = softmax(e, mask ? e.cast(e.add(scores, *mask), q.dtype()) : scores);
  }
  if (dropout > 0)
    weights = e.op("aten.dropout.default", {weights.value, dropout, true}, weights.meta);
  return one(e.matmul(weights, v));
}

Results attentionWithoutDropout(Emitter& e) {
  e.require(e.number("dropout_p") == 0);
  return attention(e);
}
/// With a key head for each query head.
Results attentionOfEqualHeads(Emitter& e) {
  e.require(!e.flag("enable_gqa"));
  return attentionWithoutDropout(e);
}
/// That of what needs neither a mask of truth values nor a choice.
Results plainAttention(Emitter& e) {
  const std::optional<Tensor> mask = e.optionalTensor("attn_mask");
  e.require(!e.flag("is_causal") && !(mask && mask->dtype() == DType::Bool));
  return attentionOfEqualHeads(e);
}
constexpr std::string_view kPlainInPython =
    "    if is_causal or enable_gqa or dropout_p > 0 or "
    "attn_mask is not None and attn_mask.dtype == torch.bool:\n"
    "        return NotImplemented\n"
    "    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale\n"
    "    scores = query @ key.transpose(-2, -1) * scale\n"
    "    scores = scores if attn_mask is None else (scores + attn_mask).to(query.dtype)\n"
    "    return scores.softmax(-1) @ value\n";
/// attention() in Python. `first`: what it does not take, and the heads repeated.
std::string maskedInPython(std::string_view first) {
  return std::string(first) +
         "    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale\n"
         "    scores = query @ key.transpose(-2, -1) * scale\n"
         "    if is_causal:\n"
         "        attn_mask = torch.arange(key.shape[-2]) <= torch.arange(query.shape[-2])[:, "
         "None]\n"
         "    if attn_mask is None or attn_mask.dtype != torch.bool:\n"
         "        scores = scores if attn_mask is None else (scores + attn_mask).to(query.dtype)\n"
         "        return scores.softmax(-1) @ value\n"
         "    weights = torch.where(attn_mask, scores, -math.inf).softmax(-1)\n"
         "    return torch.where(attn_mask.long().sum(-1, True) > 0, weights, 0.0) @ value\n";
}
const std::string& ofEqualHeadsInPython() {
  static const std::string kText = maskedInPython(
      "    if enable_gqa or dropout_p > 0:\n"
      "        return NotImplemented\n");
  return kText;
}
const std::string& ofSharedHeadsInPython() {
  static const std::string kText = maskedInPython(
      "    if dropout_p > 0:\n"
      "        return NotImplemented\n"
      "    if enable_gqa:\n"
      "        repeats = query.shape[-3] // key.shape[-3]\n"
      "        key, value = (x.unsqueeze(-3).expand(*x.shape[:-2], repeats, *x.shape[-2:])"
      ".flatten(-4, -3) for x in (key, value))\n");
  return kText;
}

/// The plain form, whose mask is added, with the weights as a second result. A fully masked row
/// gives 0.
Results attentionWithWeights(Emitter& e) {
  const Tensor q = e.tensor("query"), k = e.tensor("key"), v = e.tensor("value");
  const std::optional<Tensor> mask = e.optionalTensor("attn_mask");
  const std::optional<double> scale = e.optionalNumber("scale");
  const bool causal = e.flag("is_causal");
  e.require(q.rank() >= 2 && k.rank() == q.rank() && v.rank() == q.rank() &&
            isFloating(q.dtype()) && !(causal && mask));
  e.require(!e.flag("enable_gqa") && e.argument("dropout_mask").isNone() &&
            e.number("dropout_p") == 0);
  e.require(!mask || isFloating(mask->dtype()));
  const std::size_t row = q.rank() - 2;
  const double factor = scale ? *scale : 1 / std::sqrt(static_cast<double>(e.fixed(q, row + 1)));
  Tensor scores = e.mul(e.matmul(q, e.transpose(k, row, row + 1)), factor);
  if (mask) scores = e.cast(e.add(scores, *mask), q.dtype());
  if (causal)
    scores = e.where(causalMask(e, e.size(q, row), e.size(k, row)),
                     e.full({}, -INFINITY, q.dtype()), scores);
  const Tensor weights = safeSoftmax(e, scores);
  return std::vector<fx::Argument>{e.matmul(weights, v).value, weights.value};
}

}  // namespace

void registerAttention(RewriteRules& rules) {
  const std::string reason =
                        "becomes two products and a softmax, which lower to TOSA and StableHLO "
                        "even with a mask",
                    target = "aten.scaled_dot_product_attention.default",
                    id = "decompose:aten.scaled_dot_product_attention";
  rules.add({target, reason, false, plainAttention, id, kPlainInPython});
  rules.add({target, reason, false, attentionOfEqualHeads, id, ofEqualHeadsInPython(), false, 1});
  rules.add(
      {target, reason, false, attentionWithoutDropout, id, ofSharedHeadsInPython(), false, 2});
  rules.add({target, reason, false, attention, id});
  // torch-mlir has neither, and its table decomposes the first to the second.
  rules.add({"aten._scaled_dot_product_flash_attention_for_cpu.default",
             "becomes two products and a softmax", true, flashAttention});
  rules.add({"aten._scaled_dot_product_attention_math.default",
             "becomes two products and a softmax", true, attentionWithWeights});
}

}  // namespace fxs::rewrite
