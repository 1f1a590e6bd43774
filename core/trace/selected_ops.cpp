// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/selected_ops.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/safe_text.h"
#include "mlir/text/expanded_aliases.h"

namespace fxs::trace {
namespace {

std::string_view typeTextOf(const mlir::Module& module, mlir::ValueId value) {
  const std::string_view type = module.typeOf(value).of(module.text);
  if (!type.starts_with('!')) return type;
  const std::string_view body = module.aliasBody(type);
  return body.empty() ? type : body;
}

/// Of a result, or of an argument of a block of the operation.
bool definesElementType(const mlir::Module& module, mlir::OpId id, std::string_view element) {
  const auto isOne = [&](std::uint32_t value) {
    return hasElementType(typeTextOf(module, mlir::ValueId{value}), element);
  };
  const mlir::IndexRange results = module.op(id).results;
  for (std::uint32_t i = results.begin; i < results.end; ++i)
    if (isOne(i)) return true;
  for (const mlir::RegionId region : module.regionsOf(id))
    for (const mlir::BlockId block : module.blocksOf(region)) {
      const mlir::IndexRange arguments = module.block(block).arguments;
      for (std::uint32_t i = arguments.begin; i < arguments.end; ++i)
        if (isOne(i)) return true;
    }
  return false;
}

/// Whether operands are of `from`, results of `to`, and no operand of `to`.
bool converts(const mlir::Module& module, mlir::OpId id, std::string_view from,
              std::string_view to) {
  bool hasFrom = false;
  for (const mlir::Operand& operand : module.operandsOf(id)) {
    if (!operand.value.valid()) continue;
    const std::string_view type = typeTextOf(module, operand.value);
    if (hasElementType(type, to)) return false;
    hasFrom = hasFrom || hasElementType(type, from);
  }
  const mlir::IndexRange results = module.op(id).results;
  for (std::uint32_t i = results.begin; hasFrom && i < results.end; ++i)
    if (hasElementType(typeTextOf(module, mlir::ValueId{i}), to)) return true;
  return false;
}

/// Without the sizes before it: "f32" of "4x8xf32", and of "xf32" after a `?`.
std::string_view withoutSizes(std::string_view word) {
  while (true) {
    const auto digits = static_cast<std::size_t>(
        std::find_if_not(word.begin(), word.end(), isDigit) - word.begin());
    if (digits == word.size() || word[digits] != 'x') return word;
    word.remove_prefix(digits + 1);
  }
}

}  // namespace

bool hasElementType(std::string_view type, std::string_view element) {
  std::size_t at = 0;
  while (at < type.size()) {
    const std::size_t begin = at;
    while (at < type.size() && isWordChar(type[at])) ++at;
    if (at > begin && withoutSizes(type.substr(begin, at - begin)) == element) return true;
    if (at == begin) ++at;
  }
  return false;
}

Result<OpSelection> OpSelection::of(std::span<const OpTerm> terms, const Trace& trace) {
  OpSelection out;
  const std::vector<std::string>& names = trace.nodeNames();
  for (const OpTerm& term : terms) {
    Term& added = (term.key == OpTerm::Key::Text ? out.ofText_ : out.cheap_).emplace_back();
    added.term = &term;
    if (term.key != OpTerm::Key::Node) continue;
    for (const std::string& name : names) added.nodes.push_back(term.pattern->matches(name));
    if (term.node.empty() ||
        std::find(added.nodes.begin(), added.nodes.end(), true) != added.nodes.end())
      continue;
    const std::vector<std::string> near =
        nearest(term.node, std::vector<std::string_view>(names.begin(), names.end()), 1);
    return fail(ErrorCode::Usage,
                "condition: the trace has no node " + printableName(term.node) +
                    (near.empty() ? "" : "; did you mean " + printableName(near.front()) + "?"));
  }
  return out;
}

bool OpSelection::holds(const Term& term, const OpenText& text, const SeenOp& op) const {
  switch (term.term->key) {
    case OpTerm::Key::Op: return term.term->pattern->matches(op.name);
    case OpTerm::Key::Text: return term.term->pattern->matches(op.text);
    case OpTerm::Key::Type: return definesElementType(*text.module, op.op, term.term->type);
    case OpTerm::Key::Conversion:
      return converts(*text.module, op.op, term.term->type, term.term->toType);
    case OpTerm::Key::Line: return text.origins->lineOf(op.op) == term.term->number;
    case OpTerm::Key::After:
    case OpTerm::Key::Node: break;
  }
  // Operations that a node only uses, such as a shared constant, are not its own.
  const OpOrigin origin = text.origins->of(op.op);
  return origin.link != Link::None && origin.link != Link::Users &&
         std::any_of(origin.nodes.begin(), origin.nodes.end(), [&](fx::NodeId node) {
           return node.index() < term.nodes.size() && term.nodes[node.index()];
         });
}

std::vector<SeenOp> OpSelection::in(const OpenText& text, const RunContext& context) const {
  std::vector<SeenOp> out;
  const mlir::ExpandedAliases aliases(*text.module);
  for (std::size_t i = 0; i < text.module->ops.size(); ++i) {
    context.spend(Resource::Values, 1, "a condition");
    const mlir::OpId id = mlir::OpId::of(i);
    SeenOp op{id, text.module->nameOf(id), {}};
    const auto isTrue = [&](const Term& term) { return holds(term, text, op); };
    if (!std::all_of(cheap_.begin(), cheap_.end(), isTrue)) continue;
    op = seenOp(*text.module, aliases, id);
    if (std::all_of(ofText_.begin(), ofText_.end(), isTrue)) out.push_back(std::move(op));
  }
  return out;
}

}  // namespace fxs::trace
