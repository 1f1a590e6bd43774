// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of embedding_bag left by decompositions, with the same results and more defaults; and its
// bags as masks.
#include <fmt/format.h>

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

struct IndexedBags {
  enum Mode : std::uint8_t { Sum, Mean, Max };

  Tensor weight, indices, offsets;
  std::int64_t mode = Sum;
  std::optional<std::int64_t> padding;
  bool lastOffset = false;  ///< the last offset is the end of the last bag
  std::int64_t bags = 0, count = 0;
};

IndexedBags indexedBags(Emitter& e) {
  IndexedBags out{e.tensor("weight"),
                  e.tensor("indices"),
                  e.tensor("offsets"),
                  e.integer("mode"),
                  e.optionalInteger("padding_idx"),
                  e.flag("include_last_offset")};
  e.require(out.weight.rank() == 2 && out.indices.rank() == 1 && out.offsets.rank() == 1 &&
            out.mode >= IndexedBags::Sum && out.mode <= IndexedBags::Max &&
            isFloating(out.weight.dtype()));
  out.bags = e.fixed(out.offsets, 0) - (out.lastOffset ? 1 : 0);
  out.count = e.fixed(out.indices, 0);
  e.require(out.bags > 0 && out.count > 0);
  if (out.padding && *out.padding < 0) *out.padding += e.fixed(out.weight, 0);
  return out;
}

/// Whether the bags that begin at `begin` contain the indices at `position`, [bags, indices].
Tensor bagMask(Emitter& e, const IndexedBags& of, const Tensor& position, const Tensor& begin) {
  Tensor in = e.compare("ge", position, begin);
  if (of.bags > 1 || of.lastOffset) {
    const Tensor next = e.slice(of.offsets, 0, 1, of.lastOffset ? of.bags + 1 : of.bags);
    const Tensor end = of.lastOffset
                           ? next
                           : e.cat({next, e.full({Size::of(1)}, of.count, of.offsets.dtype())}, 0);
    in = e.logicalAnd(in, e.compare("lt", position, e.unsqueeze(end, 1)));
  }
  if (!of.padding) return in;
  return e.logicalAnd(in, e.compare("ne", of.indices, *of.padding));
}

struct BagMaxima {
  Tensor values, indices;
};

/// `inside` and `rows` are [bags, indices, 1] and [1, indices, width], `members` the sizes of bags.
BagMaxima maximaOf(Emitter& e, const IndexedBags& of, const Tensor& inside, const Tensor& rows,
                   const Tensor& members) {
  const Tensor best = e.amax(
      e.where(inside, rows, e.full({}, -std::numeric_limits<double>::infinity(), rows.dtype())),
      {1}, false);
  const Tensor isBest = e.logicalAnd(inside, e.compare("eq", rows, e.unsqueeze(best, 1)));
  const Tensor at = e.reshape(e.arange(Size::of(of.count)), {Size::of(of.count), Size::of(1)});
  const Tensor first =
      e.amin(e.where(isBest, at, e.full({}, of.count - 1, DType::Int64)), {1}, false);
  const Tensor indices = e.reshape(e.indexSelect(of.indices, 0, e.flatten(first)), e.sizes(first));
  return {e.where(e.unsqueeze(e.compare("gt", members, 0.0), 1), best, e.zeros({}, best.dtype())),
          indices};
}

/// Bags of rows, which bag each index is in, the number of rows of each bag, and of maxima the
/// indices of the rows that have them.
Results bagsByMask(Emitter& e) {
  const IndexedBags of = indexedBags(e);
  const Tensor& indices = of.indices;
  const std::optional<Tensor> perSample = e.optionalTensor("per_sample_weights");
  const Tensor position = e.cast(e.arange(Size::of(of.count)), of.offsets.dtype());
  const Tensor begin = e.unsqueeze(e.slice(of.offsets, 0, 0, of.bags), 1);
  const Tensor in = bagMask(e, of, position, begin);
  Tensor rows = e.indexSelect(of.weight, 0, indices);
  if (perSample) rows = e.mul(rows, e.unsqueeze(*perSample, 1));
  const Tensor inside = e.unsqueeze(in, 2), each = e.unsqueeze(rows, 0);
  const Tensor members = e.sum(e.cast(in, of.weight.dtype()), {1}, false);
  Tensor out, rowOf = e.zeros({Size::of(0)}, indices.dtype());
  if (of.mode == IndexedBags::Max) {
    BagMaxima maxima = maximaOf(e, of, inside, each, members);
    out = std::move(maxima.values);
    rowOf = std::move(maxima.indices);
  } else {
    out = e.sum(e.where(inside, each, e.zeros({}, rows.dtype())), {1}, false);
    if (of.mode == IndexedBags::Mean) out = e.div(out, e.unsqueeze(e.clamp(members, 1.0, {}), 1));
  }
  Tensor bagOf =
      e.sub(e.sum(e.cast(e.compare("ge", position, begin), indices.dtype()), {0}, false), 1);
  // Of sums PyTorch counts no rows, and may leave out the bags of the indices; without maxima it
  // returns the counts twice, or once.
  const auto isEmpty = [&](std::size_t result) {
    return e.result(result).sizes == std::vector<fx::SymInt>{fx::SymInt(0)};
  };
  if (isEmpty(1)) bagOf = e.zeros({Size::of(0)}, indices.dtype());
  const Tensor counts = of.mode == IndexedBags::Sum ? e.zeros({Size::of(of.bags)}, indices.dtype())
                                                    : e.cast(members, indices.dtype());
  if (of.mode != IndexedBags::Max && !isEmpty(3)) rowOf = counts;
  return std::vector<fx::Argument>{out.value, bagOf.value, counts.value, rowOf.value};
}

/// bagsByMask() in Python. `first`: what sets what the operator has not.
std::string bagsInPython(std::string_view first) {
  return fmt::format(
      "{}"
      "    count = indices.shape[0]\n"
      "    bags = offsets.shape[0] - include_last_offset\n"
      "    position = torch.arange(count, dtype=offsets.dtype)\n"
      "    ends = offsets[1:]\n"
      "    if not include_last_offset:\n"
      "        ends = torch.cat([ends, torch.full([1], count, dtype=offsets.dtype)])\n"
      "    begun = position >= offsets[:bags].unsqueeze(1)\n"
      "    inside = torch.logical_and(begun, position < ends.unsqueeze(1))\n"
      "    if padding_idx is not None:\n"
      "        inside = torch.logical_and(inside, indices != padding_idx % weight.shape[0])\n"
      "    rows = weight.index_select(0, indices)\n"
      "    if per_sample_weights is not None:\n"
      "        rows = rows * per_sample_weights.unsqueeze(1)\n"
      "    members, inside = inside.to(rows.dtype).sum([1]), inside.unsqueeze(2)\n"
      "    of = torch.where(inside, rows, -math.inf if mode == 2 else 0.0)\n"
      "    bag = begun.to(indices.dtype).sum([0]) - 1\n"
      "    sizes = (members if mode else members * 0).to(indices.dtype)\n"
      "    if mode != 2:  # a sum, or a mean\n"
      "        out = of.sum([1])\n"
      "        if mode == 1:\n"
      "            out = out / members.clamp(min=1).unsqueeze(1)\n"
      "        elif padding_idx is None and weight.dtype in (torch.float32, torch.float16):\n"
      "            bag = bag[:0]\n"
      "        return out, bag, sizes, sizes\n"
      "    best = of.amax([1])\n"
      "    is_best = torch.logical_and(inside, rows == best.unsqueeze(1))\n"
      "    at = torch.where(is_best, torch.arange(count).unsqueeze(1), count - 1).amin([1])\n"
      "    out = torch.where((members > 0).unsqueeze(1), best, 0.0)\n"
      "    return out, bag, sizes, indices.index_select(0, at.reshape(-1)).reshape(at.shape)\n",
      first);
}

}  // namespace

void registerEmbeddingBag(RewriteRules& rules) {
  rules.addEach({"aten._embedding_bag.default", "aten._embedding_bag_forward_only.default"},
                "becomes aten.embedding_bag.padding_idx", true, embeddingBag);
  // The rules refer to them.
  static const std::string plain = bagsInPython("    padding_idx = None\n"),
                           padded = bagsInPython("");
  const std::string byMask = "becomes a mask of each bag's rows, and a reduction";
  rules.add({"aten.embedding_bag.default", byMask, false, bagsByMask, {}, plain});
  rules.add({"aten.embedding_bag.padding_idx", byMask, false, bagsByMask, {}, padded});
}

}  // namespace fxs::rewrite
