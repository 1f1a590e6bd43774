// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of operator overloads: the few spellings that torch-mlir's importer changes, schema
// defaults filled in, results by the schema.
#include <algorithm>
#include <array>

#include "import/constants.h"
#include "import/import_node.h"

namespace fxs::import {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Symbolic sizes use the plain operators; the others have another name in the dialect.
constexpr std::array kSpelledAs = {
    Pair{"aten.sym_size.default", "aten.size.default"},
    Pair{"aten.sym_size.int", "aten.size.int"},
    Pair{"aten.sym_stride.default", "aten.stride.default"},
    Pair{"aten.sym_stride.int", "aten.stride.int"},
    Pair{"aten.sym_numel.default", "aten.numel.default"},
    Pair{"aten.lift_fresh_copy.default", "aten.clone.default"},
    Pair{"aten._embedding_bag_forward_only.default", "aten.embedding_bag.padding_idx"}};

// The exporter writes the Tensor overload also where the second operand is a number.
constexpr std::array kScalarForm = {
    Pair{"aten.mul.Tensor", "aten.mul.Scalar"}, Pair{"aten.div.Tensor", "aten.div.Scalar"},
    Pair{"aten.add.Tensor", "aten.add.Scalar"}, Pair{"aten.sub.Tensor", "aten.sub.Scalar"},
    Pair{"aten.floor_divide.default", "aten.floor_divide.Scalar"}};

template <std::size_t N>
std::string_view lookup(const std::array<Pair, N>& table, std::string_view target) {
  for (const auto& [from, to] : table)
    if (from == target) return to;
  return {};
}

bool isScalar(const fx::Program& program, const fx::Argument& argument) {
  if (const fx::NodeId* id = argument.node()) return program.node(*id).val.symbol() != nullptr;
  return argument.integer() != nullptr || std::holds_alternative<bool>(argument) ||
         std::holds_alternative<double>(argument);
}

/// The argument of a formal: by name, or by position if the file has no names.
const fx::NodeArgument* given(const fx::Node& node, std::string_view name, std::size_t position) {
  if (const fx::NodeArgument* named = node.find(name)) return named;
  return position < node.args.size() && node.args[position].name.empty() ? &node.args[position]
                                                                         : nullptr;
}

bool hasNoneElement(const fx::NodeArgument* argument) {
  const fx::ArgumentList* items = argument != nullptr ? argument->value.list() : nullptr;
  return items != nullptr && std::any_of(items->begin(), items->end(),
                                         [](const fx::Argument& item) { return item.isNone(); });
}

std::string_view localScalarTarget(const fx::Program& program, const fx::Node& node) {
  const fx::NodeArgument* self = given(node, "self", 0);
  const fx::NodeId* id = self != nullptr ? self->value.node() : nullptr;
  const fx::TensorMeta* meta = id != nullptr ? program.node(*id).val.tensor() : nullptr;
  if (meta == nullptr) return node.target;
  if (meta->dtype == DType::Bool) return "aten.Bool.Tensor";
  return isFloating(meta->dtype) ? "aten.Float.Tensor" : "aten.Int.Tensor";
}

/// The target to write for a node: its own, unless it is renamed.
std::string_view spelledTarget(ModuleState& module, const fx::Node& node) {
  const fx::Program& program = module.program;
  if (const std::string_view other = lookup(kSpelledAs, node.target); !other.empty()) return other;
  if (const std::string_view scalar = lookup(kScalarForm, node.target); !scalar.empty()) {
    const fx::NodeArgument* second = given(node, "other", 1);
    return second != nullptr && isScalar(program, second->value) ? scalar
                                                                 : std::string_view(node.target);
  }
  if (node.target == "aten._local_scalar_dense.default") return localScalarTarget(program, node);
  // The dialect's op does not accept None among the indices; index_put is equivalent and does.
  if (node.target == "aten._unsafe_index_put.default")
    return hasNoneElement(given(node, "indices", 1)) ? "aten.index_put.default"
                                                     : "aten._unsafe_index_put.hacked_twin";
  // Uninitialized memory times zero may be NaN, so the bias that baddbmm ignores is written as
  // zeros.
  if (node.target == "aten.empty.memory_format") {
    const std::vector<fx::NodeId>& users = module.usersOf(node.id);
    if (users.size() == 1 && program.node(users.front()).target == "aten.baddbmm.default")
      return "aten.zeros.default";
  }
  return node.target;
}

/// The dialect's verifier rejects negative dimensions in a permutation, which PyTorch's
/// decompositions write.
fx::Argument countedFromFront(const fx::Argument& dims, const fx::TensorMeta* result) {
  const fx::ArgumentList* items = dims.list();
  if (items == nullptr || result == nullptr) return dims;
  fx::ArgumentList out = *items;
  for (fx::Argument& item : out)
    if (const std::int64_t* dim = item.integer(); dim != nullptr && *dim < 0)
      item = *dim + static_cast<std::int64_t>(result->rank());
  return out;
}

/// Whether the operand of the assertion is a weight that is written in another element type than it
/// has.
bool isWrittenInAnotherType(FunctionImporter& f, const fx::Node& node) {
  const fx::NodeId* of = node.args.empty() ? nullptr : node.args.front().value.node();
  const fx::TensorMeta* meta = of != nullptr ? f.module.program.node(*of).val.tensor() : nullptr;
  return meta != nullptr && meta->dtype == DType::UInt8 &&
         f.value(*of).type != f.module.types.tensor(*meta);
}

std::vector<Value> operandsOf(FunctionImporter& f, const fx::Node& node, const ops::Schema& schema,
                              bool isEmbeddingBag) {
  std::vector<Value> operands;
  operands.reserve(schema.arguments.size());
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const ops::SchemaArgument& formal = schema.arguments[i];
    const fx::NodeArgument* argument = given(node, formal.name, i);
    // Float.Tensor and Int.Tensor name their operand differently from the op they replace.
    if (argument == nullptr && i == 0 && schema.arguments.size() == 1 && !node.args.empty())
      argument = &node.args.front();
    if (argument != nullptr && node.target == "aten.permute.default" && i == 1 &&
        !f.module.isParity()) {
      operands.push_back(lowerArgument(
          f, node, countedFromFront(argument->value, node.val.tensor()), &formal.type));
    } else if (argument != nullptr) {
      operands.push_back(lowerArgument(f, node, argument->value, &formal.type));
    } else if (isEmbeddingBag && !formal.hasDefault()) {
      operands.push_back(constantNone(f.write));
    } else if (!formal.hasDefault()) {
      f.module.cannotImport(node, "'" + node.name + "' lacks argument '" +
                                      std::string(formal.name) + "', which " + schema.fxName() +
                                      " requires");
      operands.push_back(constantNone(f.write));
    } else {
      operands.push_back(lowerDefault(f, formal));
    }
  }
  return operands;
}

std::vector<TypeId> resultsOf(FunctionImporter& f, const fx::Node& node,
                              const ops::Schema* schema) {
  if (schema == nullptr) return f.resultTypes(node);
  if (schema->returns.empty()) return {};
  if (schema->returns.size() != 1) return f.resultTypes(node);
  const ops::SchemaType& type = schema->returns.front().type;
  if (type.listDepth == 1 &&
      (type.kind == ops::TypeKind::Int || type.kind == ops::TypeKind::SymInt))
    return {f.module.types.of("!torch.list<int>")};
  return {f.module.types.value(node.val)};
}

/// Whether PyTorch made a number of the result when it exported the program, so that no value is
/// left of the call.
bool isSpecialized(FunctionImporter& f, const fx::Node& node, const ops::Schema* schema) {
  if (schema == nullptr || schema->isMutable || schema->returns.size() != 1) return false;
  const ops::SchemaType& type = schema->returns.front().type;
  const bool isNumber = type.kind == ops::TypeKind::Int || type.kind == ops::TypeKind::SymInt ||
                        type.kind == ops::TypeKind::Float || type.kind == ops::TypeKind::Bool;
  return isNumber && type.listDepth == 0 && std::holds_alternative<fx::NoneValue>(node.val) &&
         f.module.usersOf(node.id).empty();
}

}  // namespace

void importOperator(FunctionImporter& f, const fx::Node& node) {
  if (node.target == "aten._assert_async.msg") return;
  if (node.target == fx::kAssertTensorMetadata && isWrittenInAnotherType(f, node)) return;
  const Target& target = f.module.target(spelledTarget(f.module, node));
  if (target.schema == nullptr && node.target.starts_with("torch."))
    return f.refuse(node, "'" + node.name + "' calls the Python function " + node.target +
                              ", which is not an operator");
  if (!f.module.isParity() && isSpecialized(f, node, target.schema)) return;

  std::vector<Value> operands;
  if (target.schema != nullptr) {
    operands = operandsOf(f, node, *target.schema,
                          node.target == "aten._embedding_bag_forward_only.default");
  } else {
    for (const fx::NodeArgument& argument : node.args)
      operands.push_back(lowerArgument(f, node, argument.value, nullptr));
  }
  const std::vector<TypeId> results = resultsOf(f, node, target.schema);
  // Lowering requires value semantics, and the dialect would reject the whole text otherwise.
  if (!f.module.isParity() && target.schema != nullptr && target.schema->isMutable) {
    f.module.cannotImport(node, "'" + node.name +
                                    "' mutates its argument, which value semantics cannot express; "
                                    "it is imported as torch.operator");
    return f.bind(node, f.writeOperator(target.mlirName, operands, results));
  }
  f.bind(node, f.emit(node, target.mlirName, operands, results));
}

}  // namespace fxs::import
