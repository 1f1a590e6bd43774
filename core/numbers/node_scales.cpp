// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "numbers/node_scales.h"

#include "compare/error_scales.h"

namespace fxs::numbers {
namespace {

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 26;  // a larger value counts as unknown

}  // namespace

double NodeScales::of(std::size_t inputs, fx::NodeId node) {
  const auto [known, isNew] = scales_.try_emplace(inputs);
  if (isNew) known->second = compute(inputs);
  const fx::NodeId id = expected_.byPyTorch() ? c_.userNode(node) : node;
  return known->second[id.index()];
}

std::vector<double> NodeScales::compute(std::size_t inputs) {
  context_.report({"looking for terms that cancel", -1});
  const bool byPyTorch = expected_.byPyTorch();
  const fx::Program& program = byPyTorch ? c_.user : *c_.program;
  const FirstDifference::NodeValues values =
      byPyTorch ? FirstDifference::NodeValues() : values_.computed(inputs);
  return compare::errorScales(program, [&](fx::NodeId id) -> std::optional<tensor::Tensor> {
    if (context_.stop.stop_requested()) return std::nullopt;
    const fx::Node& node = program.node(id);
    if (node.op == fx::NodeOp::Placeholder) return given(program, inputs, node);
    if (byPyTorch) {
      auto value = expected_.ofUserNode(inputs, id);
      return value && value->elements() <= kMostElements ? std::move(value) : std::nullopt;
    }
    const auto found = values.find(id);
    return found == values.end() || found->second.empty()
               ? std::nullopt
               : std::optional(found->second.front().value);
  });
}

/// The value of an input or weight.
std::optional<tensor::Tensor> NodeScales::given(const fx::Program& program, std::size_t inputs,
                                                const fx::Node& placeholder) const {
  std::size_t input = 0;
  for (const fx::InputSpec& spec : program.inputs) {
    if (spec.node == placeholder.id) {
      if (spec.kind == fx::InputKind::UserInput && spec.constant.isNone())
        return input < inputs_[inputs].tensors.size()
                   ? std::optional(inputs_[inputs].tensors[input])
                   : std::nullopt;
      const fx::Weight* weight = program.findWeight(spec.target);
      if (weight == nullptr || !weight->readable || weight->elements() > kMostElements ||
          !s_.capture->weights)
        return std::nullopt;
      auto bytes = s_.capture->weights->read(*weight, kMostElements * 16, context_);
      return bytes ? std::optional(tensor::Tensor{weight->dtype, weight->sizes, *std::move(bytes)})
                   : std::nullopt;
    }
    if (spec.kind == fx::InputKind::UserInput && spec.constant.isNone()) ++input;
  }
  return std::nullopt;
}

}  // namespace fxs::numbers
