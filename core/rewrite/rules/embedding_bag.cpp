// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of embedding_bag left by decompositions, with the same results and more defaults; and its
// bags as masks.
#include <limits>

#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results embeddingBag(Emitter& e) {
  const Tensor weight = e.tensor("weight"), indices = e.tensor("indices"),
               offsets = e.tensor("offsets");
  const bool byFrequency = e.flag("scale_grad_by_freq"), sparse = e.flag("sparse"),
             lastOffset = e.flag("include_last_offset");
  const std::int64_t mode = e.integer("mode"), padding = e.integer("padding_idx");
  const fx::Argument perSample = e.argument("per_sample_weights");
  const fx::ValueList* results = e.matched().val.list();
  e.require(results != nullptr && results->size() == 4);
  // -1: no index is padding.
  const fx::Argument paddingIndex = padding < 0 ? fx::Argument(fx::None{}) : fx::Argument(padding);
  return e.call("aten.embedding_bag.padding_idx",
                {{"weight", weight.value, false},
                 {"indices", indices.value, false},
                 {"offsets", offsets.value, false},
                 {"scale_grad_by_freq", byFrequency, false},
                 {"mode", mode, false},
                 {"sparse", sparse, false},
                 {"per_sample_weights", perSample, false},
                 {"include_last_offset", lastOffset, false},
                 {"padding_idx", paddingIndex, false}},
                *results);
}

/// Bags of rows, which bag each index is in, the number of rows of each bag, and of maxima the
/// indices of the rows that have them.
Results bagsByMask(Emitter& e) {
  const Tensor weight = e.tensor("weight"), indices = e.tensor("indices"),
               offsets = e.tensor("offsets");
  const std::optional<Tensor> perSample = e.optionalTensor("per_sample_weights");
  const std::optional<std::int64_t> padding = e.optionalInteger("padding_idx");
  const std::int64_t mode = e.integer("mode");
  const bool lastOffset = e.flag("include_last_offset");
  enum Mode : std::uint8_t { Sum, Mean, Max };
  e.require(weight.rank() == 2 && indices.rank() == 1 && offsets.rank() == 1 && mode >= Sum &&
            mode <= Max && isFloating(weight.dtype()));
  const std::int64_t bags = e.fixed(offsets, 0) - (lastOffset ? 1 : 0), count = e.fixed(indices, 0);
  e.require(bags > 0 && count > 0);
  // [bags, indices]
  const Tensor place = e.cast(e.arange(Size::of(count)), offsets.dtype());
  const Tensor begin = e.unsqueeze(e.slice(offsets, 0, 0, bags), 1);
  Tensor in = e.compare("ge", place, begin);
  if (bags > 1 || lastOffset) {
    const Tensor next = e.slice(offsets, 0, 1, lastOffset ? bags + 1 : bags);
    const Tensor end =
        lastOffset ? next : e.cat({next, e.full({Size::of(1)}, count, offsets.dtype())}, 0);
    in = e.logicalAnd(in, e.compare("lt", place, e.unsqueeze(end, 1)));
  }
  if (padding && *padding >= 0) in = e.logicalAnd(in, e.compare("ne", indices, *padding));
  Tensor rows = e.indexSelect(weight, 0, indices);
  if (perSample) rows = e.mul(rows, e.unsqueeze(*perSample, 1));
  const Tensor inside = e.unsqueeze(in, 2), each = e.unsqueeze(rows, 0);
  const Tensor members = e.sum(e.cast(in, weight.dtype()), {1}, false);
  Tensor out, rowOf = e.zeros({Size::of(0)}, indices.dtype());
  if (mode == Max) {
    const Tensor best = e.amax(
        e.where(inside, each, e.full({}, -std::numeric_limits<double>::infinity(), rows.dtype())),
        {1}, false);
    const Tensor isBest = e.logicalAnd(inside, e.compare("eq", each, e.unsqueeze(best, 1)));
    const Tensor at = e.reshape(e.arange(Size::of(count)), {Size::of(count), Size::of(1)});
    const Tensor first =
        e.amin(e.where(isBest, at, e.full({}, count - 1, DType::Int64)), {1}, false);
    rowOf = e.reshape(e.indexSelect(indices, 0, e.flatten(first)), e.sizes(first));
    out = e.where(e.unsqueeze(e.compare("gt", members, 0.0), 1), best, e.zeros({}, best.dtype()));
  } else {
    out = e.sum(e.where(inside, each, e.zeros({}, rows.dtype())), {1}, false);
    if (mode == Mean) out = e.div(out, e.unsqueeze(e.clamp(members, 1.0, {}), 1));
  }
  Tensor bagOf =
      e.sub(e.sum(e.cast(e.compare("ge", place, begin), indices.dtype()), {0}, false), 1);
  // Of sums PyTorch counts no rows, and may leave out the bags of the indices; without maxima it
  // returns the counts twice, or once.
  const auto isEmpty = [&](std::size_t result) {
    return e.result(result).sizes == std::vector<fx::SymInt>{fx::SymInt(0)};
  };
  if (isEmpty(1)) bagOf = e.zeros({Size::of(0)}, indices.dtype());
  const Tensor counts =
      mode == Sum ? e.zeros({Size::of(bags)}, indices.dtype()) : e.cast(members, indices.dtype());
  if (mode != Max && !isEmpty(3)) rowOf = counts;
  return std::vector<fx::Argument>{out.value, bagOf.value, counts.value, rowOf.value};
}

}  // namespace

void registerEmbeddingBag(RewriteRules& rules) {
  rules.addEach({"aten._embedding_bag.default", "aten._embedding_bag_forward_only.default"},
                "becomes aten.embedding_bag.padding_idx", true, embeddingBag);
  rules.addEach({"aten.embedding_bag.default", "aten.embedding_bag.padding_idx"},
                "becomes a mask of each bag's rows, and a reduction", false, bagsByMask);
}

}  // namespace fxs::rewrite
