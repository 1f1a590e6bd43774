// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cond and while_loop: their subgraphs are private functions, called from torch.prim.If and
// torch.prim.Loop.
#include <limits>

#include "import/constants.h"
#include "import/import_node.h"

namespace fxs::import {
namespace {

const FunctionSignature* calleeOf(FunctionImporter& f, const fx::NodeArgument& argument) {
  const fx::NodeId* id = argument.value.node();
  const fx::GraphId graph = id != nullptr ? f.module.program.node(*id).subgraph : fx::GraphId{};
  return graph.valid() ? &f.module.functions[graph.index()] : nullptr;
}

void appendOperands(FunctionImporter& f, const fx::Node& node, const fx::Argument& argument,
                    std::vector<Value>& out) {
  if (const fx::ArgumentList* items = argument.list()) {
    for (const fx::Argument& item : *items) out.push_back(lowerArgument(f, node, item, nullptr));
  } else {
    out.push_back(lowerArgument(f, node, argument, nullptr));
  }
}

std::vector<Value> call(FunctionImporter& f, const FunctionSignature& callee,
                        std::vector<Value> operands) {
  for (std::size_t i = 0; i < operands.size() && i < callee.arguments.size(); ++i)
    operands[i] = f.cast(operands[i], callee.arguments[i]);
  std::string attribute = "callee = ";
  appendSymbol(attribute, callee.name);
  return f.write.ops("func.call", operands, callee.results, attribute);
}

std::vector<Value> casted(FunctionImporter& f, std::vector<Value> values,
                          const std::vector<TypeId>& types) {
  for (std::size_t i = 0; i < values.size() && i < types.size(); ++i)
    values[i] = f.cast(values[i], types[i]);
  return values;
}

Value asBool(FunctionImporter& f, const Value& value) {
  if (value.type == f.module.types.boolean) return value;
  return f.write.op("torch.aten.Bool.Tensor", {value}, f.module.types.boolean);
}

/// Gives a malformed node values, so that the rest of the module is still imported.
void refuse(FunctionImporter& f, const fx::Node& node, const std::string& reason) {
  f.module.cannotImport(node, "'" + node.name + "' (" + node.target + "): " + reason);
  const std::vector<TypeId> results = f.resultTypes(node);
  f.bind(node, f.writeOperator("torch." + node.target, {}, results));
}

}  // namespace

void importCond(FunctionImporter& f, const fx::Node& node) {
  const FunctionSignature* onTrue = node.args.size() >= 3 ? calleeOf(f, node.args[1]) : nullptr;
  const FunctionSignature* onFalse = node.args.size() >= 3 ? calleeOf(f, node.args[2]) : nullptr;
  if (onTrue == nullptr || onFalse == nullptr)
    return refuse(f, node, "expected a predicate and two subgraphs");
  const std::vector<TypeId> results = f.resultTypes(node);
  std::vector<Value> operands;
  const Value predicate = lowerArgument(f, node, node.args[0].value, nullptr);
  for (std::size_t i = 3; i < node.args.size(); ++i)
    appendOperands(f, node, node.args[i].value, operands);
  if (onTrue->results.size() != results.size() || onFalse->results.size() != results.size())
    return refuse(f, node,
                  "its branches return " + std::to_string(onTrue->results.size()) + " and " +
                      std::to_string(onFalse->results.size()) + " values, but the node has " +
                      std::to_string(results.size()));

  const Value condition = asBool(f, predicate);
  const OpWriter::Open branches = f.write.open("torch.prim.If", std::span(&condition, 1), results);
  f.write.effect("torch.prim.If.yield", casted(f, call(f, *onTrue, operands), results));
  f.write.nextRegion();
  f.write.effect("torch.prim.If.yield", casted(f, call(f, *onFalse, operands), results));
  f.write.close(branches);
  f.bind(node, branches.results);
}

void importWhileLoop(FunctionImporter& f, const fx::Node& node) {
  const FunctionSignature* condition = node.args.size() >= 3 ? calleeOf(f, node.args[0]) : nullptr;
  const FunctionSignature* body = node.args.size() >= 3 ? calleeOf(f, node.args[1]) : nullptr;
  if (condition == nullptr || body == nullptr)
    return refuse(f, node, "expected two subgraphs and the carried values");
  std::vector<Value> carries;
  std::vector<Value> additional;
  appendOperands(f, node, node.args[2].value, carries);
  for (std::size_t i = 3; i < node.args.size(); ++i)
    appendOperands(f, node, node.args[i].value, additional);
  const std::vector<TypeId> results = f.resultTypes(node);
  if (results.size() != carries.size() || body->results.size() != carries.size() ||
      condition->results.size() != 1)
    return refuse(f, node,
                  "it carries " + std::to_string(carries.size()) + " values, but the node has " +
                      std::to_string(results.size()) + " and its body returns " +
                      std::to_string(body->results.size()));

  // Additional inputs are loop-invariant: the body uses them from outside the loop.
  const auto withAdditional = [&](std::vector<Value> values) {
    values.insert(values.end(), additional.begin(), additional.end());
    return values;
  };
  const Value first = asBool(f, call(f, *condition, withAdditional(carries)).front());
  std::vector<Value> operands{constantInt(f.write, std::numeric_limits<std::int64_t>::max()),
                              first};
  const std::vector<Value> initial = casted(f, carries, results);
  operands.insert(operands.end(), initial.begin(), initial.end());
  const OpWriter::Open loop = f.write.open("torch.prim.Loop", operands, results);
  std::vector<TypeId> blockTypes{f.module.types.integer};
  blockTypes.insert(blockTypes.end(), results.begin(), results.end());
  const std::vector<Value> block = f.write.blockArguments(blockTypes);
  const std::vector<Value> next = call(f, *body, withAdditional({block.begin() + 1, block.end()}));
  const Value again = asBool(f, call(f, *condition, withAdditional(next)).front());
  std::vector<Value> yielded{again};
  const std::vector<Value> carried = casted(f, next, results);
  yielded.insert(yielded.end(), carried.begin(), carried.end());
  f.write.effect("torch.prim.Loop.condition", yielded);
  f.write.close(loop);
  f.bind(node, loop.results);
}

}  // namespace fxs::import
