// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Higher-order operators: those that the dialect supports, wrappers of one operator, and a finding
// for the rest.
#include <algorithm>

#include "import/constants.h"
#include "import/import_node.h"

namespace fxs::import {
namespace {

bool isSubgraph(const fx::Program& program, const fx::Argument& argument) {
  const fx::NodeId* id = argument.node();
  return id != nullptr && program.node(*id).subgraph.valid();
}

bool isToken(const fx::Program& program, const fx::Argument& argument) {
  const fx::NodeId* id = argument.node();
  return id != nullptr && std::holds_alternative<fx::Token>(program.node(*id).val);
}

/// "torch.ops.my.op.default", "my.op.default" and "my::op" -> "torch.my.op".
std::string wrappedName(std::string_view op) {
  static constexpr std::string_view kPrefix = "torch.ops.";
  if (op.starts_with(kPrefix)) op.remove_prefix(kPrefix.size());
  std::string name(op);
  if (const std::size_t colons = name.find("::"); colons != std::string::npos)
    name.replace(colons, 2, ".");
  return mlirNameOf(name);
}

/// The results of a wrapper bound by position, with nothing where a part is None or a token.
void bindParts(FunctionImporter& f, const fx::Node& node, const std::vector<Value>& results) {
  const fx::ValueList* parts = node.val.list();
  if (parts == nullptr) return f.bind(node, results);
  std::vector<Value> bound;
  std::size_t next = 0;
  for (const fx::Value& part : *parts) {
    const bool isAbsent =
        std::holds_alternative<fx::NoneValue>(part) || std::holds_alternative<fx::Token>(part);
    if (!isAbsent && next < results.size()) bound.push_back(results[next++]);
    else bound.push_back(constantNone(f.write));
  }
  f.bind(node, std::move(bound));
}

std::vector<TypeId> presentParts(FunctionImporter& f, const fx::Node& node) {
  std::vector<TypeId> types;
  const auto add = [&](const fx::Value& value) {
    if (!std::holds_alternative<fx::NoneValue>(value) && !std::holds_alternative<fx::Token>(value))
      types.push_back(f.module.types.value(value));
  };
  if (const fx::ValueList* parts = node.val.list())
    std::for_each(parts->begin(), parts->end(), add);
  else add(node.val);
  return types;
}

/// "_x_base_index" says which base the mutated argument x is; with "_x_size" and the like it is a
/// view of that base. Null if `argument` does not name a base.
const fx::Argument* baseOf(const fx::NodeArgument& argument, const fx::NodeArgument* bases) {
  const fx::ArgumentList* list = bases != nullptr ? bases->value.list() : nullptr;
  const std::int64_t* index =
      argument.name.ends_with("_base_index") ? argument.value.integer() : nullptr;
  if (index == nullptr || list == nullptr || *index < 0) return nullptr;
  const auto at = static_cast<std::size_t>(*index);
  return at < list->size() ? &(*list)[at] : nullptr;
}

/// auto_functionalized(op, **arguments): the operator on values; its results are the operator's own
/// and then the new values of what it mutates.
void importAutoFunctionalized(FunctionImporter& f, const fx::Node& node) {
  const auto* op =
      node.args.empty() ? nullptr : std::get_if<fx::OperatorName>(&node.args.front().value);
  const auto* text =
      node.args.empty() ? nullptr : std::get_if<std::string>(&node.args.front().value);
  if (op == nullptr && text == nullptr)
    return f.module.cannotImport(
        node, "'" + node.name + "' (" + node.target + ") does not name an operator");
  const fx::NodeArgument* bases = node.find("_all_bases");
  std::vector<Value> operands;
  for (std::size_t i = 1; i < node.args.size(); ++i) {
    const fx::NodeArgument& argument = node.args[i];
    if (argument.name == "_all_bases") continue;
    if (!argument.name.starts_with('_')) {
      operands.push_back(lowerArgument(f, node, argument.value, nullptr));
      continue;
    }
    if (const fx::Argument* base = baseOf(argument, bases)) {
      operands.push_back(lowerArgument(f, node, *base, nullptr));
    } else if (!argument.value.isNone()) {
      f.module.cannotImport(
          node, "'" + node.name + "' mutates a view of a tensor inside a custom operator (" +
                    argument.name + "), which the torch dialect cannot represent");
    }
  }
  const std::vector<TypeId> results = presentParts(f, node);
  bindParts(f, node,
            f.emit(node, wrappedName(op != nullptr ? op->name : *text), operands, results));
}

/// with_effects(token, op, ..): the operator; order is the order of the text.
void importWithEffects(FunctionImporter& f, const fx::Node& node) {
  std::string name = "torch.higher_order.with_effects";
  std::vector<Value> operands;
  for (const fx::NodeArgument& argument : node.args) {
    if (isToken(f.module.program, argument.value)) continue;
    if (const auto* op = std::get_if<fx::OperatorName>(&argument.value))
      name = wrappedName(op->name);
    else operands.push_back(lowerArgument(f, node, argument.value, nullptr));
  }
  bindParts(f, node, f.emit(node, name, operands, presentParts(f, node)));
}

/// Not in the dialect: imported as an operator with its plain operands, so that the rest of the
/// program is still checked.
void importUnknown(FunctionImporter& f, const fx::Node& node) {
  const std::string packet = node.target.substr(node.target.find('.') + 1);
  const bool isInDialect = pinnedRegisteredOps().contains("torch.hop_" + packet);
  std::string reason =
      (isInDialect ? "fxscope does not import " : "the torch dialect cannot represent ") +
      node.target;
  if (node.target == "higher_order.map_impl" || node.target == "higher_order.scan")
    reason += "; write the loop with while_loop, or unroll it";
  if (node.target.starts_with("higher_order.wrap_with_"))
    reason += "; it is inlined before the import in lowering mode";
  f.module.cannotImport(node, "'" + node.name + "' (" + node.target + "): " + reason);
  std::vector<Value> operands;
  for (const fx::NodeArgument& argument : node.args) {
    if (isSubgraph(f.module.program, argument.value) || isToken(f.module.program, argument.value))
      continue;
    operands.push_back(lowerArgument(f, node, argument.value, nullptr));
  }
  bindParts(f, node, f.writeOperator("torch." + node.target, operands, presentParts(f, node)));
}

}  // namespace

bool expressesSubgraphs(std::string_view target) {
  return target == "higher_order.cond" || target == "higher_order.while_loop";
}

void importHigherOrder(FunctionImporter& f, const fx::Node& node) {
  if (node.target == "higher_order.cond") return importCond(f, node);
  if (node.target == "higher_order.while_loop") return importWhileLoop(f, node);
  if (node.target == "higher_order.auto_functionalized" ||
      node.target == "higher_order.auto_functionalized_v2")
    return importAutoFunctionalized(f, node);
  if (node.target == "higher_order.with_effects") return importWithEffects(f, node);
  importUnknown(f, node);
}

}  // namespace fxs::import
