// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "read/pt2/graph_decoder.h"

#include "fx/cost.h"
#include "fx/evaluated_text.h"
#include "ops/schema.h"

namespace fxs::read::pt2 {

namespace {

constexpr std::size_t kMaxNameBytes = 4096;
/// Each level of subgraphs takes seven levels of JSON.
constexpr int kMaxSubgraphDepth = 64;
constexpr std::size_t kNodesBetweenLooks = 4096;

constexpr std::string_view kHigherOrder = "higher_order.";

/// The member with the name, for kinds that are a single named value; else nullopt.
std::optional<std::string_view> nameMember(std::string_view kind) {
  if (kind == "as_tensor" || kind == "as_custom_obj") return "name";
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool") return "as_name";
  return std::nullopt;
}

bool isListOfResults(std::string_view kind) {
  return kind == "as_tensors" || kind == "as_sym_ints" || kind == "as_sym_floats" ||
         kind == "as_sym_bools" || kind == "as_optional_tensors";
}

}  // namespace

/// Shared by all nodes that come from one serialized node.
struct GraphDecoder::Call {
  fx::NodeId id;
  bool isHigherOrder = false;
  bool returnsSingle = true;  // of a higher-order op: one value, not a tuple of one
  std::vector<fx::MetaString> meta;
  std::uint64_t costOfMeta = 0;  // for each node that shares it
};

Result<std::string_view> nameAt(const Json& json) {
  FXS_TRY(std::string_view name, json.asString());
  if (name.empty()) return invalid(json, "expected a name, got an empty string");
  if (name.size() > kMaxNameBytes)
    return invalid(json, "a name of " + std::to_string(name.size()) + " bytes; the limit is " +
                             std::to_string(kMaxNameBytes));
  return name;
}

Result<std::string_view> identifierAt(const Json& json) {
  FXS_TRY(std::string_view name, nameAt(json));
  if (!fx::isIdentifier(name))
    return invalid(json,
                   fx::shownText(name) +
                       " is not a name of letters, digits and '_'; PyTorch would run it as Python");
  return name;
}

Result<std::string_view> qualifiedNameAt(const Json& json) {
  FXS_TRY(std::string_view name, nameAt(json));
  if (!fx::isQualifiedName(name))
    return invalid(
        json, fx::shownText(name) +
                  " has quotes, backslashes or control characters; PyTorch would run it as Python");
  return name;
}

Result<std::string_view> targetAt(const Json& json) {
  FXS_TRY(std::string_view target, nameAt(json));
  if (!fx::isTargetText(target))
    return invalid(json, fx::shownText(target) +
                             " is not a name of letters, digits and '_' with dots between");
  return target;
}

std::string_view targetOf(std::string_view serialized) {
  constexpr std::string_view kOps = "torch.ops.";
  return serialized.starts_with(kOps) ? serialized.substr(kOps.size()) : serialized;
}

Result<> GraphDecoder::decodeMain(const Json& graph, const std::vector<InputHint>& inputs) {
  main_.graph = builder_.main();
  return decode(main_, graph, inputs, 0);
}

Result<> GraphDecoder::decode(Scope& scope, const Json& graph, const std::vector<InputHint>& hints,
                              int depth) {
  if (depth > kMaxSubgraphDepth)
    return invalid(
        graph, "subgraphs are nested deeper than " + std::to_string(kMaxSubgraphDepth) + " levels");
  FXS_CHECK(readTables(scope, graph));
  FXS_TRY(Json inputs, graph.arrayAt("inputs"));
  const auto calls = present(graph, "nodes");
  if (depth == 0) builder_.reserve(scope.graph, inputs.size() + (calls ? calls->size() : 0) + 1);
  std::size_t index = 0;
  for (Json input : inputs) {
    FXS_CHECK(decodeInput(scope, input, index, index < hints.size() ? hints[index] : InputHint{}));
    ++index;
  }
  FXS_TRY(Json nodes, graph.arrayAt("nodes"));
  std::size_t done = 0;
  for (Json node : nodes) {
    if (done++ % kNodesBetweenLooks == 0) {
      if (context_.stop.stop_requested())
        return fail(ErrorCode::Cancelled, "reading was cancelled");
      if (depth == 0)
        context_.report(
            {"reading the graph", static_cast<double>(done) / static_cast<double>(nodes.size())});
    }
    FXS_CHECK(decodeNode(scope, node, depth));
  }
  if (auto single = present(graph, "is_single_tensor_return")) {
    FXS_TRY(builder_.graph(scope.graph).isSingleTensorReturn, single->asBool());
  }
  return decodeOutputs(scope, graph, depth);
}

Result<> GraphDecoder::readTables(Scope& scope, const Json& graph) {
  FXS_CHECK(graph.asObject());
  auto read = [&](std::string_view member, bool required, JsonTable& table) -> Result<> {
    auto values = present(graph, member);
    if (required) {
      FXS_TRY(values, graph.at(member));  // null is an error
    }
    if (!values) return {};
    FXS_CHECK(values->asObject());
    table.reserve(values->size());
    for (Json value : *values) {
      table.insert_or_assign(value.key(), value);
      scope.names.reserve(value.key());
    }
    return {};
  };
  FXS_CHECK(read("tensor_values", true, scope.tensors));
  FXS_CHECK(read("sym_int_values", false, scope.symInts));
  FXS_CHECK(read("sym_float_values", false, scope.symFloats));
  FXS_CHECK(read("sym_bool_values", false, scope.symBools));
  return read("custom_obj_values", false, scope.customObjects);
}

Result<> GraphDecoder::define(Scope& scope, std::string_view name, fx::NodeId id, const Json& at) {
  if (!scope.nodes.emplace(name, id).second)
    return invalid(at, "value '" + std::string(name) + "' is defined twice");
  return {};
}

Result<fx::Value> GraphDecoder::valueOf(const Scope& scope, std::string_view kind,
                                        std::string_view name, const Json& at) {
  auto lookUp = [&](const JsonTable& table, std::string_view title) -> Result<Json> {
    auto entry = table.find(name);
    if (entry == table.end())
      return invalid(at, "value '" + std::string(name) + "' has no entry in " + std::string(title));
    return entry->second;
  };
  if (kind == "as_tensor") {
    FXS_TRY(Json entry, lookUp(scope.tensors, "tensor_values"));
    FXS_TRY(fx::TensorMeta meta, values_.tensorMeta(entry));
    return fx::Value(std::move(meta));
  }
  if (kind == "as_custom_obj") {
    FXS_TRY(Json entry, lookUp(scope.customObjects, "custom_obj_values"));
    FXS_TRY(std::string_view fqn, entry.stringAt("class_fqn"));
    return fx::Value(fx::CustomObject{std::string(fqn)});
  }
  auto symbol = [&](fx::SymKind of, const JsonTable& table,
                    std::string_view title) -> Result<fx::Value> {
    FXS_TRY(Json entry, lookUp(table, title));
    FXS_TRY(fx::SymValue value, values_.symValue(of, entry));
    return fx::Value(std::move(value));
  };
  if (kind == "as_sym_int") return symbol(fx::SymKind::Int, scope.symInts, "sym_int_values");
  if (kind == "as_sym_float")
    return symbol(fx::SymKind::Float, scope.symFloats, "sym_float_values");
  return symbol(fx::SymKind::Bool, scope.symBools, "sym_bool_values");
}

Result<> GraphDecoder::decodeInput(Scope& scope, const Json& input, std::size_t index,
                                   const InputHint& hint) {
  FXS_TRY(OneOf choice, oneOf(input));
  if (auto member = nameMember(choice.kind)) {
    FXS_TRY(Json at, choice.value.at(*member));
    FXS_TRY(std::string_view name, identifierAt(at));
    FXS_TRY(fx::Value value, valueOf(scope, choice.kind, name, at));
    // A token is serialized as a tensor with a placeholder meta.
    if (hint.kind == fx::InputKind::Token) value = fx::Token{};
    fx::NodeId id = builder_.placeholder(scope.graph, std::string(name), std::move(value));
    scope.names.take(name);
    return define(scope, name, id, at);
  }
  FXS_TRY(fx::Argument constant, argument(scope, input, 0));
  fx::Value value = fx::Unknown{};
  if (constant.isNone()) value = fx::NoneValue{};
  else if (const auto* i = constant.integer()) value = fx::SymValue{fx::SymKind::Int, nullptr, *i};
  else if (const auto* f = std::get_if<double>(&constant))
    value = fx::SymValue{fx::SymKind::Float, nullptr, *f};
  else if (const auto* b = std::get_if<bool>(&constant))
    value = fx::SymValue{fx::SymKind::Bool, nullptr, *b};
  else if (!std::holds_alternative<std::string>(constant))
    return invalid(
        choice.value,
        "is not a kind of input; expected a tensor, a symbol, a custom object or a constant");
  const std::string wanted =
      hint.constantName.empty() ? "arg" + std::to_string(index) : std::string(hint.constantName);
  // torch.fx renames a placeholder that would shadow a builtin; its target keeps the name of
  // forward()'s argument.
  fx::NodeId id = builder_.placeholder(scope.graph, scope.names.create(wanted), std::move(value));
  builder_.node(id).target = wanted;
  return {};
}

Result<std::vector<fx::MetaString>> GraphDecoder::decodeMetadata(const Json& node) {
  std::vector<fx::MetaString> out;
  auto metadata = present(node, "metadata");
  if (!metadata) return out;
  FXS_CHECK(metadata->asObject());
  for (Json entry : *metadata) {
    FXS_TRY(std::string_view text, entry.asString());
    out.push_back({builder_.intern(entry.key()), builder_.intern(text)});
  }
  return out;
}

namespace {

/// An argument whose name the operator does not have, as in a file of another version, has that of
/// its position.
void nameByPosition(std::vector<fx::NodeArgument>& arguments, std::string_view target) {
  const ops::Schema* schema = ops::SchemaTable::builtin().find(target);
  if (schema == nullptr) return;
  for (std::size_t i = 0; i < arguments.size() && i < schema->arguments.size(); ++i) {
    if (schema->find(arguments[i].name) != nullptr) continue;
    const ops::SchemaArgument& formal = schema->arguments[i];
    const bool isTaken =
        std::any_of(arguments.begin(), arguments.end(),
                    [&](const fx::NodeArgument& other) { return other.name == formal.name; });
    if (isTaken) continue;
    arguments[i].name = formal.name;
    arguments[i].keyword = formal.keywordOnly;
  }
}

}  // namespace

Result<std::vector<fx::NodeArgument>> GraphDecoder::decodeInputs(Scope& scope, const Json& inputs,
                                                                 std::string_view target, int depth,
                                                                 std::size_t& firstNode) {
  FXS_CHECK(inputs.asArray());
  constexpr std::int64_t kPositional = 1, kKeyword = 2;
  const ops::Schema* schema = nullptr;
  bool lookedUp = false;
  std::vector<fx::NodeArgument> out;
  out.reserve(inputs.size());
  firstNode = builder_.program().nodes.size();
  for (Json input : inputs) {
    fx::NodeArgument argumentOut;
    FXS_TRY(Json nameMember, input.at("name"));
    FXS_TRY(std::string_view name, nameMember.asString());
    if (!name.empty()) FXS_CHECK(identifierAt(nameMember));
    argumentOut.name = name;
    FXS_TRY(Json value, input.at("arg"));
    FXS_TRY(argumentOut.value, argument(scope, value, depth));
    std::int64_t kind = 0;
    if (auto given = present(input, "kind")) {
      FXS_TRY(kind, given->asInt());
    }
    if (kind == kKeyword) {
      argumentOut.keyword = !name.empty();
    } else if (kind != kPositional && !name.empty() && !target.starts_with(kHigherOrder)) {
      // Schema 8.2 does not record this: arguments with a default, and keyword-only ones, were
      // passed by keyword.
      if (!lookedUp) schema = ops::SchemaTable::builtin().find(target);
      lookedUp = true;
      const ops::SchemaArgument* formal = schema ? schema->find(name) : nullptr;
      argumentOut.keyword = formal && (formal->hasDefault() || formal->keywordOnly);
    }
    out.push_back(std::move(argumentOut));
  }
  nameByPosition(out, target);
  return out;
}

Result<> GraphDecoder::decodeNode(Scope& scope, const Json& node, int depth) {
  FXS_TRY(Json targetMember, node.at("target"));
  FXS_TRY(std::string_view serialized, targetAt(targetMember));
  const std::string_view target = targetOf(serialized);
  FXS_TRY(Json inputs, node.at("inputs"));
  std::size_t firstNode = 0;
  FXS_TRY(std::vector<fx::NodeArgument> args,
          decodeInputs(scope, inputs, target, depth, firstNode));
  FXS_TRY(Json outputs, node.arrayAt("outputs"));

  Call call;
  call.isHigherOrder = target.starts_with(kHigherOrder);
  FXS_TRY(call.meta, decodeMetadata(node));
  call.costOfMeta = fx::costOf(builder_.program(), call.meta);
  if (auto single = present(node, "is_hop_single_tensor_return")) {
    FXS_TRY(call.returnsSingle, single->asBool());
  }
  giveMetaToSubgraphs(args, firstNode, call);

  std::string_view given;
  if (auto name = present(node, "name")) {
    FXS_TRY(given, identifierAt(*name));
  }
  // A single named result names the node; a node without a value yields its name to others.
  std::optional<Json> resultName;
  bool isNone = false;
  if (outputs.size() == 1) {
    FXS_TRY(OneOf result, oneOf(*outputs.begin()));
    isNone = result.kind == "as_none";
    const bool isTuple = call.isHigherOrder && !call.returnsSingle;
    if (auto member = nameMember(result.kind); member && !isTuple) {
      FXS_TRY(resultName, result.value.at(*member));
      FXS_TRY(given, identifierAt(*resultName));
    }
  }
  if (!given.empty()) scope.names.take(given);
  std::string name = given.empty() ? scope.names.create(nameOfTarget(target)) : std::string(given);
  if (isNone) name = scope.names.create(nameOfTarget(target) + "_unused");
  if (resultName && scope.nodes.contains(given))
    return invalid(*resultName, "value '" + std::string(given) + "' is defined twice");
  call.id = builder_.call(scope.graph, std::move(name), std::string(target), std::move(args),
                          fx::NoneValue{});
  giveMeta(call.id, call);
  return decodeResults(scope, outputs, call);
}

Result<> GraphDecoder::decodeResults(Scope& scope, const Json& outputs, const Call& call) {
  if (outputs.size() == 0) return {};
  if (outputs.size() == 1) {
    const Json only = *outputs.begin();
    FXS_TRY(OneOf result, oneOf(only));
    if (result.kind == "as_none") return {};
    if (!call.isHigherOrder || call.returnsSingle) {
      if (auto member = nameMember(result.kind)) {
        FXS_TRY(Json at, result.value.at(*member));
        FXS_TRY(std::string_view name, identifierAt(at));
        FXS_TRY(builder_.node(call.id).val, valueOf(scope, result.kind, name, at));
        return define(scope, name, call.id, at);
      }
      if (!isListOfResults(result.kind))
        return invalid(
            result.value,
            "is not a kind of result; expected a tensor, a symbol, none, or a list of these");
      FXS_TRY(fx::ValueList parts, addElements(scope, result.value, call, call.id));
      builder_.node(call.id).val = std::move(parts);
      return {};
    }
  }
  FXS_TRY(fx::ValueList parts, addElements(scope, outputs, call, call.id));
  builder_.node(call.id).val = std::move(parts);
  return {};
}

void GraphDecoder::giveMeta(fx::NodeId id, const Call& call) {
  context_.spend(Resource::Values, call.costOfMeta, builder_.node(id).name);
  builder_.node(id).meta = call.meta;
}

/// The schema has no metadata for subgraphs: their get_attr nodes get that of the op that uses
/// them, as in torch.export.load.
void GraphDecoder::giveMetaToSubgraphs(const std::vector<fx::NodeArgument>& args,
                                       std::size_t firstNode, const Call& call) {
  for (const fx::NodeArgument& a : args)
    if (const fx::NodeId* id = a.value.node();
        id && id->index() >= firstNode && builder_.node(*id).op == fx::NodeOp::GetAttr)
      giveMeta(*id, call);
}

Result<fx::ValueList> GraphDecoder::addElements(Scope& scope, const Json& list, const Call& call,
                                                fx::NodeId of) {
  FXS_CHECK(list.asArray());
  fx::ValueList parts;
  parts.reserve(list.size());
  std::size_t index = 0;
  for (Json element : list) {
    FXS_TRY(fx::Value part, addElement(scope, element, call, of, index++));
    parts.push_back(std::move(part));
  }
  return parts;
}

Result<fx::Value> GraphDecoder::addElement(Scope& scope, const Json& element, const Call& call,
                                           fx::NodeId of, std::size_t index) {
  // Elements of as_tensors are bare {"name": ..}, those of as_sym_ints {"as_name": ..}, those of a
  // tuple whole arguments.
  std::string_view kind;
  std::optional<Json> at;
  FXS_CHECK(element.asObject());
  if (auto bare = element.find("name")) {
    kind = "as_tensor";
    at = bare;
  } else if (auto symbol = element.find("as_name")) {
    kind = "as_sym_int";
    at = symbol;
    if (symbol->isString()) {
      std::string_view name = *symbol->asString();
      if (scope.symFloats.contains(name)) kind = "as_sym_float";
      else if (scope.symBools.contains(name)) kind = "as_sym_bool";
    }
  } else {
    FXS_TRY(OneOf result, oneOf(element));
    kind = result.kind;
    if (auto member = nameMember(kind)) {
      FXS_TRY(at, result.value.at(*member));
    } else if (kind == "as_none") {
      fx::NodeId id =
          builder_.getitem(scope.graph, scope.names.create("as_none"), of, index, fx::NoneValue{});
      giveMeta(id, call);
      return fx::Value(fx::NoneValue{});
    } else if (isListOfResults(kind)) {
      fx::NodeId id =
          builder_.getitem(scope.graph, scope.names.create("getitem"), of, index, fx::NoneValue{});
      giveMeta(id, call);
      FXS_TRY(fx::ValueList parts, addElements(scope, result.value, call, id));
      builder_.node(id).val = parts;
      return fx::Value(std::move(parts));
    } else {
      return invalid(
          result.value,
          "is not a kind of result; expected a tensor, a symbol, none, or a list of these");
    }
  }
  FXS_TRY(std::string_view name, identifierAt(*at));
  FXS_TRY(fx::Value value, valueOf(scope, kind, name, *at));
  if (scope.nodes.contains(name))
    return invalid(*at, "value '" + std::string(name) + "' is defined twice");
  scope.names.take(name);
  fx::NodeId id = builder_.getitem(scope.graph, std::string(name), of, index, value);
  giveMeta(id, call);
  FXS_CHECK(define(scope, name, id, *at));
  return value;
}

Result<> GraphDecoder::decodeOutputs(Scope& scope, const Json& graph, int depth) {
  FXS_TRY(Json outputs, graph.arrayAt("outputs"));
  fx::ArgumentList values;
  values.reserve(outputs.size());
  for (Json output : outputs) {
    FXS_TRY(fx::Argument value, argument(scope, output, depth));
    values.push_back(std::move(value));
  }
  builder_.output(scope.graph, std::move(values));
  return {};
}

}  // namespace fxs::read::pt2
