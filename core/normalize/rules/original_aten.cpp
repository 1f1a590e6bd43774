// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// original_aten: the op before decomposition, from from_node (what the node was made from, as JSON)
// or torch_fn (the Python function that was called).
#include "base/json.h"
#include "normalize/rule.h"
#include "normalize/value_text.h"
#include "ops/schema.h"

namespace fxs::normalize {
namespace {

constexpr int kMaxOrigins = 64;

struct Origin {
  std::string name, target;
};

/// The innermost entry of from_node: each list's first entry holds the list of what it was made
/// from.
Result<std::optional<Origin>> innermostOrigin(std::string_view text, const RunContext& context) {
  FXS_TRY(const std::shared_ptr<const JsonDocument> document,
          JsonDocument::parse(text, "from_node", {}, context));
  std::optional<Origin> out;
  std::optional<Json> list = document->root();
  for (int depth = 0; list && list->isArray() && list->size() > 0 && depth < kMaxOrigins; ++depth) {
    const Json entry = *list->begin();
    std::optional<Json> name = entry.find("name"), target = entry.find("target");
    if (name && name->isString()) {
      FXS_TRY(const std::string_view nameText, name->asString());
      out = Origin{std::string(nameText), ""};
      if (target && target->isString()) {
        FXS_TRY(const std::string_view targetText, target->asString());
        out->target = targetText;
      }
    }
    list = entry.find("from_node");
  }
  return out;
}

/// "linear" of "linear_1;builtin_function_or_method.linear".
std::string_view functionOf(std::string_view torchFn) {
  const std::size_t semicolon = torchFn.find(';');
  const std::string_view call =
      semicolon == std::string_view::npos ? torchFn : torchFn.substr(semicolon + 1);
  const std::size_t dot = call.rfind('.');
  return dot == std::string_view::npos ? call : call.substr(dot + 1);
}

MetadataChange torchFnChange(std::string_view torchFn) {
  const std::size_t semicolon = std::min(torchFn.find(';'), torchFn.size());
  return {"torch_fn", shortened(torchFn),
          "('" + std::string(torchFn.substr(0, semicolon)) + "', '" +
              std::string(torchFn.substr(std::min(semicolon + 1, torchFn.size()))) + "')",
          "", "a call of a Python function, and its name"};
}

MetadataChange fromNodeChange(std::string_view fromNode, const std::optional<Origin>& origin) {
  return {"from_node", shortened(fromNode),
          origin ? origin->name + " (" + origin->target + ")" : "unknown", "",
          origin ? "the innermost node that this node was created from"
                 : "the text is not in the format of PyTorch"};
}

void normalizeOriginalAten(const Values& values, const fx::Node& node, NodeMetadata& out,
                           std::vector<MetadataChange>& changes) {
  const fx::Program& program = values.program();
  const ops::SchemaTable& schemas = ops::SchemaTable::builtin();
  const std::optional<std::string_view> found = program.meta(node, "original_aten");
  if (const ops::Schema* schema = found ? schemas.find(*found) : nullptr)
    out.originalAten = schema->fxName();
  const std::optional<std::string_view> torchFn = program.meta(node, "torch_fn");
  if (torchFn) changes.push_back(torchFnChange(*torchFn));
  if (const std::optional<std::string_view> fromNode = program.meta(node, "from_node")) {
    const std::optional<Origin> origin =
        innermostOrigin(*fromNode, values.context()).value_or(std::nullopt);
    changes.push_back(fromNodeChange(*fromNode, origin));
    if (origin && out.originalAten.empty())
      if (const ops::Schema* schema = schemas.find(origin->target))
        out.originalAten = schema->fxName();
  }
  // Not decomposed: the function the user called is the op itself.
  if (out.originalAten.empty() && torchFn)
    if (const ops::Schema* own = schemas.find(node.target);
        own && own->packet == functionOf(*torchFn))
      out.originalAten = own->fxName();
  if (!out.originalAten.empty())
    changes.push_back(
        {"original_aten", found ? std::string(*found) : "(absent)", out.originalAten, "", ""});
}

}  // namespace

void registerOriginalAten(NormalizeRules& rules) {
  rules.add({"original-aten", "the operator of this node before decomposition", 70,
             normalizeOriginalAten});
}

}  // namespace fxs::normalize
