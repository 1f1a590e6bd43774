// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of Argument in torch/_export/serde/schema.py.
#include <array>

#include "read/pt2/graph_decoder.h"

namespace fxs::read::pt2 {

namespace {

/// Dicts of arguments may hold dicts.
constexpr int kMaxDictDepth = 64;

Result<fx::Argument> complexOf(const Json& json) {
  FXS_TRY(Json realMember, json.at("real"));
  FXS_TRY(double real, realMember.asFloat());
  FXS_TRY(Json imagMember, json.at("imag"));
  FXS_TRY(double imag, imagMember.asFloat());
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

Result<fx::Argument> GraphDecoder::list(Scope& scope, std::string_view kind, const Json& items) {
  auto tensor = [&](const Json& item) -> Result<fx::Argument> {
    FXS_TRY(Json name, item.at("name"));
    return reference(scope, name);
  };
  auto orNone = [&](const Json& item) -> Result<fx::Argument> {
    FXS_TRY(OneOf choice, oneOf(item));
    if (choice.kind == "as_none") return fx::Argument(fx::None{});
    if (choice.kind != "as_tensor")
      return invalid(choice.value,
                     "is not a kind of optional tensor; expected as_tensor or as_none");
    return tensor(choice.value);
  };
  auto symbol = [&](const Json& item) -> Result<fx::Argument> {
    FXS_TRY(OneOf choice, oneOf(item));
    return choice.kind == "as_name" ? reference(scope, choice.value) : scalar(choice.value);
  };
  if (kind == "as_ints") return listOf(items, intOf);
  if (kind == "as_tensors") return listOf(items, tensor);
  if (kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools")
    return listOf(items, symbol);
  if (kind == "as_floats") return listOf(items, floatOf);
  if (kind == "as_bools") return listOf(items, boolOf);
  if (kind == "as_strings") return listOf(items, stringOf);
  if (kind == "as_optional_tensors") return listOf(items, orNone);
  if (kind == "as_nested_tensors")
    return listOf(items, [&](const Json& inner) { return listOf(inner, tensor); });
  if (kind == "as_int_lists")
    return listOf(items, [&](const Json& inner) { return listOf(inner, intOf); });
  if (kind == "as_float_lists")
    return listOf(items, [&](const Json& inner) { return listOf(inner, floatOf); });
  return invalid(items, "is not a kind of argument of schema version 8");
}

Result<fx::Argument> GraphDecoder::argument(Scope& scope, const Json& json, int depth) {
  FXS_TRY(OneOf choice, oneOf(json));
  const auto [kind, value] = choice;
  if (kind == "as_tensor") {
    FXS_TRY(Json name, value.at("name"));
    return reference(scope, name);
  }
  if (kind == "as_none") return fx::Argument(fx::None{});
  if (kind == "as_int") return intOf(value);
  if (kind == "as_float") return floatOf(value);
  if (kind == "as_bool") return boolOf(value);
  if (kind == "as_string") return stringOf(value);
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") {
    FXS_TRY(OneOf symbol, oneOf(value));
    return symbol.kind == "as_name" ? reference(scope, symbol.value) : scalar(symbol.value);
  }
  if (kind == "as_scalar_type") {
    FXS_TRY(DType dtype, values_.dtype(value));
    return fx::Argument(dtype);
  }
  if (kind == "as_memory_format") {
    FXS_TRY(MemoryFormat format, values_.memoryFormat(value));
    return fx::Argument(format);
  }
  if (kind == "as_layout") {
    FXS_TRY(Layout layout, values_.layout(value));
    return fx::Argument(layout);
  }
  if (kind == "as_device") {
    FXS_TRY(Device device, values_.device(value));
    return fx::Argument(std::move(device));
  }
  if (kind == "as_complex") return complexOf(value);
  if (kind == "as_operator") {
    FXS_TRY(std::string_view name, targetAt(value));
    return fx::Argument(fx::OperatorName{std::string(targetOf(name))});
  }
  if (kind == "as_graph") return subgraph(scope, value, depth);
  if (kind == "as_optional_tensor") {
    FXS_TRY(OneOf optional, oneOf(value));
    if (optional.kind == "as_none") return fx::Argument(fx::None{});
    FXS_TRY(Json name, optional.value.at("name"));
    return reference(scope, name);
  }
  if (kind == "as_custom_obj") {
    FXS_TRY(Json nameMember, value.at("name"));
    FXS_TRY(std::string_view name, nameAt(nameMember));
    if (auto node = scope.nodes.find(name); node != scope.nodes.end())
      return fx::Argument(node->second);
    notes_.push_back("custom object '" + std::string(name) +
                     "' is used but is not an input of the graph; it is shown by its name");
    return fx::Argument(std::string(name));
  }
  if (kind == "as_string_to_argument") {
    if (depth >= kMaxDictDepth)
      return invalid(value,
                     "dicts are nested deeper than " + std::to_string(kMaxDictDepth) + " levels");
    FXS_CHECK(value.asObject());
    fx::ArgumentDict out;
    for (Json entry : value) {
      FXS_TRY(fx::Argument item, argument(scope, entry, depth + 1));
      out.emplace_back(std::string(entry.key()), std::move(item));
    }
    return fx::Argument(std::move(out));
  }
  return list(scope, kind, value);
}

}  // namespace fxs::read::pt2
