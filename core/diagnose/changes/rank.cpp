// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another rank: a batch dimension of size 1 for operations that take samples with and without a
// batch, a dimension of size 1 for scalars, a batch of one product.
#include <map>

#include "diagnose/change.h"
#include "rewrite/other_forms.h"
#include "rewrite/transcription.h"

namespace fxs::diagnose {
namespace {

using rewrite::Emitter;
using rewrite::Results;
using rewrite::Tensor;

/// Rank of an input with a batch, by packet.
const std::map<std::string_view, std::size_t>& batchedRank() {
  static const std::map<std::string_view, std::size_t> ranks{{"conv1d", 3},
                                                             {"conv2d", 4},
                                                             {"conv3d", 5},
                                                             {"conv_transpose1d", 3},
                                                             {"conv_transpose2d", 4},
                                                             {"max_pool1d", 3},
                                                             {"max_pool2d", 4},
                                                             {"max_pool3d", 5},
                                                             {"avg_pool1d", 3},
                                                             {"avg_pool2d", 4},
                                                             {"avg_pool3d", 5},
                                                             {"lp_pool1d", 3},
                                                             {"lp_pool2d", 4},
                                                             {"adaptive_avg_pool1d", 3},
                                                             {"adaptive_avg_pool2d", 4},
                                                             {"adaptive_avg_pool3d", 5},
                                                             {"_adaptive_avg_pool2d", 4},
                                                             {"max_pool2d_with_indices", 4},
                                                             {"adaptive_max_pool2d", 4},
                                                             {"pixel_shuffle", 4}};
  return ranks;
}

/// aten.mm as a batch of one.
Results asBatch(Emitter& e) {
  const Tensor a = e.tensor("self"), b = e.tensor("mat2");
  const fx::TensorMeta result = e.result();
  e.require(a.rank() == 2 && b.rank() == 2 && result.rank() == 2);
  const Tensor product =
      e.op("aten.bmm.default", {e.unsqueeze(a, 0).value, e.unsqueeze(b, 0).value}, result.dtype,
           {fx::SymInt(1), result.sizes[0], result.sizes[1]});
  return rewrite::one(e.squeeze(product, 0));
}

void add(const BlockedCall& call, std::vector<Change>& out, std::string title,
         decltype(rewrite::Rule::apply) apply) {
  Change change;
  change.id = "rank";
  change.change = std::move(title);
  change.rules = {ruleFor(call, change.id, std::move(apply))};
  change.snippet = fixCommand(call);
  change.language = "sh";
  out.push_back(std::move(change));
}

void proposeRank(const BlockedCall& call, std::vector<Change>& out) {
  const fx::Node& node = call.node;
  if (!node.target.starts_with("aten.")) return;
  const fx::NodeId* first = node.args.empty() ? nullptr : node.args.front().value.node();
  const fx::TensorMeta* input =
      first != nullptr ? call.subject.program->node(*first).val.tensor() : nullptr;
  if (input == nullptr) return;
  const auto known = batchedRank().find(rewrite::packetOf(node.target));
  if (known != batchedRank().end() && input->rank() + 1 == known->second) {
    add(call, out,
        "give " + call.blocked.fxTarget +
            " a batch dimension of size 1, and remove it from the result",
        [rank = known->second](Emitter& e) { return rewrite::withLeadingDimension(e, rank); });
  }
  if (input->rank() == 0 && (node.find("dim") != nullptr || node.find("dimension") != nullptr))
    add(call, out, "give " + call.blocked.fxTarget + " a dimension of size 1",
        [](Emitter& e) { return rewrite::withLeadingDimension(e, 1); });
  if (node.target == "aten.mm.default")
    add(call, out, "multiply as a batch of one matrix (aten.bmm)", asBatch);
}

}  // namespace

void registerRank(Proposals& proposals) { proposals.add(proposeRank); }

}  // namespace fxs::diagnose
