// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of Argument in torch/_export/serde/schema.py.
#include <algorithm>
#include <array>

#include "read/pt2/graph_decoder.h"

namespace fxs::read::pt2 {

namespace {

/// Dicts of arguments may hold dicts.
constexpr int kMaxDictDepth = 64;

Result<fx::Argument> complexOf(const Json& json) {
  FXS_TRY(double real, json.floatAt("real"));
  FXS_TRY(double imag, json.floatAt("imag"));
  return fx::Argument(std::complex<double>(real, imag));
}

template <class ReadItem>
Result<fx::Argument> listOf(const Json& items, ReadItem&& readItem) {
  FXS_CHECK(items.asArray());
  fx::ArgumentList out;
  out.reserve(items.size());
  for (Json item : items) {
    FXS_TRY(fx::Argument value, readItem(item));
    out.push_back(std::move(value));
  }
  return fx::Argument(std::move(out));
}

Result<fx::Argument> scalar(const Json& json) {
  switch (json.kind()) {
    case JsonKind::Bool: {
      FXS_TRY(bool v, json.asBool());
      return fx::Argument(v);
    }
    case JsonKind::Int:
    case JsonKind::UInt: {
      FXS_TRY(std::int64_t v, json.asInt());
      return fx::Argument(v);
    }
    default: {
      FXS_TRY(double v, json.asFloat());
      return fx::Argument(v);
    }
  }
}

Result<fx::Argument> noneOf(const Json&) { return fx::Argument(fx::None{}); }
Result<fx::Argument> intOf(const Json& json) {
  FXS_TRY(std::int64_t v, json.asInt());
  return fx::Argument(v);
}
Result<fx::Argument> floatOf(const Json& json) {
  FXS_TRY(double v, json.asFloat());
  return fx::Argument(v);
}
Result<fx::Argument> boolOf(const Json& json) {
  FXS_TRY(bool v, json.asBool());
  return fx::Argument(v);
}
Result<fx::Argument> stringOf(const Json& json) {
  FXS_TRY(std::string_view v, json.asString());
  return fx::Argument(std::string(v));
}
Result<fx::Argument> operatorOf(const Json& json) {
  FXS_TRY(std::string_view name, targetAt(json));
  return fx::Argument(fx::OperatorName{std::string(targetOf(name))});
}

using ReadLiteral = Result<fx::Argument> (*)(const Json&);
template <ReadLiteral ReadItem>
Result<fx::Argument> listOfLiterals(const Json& items) {
  return listOf(items, ReadItem);
}

/// A kind of argument that refers to no node.
struct Literal {
  std::string_view kind;
  ReadLiteral read;
};
constexpr std::array kLiterals{
    Literal{"as_none", noneOf},
    Literal{"as_int", intOf},
    Literal{"as_float", floatOf},
    Literal{"as_bool", boolOf},
    Literal{"as_string", stringOf},
    Literal{"as_complex", complexOf},
    Literal{"as_operator", operatorOf},
    Literal{"as_ints", listOfLiterals<intOf>},
    Literal{"as_floats", listOfLiterals<floatOf>},
    Literal{"as_bools", listOfLiterals<boolOf>},
    Literal{"as_strings", listOfLiterals<stringOf>},
    Literal{"as_int_lists", listOfLiterals<listOfLiterals<intOf>>},
    Literal{"as_float_lists", listOfLiterals<listOfLiterals<floatOf>>},
};

/// A kind of argument that is an enum of PyTorch or a device.
using ReadOption = Result<fx::Argument> (*)(ValueDecoder&, const Json&);
template <class T, Result<T> (ValueDecoder::*Read)(const Json&)>
Result<fx::Argument> optionOf(ValueDecoder& values, const Json& json) {
  FXS_TRY(T option, (values.*Read)(json));
  return fx::Argument(std::move(option));
}
struct Option {
  std::string_view kind;
  ReadOption read;
};
constexpr std::array kOptions{
    Option{"as_scalar_type", optionOf<DType, &ValueDecoder::dtype>},
    Option{"as_memory_format", optionOf<MemoryFormat, &ValueDecoder::memoryFormat>},
    Option{"as_layout", optionOf<Layout, &ValueDecoder::layout>},
    Option{"as_device", optionOf<Device, &ValueDecoder::device>},
};

template <class Row, std::size_t Count>
const Row* rowOfKind(const std::array<Row, Count>& rows, std::string_view kind) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.kind == kind; });
  return found == rows.end() ? nullptr : &*found;
}

bool isSymbol(std::string_view kind) {
  return kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool";
}
bool isListOfSymbols(std::string_view kind) {
  return kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools";
}

}  // namespace

Result<fx::Argument> GraphDecoder::reference(const Scope& scope, const Json& at) const {
  FXS_TRY(std::string_view name, nameAt(at));
  auto node = scope.nodes.find(name);
  if (node != scope.nodes.end()) return fx::Argument(node->second);
  if (scope.describes(name))
    return invalid(
        at,
        "value '" + std::string(name) +
            "' is used before it is defined: the graph has a cycle, or its nodes are out of order");
  return invalid(at, "no value named '" + std::string(name) + "' is defined in this graph");
}

Result<fx::Argument> GraphDecoder::subgraph(Scope& scope, const Json& json, int depth) {
  FXS_TRY(Json nameMember, json.at("name"));
  FXS_TRY(std::string_view name, identifierAt(nameMember));
  FXS_TRY(Json graph, json.at("graph"));
  fx::NodeId holder;
  Scope inner;
  inner.graph = builder_.addSubgraph(scope.graph, scope.names.create(name), &holder);
  FXS_CHECK(decode(inner, graph, {}, depth + 1));
  return fx::Argument(holder);
}

Result<fx::Argument> GraphDecoder::tensor(const Scope& scope, const Json& json) const {
  FXS_TRY(Json name, json.at("name"));
  return reference(scope, name);
}

Result<fx::Argument> GraphDecoder::symbol(const Scope& scope, const Json& json) const {
  FXS_TRY(OneOf choice, oneOf(json));
  return choice.kind == "as_name" ? reference(scope, choice.value) : scalar(choice.value);
}

Result<fx::Argument> GraphDecoder::customObject(const Scope& scope, const Json& json) {
  FXS_TRY(Json nameMember, json.at("name"));
  FXS_TRY(std::string_view name, nameAt(nameMember));
  if (auto node = scope.nodes.find(name); node != scope.nodes.end())
    return fx::Argument(node->second);
  notes_.push_back("custom object '" + std::string(name) +
                   "' is used but is not an input of the graph; it is shown by its name");
  return fx::Argument(std::string(name));
}

Result<fx::Argument> GraphDecoder::dict(Scope& scope, const Json& json, int depth) {
  if (depth >= kMaxDictDepth)
    return invalid(json,
                   "dicts are nested deeper than " + std::to_string(kMaxDictDepth) + " levels");
  FXS_CHECK(json.asObject());
  fx::ArgumentDict out;
  for (Json entry : json) {
    FXS_TRY(fx::Argument item, argument(scope, entry, depth + 1));
    out.emplace_back(std::string(entry.key()), std::move(item));
  }
  return fx::Argument(std::move(out));
}

Result<fx::Argument> GraphDecoder::list(const Scope& scope, std::string_view kind,
                                        const Json& items) const {
  auto readTensor = [&](const Json& item) { return tensor(scope, item); };
  auto orNone = [&](const Json& item) -> Result<fx::Argument> {
    FXS_TRY(OneOf choice, oneOf(item));
    if (choice.kind == "as_none") return fx::Argument(fx::None{});
    if (choice.kind != "as_tensor")
      return invalid(choice.value,
                     "is not a kind of optional tensor; expected as_tensor or as_none");
    return tensor(scope, choice.value);
  };
  if (kind == "as_tensors") return listOf(items, readTensor);
  if (isListOfSymbols(kind))
    return listOf(items, [&](const Json& item) { return symbol(scope, item); });
  if (kind == "as_optional_tensors") return listOf(items, orNone);
  if (kind == "as_nested_tensors")
    return listOf(items, [&](const Json& inner) { return listOf(inner, readTensor); });
  return invalid(items, "is not a kind of argument of schema version 8");
}

Result<fx::Argument> GraphDecoder::argument(Scope& scope, const Json& json, int depth) {
  FXS_TRY(OneOf choice, oneOf(json));
  const auto [kind, value] = choice;
  if (kind == "as_tensor") return tensor(scope, value);
  if (const Literal* literal = rowOfKind(kLiterals, kind)) return literal->read(value);
  if (const Option* option = rowOfKind(kOptions, kind)) return option->read(values_, value);
  if (isSymbol(kind)) return symbol(scope, value);
  if (kind == "as_graph") return subgraph(scope, value, depth);
  if (kind == "as_optional_tensor") {
    FXS_TRY(OneOf optional, oneOf(value));
    if (optional.kind == "as_none") return fx::Argument(fx::None{});
    return tensor(scope, optional.value);
  }
  if (kind == "as_custom_obj") return customObject(scope, value);
  if (kind == "as_string_to_argument") return dict(scope, value, depth);
  return list(scope, kind, value);
}

}  // namespace fxs::read::pt2
