// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/call_structure.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "fx/evaluated_text.h"

namespace fxs::fx {
namespace {

constexpr std::uint64_t kMaxTreeBytes = std::uint64_t{1} << 20;
constexpr std::size_t kMaxTreeDepth = 100;
constexpr std::array<std::string_view, 8> kFactories{"list", "dict",  "int",  "float",
                                                     "str",  "tuple", "bool", "set"};

/// "default_factory_module" of a defaultdict is imported, and the name is taken from it.
bool isBuiltinFactory(const Json& node) {
  const auto context = node.find("context");
  return context && context->isObject() &&
         context->textOrEmpty("default_factory_module") == "builtins" &&
         std::find(kFactories.begin(), kFactories.end(),
                   context->textOrEmpty("default_factory_name")) != kFactories.end();
}

/// Counts the leaves; false for what is no node of a tree.
bool count(const Json& node, std::size_t depth, std::size_t& leaves) {
  const auto type = node.find("type");
  const auto children = node.find("children_spec");
  if (depth > kMaxTreeDepth || !type || !children || !children->isArray()) return false;
  if (type->isNull()) {
    ++leaves;
    return children->size() == 0;
  }
  const auto name = type->asString();
  if (!name || !isTargetText(*name)) return false;
  if (*name == "collections.defaultdict" && !isBuiltinFactory(node)) return false;
  for (const Json child : *children)
    if (!count(child, depth + 1, leaves)) return false;
  return true;
}

/// Positional and keyword arguments, if the tree is of both.
std::size_t argumentsIn(const Json& root) {
  std::size_t out = 0;
  if (const auto children = root.find("children_spec"); children && children->size() == 2)
    for (const Json child : *children)
      if (const auto each = child.find("children_spec"); each && each->isArray())
        out += each->size();
  return out;
}

}  // namespace

std::optional<TreeLeaves> leavesOf(std::string_view tree) {
  // An enumeration among the keys of a dict is imported; its mark may be escaped.
  if (tree.find("__enum") != std::string_view::npos || tree.find("\\u") != std::string_view::npos)
    return std::nullopt;
  const auto document = JsonDocument::parse(tree, "tree", {kMaxTreeBytes, 4 * kMaxTreeDepth});
  if (!document || !(*document)->root().isArray() || (*document)->root().size() != 2)
    return std::nullopt;
  auto item = (*document)->root().begin();
  const auto version = (*item).asInt();
  if (!version || *version != 1) return std::nullopt;
  const Json root = *++item;
  TreeLeaves out;
  if (!count(root, 0, out.count)) return std::nullopt;
  out.arguments = argumentsIn(root);
  return out;
}

}  // namespace fxs::fx
