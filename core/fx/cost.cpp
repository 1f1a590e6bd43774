// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/cost.h"

#include "fx/sym_extent.h"

namespace fxs::fx {
namespace {

constexpr std::uint64_t kCharacters = 20, kNode = 16, kArgument = 5, kElement = 3, kTensor = 7,
                        kDimension = 3;
constexpr std::uint64_t kCharactersOfText = 128;  // of a node's metadata, for one
constexpr std::uint64_t kPartsSquared = 64;
constexpr std::uint64_t kCharactersOfExpression = 8, kCharactersSquared = 128;

std::uint64_t costOf(const SymInt& size) { return size.isStatic() ? 0 : fx::costOf(*size.expr()); }

}  // namespace

std::uint64_t costOf(const SymExpr& e) {
  const std::uint64_t parts = extentOf(e).parts;
  return parts + parts * parts / kPartsSquared;
}

std::uint64_t costOf(const TensorMeta& meta) {
  std::uint64_t cost =
      kTensor + kDimension * (meta.sizes.size() + meta.strides.size()) + costOf(meta.storageOffset);
  for (const SymInt& size : meta.sizes) cost += costOf(size);
  for (const SymInt& stride : meta.strides) cost += costOf(stride);
  return cost;
}

std::uint64_t costOf(const Value& value) {
  if (const TensorMeta* tensor = value.tensor()) return costOf(*tensor);
  if (const SymValue* symbol = value.symbol()) return symbol->expr ? costOf(*symbol->expr) : 0;
  std::uint64_t cost = 0;
  // Values nest as deep as the JSON that they were read from (JsonLimits::maxDepth).
  if (const ValueList* parts = value.list())
    for (const Value& part : *parts) cost += kTensor + costOf(part);
  return cost;
}

std::uint64_t costOf(const Argument& argument) {
  std::uint64_t cost = kElement;
  if (const auto* text = std::get_if<std::string>(&argument)) cost += text->size() / kCharacters;
  else if (const auto* opaque = std::get_if<Opaque>(&argument))
    cost += opaque->text.size() / kCharacters;
  else if (const ArgumentList* items = argument.list())
    for (const Argument& item : *items) cost += costOf(item);
  else if (const auto* dict = std::get_if<ArgumentDict>(&argument))
    for (const auto& entry : *dict) cost += kElement + costOf(entry.second);
  else if (const auto* slice = std::get_if<Slice>(&argument))
    for (const Argument& part : slice->parts) cost += costOf(part);
  return cost;
}

std::uint64_t costOf(const Program& program, const Node& node) {
  std::uint64_t cost = kNode + costOf(node.val);
  for (const NodeArgument& argument : node.args) cost += kArgument + costOf(argument.value);
  return cost + costOf(program, node.meta);
}

std::uint64_t costOf(const Program& program, const std::vector<MetaString>& meta) {
  std::uint64_t cost = 0;
  for (const MetaString& entry : meta)
    cost += 1 + program.text(entry.text).size() / kCharactersOfText;
  return cost;
}

void spendNode(const Program& program, const Node& node, const RunContext& context) {
  const std::uint64_t cost = costOf(program, node);
  // The name is formatted only for the error.
  const bool enough =
      context.budget->left(Resource::Nodes) > 0 && context.budget->left(Resource::Values) >= cost;
  const std::string subject = enough ? std::string() : "node '" + node.name + "'";
  context.spend(Resource::Nodes, 1,
                enough ? std::string_view(node.name) : std::string_view(subject));
  context.spend(Resource::Values, cost,
                enough ? std::string_view(node.name) : std::string_view(subject));
}

std::uint64_t costOfParsing(std::string_view expression) {
  const std::uint64_t size = expression.size() <= kMaxSymExprLength
                                 ? expression.size()
                                 : 0;  // a longer one is rejected unread
  return size / kCharactersOfExpression + size * size / kCharactersSquared;
}

}  // namespace fxs::fx
