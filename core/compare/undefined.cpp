// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/undefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "compare/broadcast.h"
#include "compare/coverage.h"
#include "compare/element_ranges.h"
#include "compare/operator_values.h"
#include "ops/schema.h"

namespace fxs::compare {
namespace {

using Marks = std::vector<bool>;  // of elements that are not defined

bool anyOf(const Marks& elements) {
  return std::find(elements.begin(), elements.end(), true) != elements.end();
}

/// Marks that no integer of the type is the whole part of, and one of them.
std::pair<Marks, double> outside(const tensor::Tensor& of, DType to) {
  const IntegerLimits limits = integerLimits(to);
  std::pair<Marks, double> out{Marks(of.elements()), 0};
  std::array<double, 1024> chunk;
  for (std::uint64_t first = 0; first < of.elements(); first += chunk.size()) {
    const auto length = std::min<std::size_t>(chunk.size(), of.elements() - first);
    tensor::readParts(of, first, {chunk.data(), length});
    for (std::size_t i = 0; i < length; ++i) {
      const double integer = std::trunc(chunk[i]);
      if (integer >= limits.least && integer <= limits.most) continue;
      out.first[first + i] = true;
      out.second = chunk[i];
    }
  }
  return out;
}

bool isElementwise(const fx::Node& node) {
  const OperatorValues* row = operatorValues(node);
  return (row != nullptr && row->passing == Passing::Pointwise) || comparesElements(node) ||
         operatorOf(node).is(ops::Trait::KeepsOrder) || operatorOf(node).is(ops::Trait::Converts) ||
         node.target == "aten.min.other" || node.target == "aten.max.other";
}

bool writes(const fx::Node& node) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  return schema != nullptr && schema->isMutable;
}

/// Follows elements that are not defined through the main graph.
class UndefinedElements {
 public:
  UndefinedElements(const fx::Program& program, const NodeValue& valueOf)
      : program_(program), valueOf_(valueOf) {}

  Undefined run() {
    for (const fx::NodeId id : program_.main().nodes) {
      const fx::Node& node = program_.node(id);
      Marks own = converted(node);
      std::vector<fx::NodeId> operands = undefinedOperands(node);
      if (own.empty() && operands.empty()) continue;
      // What is written is read under other names.
      if (writes(node)) return {{}, std::move(first_)};
      if (!operands.empty()) {
        const auto passed = node.op == fx::NodeOp::CallFunction ? passedOn(node) : std::nullopt;
        if (!passed) return {{}, std::move(first_)};
        own.resize(passed->size());
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = own[i] || (*passed)[i];
      }
      if (!anyOf(own)) continue;
      out_.nodes.push_back(id);
      elements_[id] = std::move(own);
    }
    return std::move(out_);
  }

 private:
  /// Of a conversion, elements that have no integer; empty if there are none.
  Marks converted(const fx::Node& node) {
    const fx::TensorMeta* result = node.val.tensor();
    if (result == nullptr || !isIntegral(result->dtype) ||
        !operatorOf(node).is(ops::Trait::Converts))
      return {};
    for (const fx::NodeArgument& argument : node.args) {
      const fx::NodeId* operand = argument.value.node();
      const fx::TensorMeta* meta =
          operand == nullptr ? nullptr : program_.node(*operand).val.tensor();
      if (meta == nullptr || !isFloating(meta->dtype)) continue;
      const auto value = valueOf_(*operand);
      if (!value) continue;
      auto [elements, one] = outside(*value, result->dtype);
      if (!anyOf(elements)) continue;
      if (first_.empty())
        first_ =
            fmt::format("the conversion to {} at {} is of {:.6g}, which PyTorch does not define",
                        facts(result->dtype).torchName, node.name, one);
      return std::move(elements);
    }
    return {};
  }

  std::vector<fx::NodeId> undefinedOperands(const fx::Node& node) const {
    std::vector<fx::NodeId> out;
    if (operatorOf(node).is(ops::Trait::ReadsNone)) return out;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId operand) {
        if (elements_.contains(operand)) out.push_back(operand);
      });
    return out;
  }

  /// Marks of a result that are computed of ones that are not defined; std::nullopt for an
  /// operator that does not compute one by one.
  std::optional<Marks> passedOn(const fx::Node& node) const {
    const std::string_view packet = packetOf(node);
    const bool isChoice = packet == "where" || packet == "masked_fill";
    if (!isChoice && !isElementwise(node)) return std::nullopt;
    const auto result = valueOf_(node.id);
    if (!result) return std::nullopt;
    if (isChoice) return chosen(node, *result);
    Marks out(result->elements());
    for (const fx::NodeArgument& argument : node.args) {
      const fx::NodeId* operand = argument.value.node();
      if (operand == nullptr || !elements_.contains(*operand)) continue;
      const auto elements = broadcastTo(*operand, *result);
      if (!elements) return std::nullopt;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = out[i] || (*elements)[i];
    }
    return out;
  }

  /// Of a choice, those of the operand that is chosen.
  std::optional<Marks> chosen(const fx::Node& node, const tensor::Tensor& result) const {
    if (node.args.size() < 3) return std::nullopt;
    const bool isWhere = packetOf(node) == "where";
    const fx::NodeId* condition = node.args[isWhere ? 0 : 1].value.node();
    const auto choices = condition == nullptr ? std::nullopt : valueOf_(*condition);
    if (!choices || elements_.contains(*condition)) return std::nullopt;
    const auto ifTrue = operandOf(node.args[isWhere ? 1 : 2].value, result);
    const auto ifFalse = operandOf(node.args[isWhere ? 2 : 0].value, result);
    const auto sizes = broadcastSizes(choices->sizes, result.sizes);
    if (!ifTrue || !ifFalse || sizes != result.sizes) return std::nullopt;
    const Broadcast at(choices->sizes, result.sizes);
    Marks out(result.elements());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = tensor::elementAt(*choices, at.at(i)) != 0 ? (*ifTrue)[i] : (*ifFalse)[i];
    return out;
  }

  std::optional<Marks> operandOf(const fx::Argument& argument, const tensor::Tensor& result) const {
    const fx::NodeId* operand = argument.node();
    if (operand == nullptr || !elements_.contains(*operand)) return Marks(result.elements());
    return broadcastTo(*operand, result);
  }

  std::optional<Marks> broadcastTo(fx::NodeId operand, const tensor::Tensor& result) const {
    const Marks& elements = elements_.at(operand);
    const auto value = valueOf_(operand);
    if (elements.size() == result.elements()) return elements;
    if (!value || broadcastSizes(value->sizes, result.sizes) != result.sizes) return std::nullopt;
    const Broadcast at(value->sizes, result.sizes);
    Marks out(result.elements());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = elements[at.at(i)];
    return out;
  }

  const fx::Program& program_;
  const NodeValue& valueOf_;
  std::map<fx::NodeId, Marks> elements_;
  std::string first_;
  Undefined out_;
};

}  // namespace

Undefined undefinedIn(const fx::Program& program, const NodeValue& valueOf) {
  return UndefinedElements(program, valueOf).run();
}

}  // namespace fxs::compare
