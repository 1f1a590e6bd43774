// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/element_ranges.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "compare/element_bounds.h"
#include "compare/element_demands.h"

namespace fxs::compare {

IntegerLimits integerLimits(DType dtype) {
  const int bits = facts(dtype).bytes * 8;
  const bool isUnsigned = dtype == DType::UInt8 || dtype == DType::UInt16 ||
                          dtype == DType::UInt32 || dtype == DType::UInt64;
  if (dtype == DType::Bool) return {0, 1};
  if (isUnsigned) return {0, std::ldexp(1.0, bits) - 1};
  return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

std::string_view packetOf(const fx::Node& node) {
  std::string_view target = node.target;
  if (node.op != fx::NodeOp::CallFunction || !target.starts_with("aten.")) return {};
  target.remove_prefix(5);
  target = target.substr(0, target.find('.'));
  if (target.ends_with("_") && !target.ends_with("__")) target.remove_suffix(1);
  return target;
}

const ops::Operator& operatorOf(const fx::Node& node) { return ops::operatorNamed(packetOf(node)); }

ElementRanges::ElementRanges(const fx::Program& program, const Sizes& sizes, bool canWrap,
                             const RunContext& context)
    : program_(program),
      sizes_(sizes),
      canWrap_(canWrap),
      context_(context),
      ranges_(program.nodes.size()) {}

void ElementRanges::set(fx::NodeId placeholder, double min, double max) {
  ranges_[placeholder.index()] = {min, max, {placeholder}};
}

/// Operands of a subgraph's call are its placeholders. Bodies of loops are left out: there they
/// change.
void ElementRanges::enterSubgraphs(const fx::Node& call) {
  if (!call.target.starts_with("higher_order.") ||
      call.target.find("while_loop") != std::string::npos ||
      call.target.find("scan") != std::string::npos || call.target.find("map") != std::string::npos)
    return;
  std::vector<fx::NodeId> operands;
  std::vector<fx::GraphId> subgraphs;
  for (const fx::NodeArgument& argument : call.args)
    fx::forEachNode(argument.value, [&](fx::NodeId id) {
      const fx::Node& used = program_.node(id);
      if (used.op == fx::NodeOp::GetAttr && used.subgraph.valid())
        subgraphs.push_back(used.subgraph);
      else operands.push_back(id);
    });
  for (const fx::GraphId id : subgraphs) {
    std::vector<fx::NodeId> placeholders;
    for (const fx::NodeId node : program_.graph(id).nodes)
      if (program_.node(node).op == fx::NodeOp::Placeholder) placeholders.push_back(node);
    if (placeholders.size() > operands.size()) continue;
    // Those in front, such as the condition of cond, are not passed on.
    for (std::size_t i = 0; i < placeholders.size(); ++i)
      ranges_[placeholders[i].index()] =
          ranges_[operands[operands.size() - placeholders.size() + i].index()];
  }
}

void ElementRanges::propagate() {
  const auto update = [&](const fx::Node& node) {
    context_.spend(Resource::Values, 1 + node.args.size(), "the bounds of indices");
    enterSubgraphs(node);
    std::optional<ElementRange>& range = ranges_[node.id.index()];
    range = boundsOf(RangedOperands(program_, node, sizes_, ranges_));
    return range && !range->inputs.empty();
  };
  if (!isFirst_) {
    for (const fx::NodeId id : depending_) update(program_.node(id));
    return;
  }
  isFirst_ = false;
  for (const fx::Node& node : program_.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    if (update(node) || node.target.starts_with("higher_order.")) depending_.push_back(node.id);
  }
}

/// Drops the calls that none of the demanded values is computed from.
void ElementRanges::forgetOthers(const std::vector<ElementDemand>& demands) {
  std::vector<bool> isNeeded(program_.nodes.size());
  for (const ElementDemand& demand : demands) isNeeded[demand.of.index()] = true;
  std::vector<fx::NodeId> kept;
  for (auto id = depending_.rbegin(); id != depending_.rend(); ++id) {
    const fx::Node& node = program_.node(*id);
    // A call with subgraphs passes its operands on to them.
    if (!isNeeded[id->index()] && !node.target.starts_with("higher_order.")) continue;
    kept.push_back(*id);
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value,
                      [&](fx::NodeId operand) { isNeeded[operand.index()] = true; });
  }
  depending_.assign(kept.rbegin(), kept.rend());
}

std::vector<ElementDemand> ElementRanges::demands() {
  std::vector<ElementDemand> out;
  for (const fx::Node& node : program_.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    context_.spend(Resource::Values, 1, "what operations demand of indices");
    collectDemands(RangedOperands(program_, node, sizes_, ranges_), canWrap_, out);
  }
  std::erase_if(out, [&](const ElementDemand& demand) {
    const auto& range = ranges_[demand.of.index()];
    return !range || range->inputs.empty();
  });
  forgetOthers(out);
  return out;
}

bool ElementRanges::holds(const ElementDemand& demand) const {
  const auto& range = ranges_[demand.of.index()];
  return !range || (range->min >= demand.min && range->max <= demand.max);
}

}  // namespace fxs::compare
