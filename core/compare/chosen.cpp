// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/chosen.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "compare/element_ranges.h"
#include "compare/operator_values.h"
#include "ops/shapes.h"
#include "tensor/judge.h"

namespace fxs::compare {
namespace {

constexpr double kRounding =
    64;  // eps by which elements may differ that a right program takes for each other

/// The call whose result, or second result, the node is.
const fx::Node* callOf(const fx::Program& program, const fx::Node& node) {
  if (node.target != fx::kGetitem) return &node;
  const fx::NodeId* tuple = node.args.empty() ? nullptr : node.args[0].value.node();
  const std::int64_t* index = node.args.size() < 2 ? nullptr : node.args[1].value.integer();
  return tuple != nullptr && index != nullptr && *index == 1 ? &program.node(*tuple) : nullptr;
}

/// Whether elements are those of inputs and constants, without rounding: then those that are equal
/// are so in every text.
bool isGiven(const fx::Program& program, fx::NodeId value) {
  std::set<fx::NodeId> seen{value};
  std::vector<fx::NodeId> work{value};
  while (!work.empty()) {
    const fx::Node& node = program.node(work.back());
    work.pop_back();
    if (node.op == fx::NodeOp::Placeholder || node.val.symbol() != nullptr) continue;
    const OperatorValues* row =
        node.op == fx::NodeOp::CallFunction ? operatorValues(node) : nullptr;
    if (row == nullptr || row->passing != Passing::Moved) return false;
    bool isConverted = false;  // and rounded
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId operand) {
        const fx::TensorMeta *from = program.node(operand).val.tensor(), *to = node.val.tensor();
        isConverted = isConverted || (from != nullptr && to != nullptr && from->dtype != to->dtype);
        if (seen.insert(operand).second) work.push_back(operand);
      });
    if (isConverted) return false;
  }
  return true;
}

/// Positions of `index` elements, in rows along `dimension` of the operand.
struct Rows {
  std::uint64_t inner = 1;   ///< elements between neighbours along the dimension
  std::uint64_t length = 1;  ///< of the operand
  std::uint64_t chosen = 1;  ///< indices per row
  std::uint64_t rowOf(std::uint64_t i) const { return i / (inner * chosen) * inner + i % inner; }
  std::uint64_t at(std::uint64_t i, std::uint64_t index) const {
    return (i / (inner * chosen) * length + index) * inner + i % inner;
  }
};

std::optional<Rows> rowsOf(const fx::Node& call, const Chooser& chooser,
                           const tensor::Tensor& operand, const tensor::Tensor& index) {
  const fx::NodeArgument* argument = call.find("dim");
  const std::int64_t* given = argument == nullptr ? nullptr : argument->value.integer();
  Rows out;
  if (given == nullptr && !chooser.isLastDimension) {
    out.length = operand.elements();
    return index.elements() == 1 ? std::optional(out) : std::nullopt;
  }
  if (operand.sizes.empty()) return index.elements() == 1 ? std::optional(out) : std::nullopt;
  const auto dimension = ops::wrapIndex(given == nullptr ? -1 : *given, operand.sizes.size());
  if (!dimension) return std::nullopt;
  for (std::size_t d = *dimension + 1; d < operand.sizes.size(); ++d)
    out.inner *= static_cast<std::uint64_t>(operand.sizes[d]);
  out.length = static_cast<std::uint64_t>(operand.sizes[*dimension]);
  if (out.length == 0 || operand.elements() == 0) return std::nullopt;
  const std::uint64_t rows = operand.elements() / out.length;
  if (index.elements() % rows != 0) return std::nullopt;
  out.chosen = index.elements() / rows;
  return out;
}

bool isEqual(double a, double b, double eps) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= kRounding * eps * std::max(std::abs(a), std::abs(b));
}

/// An operand whose elements were chosen, and what an index may be.
struct Choosing {
  const Chooser& chooser;
  const tensor::Tensor& operand;
  Rows rows;
  bool mustBeFirst;  ///< of equal elements

  bool isIndex(double value) const {
    return value >= 0 && value < static_cast<double>(rows.length);
  }
  double element(std::uint64_t i, double index) const {
    return tensor::elementAt(operand, rows.at(i, static_cast<std::uint64_t>(index)));
  }
  /// Whether indices choose elements that are equal to those that are expected.
  bool isEquallyGood(const tensor::Tensor& found, const tensor::Tensor& expected) const {
    const double eps = tensor::epsilonOf(operand.dtype);
    std::set<std::pair<std::uint64_t, double>> known;
    for (std::uint64_t i = 0; i < expected.elements(); ++i) {
      const double a = tensor::elementAt(found, i), b = tensor::elementAt(expected, i);
      if (!isIndex(a) || !isIndex(b)) return false;
      if (chooser.isDistinct && !known.insert({rows.rowOf(i), a}).second) return false;
      if (a == b) continue;
      if (mustBeFirst || !isEqual(element(i, a), element(i, b), eps)) return false;
    }
    return true;
  }
};

}  // namespace

std::optional<Chooser> chooserNamed(std::string_view name) {
  if (name == "first-of-all") return Chooser{false, false, false};
  if (name == "first") return Chooser{false, true, false};
  if (name == "any") return Chooser{true, true, false};
  return name == "order" ? std::optional(Chooser{true, true, true}) : std::nullopt;
}

Chosen chosenElements(const fx::Program& program, fx::NodeId node, const tensor::Tensor& found,
                      const tensor::Tensor& expected, const NodeValue& valueOf) {
  Chosen out;
  const fx::Node* call = callOf(program, program.node(node));
  if (call == nullptr || call->args.empty() || found.sizes != expected.sizes ||
      !isIntegral(expected.dtype))
    return out;
  const auto chooser = chooserNamed(operatorOf(*call).rule(ops::Rule::Chooses));
  const fx::NodeId* from = call->args.front().value.node();
  if (!chooser || from == nullptr) return out;
  const auto operand = valueOf(*from);
  if (!operand || isComplex(operand->dtype)) return out;
  const auto rows = rowsOf(*call, *chooser, *operand, expected);
  if (!rows) return out;
  out.isFree = chooser->isFree && !call->isTrue("stable");
  const Choosing choosing{*chooser, *operand, *rows, !out.isFree && isGiven(program, *from)};
  out.choice = choosing.isEquallyGood(found, expected) ? Choice::Equal : Choice::Other;
  return out;
}

}  // namespace fxs::compare
