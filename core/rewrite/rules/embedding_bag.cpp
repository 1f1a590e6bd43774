// Forms of embedding_bag left by decompositions, with the same results and more defaults.
#include "rewrite/emit.h"

namespace fxs::rewrite {
namespace {

Results embeddingBag(RuleContext& context) {
  Emitter e(context);
  const Tensor weight = e.tensor("weight"), indices = e.tensor("indices"), offsets = e.tensor("offsets");
  const bool byFrequency = e.flag("scale_grad_by_freq"), sparse = e.flag("sparse"), lastOffset = e.flag("include_last_offset");
  const std::int64_t mode = e.integer("mode"), padding = e.integer("padding_idx");
  const fx::Argument perSample = e.argument("per_sample_weights");
  const fx::ValueList* results = context.matched().val.list();
  e.require(results != nullptr && results->size() == 4);
  if (!e.valid()) return {};
  // -1: no index is padding.
  const fx::Argument paddingIndex = padding < 0 ? fx::Argument(fx::None{}) : fx::Argument(padding);
  const fx::Argument all = context.callValue("aten.embedding_bag.padding_idx",
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
  std::vector<fx::Argument> parts;
  for (std::size_t i = 0; i < results->size(); ++i) parts.push_back(context.getitem(all, i));
  return parts;
}

}  // namespace

void registerEmbeddingBag(RewriteRules& rules) {
  for (const char* packet : {"_embedding_bag", "_embedding_bag_forward_only"}) {
    const std::string name = "aten." + std::string(packet);
    rules.add({name + ".default", "decompose:" + name, "becomes aten.embedding_bag.padding_idx", true, embeddingBag});
  }
}

}  // namespace fxs::rewrite
