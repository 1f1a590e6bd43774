// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "import/function_importer.h"

#include "import/constants.h"
#include "import/import_node.h"
#include "import/torch_mlir_refusals.h"

namespace fxs::import {
namespace {

constexpr std::size_t kNodesBetweenStops = 1024;

TypeId typeOfConstant(TypeTable& types, const fx::Argument& constant) {
  if (std::holds_alternative<bool>(constant)) return types.boolean;
  if (constant.integer()) return types.integer;
  if (std::holds_alternative<double>(constant)) return types.floating;
  if (std::holds_alternative<std::string>(constant)) return types.string;
  if (std::holds_alternative<Device>(constant)) return types.device;
  if (constant.isNone()) return types.none;
  return types.integer;  // dtype, layout, memory format
}

/// The first tensor of a value that is not strided: its type would say that it is dense.
const fx::TensorMeta* notDense(const fx::Value& value) {
  if (const fx::TensorMeta* tensor = value.tensor())
    return tensor->layout == Layout::Strided ? nullptr : tensor;
  if (const fx::ValueList* parts = value.list())
    for (const fx::Value& part : *parts)
      if (const fx::TensorMeta* found = notDense(part)) return found;
  return nullptr;
}

bool isArgumentValue(const fx::InputSpec& spec, const fx::Node& node) {
  return node.val.tensor() != nullptr || (node.val.symbol() != nullptr && spec.constant.isNone());
}

/// Whether an input is written as a literal, not passed as an argument.
bool isLiteral(const fx::InputSpec& spec, const fx::Node& node, Mode mode) {
  const bool isArgument = spec.kind == fx::InputKind::Buffer && mode == Mode::Frozen;
  return isWeight(spec.kind) && !isArgument && node.val.tensor() != nullptr;
}

bool isTokenInput(const fx::InputSpec& spec, const fx::Node& node) {
  return spec.kind == fx::InputKind::Token || std::holds_alternative<fx::Token>(node.val);
}

bool isCustomObject(const fx::InputSpec& spec, const fx::Node& node) {
  return spec.kind == fx::InputKind::CustomObject ||
         std::holds_alternative<fx::CustomObject>(node.val);
}

bool isOfUnknownType(const fx::InputSpec& spec, const fx::Node& node) {
  return spec.kind == fx::InputKind::UserInput && std::holds_alternative<fx::Unknown>(node.val) &&
         spec.constant.isNone();
}

}  // namespace

FunctionImporter::FunctionImporter(ModuleState& state, const fx::Graph& graph)
    : module(state), write(body_, state.types, state.context), graph_(graph) {}

Value FunctionImporter::addParameter(const fx::Node& node, TypeId type) {
  const Value value{Value::Kind::Argument, -1, static_cast<std::uint32_t>(parameters_.size()),
                    type};
  Parameter& parameter = parameters_.emplace_back(value, module.locationOf(node));
  module.context.spend(Resource::Text, parameter.location.size() + module.types.text(type).size(),
                       "the import's arguments");
  return value;
}

void FunctionImporter::bindMainInput(const fx::InputSpec& spec, const fx::Node& node,
                                     bool isMutated) {
  const Mode mode = module.options.mode;
  if (isLiteral(spec, node, mode)) {
    lazy_[node.id] = &spec;
    return;
  }
  if (isTokenInput(spec, node)) return;  // tokens only order effects
  if (isCustomObject(spec, node)) {
    module.cannotImport(node, "input '" + node.name +
                                  "' is a custom object, which the torch dialect cannot represent; "
                                  "export the program without it");
    lazy_[node.id] = &spec;
    return;
  }
  if (isArgumentValue(spec, node)) {
    if (isMutated && mode == Mode::Program) {
      const Value contents =
          addParameter(node, module.types.tensor(*node.val.tensor(), Contents::Mutable));
      bind(node, {write.op("torch.copy.to_vtensor", {contents}, module.types.value(node.val))});
    } else {
      bind(node, {addParameter(node, module.types.value(node.val))});
    }
    return;
  }
  if (isOfUnknownType(spec, node)) {
    module.cannotImport(node, "input '" + node.name +
                                  "' has no value in the file, so its type is unknown; capture the "
                                  "graph with example inputs");
    bind(node, {addParameter(node, module.types.of("!torch.vtensor"))});
    return;
  }
  if (mode == Mode::Frozen)
    bind(node, {addParameter(node, typeOfConstant(module.types, spec.constant))});
  else lazy_[node.id] = &spec;
}

void FunctionImporter::bindInputs() {
  const bool isMain = graph_.id == module.program.main().id;
  if (!isMain) {
    for (const fx::NodeId id : graph_.nodes) {
      const fx::Node& node = module.program.node(id);
      if (node.op == fx::NodeOp::Placeholder)
        bind(node, {addParameter(node, module.types.value(node.val))});
    }
    return;
  }
  std::map<std::string, fx::NodeId, std::less<>> mutations;
  for (const fx::OutputSpec& spec : module.program.outputs)
    if (spec.kind == fx::OutputKind::UserInputMutation && spec.value.node() != nullptr)
      mutations.emplace(spec.target, *spec.value.node());
  for (const fx::InputSpec& spec : module.program.inputs) {
    const fx::Node& node = module.program.node(spec.node);
    const auto mutation = mutations.find(node.name);
    const bool isMutated = spec.kind == fx::InputKind::UserInput && mutation != mutations.end() &&
                           node.val.tensor() != nullptr;
    write.setLocation(module.locationOf(node));
    bindMainInput(spec, node, isMutated);
    if (isMutated && module.options.mode == Mode::Program)
      overwrites_[mutation->second].push_back(parameters_.back().value);
  }
}

Value FunctionImporter::value(fx::NodeId id) {
  const fx::Node& node = module.program.node(id);
  const std::vector<Value>& bound = values(id);
  if (bound.size() == 1) return bound.front();
  if (bound.empty()) {
    module.cannotImport(node, "'" + node.name + "' is used as a value but has none");
    return constantNone(write);
  }
  return write.op("torch.prim.ListConstruct", bound, module.types.tensorList);
}

const std::vector<Value>& FunctionImporter::values(fx::NodeId id) {
  std::vector<Value>& bound = module.values[id.index()];
  const auto waiting = lazy_.find(id);
  if (waiting == lazy_.end()) return bound;

  // Emitted at the first use, so that a weight is near its consumer; located at its input.
  const fx::InputSpec& spec = *waiting->second;
  const fx::Node& node = module.program.node(id);
  lazy_.erase(waiting);
  const std::string consumer = write.location();
  write.setLocation(module.locationOf(node));
  const fx::TensorMeta* tensor = node.val.tensor();
  if (isWeight(spec.kind) && tensor != nullptr && tensor->isStaticShape()) {
    bound = {module.literals.write(write, spec.target, *tensor,
                                   tensor->dtype == DType::UInt8 && module.isOnlyConverted(id))};
  } else if (isWeight(spec.kind)) {
    module.cannotImport(node, "weight '" + spec.target + "' " +
                                  (tensor == nullptr ? "is not a tensor" : "has a symbolic shape") +
                                  ", so it cannot be a literal");
    bound = {write.op("torch.operator", {}, module.types.value(node.val),
                      "name = \"torch.fxscope.weight\"")};
  } else {
    bound = {lowerArgument(*this, node, spec.constant, nullptr)};
  }
  write.setLocation(consumer);
  return bound;
}

void FunctionImporter::bind(const fx::Node& node, std::vector<Value> results) {
  module.values[node.id.index()] = std::move(results);
  const auto mutated = overwrites_.find(node.id);
  if (mutated == overwrites_.end() || module.values[node.id.index()].empty()) return;
  for (const Value& contents : mutated->second)
    write.effect("torch.overwrite.tensor.contents",
                 std::vector<Value>{module.values[node.id.index()].front(), contents});
}

std::vector<Value> FunctionImporter::emit(const fx::Node& node, const std::string& mlirName,
                                          std::span<const Value> operands,
                                          std::span<const TypeId> results) {
  if (module.isRegistered(mlirName)) return write.ops(mlirName, operands, results);
  module.writtenAsOperator(node, mlirName);
  return writeOperator(mlirName, operands, results);
}

std::vector<Value> FunctionImporter::writeOperator(const std::string& mlirName,
                                                   std::span<const Value> operands,
                                                   std::span<const TypeId> results) {
  module.unregistered.insert(mlirName);
  std::string name = "name = ";
  appendQuoted(name, mlirName);
  return write.ops("torch.operator", operands, results, name);
}

std::vector<TypeId> FunctionImporter::resultTypes(const fx::Node& node) {
  std::vector<TypeId> out;
  if (const fx::ValueList* parts = node.val.list()) {
    for (const fx::Value& part : *parts)
      if (!std::holds_alternative<fx::Token>(part)) out.push_back(module.types.value(part));
  } else if (!std::holds_alternative<fx::NoneValue>(node.val)) {
    out.push_back(module.types.value(node.val));
  }
  return out;
}

Value FunctionImporter::cast(const Value& from, TypeId to) {
  if (from.type == to || !module.types.isTensor(from.type) || !module.types.isTensor(to))
    return from;
  return write.op("torch.tensor_static_info_cast", {from}, to);
}

void FunctionImporter::importGetitem(const fx::Node& node) {
  const fx::NodeId* of = node.args.size() == 2 ? node.args[0].value.node() : nullptr;
  const std::int64_t* index = of != nullptr ? node.args[1].value.integer() : nullptr;
  if (index == nullptr) {
    module.cannotImport(
        node, "'" + node.name + "' is a getitem whose arguments are not a node and a number");
    bind(node, {constantNone(write)});
    return;
  }
  const std::vector<Value>* parts = &values(*of);
  const fx::Node& source = module.program.node(*of);
  if (parts->size() == 1 && module.types.isList(parts->front().type) &&
      source.val.list() != nullptr) {
    auto found = unpacked_.find(*of);
    if (found == unpacked_.end()) {
      std::vector<TypeId> elements;
      for (const fx::Value& element : *source.val.list())
        elements.push_back(module.types.value(element));
      write.setLocation(module.locationOf(source));
      found = unpacked_.emplace(*of, write.ops("torch.prim.ListUnpack", *parts, elements)).first;
    }
    parts = &found->second;
  }
  if (*index < 0 || static_cast<std::size_t>(*index) >= parts->size()) {
    module.cannotImport(node, "'" + node.name + "' uses element " + std::to_string(*index) +
                                  " of '" + source.name + "', which has " +
                                  std::to_string(parts->size()));
    bind(node, {constantNone(write)});
    return;
  }
  bind(node, {(*parts)[static_cast<std::size_t>(*index)]});
}

void FunctionImporter::importAttribute(const fx::Node& node) {
  const std::string_view name = module.program.meta(node, "attribute").value_or(node.target);
  const fx::TensorMeta* meta = node.val.tensor();
  if (!module.literals.isWeight(name) || meta == nullptr || !meta->isStaticShape()) {
    module.cannotImport(
        node, "attribute '" + node.target + "' is not a subgraph and has no value in the program");
    return bind(node, {constantNone(write)});
  }
  bind(node, {module.literals.write(write, name, *meta)});
}

void FunctionImporter::refuse(const fx::Node& node, std::string message) {
  module.cannotImport(
      node, std::move(message) + "; export the model with torch.export, or capture its ATen graph");
  std::vector<Value> operands;
  for (const fx::NodeArgument& argument : node.args)
    fx::forEachNode(argument.value, [&](fx::NodeId used) { operands.push_back(value(used)); });
  // Treat the result as some tensor, so that the rest can still be checked.
  const bool isUnknown = std::holds_alternative<fx::Unknown>(node.val);
  const std::vector<TypeId> results =
      isUnknown ? std::vector<TypeId>{module.types.of("!torch.vtensor")} : resultTypes(node);
  bind(node, writeOperator("torch." + std::string(fx::name(node.op)) + "." + node.target, operands,
                           results));
}

void FunctionImporter::importNode(const fx::Node& node) {
  write.setLocation(module.locationOf(node));
  if (node.op == fx::NodeOp::GetAttr && !node.subgraph.valid()) return importAttribute(node);
  if (node.op == fx::NodeOp::CallMethod)
    return refuse(node, "'" + node.name + "' calls the method " + node.target +
                            " of a Python object, which is not an operator");
  if (node.op == fx::NodeOp::CallModule)
    return refuse(node, "'" + node.name + "' calls the module " + node.target +
                            ", whose code is not in the program");
  if (node.op != fx::NodeOp::CallFunction) return;
  if (module.options.mode == Mode::Lowering && isUnusedNumber(node)) return;
  if (node.target == fx::kGetitem) importGetitem(node);
  else if (isSymbolicTarget(node.target)) importSymbolic(*this, node);
  else if (node.target.starts_with("higher_order.")) importHigherOrder(*this, node);
  else importOperator(*this, node);
}

std::vector<Value> FunctionImporter::returned() {
  const fx::Node& output = module.program.output(graph_.id);
  write.setLocation(module.locationOf(output));
  std::vector<Value> results;
  const auto add = [&](const fx::Argument& argument) {
    if (const fx::NodeId* id = argument.node()) {
      const std::vector<Value>& bound = values(*id);
      results.insert(results.end(), bound.begin(), bound.end());
    } else {
      results.push_back(lowerArgument(*this, output, argument, nullptr));
    }
  };
  if (graph_.id != module.program.main().id) {
    for (const fx::NodeArgument& argument : output.args)
      if (const fx::ArgumentList* items = argument.value.list())
        std::for_each(items->begin(), items->end(), add);
      else add(argument.value);
    return results;
  }
  for (const fx::OutputSpec& spec : module.program.outputs)
    if (returns(output, spec)) add(spec.value);
  return results;
}

bool FunctionImporter::returns(const fx::Node& output, const fx::OutputSpec& spec) {
  if (spec.kind == fx::OutputKind::Token) return false;
  if (module.options.mode == Mode::Program && spec.kind != fx::OutputKind::UserOutput) {
    if (spec.kind == fx::OutputKind::BufferMutation ||
        spec.kind == fx::OutputKind::ParameterMutation)
      module.note(output, fx::Severity::Warning, "not-imported",
                  "the new value of '" + spec.target +
                      "' cannot be stored in program mode, where weights are frozen; lowering mode "
                      "returns it");
    return false;
  }
  const fx::NodeId* id = spec.value.node();
  const bool isNone = id != nullptr
                          ? std::holds_alternative<fx::NoneValue>(module.program.node(*id).val)
                          : spec.value.isNone();
  return !isNone || module.options.mode != Mode::Lowering;  // no backend lowers a returned None
}

std::string FunctionImporter::wrap(const std::vector<Value>& results) const {
  const bool isMain = graph_.id == module.program.main().id;
  std::string out = isMain ? "  func.func " : "  func.func private ";
  out.reserve(body_.size() + 1024);
  appendSymbol(out, module.functions[graph_.id.index()].name);
  out += '(';
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (i != 0) out += ", ";
    out += "%arg" + std::to_string(i) + ": ";
    out += module.types.text(parameters_[i].value.type);
    out += parameters_[i].location;
  }
  out += ") -> (";
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i != 0) out += ", ";
    out += module.types.text(results[i].type);
  }
  out += ')';
  // torch.export proves its sizes: without this linalg guards every broadcast of a dynamic
  // dimension.
  if (isMain && module.options.mode != Mode::Frozen)
    out += " attributes {torch.assume_strict_symbolic_shapes}";
  out += " {\n";
  out += body_;
  out += "  }";
  const fx::Node& head = module.program.node(graph_.nodes.front());
  out += module.locationOf(graph_.parent.valid() ? module.program.node(graph_.parent) : head);
  out += '\n';
  return out;
}

Result<std::string> FunctionImporter::run(const RunContext& context) {
  if (graph_.nodes.empty())
    return fail(ErrorCode::InvalidInput, "graph '" + graph_.name + "' has no output node");
  std::map<std::string, Value> symbols;
  bindInputs();
  if (module.options.symbolicShapes) symbols = writeSymbols(*this);
  std::size_t done = 0;
  for (const fx::NodeId id : graph_.nodes) {
    if (++done % kNodesBetweenStops == 0 && context.stop.stop_requested())
      return fail(ErrorCode::Cancelled, "import was cancelled");
    const fx::Node& node = module.program.node(id);
    if (const fx::TensorMeta* tensor = notDense(node.val))
      module.cannotImport(node, "'" + node.name + "' has the layout " +
                                    std::string(name(tensor->layout)) +
                                    ", and fxscope imports strided tensors only; what torch-mlir "
                                    "does with it is not known here");
    importNode(node);
    if (module.options.symbolicShapes) bindSymbolicShape(*this, node, symbols);
  }
  const std::vector<Value> results = returned();
  write.effect("func.return", results);

  FunctionSignature& signature = module.functions[graph_.id.index()];
  for (const Parameter& parameter : parameters_)
    signature.arguments.push_back(parameter.value.type);
  for (const Value& result : results) signature.results.push_back(result.type);
  return wrap(results);
}

}  // namespace fxs::import
