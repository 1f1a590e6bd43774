// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/values.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "tensor/judge.h"

namespace fxs::compare {
namespace {

/// "aten.rand_like" of "aten.rand_like.default".
std::string_view packetOf(std::string_view target) { return target.substr(0, target.rfind('.')); }

/// Operators with the tag nondeterministic_seeded, and those whose result is not written
/// (native_functions.yaml of PyTorch 2.13).
bool isUndetermined(const fx::Node& node) {
  static const std::set<std::string_view> kAlways{"aten.rand",
                                                  "aten.rand_like",
                                                  "aten.randn",
                                                  "aten.randn_like",
                                                  "aten.randint",
                                                  "aten.randint_like",
                                                  "aten.randperm",
                                                  "aten.bernoulli",
                                                  "aten.bernoulli_",
                                                  "aten.multinomial",
                                                  "aten.normal",
                                                  "aten.normal_",
                                                  "aten.normal_functional",
                                                  "aten.uniform",
                                                  "aten.uniform_",
                                                  "aten.exponential",
                                                  "aten.exponential_",
                                                  "aten.cauchy",
                                                  "aten.cauchy_",
                                                  "aten.geometric",
                                                  "aten.geometric_",
                                                  "aten.log_normal",
                                                  "aten.log_normal_",
                                                  "aten.poisson",
                                                  "aten.random",
                                                  "aten.random_",
                                                  "aten.binomial",
                                                  "aten.rrelu_with_noise",
                                                  "aten.empty",
                                                  "aten.empty_like",
                                                  "aten.empty_strided",
                                                  "aten.new_empty",
                                                  "aten.new_empty_strided",
                                                  "aten.empty_permuted",
                                                  "prims.inductor_random"};
  const std::string_view packet = packetOf(node.target);
  if (kAlways.contains(packet)) return true;
  if (packet == "aten.dropout" || packet == "aten.native_dropout" || packet == "aten.dropout_" ||
      packet == "aten.feature_dropout" || packet == "aten.alpha_dropout")
    return node.isTrue("train");
  if (packet == "aten.rrelu") return node.isTrue("training");
  if (packet == "aten.scaled_dot_product_attention") {
    const fx::NodeArgument* p = node.find("dropout_p");
    const double* value = p != nullptr ? std::get_if<double>(&p->value) : nullptr;
    return value != nullptr && *value > 0;
  }
  return false;
}

/// The call's target fills a tensor that may have been undetermined before.
bool overwrites(const fx::Node& node) {
  static const std::set<std::string_view> kFills{
      "aten.fill",       "aten.fill_",     "aten.zero", "aten.zero_", "aten.full_like",
      "aten.zeros_like", "aten.ones_like", "aten.copy", "aten.copy_"};
  return kFills.contains(packetOf(node.target));
}

void forEachOperand(const fx::Program& program, const fx::Node& node,
                    const std::function<void(fx::NodeId, std::size_t)>& visit) {
  for (std::size_t a = 0; a < node.args.size(); ++a)
    fx::forEachNode(node.args[a].value, [&](fx::NodeId id) {
      visit(id, a);
      // The operands of a subgraph's nodes are within it; its own values count by its output.
      const fx::Node& operand = program.node(id);
      if (operand.subgraph.valid()) visit(program.output(operand.subgraph).id, a);
    });
}

/// Nodes in an order in which operands come first: subgraphs before their callers.
std::vector<fx::NodeId> operandsFirst(const fx::Program& program) {
  std::vector<fx::NodeId> out;
  for (std::size_t g = program.graphs.size(); g-- > 0;)
    out.insert(out.end(), program.graphs[g].nodes.begin(), program.graphs[g].nodes.end());
  return out;
}

DType floatingOf(const fx::Value& value) {
  if (const fx::TensorMeta* meta = value.tensor())
    return isFloating(meta->dtype) || isComplex(meta->dtype) ? meta->dtype : DType::Unknown;
  return DType::Unknown;
}

/// The sizes of a tensor for the given symbols; empty if one is not known.
std::vector<std::uint64_t> sizesOf(const fx::TensorMeta& meta,
                                   const std::map<std::string, std::int64_t>& symbols) {
  std::vector<std::uint64_t> out;
  for (const fx::SymInt& size : meta.sizes) {
    const auto value = fx::evaluate(size, symbols);
    if (!value || *value < 0) return {};
    out.push_back(static_cast<std::uint64_t>(*value));
  }
  return out;
}

std::uint64_t productOf(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t out = 1;
  for (const std::uint64_t size : sizes)
    if (__builtin_mul_overflow(out, size, &out)) return 0;
  return out;
}

bool isInnerProduct(std::string_view packet) {
  static const std::set<std::string_view> kOthers{"aten.linear", "aten.mv", "aten.dot",
                                                  "aten.einsum", "aten.addmv"};
  return packet.ends_with("mm") || packet.ends_with("matmul") || kOthers.contains(packet);
}

/// How many terms one element of a call's result is a sum of, from its operands' sizes.
std::uint64_t termsOf(const fx::Program& program, const fx::Node& node,
                      const std::map<std::string, std::int64_t>& symbols) {
  static const std::set<std::string_view> kElementwiseSums{"aten.softmax",
                                                           "aten._softmax",
                                                           "aten.log_softmax",
                                                           "aten._log_softmax",
                                                           "aten.cumsum",
                                                           "aten.layer_norm",
                                                           "aten.native_layer_norm",
                                                           "aten.rms_norm",
                                                           "aten.logcumsumexp",
                                                           "aten.group_norm",
                                                           "aten.native_group_norm",
                                                           "aten.scaled_dot_product_attention"};
  const std::string_view packet = packetOf(node.target);
  const bool convolution = packet.find("conv") != std::string_view::npos;
  const bool product = isInnerProduct(packet);
  std::uint64_t terms = 1, most = 1;
  forEachOperand(program, node, [&](fx::NodeId operand, std::size_t argument) {
    const fx::TensorMeta* meta = program.node(operand).val.tensor();
    if (meta == nullptr) return;
    const auto sizes = sizesOf(*meta, symbols);
    most = std::max(most, productOf(sizes));
    if (sizes.empty()) return;
    if (convolution && argument == 1 && sizes[0] > 0)
      terms = std::max(terms, productOf(sizes) / sizes[0]);
    if (product) terms = std::max(terms, sizes.back());
    if (kElementwiseSums.contains(packet))
      terms = std::max(terms, *std::max_element(sizes.begin(), sizes.end()));
  });
  if (convolution || product) return terms;
  // A reduction has fewer elements than its operand.
  const fx::TensorMeta* meta = node.val.tensor();
  const std::uint64_t results = meta == nullptr ? 0 : productOf(sizesOf(*meta, symbols));
  return results > 0 ? std::max(terms, most / results) : terms;
}

DType lower(DType a, DType b) { return tensor::epsilonOf(a) >= tensor::epsilonOf(b) ? a : b; }

}  // namespace

std::vector<bool> undeterminedNodes(const fx::Program& program) {
  std::vector<bool> out(program.nodes.size(), false);
  for (const fx::NodeId id : operandsFirst(program)) {
    const fx::Node& node = program.node(id);
    bool undetermined = node.op == fx::NodeOp::CallFunction && isUndetermined(node);
    const bool filled = overwrites(node);
    forEachOperand(program, node, [&](fx::NodeId operand, std::size_t argument) {
      if (out[operand.index()] && !(filled && argument == 0)) undetermined = true;
    });
    out[id.index()] = undetermined;
  }
  return out;
}

std::vector<DType> lowestPrecisions(const fx::Program& program) {
  std::vector<DType> out(program.nodes.size(), DType::Unknown);
  for (const fx::NodeId id : operandsFirst(program)) {
    const fx::Node& node = program.node(id);
    DType lowest = floatingOf(node.val);
    forEachOperand(program, node, [&](fx::NodeId operand, std::size_t) {
      lowest = lower(lowest, out[operand.index()]);
    });
    out[id.index()] = lowest;
  }
  return out;
}

std::vector<std::uint64_t> longestSums(const fx::Program& program,
                                       const std::map<std::string, std::int64_t>& sizes) {
  std::vector<std::uint64_t> out(program.nodes.size(), 1);
  for (const fx::NodeId id : operandsFirst(program)) {
    const fx::Node& node = program.node(id);
    std::uint64_t longest = node.op == fx::NodeOp::CallFunction ? termsOf(program, node, sizes) : 1;
    forEachOperand(program, node, [&](fx::NodeId operand, std::size_t) {
      longest = std::max(longest, out[operand.index()]);
    });
    out[id.index()] = longest;
  }
  return out;
}

std::vector<bool> chosenIndices(const fx::Program& program) {
  static const std::set<std::string_view> kSecond{"aten.max",
                                                  "aten.min",
                                                  "aten.topk",
                                                  "aten.sort",
                                                  "aten.kthvalue",
                                                  "aten.median",
                                                  "aten.nanmedian",
                                                  "aten.mode",
                                                  "aten.cummax",
                                                  "aten.cummin",
                                                  "aten.max_pool2d_with_indices",
                                                  "aten.max_pool1d_with_indices",
                                                  "aten.max_pool3d_with_indices",
                                                  "aten.adaptive_max_pool2d",
                                                  "aten.adaptive_max_pool3d"};
  static const std::set<std::string_view> kOnly{"aten.argmax", "aten.argmin", "aten.argsort"};
  std::vector<bool> out(program.nodes.size(), false);
  for (const fx::NodeId id : operandsFirst(program)) {
    const fx::Node& node = program.node(id);
    bool chosen = kOnly.contains(packetOf(node.target));
    if (node.target == fx::kGetitem && node.args.size() == 2 &&
        node.args[0].value.node() != nullptr) {
      const std::int64_t* index = node.args[1].value.integer();
      chosen = index != nullptr && *index == 1 &&
               kSecond.contains(packetOf(program.node(*node.args[0].value.node()).target));
    }
    // An integer computed from such an index is one too.
    if (const fx::TensorMeta* meta = node.val.tensor(); meta != nullptr && isIntegral(meta->dtype))
      forEachOperand(program, node, [&](fx::NodeId operand, std::size_t) {
        chosen = chosen || out[operand.index()];
      });
    out[id.index()] = chosen;
  }
  return out;
}

std::vector<fx::NodeId> valueNodes(const fx::Program& program) {
  const fx::Program& user = program.original ? *program.original : program;
  std::vector<fx::NodeId> out(user.nodes.size());
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    const fx::Node& origin = program.originOf(node);
    const fx::TensorMeta* meta = node.val.tensor();
    const fx::TensorMeta* wanted = origin.val.tensor();
    // Of the nodes that one was rewritten to, the last one of its type has its value.
    if (origin.graph == user.main().id && meta != nullptr && wanted != nullptr &&
        meta->dtype == wanted->dtype && meta->sizes == wanted->sizes)
      out[origin.id.index()] = id;
  }
  return out;
}

}  // namespace fxs::compare
