// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes arguments as the kinds of Argument in torch/_export/serde/schema.py.
#include <algorithm>
#include <array>

#include "write/graph_writer.h"
#include "write/sym_json.h"

namespace fxs::write {
namespace {

using ElementTest = bool (*)(const fx::Program&, const fx::Argument&);

bool isInt(const fx::Program&, const fx::Argument& a) { return a.integer() != nullptr; }

bool isNumber(const fx::Program&, const fx::Argument& a) {
  return a.integer() != nullptr || std::holds_alternative<double>(a);
}

bool isBool(const fx::Program&, const fx::Argument& a) { return std::holds_alternative<bool>(a); }

bool isString(const fx::Program&, const fx::Argument& a) {
  return std::holds_alternative<std::string>(a);
}

bool isTensor(const fx::Program& program, const fx::Argument& a) {
  if (a.node() == nullptr) return false;
  const fx::Value& value = program.node(*a.node()).val;
  return value.tensor() != nullptr || std::holds_alternative<fx::Token>(value);
}

bool isOptionalTensor(const fx::Program& program, const fx::Argument& a) {
  return isTensor(program, a) || a.isNone();
}

template <fx::SymKind kind, ElementTest isConstant>
bool isSymbolic(const fx::Program& program, const fx::Argument& a) {
  if (a.node() == nullptr) return isConstant(program, a);
  const fx::SymValue* symbol = program.node(*a.node()).val.symbol();
  return symbol != nullptr && symbol->kind == kind;
}

bool all(const fx::Program& program, const fx::ArgumentList& items, ElementTest test) {
  return std::all_of(items.begin(), items.end(),
                     [&](const fx::Argument& item) { return test(program, item); });
}

template <ElementTest test>
bool isListOf(const fx::Program& program, const fx::Argument& a) {
  return a.list() != nullptr && all(program, *a.list(), test);
}

struct ListKind {
  std::string_view name;
  ElementTest isElement;
};

/// A list is of the first kind that has all its elements.
constexpr std::array kListKinds{
    ListKind{"as_ints", isInt},
    ListKind{"as_floats", isNumber},
    ListKind{"as_bools", isBool},
    ListKind{"as_strings", isString},
    ListKind{"as_tensors", isTensor},
    ListKind{"as_optional_tensors", isOptionalTensor},
    ListKind{"as_sym_ints", isSymbolic<fx::SymKind::Int, isInt>},
    ListKind{"as_sym_floats", isSymbolic<fx::SymKind::Float, isNumber>},
    ListKind{"as_sym_bools", isSymbolic<fx::SymKind::Bool, isBool>},
    ListKind{"as_int_lists", isListOf<isInt>},
    ListKind{"as_nested_tensors", isListOf<isTensor>},
    ListKind{"as_float_lists", isListOf<isNumber>},
};

double asDouble(const fx::Argument& a) {
  return a.integer() != nullptr ? static_cast<double>(*a.integer()) : std::get<double>(a);
}

/// Whether the argument is a constant, which is written then.
bool writeConstant(JsonWriter& json, const fx::Argument& argument) {
  if (const bool* flag = std::get_if<bool>(&argument)) {
    json.member("as_bool", *flag);
  } else if (argument.integer() != nullptr) {
    json.member("as_int", *argument.integer());
  } else if (const double* real = std::get_if<double>(&argument)) {
    json.member("as_float", *real);
  } else if (const auto* complex = std::get_if<std::complex<double>>(&argument)) {
    json.key("as_complex")
        .beginObject()
        .member("real", complex->real())
        .member("imag", complex->imag())
        .endObject();
  } else if (const auto* text = std::get_if<std::string>(&argument)) {
    json.member("as_string", *text);
  } else if (const auto* dtype = std::get_if<DType>(&argument)) {
    json.member("as_scalar_type", facts(*dtype).serialized);
  } else if (const auto* layout = std::get_if<Layout>(&argument)) {
    json.member("as_layout", serialized(*layout));
  } else if (const auto* format = std::get_if<MemoryFormat>(&argument)) {
    json.member("as_memory_format", serialized(*format));
  } else if (const auto* device = std::get_if<Device>(&argument)) {
    json.key("as_device");
    writeDevice(json, *device);
  } else if (const auto* op = std::get_if<fx::OperatorName>(&argument)) {
    json.member("as_operator", serializedTarget(op->name));
  } else {
    return false;
  }
  return true;
}

}  // namespace

/// Writes a reference to a node, by the kind of its value.
Result<> GraphWriter::writeReference(const fx::Argument& argument) {
  const fx::Node& node = program_.node(*argument.node());
  const std::string& name = nameOf(node.id);
  if (node.op == fx::NodeOp::GetAttr) {
    if (!node.subgraph.valid())
      return unsupported("it uses the attribute '" + node.target + "', which is not a subgraph");
    json_.key("as_graph").beginObject().member("name", node.target).key("graph");
    const fx::Node* outer = current_;
    // A verified program nests subgraphs only a few deep, and has no cycle of them.
    FXS_CHECK(writeGraph(program_.graph(node.subgraph)));
    current_ = outer;
    json_.endObject();
  } else if (node.val.tensor() != nullptr || std::holds_alternative<fx::Token>(node.val)) {
    json_.key("as_tensor").beginObject().member("name", name).endObject();
  } else if (const fx::SymValue* symbol = node.val.symbol()) {
    std::string_view kind = symbol->kind == fx::SymKind::Float ? "as_sym_float" : "as_sym_bool";
    if (symbol->kind == fx::SymKind::Int) kind = "as_sym_int";
    json_.key(kind).beginObject().member("as_name", name).endObject();
  } else if (const auto* object = std::get_if<fx::CustomObject>(&node.val)) {
    json_.key("as_custom_obj")
        .beginObject()
        .member("name", name)
        .member("class_fqn", object->classFqn)
        .endObject();
  } else if (std::holds_alternative<fx::NoneValue>(node.val)) {
    json_.member("as_none", true);
  } else if (const fx::ValueList* parts = node.val.list()) {
    // The schema can only refer to the parts of a list.
    json_.key("as_tensors").beginArray();
    for (std::size_t i = 0; i < parts->size(); ++i) {
      const fx::Node* part = partOf(node, i);
      if (part == nullptr || part->val.tensor() == nullptr)
        return unsupported("it uses the list '" + name + "' as a whole");
      json_.beginObject().member("name", part->name).endObject();
    }
    json_.endArray();
  } else {
    return unsupported("it uses '" + name + "', whose value is unknown");
  }
  return {};
}

/// An element of a list of symbols, or of constants in their place.
void GraphWriter::writeSymbolItem(std::string_view kind, const fx::Argument& item) {
  json_.beginObject();
  if (item.node() != nullptr) json_.member("as_name", nameOf(*item.node()));
  else if (kind == "as_sym_ints") json_.member("as_int", *item.integer());
  else if (kind == "as_sym_floats") json_.member("as_float", asDouble(item));
  else json_.member("as_bool", std::get<bool>(item));
  json_.endObject();
}

/// An element of a list of `kind`.
void GraphWriter::writeItem(std::string_view kind, const fx::Argument& item) {
  if (kind == "as_tensors") {
    json_.beginObject().member("name", nameOf(*item.node())).endObject();
  } else if (kind == "as_optional_tensors") {
    json_.beginObject();
    if (item.isNone()) json_.member("as_none", true);
    else json_.key("as_tensor").beginObject().member("name", nameOf(*item.node())).endObject();
    json_.endObject();
  } else if (kind.starts_with("as_sym_")) {
    writeSymbolItem(kind, item);
  } else if (kind == "as_ints") {
    json_.value(*item.integer());
  } else if (kind == "as_floats") {
    json_.value(asDouble(item));
  } else if (kind == "as_bools") {
    json_.value(std::get<bool>(item));
  } else if (kind == "as_strings") {
    json_.value(std::get<std::string>(item));
  } else {
    std::string_view inner = kind == "as_int_lists" ? "as_ints" : "as_floats";
    if (kind == "as_nested_tensors") inner = "as_tensors";
    json_.beginArray();
    for (const fx::Argument& element : *item.list()) writeItem(inner, element);
    json_.endArray();
  }
}

Result<> GraphWriter::writeList(const fx::ArgumentList& given) {
  fx::ArgumentList items;
  for (const fx::Argument& item : given) items.push_back(resolved(item));
  const auto kind = std::find_if(
      kListKinds.begin(), kListKinds.end(),
      [&](const ListKind& candidate) { return all(program_, items, candidate.isElement); });
  if (kind == kListKinds.end()) return unsupported("one of its arguments is a list of mixed kinds");
  json_.key(kind->name).beginArray();
  for (const fx::Argument& item : items) writeItem(kind->name, item);
  json_.endArray();
  return {};
}

Result<> GraphWriter::writeArgument(const fx::Argument& given) {
  const fx::Argument& argument = resolved(given);
  json_.beginObject();
  if (argument.isNone()) {
    json_.member("as_none", true);
  } else if (argument.node() != nullptr) {
    FXS_CHECK(writeReference(argument));
  } else if (const fx::ArgumentList* list = argument.list()) {
    FXS_CHECK(writeList(*list));
  } else if (const auto* entries = std::get_if<fx::ArgumentDict>(&argument)) {
    json_.key("as_string_to_argument").beginObject();
    for (const auto& [key, value] : *entries) {
      json_.key(key);
      FXS_CHECK(writeArgument(value));
    }
    json_.endObject();
  } else if (!writeConstant(json_, argument)) {
    return fail(
        ErrorCode::Unsupported,
        "an exported program cannot represent a slice or another Python object as an argument");
  }
  json_.endObject();
  return {};
}

}  // namespace fxs::write
