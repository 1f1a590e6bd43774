// Forms of embedding_bag left by decompositions, with the same results and more defaults.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results embeddingBag(Emitter& e) {
  const Tensor weight = e.tensor("weight"), indices = e.tensor("indices"), offsets = e.tensor("offsets");
  const bool byFrequency = e.flag("scale_grad_by_freq"), sparse = e.flag("sparse"), lastOffset = e.flag("include_last_offset");
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

}  // namespace

void registerEmbeddingBag(RewriteRules& rules) {
  rules.addEach({"aten._embedding_bag.default", "aten._embedding_bag_forward_only.default"}, "becomes aten.embedding_bag.padding_idx", true,
                embeddingBag);
}

}  // namespace fxs::rewrite
