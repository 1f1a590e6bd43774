// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "write/graph_writer.h"

#include <algorithm>

#include "fx/evaluated_text.h"
#include "fx/readable_metadata.h"
#include "write/sym_json.h"

namespace fxs::write {
namespace {

constexpr std::string_view kHigherOrder = "higher_order.";
constexpr int kPositional = 1, kKeyword = 2;  // ArgumentKind

std::string_view symbolKind(fx::SymKind kind) {
  if (kind == fx::SymKind::Int) return "as_sym_int";
  return kind == fx::SymKind::Float ? "as_sym_float" : "as_sym_bool";
}

/// The table of a graph that holds the values of a kind.
std::string_view symbolTable(fx::SymKind kind) {
  if (kind == fx::SymKind::Int) return "sym_int_values";
  return kind == fx::SymKind::Bool ? "sym_bool_values" : "sym_float_values";
}

/// Whether an operator's only result is a list, as for aten.split; only then its parts are one
/// entry.
bool returnsList(const fx::Node& node, const fx::ValueList& parts) {
  if (node.target.starts_with(kHigherOrder)) return false;
  if (!std::all_of(parts.begin(), parts.end(),
                   [](const fx::Value& part) { return part.tensor() != nullptr; }))
    return false;
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  return schema != nullptr ? schema->returns.size() == 1 : parts.size() == 1;
}

/// A call that returns None, as opposed to nothing: torch.export.load and other readers generate
/// its name.
bool saysNone(const fx::Node& node) {
  return std::holds_alternative<fx::NoneValue>(node.val) &&
         node.name.find("_unused") != std::string::npos;
}

}  // namespace

struct GraphWriter::Values {
  std::vector<std::pair<std::string, const fx::TensorMeta*>> tensors;
  std::vector<std::pair<std::string, const fx::SymValue*>> symbols[3];  // by SymKind
  std::vector<std::pair<std::string, std::string>> objects;             // name, class
  std::vector<std::string> tokens;

  void write(JsonWriter&) const;
};

void GraphWriter::Values::write(JsonWriter& json) const {
  json.key("tensor_values").beginObject();
  for (const auto& [name, meta] : tensors) writeTensorMeta(json.key(name), *meta);
  // A token is serialized as a tensor and needs a meta.
  fx::TensorMeta token;
  token.dtype = DType::Float32;
  token.device.type = "cpu";
  for (const std::string& name : tokens) writeTensorMeta(json.key(name), token);
  json.endObject();
  for (const fx::SymKind kind : {fx::SymKind::Int, fx::SymKind::Bool, fx::SymKind::Float}) {
    json.key(symbolTable(kind)).beginObject();
    for (const auto& [name, value] : symbols[static_cast<std::size_t>(kind)])
      writeSymValue(json.key(name), *value);
    json.endObject();
  }
  json.key("custom_obj_values").beginObject();
  for (const auto& [name, classFqn] : objects)
    json.key(name).beginObject().member("name", name).member("class_fqn", classFqn).endObject();
  json.endObject();
}

std::string serializedTarget(std::string_view target) {
  const bool python = target.starts_with("torch.") || target.starts_with("math.") ||
                      target.starts_with("builtins.") || target.starts_with("_operator.") ||
                      target.starts_with("#");
  const bool overload =
      std::count(target.begin(), target.end(), '.') == 2 || target.starts_with(kHigherOrder);
  return (overload && !python ? "torch.ops." : "") + std::string(target);
}

GraphWriter::GraphWriter(const fx::Program& program, JsonWriter& json)
    : program_(program), json_(json), sameAs_(program.nodes.size()), specs_(program.nodes.size()) {
  for (const fx::Node& node : program.nodes) sameAs_[node.id.index()] = node.id;
  for (const fx::InputSpec& spec : program.inputs) specs_[spec.node.index()] = &spec;
  for (const fx::Node& node : program.nodes) {
    if (!isPart(node)) continue;
    const auto key = std::pair(*node.args[0].value.node(),
                               static_cast<std::size_t>(*node.args[1].value.integer()));
    const auto [first, isNew] = parts_.emplace(key, node.id);
    if (!isNew) sameAs_[node.id.index()] = first->second;
  }
}

tl::unexpected<Error> GraphWriter::unsupported(const std::string& message) const {
  return fail(ErrorCode::Unsupported,
              (current_ != nullptr ? "node '" + current_->name + "' cannot be written to a .pt2: "
                                   : "cannot be written to a .pt2: ") +
                  message);
}

/// A getitem of the results of a call.
bool GraphWriter::isPart(const fx::Node& node) const {
  if (node.op != fx::NodeOp::CallFunction || node.target != fx::kGetitem || node.args.size() != 2)
    return false;
  const fx::NodeId* of = node.args[0].value.node();
  const std::int64_t* index = node.args[1].value.integer();
  if (of == nullptr || index == nullptr || *index < 0) return false;
  const fx::Node& call = program_.node(*of);
  const fx::ValueList* values = call.val.list();
  return call.op == fx::NodeOp::CallFunction && values != nullptr &&
         static_cast<std::uint64_t>(*index) < values->size();
}

const fx::Node* GraphWriter::partOf(const fx::Node& of, std::size_t index) const {
  const auto found = parts_.find({sameAs_[of.id.index()], index});
  return found == parts_.end() ? nullptr : &program_.node(found->second);
}

const std::string& GraphWriter::nameOf(fx::NodeId id) const {
  return program_.node(sameAs_[id.index()]).name;
}

bool GraphWriter::isConstant(const fx::Node& placeholder) const {
  const fx::InputSpec* spec = specs_[placeholder.id.index()];
  if (spec == nullptr) return false;
  return spec->kind == fx::InputKind::ConstantInput || !spec->constant.isNone() ||
         std::holds_alternative<fx::NoneValue>(placeholder.val);
}

/// Replaces a reference to a constant input by the constant.
const fx::Argument& GraphWriter::resolved(const fx::Argument& argument) const {
  const fx::NodeId* id = argument.node();
  if (id == nullptr) return argument;
  const fx::Node& node = program_.node(*id);
  return node.op == fx::NodeOp::Placeholder && isConstant(node) ? specs_[id->index()]->constant
                                                                : argument;
}

std::string GraphWriter::unusedName(const fx::Node& call, const std::string& index) {
  std::string name = call.name + "_unused_" + index;
  if (names_.empty())
    for (const fx::Node& node : program_.nodes) names_.insert(node.name);
  while (names_.contains(name) || !madeUp_.insert(name).second) name += "_";
  return name;
}

Result<> GraphWriter::writeInput(const fx::Node& node, Values& values) {
  current_ = &node;
  if (isConstant(node)) return writeArgument(specs_[node.id.index()]->constant);
  json_.beginObject();
  if (const fx::TensorMeta* tensor = node.val.tensor()) {
    json_.key("as_tensor").beginObject().member("name", node.name).endObject();
    values.tensors.emplace_back(node.name, tensor);
  } else if (const fx::SymValue* symbol = node.val.symbol()) {
    json_.key(symbolKind(symbol->kind)).beginObject().member("as_name", node.name).endObject();
    values.symbols[static_cast<std::size_t>(symbol->kind)].emplace_back(node.name, symbol);
  } else if (std::holds_alternative<fx::Token>(node.val)) {
    json_.key("as_tensor").beginObject().member("name", node.name).endObject();
    values.tokens.push_back(node.name);
  } else if (const auto* object = std::get_if<fx::CustomObject>(&node.val)) {
    json_.key("as_custom_obj")
        .beginObject()
        .member("name", node.name)
        .member("class_fqn", object->classFqn)
        .endObject();
    values.objects.emplace_back(node.name, object->classFqn);
  } else {
    return unsupported("it is an input whose value is unknown");
  }
  json_.endObject();
  return {};
}

void GraphWriter::writeMetadata(const fx::Node& node) {
  json_.key("metadata").beginObject();
  for (const fx::MetaString& entry : node.meta) {
    const auto [known, isNew] = metadata_.try_emplace({entry.key, entry.text});
    if (isNew)
      known->second = fx::readableMetadata(program_.text(entry.key), program_.text(entry.text));
    if (known->second) json_.member(program_.text(entry.key), *known->second);
  }
  json_.endObject();
}

Result<> GraphWriter::writeInputs(const fx::Node& node) {
  const bool higherOrder = node.target.starts_with(kHigherOrder);
  const ops::Schema* schema = higherOrder ? nullptr : ops::SchemaTable::builtin().find(node.target);
  json_.key("inputs").beginArray();
  std::size_t position = 0;
  for (const fx::NodeArgument& argument : node.args) {
    std::string name = argument.name;
    bool keyword = argument.keyword;
    if (schema != nullptr) {
      if (name.empty() && position < schema->arguments.size())
        name = schema->arguments[position].name;
      // Positional arguments must be consecutive: torch.export.load counts them.
      const ops::SchemaArgument* formal = schema->find(name);
      const bool inOrder =
          position < schema->arguments.size() && schema->arguments[position].name == name;
      if (formal != nullptr && (formal->keywordOnly || !inOrder)) keyword = true;
    }
    position += !keyword;
    json_.beginObject().member("name", name).key("arg");
    FXS_CHECK(writeArgument(argument.value));
    json_.member("kind", keyword ? kKeyword : kPositional).endObject();
  }
  if (schema != nullptr) FXS_CHECK(writeDefaultOfKeyword(node, *schema, position));
  json_.endArray();
  return {};
}

/// torch.export.load expects a value of every argument whose name is a keyword of Python (`from`),
/// also where the default is meant.
Result<> GraphWriter::writeDefaultOfKeyword(const fx::Node& node, const ops::Schema& schema,
                                            std::size_t position) {
  if (position >= schema.arguments.size()) return {};
  const ops::SchemaArgument& next = schema.arguments[position];
  const bool isGiven = std::any_of(node.args.begin(), node.args.end(),
                                   [&](const fx::NodeArgument& a) { return a.name == next.name; });
  if (isGiven || next.keywordOnly || !fx::isPythonKeyword(next.name)) return {};
  fx::Argument value;
  if (const auto* number = std::get_if<std::int64_t>(&next.defaultValue))
    value = next.type.kind == ops::TypeKind::Float ? fx::Argument(static_cast<double>(*number))
                                                   : fx::Argument(*number);
  else if (const auto* real = std::get_if<double>(&next.defaultValue)) value = *real;
  else if (!std::holds_alternative<ops::NoneDefault>(next.defaultValue)) return {};
  json_.beginObject().member("name", next.name).key("arg");
  FXS_CHECK(writeArgument(value));
  json_.member("kind", kPositional).endObject();
  return {};
}

/// Writes one result, or one part of it, as an argument with its name.
Result<> GraphWriter::writeElement(const fx::Node& call, const fx::Node* part,
                                   const fx::Value& value, std::string fallback, Values& values) {
  const auto name = [&] { return part != nullptr ? part->name : unusedName(call, fallback); };
  json_.beginObject();
  if (const fx::TensorMeta* tensor = value.tensor()) {
    const std::string given = name();
    json_.key("as_tensor").beginObject().member("name", given).endObject();
    values.tensors.emplace_back(given, tensor);
  } else if (const fx::SymValue* symbol = value.symbol()) {
    const std::string given = name();
    json_.key(symbolKind(symbol->kind)).beginObject().member("as_name", given).endObject();
    values.symbols[static_cast<std::size_t>(symbol->kind)].emplace_back(given, symbol);
  } else if (std::holds_alternative<fx::NoneValue>(value)) {
    json_.member("as_none", true);
  } else if (std::holds_alternative<fx::Token>(value)) {
    const std::string given = name();
    json_.key("as_tensor").beginObject().member("name", given).endObject();
    values.tokens.push_back(given);
  } else if (const auto* object = std::get_if<fx::CustomObject>(&value)) {
    const std::string given = name();
    json_.key("as_custom_obj")
        .beginObject()
        .member("name", given)
        .member("class_fqn", object->classFqn)
        .endObject();
    values.objects.emplace_back(given, object->classFqn);
  } else if (const fx::ValueList* list = value.list()) {
    json_.key("as_tensors").beginArray();
    for (std::size_t i = 0; i < list->size(); ++i) {
      const fx::TensorMeta* tensorPart = (*list)[i].tensor();
      if (tensorPart == nullptr)
        return unsupported("its result has a list whose elements are not tensors");
      const fx::Node* inner = part != nullptr ? partOf(*part, i) : nullptr;
      const std::string given =
          inner != nullptr ? inner->name : unusedName(call, fallback + "_" + std::to_string(i));
      json_.beginObject().member("name", given).endObject();
      values.tensors.emplace_back(given, tensorPart);
    }
    json_.endArray();
  } else {
    return unsupported("its result is unknown");
  }
  json_.endObject();
  return {};
}

Result<> GraphWriter::writeOutputs(const fx::Node& node, Values& values) {
  json_.key("outputs").beginArray();
  const fx::ValueList* parts = node.val.list();
  if (parts == nullptr) {
    if (!std::holds_alternative<fx::NoneValue>(node.val) || saysNone(node))
      FXS_CHECK(writeElement(node, &node, node.val, "0", values));
  } else if (returnsList(node, *parts)) {
    json_.beginObject().key("as_tensors").beginArray();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const fx::Node* part = partOf(node, i);
      const std::string given = part != nullptr ? part->name : unusedName(node, std::to_string(i));
      json_.beginObject().member("name", given).endObject();
      values.tensors.emplace_back(given, (*parts)[i].tensor());
    }
    json_.endArray().endObject();
  } else {
    for (std::size_t i = 0; i < parts->size(); ++i)
      FXS_CHECK(writeElement(node, partOf(node, i), (*parts)[i], std::to_string(i), values));
  }
  json_.endArray();
  return {};
}

Result<> GraphWriter::writeNode(const fx::Node& node, Values& values) {
  current_ = &node;
  if (node.target == fx::kGetitem) return unsupported("it indexes a value that is not a tuple");
  json_.beginObject().member("target", serializedTarget(node.target));
  FXS_CHECK(writeInputs(node));
  FXS_CHECK(writeOutputs(node, values));
  writeMetadata(node);
  json_.key("is_hop_single_tensor_return");
  if (node.target.starts_with(kHigherOrder)) json_.value(node.val.list() == nullptr);
  else json_.null();
  json_.key("name");
  if (saysNone(node)) json_.null();
  else json_.value(node.name);
  json_.endObject();
  return {};
}

Result<> GraphWriter::writeCalls(const fx::Graph& graph, Values& values) {
  for (const fx::NodeId id : graph.nodes) {
    const fx::Node& node = program_.node(id);
    if (node.op == fx::NodeOp::CallMethod || node.op == fx::NodeOp::CallModule) {
      current_ = &node;
      return unsupported("it calls a " +
                         std::string(node.op == fx::NodeOp::CallMethod ? "method" : "module") +
                         ", which an exported program cannot contain");
    }
    if (node.op == fx::NodeOp::CallFunction && !isPart(node)) FXS_CHECK(writeNode(node, values));
  }
  return {};
}

Result<> GraphWriter::writeGraph(const fx::Graph& graph) {
  Values values;
  json_.beginObject().key("inputs").beginArray();
  for (const fx::NodeId id : graph.nodes)
    if (program_.node(id).op == fx::NodeOp::Placeholder)
      FXS_CHECK(writeInput(program_.node(id), values));
  json_.endArray().key("nodes").beginArray();
  FXS_CHECK(writeCalls(graph, values));
  json_.endArray().key("outputs").beginArray();
  const fx::Node& output = program_.output(graph.id);
  current_ = &output;
  if (output.args.empty() || output.args[0].value.list() == nullptr)
    return unsupported("it does not return a list of values");
  for (const fx::Argument& value : *output.args[0].value.list()) FXS_CHECK(writeArgument(value));
  json_.endArray();
  values.write(json_);
  json_.member("is_single_tensor_return", graph.isSingleTensorReturn).endObject();
  return {};
}

}  // namespace fxs::write
