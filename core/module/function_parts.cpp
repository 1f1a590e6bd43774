// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/function_parts.h"

#include <algorithm>

#include "base/joined.h"

namespace fxs::module {
namespace {

using mlir::OpId;
using mlir::ValueId;

bool isOpening(char c) { return c == '(' || c == '[' || c == '{' || c == '<'; }

/// Not for the '>' of an arrow.
bool isClosing(std::string_view text, std::size_t at) {
  const char c = text[at];
  return c == ')' || c == ']' || c == '}' || (c == '>' && at > 0 && text[at - 1] != '-');
}

/// The quote that ends the string at `quote`, or the text's end.
std::size_t closingQuote(std::string_view text, std::size_t quote) {
  std::size_t i = quote + 1;
  for (; i < text.size() && text[i] != '"'; ++i)
    if (text[i] == '\\') ++i;
  return i;
}

/// The closing bracket for the one at `open`; npos if there is none. Skips strings.
std::size_t closingOf(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '"') i = closingQuote(text, i);
    else if (isOpening(text[i])) ++depth;
    else if (isClosing(text, i) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

/// The parts between top-level commas.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> out;
  const auto trimmed = [](std::string_view part) {
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    return part;
  };
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (isOpening(text[i])) {
      i = closingOf(text, i);
      if (i == std::string_view::npos) return {};
    } else if (text[i] == '"') {
      i = closingQuote(text, i);
    } else if (text[i] == ',') {
      out.push_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (!trimmed(text.substr(begin)).empty()) out.push_back(trimmed(text.substr(begin)));
  return out;
}

}  // namespace

std::optional<FunctionParts> FunctionParts::read(const mlir::Module& module, OpId function) {
  FunctionParts out(module);
  return out.readParts(function) ? std::optional<FunctionParts>(std::move(out)) : std::nullopt;
}

std::string FunctionParts::moduleWith(const Kept& kept) const {
  const bool computesNothing = kept.empty() || kept.front() >= operations_.size();
  const std::string function = functionWith(kept, returned_.empty() || computesNothing);
  return function.empty() ? function : std::string(before_) + function + std::string(after_);
}

std::string FunctionParts::functionWith(const Kept& kept, bool mayReturnNothing) const {
  const Selection chosen = selectionOf(kept);
  const std::vector<Returned> results = resultsOf(chosen);
  if (results.empty() && !mayReturnNothing) return {};
  std::set<ValueId> used = chosen.used;
  for (const Returned& result : results) used.insert(result.value);
  const auto arguments = argumentsFor(used, chosen.defined);
  if (!arguments) return {};
  std::vector<std::string_view> names, resultTypes;
  for (const Returned& result : results) {
    names.push_back(result.name);
    resultTypes.push_back(result.type);
  }
  const std::string types = joined(resultTypes);
  std::string out(head_);
  out += joined(*arguments) + ") -> (" + types + ")" + std::string(tail_) + "{\n";
  for (const OpId id : chosen.operations)
    out += "    " + std::string(textOf(m_->op(id).text)) + "\n";
  out += "    \"func.return\"(" + joined(names) + ") : (" + types + ") -> ()" + returnLocation_ +
         "\n  }";
  return out;
}

Kept FunctionParts::closed(const Kept& items) const {
  std::set<std::size_t> kept(items.begin(), items.end());
  Kept open = items;
  while (!open.empty()) {
    const std::size_t each = open.back();
    open.pop_back();
    if (each >= operations_.size()) continue;
    for (const mlir::Operand& operand : operandsWithin(operations_[each])) {
      if (!isOutside(operand.value) || canBeArgument(operand.value)) continue;
      const auto found =
          std::lower_bound(operations_.begin(), operations_.end(), m_->value(operand.value).op);
      const auto index = static_cast<std::size_t>(found - operations_.begin());
      if (index < operations_.size() && kept.insert(index).second) open.push_back(index);
    }
  }
  return {kept.begin(), kept.end()};
}

std::string FunctionParts::alone(std::size_t operation) const {
  return functionWith(closed({operation}), m_->op(operations_[operation]).results.size() == 0);
}

FunctionParts::Selection FunctionParts::selectionOf(const Kept& kept) const {
  Selection out;
  for (const std::size_t i : kept) {
    if (i >= operations_.size()) {
      out.returned.push_back(i - operations_.size());
      continue;
    }
    out.operations.push_back(operations_[i]);
    for (const mlir::Operand& operand : operandsWithin(operations_[i]))
      if (isOutside(operand.value)) out.used.insert(operand.value);
    const mlir::IndexRange results = m_->op(operations_[i]).results;
    for (std::uint32_t v = results.begin; v < results.end; ++v) out.defined.insert(ValueId::of(v));
  }
  return out;
}

std::vector<FunctionParts::Returned> FunctionParts::resultsOf(const Selection& chosen) const {
  std::vector<Returned> out;
  std::set<ValueId> given;
  for (const std::size_t k : chosen.returned) {
    const ValueId value = returned_[k].value;
    if (m_->value(value).kind == mlir::ValueKind::Result && !chosen.defined.contains(value))
      continue;
    given.insert(value);
    out.push_back(returned_[k]);
  }
  // Return unused values, or an engine might remove them.
  for (const ValueId value : chosen.defined)
    if (canBePassed(value) && !chosen.used.contains(value) && !given.contains(value))
      out.push_back({value, textOf(m_->value(value).name), textOf(m_->typeOf(value))});
  return out;
}

/// For what is used: the function's own, then removed results; nullopt if one cannot be an
/// argument.
std::optional<std::vector<std::string>> FunctionParts::argumentsFor(
    const std::set<ValueId>& used, const std::set<ValueId>& defined) const {
  std::vector<std::string> out;
  for (const ValueId value : used)
    if (m_->value(value).kind == mlir::ValueKind::Argument)
      out.emplace_back(arguments_[m_->value(value).index]);
  for (const ValueId value : used) {
    if (m_->value(value).kind == mlir::ValueKind::Argument || defined.contains(value)) continue;
    out.push_back(asArgument(value));
    if (out.back().empty()) return std::nullopt;
  }
  return out;
}

/// Of the operation and those in its regions, which follow it.
std::span<const mlir::Operand> FunctionParts::operandsWithin(OpId id) const {
  const mlir::Op& op = m_->op(id);
  std::size_t last = id.index();
  while (last + 1 < m_->ops.size() && m_->ops[last + 1].text.begin < op.text.end) ++last;
  return std::span(m_->operands)
      .subspan(op.operands.begin, m_->ops[last].operands.end - op.operands.begin);
}

/// Whether the value is one of the function's block, and not of a region in it.
bool FunctionParts::isOutside(ValueId id) const {
  const mlir::Value& value = m_->value(id);
  return (value.kind == mlir::ValueKind::Argument ? value.block : m_->op(value.op).block) == block_;
}

bool FunctionParts::readParts(OpId id) {
  const auto function = mlir::functionOf(*m_, id);
  if (!function || m_->regionsOf(id).size() != 1) return false;
  const mlir::RegionId region = m_->regionsOf(id).front();
  if (m_->blocksOf(region).size() != 1) return false;
  block_ = m_->blocksOf(region).front();
  return readHead(m_->op(id), function->signature, m_->region(region)) && readBody(*function);
}

bool FunctionParts::readHead(const mlir::Op& function, const mlir::Signature& signature,
                             const mlir::Region& region) {
  const std::string_view text = m_->text;
  const mlir::Block& block = m_->block(block_);
  const std::size_t open = text.find('(', function.text.begin);
  if (open == std::string_view::npos || open > region.text.begin) return false;
  const std::size_t close = closingOf(text, open);
  if (close == std::string_view::npos || close > region.text.begin) return false;
  before_ = text.substr(0, function.text.begin);
  head_ = text.substr(function.text.begin, open + 1 - function.text.begin);
  arguments_ = parts(text.substr(open + 1, close - open - 1));
  if (arguments_.size() != block.arguments.size()) return false;
  constexpr std::string_view kArrow = " -> ";
  std::size_t at = close + 1;
  if (text.substr(at).starts_with(" -> (")) {
    at = closingOf(text, at + kArrow.size());
    if (at == std::string_view::npos || at > region.text.begin) return false;
    ++at;
  } else if (text.substr(at).starts_with(kArrow)) {
    if (signature.results.size() != 1) return false;
    at += kArrow.size() + signature.results.front().size();
    if (at > region.text.begin) return false;
  }
  tail_ = text.substr(at, region.text.begin - at);
  if (tail_.find("->") != std::string_view::npos) return false;
  after_ = text.substr(region.text.end);
  return true;
}

bool FunctionParts::readBody(const mlir::Function& function) {
  const auto ops = m_->opsOf(block_);
  operations_.assign(ops.begin(), ops.end());
  if (operations_.empty() || m_->nameOf(operations_.back()) != "func.return") return false;
  const OpId last = operations_.back();
  operations_.pop_back();
  const auto operands = m_->operandsOf(last);
  const std::vector<std::string_view>& types = function.signature.results;
  if (types.size() != operands.size()) return false;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (!operands[i].value.valid()) return false;
    returned_.push_back({operands[i].value, textOf(operands[i].text), types[i]});
  }
  if (const TextRange location = m_->op(last).location; location.begin < location.end)
    returnLocation_ = " loc(" + std::string(textOf(location)) + ")";
  for (const OpId id : operations_)
    for (const mlir::Operand& operand : operandsWithin(id))
      if (!operand.value.valid()) return false;
  return true;
}

/// The one result of its operation. Numbers and lists of torch-mlir may be folded by the engine, so
/// as arguments they would change the program.
bool FunctionParts::canBePassed(ValueId id) const {
  const std::string_view type = textOf(m_->typeOf(id));
  return m_->op(m_->value(id).op).results.size() == 1 && !type.empty() &&
         (!type.starts_with("!torch.") || type.starts_with("!torch.vtensor<"));
}

bool FunctionParts::canBeArgument(ValueId id) const {
  const mlir::Value& value = m_->value(id);
  return value.kind == mlir::ValueKind::Argument ||
         (m_->op(value.op).operands.size() > 0 && canBePassed(id));
}

/// "" for what cannot be one.
std::string FunctionParts::asArgument(ValueId id) const {
  if (!canBeArgument(id)) return {};
  const mlir::Value& value = m_->value(id);
  const mlir::Op& op = m_->op(value.op);
  std::string out = std::string(textOf(value.name)) + ": " + std::string(textOf(m_->typeOf(id)));
  if (!textOf(op.location).empty()) out += " loc(" + std::string(textOf(op.location)) + ")";
  return out;
}

}  // namespace fxs::module
