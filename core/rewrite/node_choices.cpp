// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rewrite/node_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "base/safe_text.h"
#include "fx/text_cursor.h"
#include "ops/schema.h"

namespace fxs::rewrite {
namespace {

std::string orSimilar(std::string_view wanted, const std::vector<std::string_view>& names) {
  const std::vector<std::string> near = nearest(wanted, names, 1);
  return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near.front());
}

Result<fx::NodeId> nodeNamed(const fx::Program& program, const std::string& name) {
  if (const fx::Node* node = program.findNode(name)) return node->id;
  std::vector<std::string_view> names;
  for (const fx::Node& node : program.nodes) names.push_back(node.name);
  return fail(ErrorCode::Usage, fmt::format("the program has no node '{}'{}", printable(name),
                                            orSimilar(name, names)));
}

template <class... Kinds>
bool isAny(const fx::Argument& value) {
  return (std::holds_alternative<Kinds>(value) || ...);
}

/// Whether a value can be one of the kind; a node can be a tensor or a symbolic number.
bool fits(ops::TypeKind kind, const fx::Argument& value) {
  using ops::TypeKind;
  switch (kind) {
    case TypeKind::Tensor: return isAny<fx::NodeId>(value);
    case TypeKind::Int:
    case TypeKind::SymInt: return isAny<std::int64_t, fx::NodeId>(value);
    case TypeKind::Float: return isAny<double, std::int64_t, fx::NodeId>(value);
    case TypeKind::Bool:
    case TypeKind::SymBool: return isAny<bool, fx::NodeId>(value);
    case TypeKind::Scalar:
    case TypeKind::Complex:
      return isAny<bool, std::int64_t, double, std::complex<double>, fx::NodeId>(value);
    case TypeKind::Str: return isAny<std::string>(value);
    case TypeKind::ScalarType: return isAny<DType>(value);
    case TypeKind::Layout: return isAny<Layout>(value);
    case TypeKind::MemoryFormat: return isAny<MemoryFormat>(value);
    case TypeKind::Device: return isAny<Device>(value);
    case TypeKind::Generator: return false;
    case TypeKind::Any: break;
  }
  return true;
}

bool fits(const ops::SchemaType& type, const fx::Argument& value) {
  if (value.isNone()) return type.optional;
  if (!type.isList()) return fits(type.kind, value);
  const fx::ArgumentList* items = value.list();
  if (items == nullptr) return false;
  return std::all_of(items->begin(), items->end(), [&](const fx::Argument& item) {
    if (type.listDepth > 1) return item.list() != nullptr;
    return item.isNone() ? type.elementOptional : fits(type.kind, item);
  });
}

/// The value of `text`, in which nodes are those before `node`.
Result<fx::Argument> valueFrom(const std::string& text, const fx::Program& program,
                               const fx::Node& node) {
  fx::TextCursor cursor(text, 1);
  auto value = cursor.argument([&](const std::string& name) -> std::optional<fx::NodeId> {
    for (const fx::NodeId id : program.graph(node.graph).nodes) {
      if (id == node.id) break;
      if (program.node(id).name == name) return id;
    }
    return std::nullopt;
  });
  if (value && !cursor.atEnd()) return cursor.expected("its end");
  return value;
}

std::vector<std::string_view> argumentNames(const fx::Node& node, const ops::Schema* schema) {
  std::vector<std::string_view> out;
  if (schema != nullptr)
    for (const ops::SchemaArgument& argument : schema->arguments) out.push_back(argument.name);
  for (const fx::NodeArgument& argument : node.args)
    if (std::find(out.begin(), out.end(), argument.name) == out.end()) out.push_back(argument.name);
  return out;
}

Result<> setArgument(fx::Program& program, fx::NodeId id, const std::string& name,
                     const std::string& text) {
  fx::Node& node = program.nodes[id.index()];
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  const std::vector<std::string_view> names = argumentNames(node, schema);
  if (name.empty() || std::find(names.begin(), names.end(), name) == names.end())
    return fail(ErrorCode::Usage,
                fmt::format("node '{}' ({}) has no argument '{}'{}", printable(node.name),
                            printable(node.target), printable(name), orSimilar(name, names)));
  const auto wrong = [&](const std::string& expected) {
    return fail(ErrorCode::Usage,
                fmt::format("argument '{}' of node '{}': expected {}, got {}; values are written "
                            "as `inspect --graph` prints them",
                            printable(name), printable(node.name), expected, printable(text)));
  };
  auto value = valueFrom(text, program, node);
  if (!value) return wrong("a value");
  const ops::SchemaArgument* declared = schema == nullptr ? nullptr : schema->find(name);
  if (declared != nullptr && !fits(declared->type, *value))
    return wrong(std::string(declared->type.spelling));
  const auto given = std::find_if(node.args.begin(), node.args.end(),
                                  [&](const fx::NodeArgument& each) { return each.name == name; });
  if (given != node.args.end()) given->value = *std::move(value);
  else node.args.push_back({name, *std::move(value), true});
  return {};
}

}  // namespace

Result<NodeChoices> nodeChoices(const fx::Program& program, const RewriteOptions& options) {
  NodeChoices out;
  for (const std::string& name : options.decomposeNodes) {
    FXS_TRY(const fx::NodeId node, nodeNamed(program, name));
    out.decompose.insert(node);
  }
  for (const std::string& name : options.keepNodes) {
    FXS_TRY(const fx::NodeId node, nodeNamed(program, name));
    if (out.decompose.contains(node))
      return fail(ErrorCode::Usage,
                  fmt::format("node '{}' is to be decomposed and kept", printable(name)));
    out.keep.insert(node);
  }
  return out;
}

Result<> ensureDecomposed(const fx::Program& user, const NodeChoices& choices,
                          const std::vector<Applied>& applied) {
  for (const fx::NodeId id : choices.decompose) {
    const bool isDone = std::any_of(applied.begin(), applied.end(), [&](const Applied& each) {
      return each.origin == id && each.rule.starts_with("decompose:");
    });
    if (isDone) continue;
    const fx::Node& node = user.node(id);
    return fail(ErrorCode::Usage, fmt::format("node '{}': there is no decomposition of {} in this "
                                              "form",
                                              printable(node.name), printable(node.target)));
  }
  return {};
}

Result<fx::Program> withArguments(const fx::Program& program, const RewriteOptions& options,
                                  std::vector<Applied>& applied) {
  fx::Program out = program;
  for (const auto& [argument, text] : options.arguments) {
    FXS_TRY(const fx::NodeId node, nodeNamed(program, argument.node));
    FXS_CHECK(setArgument(out, node, argument.name, text));
    applied.push_back({"set-argument:" + argument.name, node});
  }
  return out;
}

}  // namespace fxs::rewrite
