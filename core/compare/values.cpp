// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/values.h"

#include <algorithm>
#include <string_view>

#include "compare/element_ranges.h"
#include "tensor/judge.h"

namespace fxs::compare {
namespace {

/// Whether the result is random, or is not written.
bool isUndetermined(const fx::Node& node) {
  const ops::Operator& op = operatorOf(node);
  const std::string_view random = op.rule(ops::Rule::Random);
  if (op.is(ops::Trait::Unwritten) || random == "always" ||
      node.target.starts_with("prims.inductor_random."))
    return true;
  const fx::NodeArgument* argument = node.find(random);
  if (random.empty() || argument == nullptr) return false;
  const bool* isOn = std::get_if<bool>(&argument->value);
  const double* probability = std::get_if<double>(&argument->value);
  return (isOn != nullptr && *isOn) || (probability != nullptr && *probability > 0);
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

/// How many terms one element of a call's result is a sum of, from its operands' sizes.
std::uint64_t termsOf(const fx::Program& program, const fx::Node& node,
                      const std::map<std::string, std::int64_t>& symbols) {
  const std::string_view of = operatorOf(node).rule(ops::Rule::Terms);
  std::uint64_t terms = 1, most = 1;
  forEachOperand(program, node, [&](fx::NodeId operand, std::size_t argument) {
    const fx::TensorMeta* meta = program.node(operand).val.tensor();
    if (meta == nullptr) return;
    const auto sizes = sizesOf(*meta, symbols);
    most = std::max(most, productOf(sizes));
    if (sizes.empty()) return;
    if (of == "filters" && argument == 1 && sizes[0] > 0)
      terms = std::max(terms, productOf(sizes) / sizes[0]);
    if (of == "last") terms = std::max(terms, sizes.back());
    // What operations of MLIR sum is not known.
    if (of == "longest" || program.dialect == fx::kMlirDialect)
      terms = std::max(terms, *std::max_element(sizes.begin(), sizes.end()));
  });
  if (of == "filters" || of == "last") return terms;
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
    const bool filled = operatorOf(node).is(ops::Trait::Overwrites);
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
  std::vector<bool> out(program.nodes.size(), false);
  for (const fx::NodeId id : operandsFirst(program)) {
    const fx::Node& node = program.node(id);
    bool chosen = operatorOf(node).rule(ops::Rule::Bounds) == "position";
    if (node.target == fx::kGetitem && node.args.size() == 2 &&
        node.args[0].value.node() != nullptr) {
      const std::int64_t* index = node.args[1].value.integer();
      chosen = index != nullptr && *index == 1 &&
               operatorOf(program.node(*node.args[0].value.node())).rule(ops::Rule::Parts) ==
                   "positions";
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
