// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops of the program, whose condition and body are graphs of their own: `while_loop` as
// scf.while.
#include <algorithm>

#include "registry/program_lowering.h"

namespace fxs::registry {

/// The values of a list of tensors; nullopt if an element is none.
std::optional<Values> ProgramLowering::valuesOf(const fx::Argument& list) const {
  Values out;
  if (list.isNone()) return out;
  const fx::ArgumentList* items = list.list();
  if (items == nullptr) return std::nullopt;
  for (const fx::Argument& item : *items) {
    const fx::NodeId* id = item.node();
    if (id == nullptr || values_[id->index()].size() != 1 ||
        values_[id->index()].front().tensor.element.empty())
      return std::nullopt;
    out.push_back(values_[id->index()].front());
  }
  return out;
}

const fx::Graph* ProgramLowering::graphOf(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  const fx::Node* node = id != nullptr ? &program_.node(*id) : nullptr;
  return node != nullptr && node->subgraph.valid() ? &program_.graph(node->subgraph) : nullptr;
}

/// The nodes of a graph at this place in the text, with these values for its inputs: its outputs,
/// or nullopt if one of them has no value.
std::optional<Values> ProgramLowering::lowerGraph(const fx::Graph& graph,
                                                  std::span<const Value> inputs) {
  std::size_t next = 0;
  for (const fx::NodeId id : graph.nodes) {
    const fx::Node& node = program_.node(id);
    if (node.op == fx::NodeOp::Placeholder) {
      if (next == inputs.size() || resultTypes(node) != std::vector{inputs[next].type})
        return std::nullopt;
      values_[id.index()] = {inputs[next++]};
      continue;
    }
    NodeCoverage coverage;
    coverage.node = id;
    lowerNode(node, coverage);
    nested_.push_back(std::move(coverage));
  }
  const fx::Node& output = program_.output(graph.id);
  if (next != inputs.size() || output.args.empty()) return std::nullopt;
  const fx::Argument& returned = output.args.front().value;
  return returned.list() != nullptr ? valuesOf(returned) : valuesOf(fx::ArgumentList{returned});
}

/// Why a while_loop is not written, or nothing. Whatever was written has to be rolled back then.
std::optional<std::string> ProgramLowering::writeWhile(const fx::Node& node) {
  const auto argument = [&](std::size_t i) {
    return i < node.args.size() ? node.args[i].value : fx::Argument(fx::None{});
  };
  const fx::Graph* condition = graphOf(argument(0));
  const fx::Graph* step = graphOf(argument(1));
  const auto carried = valuesOf(argument(2)), captured = valuesOf(argument(3));
  if (condition == nullptr || step == nullptr || !carried || !captured)
    return "its operands are not two graphs and tensors";
  const auto hasSymbols = [&](const fx::Graph& graph) {
    return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                       [&](fx::NodeId id) { return hasSymbolicSizes(program_.node(id)); });
  };
  if (hasSymbols(*condition) || hasSymbols(*step)) return "its loop has symbolic sizes";
  const std::vector<std::string> types = typesOf(*carried);
  if (resultTypes(node) != types) return "its results do not have the types of what it carries";
  const auto withCaptured = [&](std::vector<Value> values) {
    values.insert(values.end(), captured->begin(), captured->end());
    return values;
  };
  auto open = emit_.begin("scf.while", *carried, types);
  std::vector<Value> now = emit_.beginRegion(open, types);
  const auto flag = lowerGraph(*condition, withCaptured(now));
  if (!flag || flag->size() != 1 || !flag->front().tensor.isBool() ||
      flag->front().tensor.elements() != 1)
    return "its condition is not one bool";
  locate(node);
  now.insert(
      now.begin(),
      emit_.ops("tensor.extract", *flag, std::span(&flag->front().tensor.element, 1)).front());
  emit_.ops("scf.condition", now, {});
  emit_.endRegion(open);
  now = emit_.beginRegion(open, types);
  const auto next = lowerGraph(*step, withCaptured(now));
  if (!next || typesOf(*next) != types)
    return "its body does not return the types of what it carries";
  locate(node);
  emit_.ops("scf.yield", *next, {});
  emit_.endRegion(open);
  values_[node.id.index()] = emit_.finish(open);
  return std::nullopt;
}

void ProgramLowering::lowerWhile(const fx::Node& node, NodeCoverage& coverage) {
  const OpBuilder::Mark mark = emit_.mark();
  const std::size_t nested = nested_.size(), findings = out_->findings.size();
  const auto refusal = writeWhile(node);
  if (!refusal) return;
  emit_.rollback(mark);
  // The findings of nodes within say more than that the loop has no result.
  const bool isWithin = out_->findings.size() > findings;
  if (!isWithin) nested_.resize(nested);
  coverage.status = CoverageStatus::Refused;
  coverage.refusals = {*refusal};
  if (!isWithin) refuse(node, "refused", "'" + node.target + "' is not supported; " + *refusal);
  writeUnmapped(node);
}

}  // namespace fxs::registry
