// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce_module.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "base/joined.h"
#include "diagnose/minimize.h"
#include "mlir/text/function_types.h"
#include "mlir/text/module.h"

namespace fxs::diagnose {
namespace {

using mlir::OpId;
using mlir::ValueId;

constexpr std::size_t kOperationsAtOnce = 5000;

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

/// The parts of a function, from which candidates are built.
class FunctionParts {
 public:
  /// nullopt if the function has several blocks, or is not printed as the engine does.
  static std::optional<FunctionParts> read(const mlir::Module& module, OpId function) {
    FunctionParts out(module);
    return out.readParts(function) ? std::optional<FunctionParts>(std::move(out)) : std::nullopt;
  }

  /// Operations before the return, then what is returned.
  std::size_t items() const { return operations_.size() + returned_.size(); }

  /// "" if a kept item requires a removed one that cannot become an argument, or if nothing would
  /// be returned.
  std::string with(const Subset& kept) const {
    const Selection chosen = selectionOf(kept);
    const std::vector<Returned> results = resultsOf(chosen);
    if (results.empty() && !returned_.empty()) return {};
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
    std::string out(before_);
    out += joined(*arguments) + ") -> (" + types + ")" + std::string(tail_) + "{\n";
    for (std::size_t i = 0; i < operations_.size(); ++i)
      if (chosen.has[i]) out += "    " + std::string(textOf(m_->op(operations_[i]).text)) + "\n";
    out += "    \"func.return\"(" + joined(names) + ") : (" + types + ") -> ()" + returnLocation_ +
           "\n  }" + std::string(after_);
    return out;
  }

 private:
  struct Argument {
    ValueId value;
    std::string_view text;  ///< `%arg0: !torch.vtensor<[2],f32> loc(..)`
  };
  struct Returned {
    ValueId value;
    std::string_view name, type;
  };
  struct Selection {
    std::vector<bool> has;            ///< by item
    std::set<ValueId> used, defined;  ///< by the kept operations
  };

  Selection selectionOf(const Subset& kept) const {
    Selection out{std::vector<bool>(items(), false), {}, {}};
    for (const std::size_t i : kept) out.has[i] = true;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      if (!out.has[i]) continue;
      for (const mlir::Operand& operand : operandsWithin(operations_[i]))
        if (isOutside(operand.value)) out.used.insert(operand.value);
      const mlir::IndexRange results = m_->op(operations_[i]).results;
      for (std::uint32_t v = results.begin; v < results.end; ++v)
        out.defined.insert(ValueId::of(v));
    }
    return out;
  }

  std::vector<Returned> resultsOf(const Selection& chosen) const {
    std::vector<Returned> out;
    std::set<ValueId> given;
    for (std::size_t k = 0; k < returned_.size(); ++k) {
      const ValueId value = returned_[k].value;
      const bool isGone =
          m_->value(value).kind == mlir::ValueKind::Result && !chosen.defined.contains(value);
      if (!chosen.has[operations_.size() + k] || isGone) continue;
      given.insert(value);
      out.push_back(returned_[k]);
    }
    // Return unused values, or an engine might remove them.
    for (const ValueId value : chosen.defined)
      if (isTensor(value) && !chosen.used.contains(value) && !given.contains(value))
        out.push_back({value, textOf(m_->value(value).name), textOf(m_->typeOf(value))});
    return out;
  }

  /// For what is used: the function's own, then removed results; nullopt if one cannot be an
  /// argument.
  std::optional<std::vector<std::string>> argumentsFor(const std::set<ValueId>& used,
                                                       const std::set<ValueId>& defined) const {
    std::vector<std::string> out;
    for (const Argument& argument : arguments_)
      if (used.contains(argument.value)) out.emplace_back(argument.text);
    for (const ValueId value : used) {
      if (m_->value(value).kind == mlir::ValueKind::Argument || defined.contains(value)) continue;
      out.push_back(asArgument(value));
      if (out.back().empty()) return std::nullopt;
    }
    return out;
  }

  explicit FunctionParts(const mlir::Module& module) : m_(&module) {}

  std::string_view textOf(TextRange range) const {
    return m_->text.substr(range.begin, range.end - range.begin);
  }

  /// Of the operation and those in its regions, which follow it.
  std::span<const mlir::Operand> operandsWithin(OpId id) const {
    const mlir::Op& op = m_->op(id);
    std::size_t last = id.index();
    while (last + 1 < m_->ops.size() && m_->ops[last + 1].text.begin < op.text.end) ++last;
    return std::span(m_->operands)
        .subspan(op.operands.begin, m_->ops[last].operands.end - op.operands.begin);
  }

  /// Whether the value is one of the function's block, and not of a region in it.
  bool isOutside(ValueId id) const {
    const mlir::Value& value = m_->value(id);
    return (value.kind == mlir::ValueKind::Argument ? value.block : m_->op(value.op).block) ==
           block_;
  }

  bool readParts(OpId id) {
    const auto function = mlir::functionOf(*m_, id);
    if (!function || m_->regionsOf(id).size() != 1) return false;
    const mlir::RegionId region = m_->regionsOf(id).front();
    if (m_->blocksOf(region).size() != 1) return false;
    block_ = m_->blocksOf(region).front();
    return readHead(m_->op(id), function->signature, m_->region(region)) && readBody(*function);
  }

  bool readHead(const mlir::Op& function, const mlir::Signature& signature,
                const mlir::Region& region) {
    const std::string_view text = m_->text;
    const mlir::Block& block = m_->block(block_);
    const std::size_t open = text.find('(', function.text.begin);
    if (open == std::string_view::npos || open > region.text.begin) return false;
    const std::size_t close = closingOf(text, open);
    if (close == std::string_view::npos || close > region.text.begin) return false;
    before_ = text.substr(0, open + 1);
    const std::vector<std::string_view> arguments = parts(text.substr(open + 1, close - open - 1));
    if (arguments.size() != block.arguments.size()) return false;
    for (std::uint32_t i = 0; i < arguments.size(); ++i)
      arguments_.push_back({ValueId::of(block.arguments.begin + i), arguments[i]});
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

  bool readBody(const mlir::Function& function) {
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

  /// The one result of its operation, and a tensor.
  bool isTensor(ValueId id) const {
    const std::string_view type = textOf(m_->typeOf(id));
    return m_->op(m_->value(id).op).results.size() == 1 &&
           (type.starts_with("!torch.vtensor<") || type.starts_with("tensor<"));
  }

  /// Only tensors: a number, list or None may be folded by the engine, so as an argument it would
  /// change the program.
  std::string asArgument(ValueId id) const {
    const mlir::Value& value = m_->value(id);
    const mlir::Op& op = m_->op(value.op);
    if (op.operands.size() == 0 || !isTensor(id)) return {};
    std::string out = std::string(textOf(value.name)) + ": " + std::string(textOf(m_->typeOf(id)));
    if (!textOf(op.location).empty()) out += " loc(" + std::string(textOf(op.location)) + ")";
    return out;
  }

  const mlir::Module* m_;
  mlir::BlockId block_;
  std::string_view before_, tail_, after_;
  std::string returnLocation_;
  std::vector<Argument> arguments_;
  std::vector<OpId> operations_;
  std::vector<Returned> returned_;
};

/// Of `raw`, which fails with that signature: without what one function does not need.
Result<std::string> reduceFunction(const std::string& raw, const FunctionParts& function,
                                   const FailureSignature& wanted, const ModuleProbe& probe,
                                   const TimeLimit& budget, const RunContext& context) {
  const SubsetTest test =
      [&](const std::vector<Subset>& candidates) -> Result<std::optional<std::vector<bool>>> {
    if (context.stop.stop_requested() || budget.isReached())
      return std::optional<std::vector<bool>>();
    std::vector<std::string> texts;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (std::string text = function.with(candidates[i]); !text.empty()) {
        texts.push_back(std::move(text));
        asked.push_back(i);
      }
    auto failures = probe(texts, context);
    if (!failures && failures.error().code == ErrorCode::Cancelled)
      return std::optional<std::vector<bool>>();
    if (!failures) return tl::unexpected<Error>(failures.error());
    std::vector<bool> out(candidates.size(), false);
    for (std::size_t k = 0; k < asked.size(); ++k)
      out[asked[k]] = std::any_of((*failures)[k].begin(), (*failures)[k].end(),
                                  [&](const Failure& f) { return f.signature == wanted; });
    return std::optional(std::move(out));
  };
  Subset all(function.items());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  FXS_TRY(const auto full, test({all}));
  if (!full || !(*full)[0]) return raw;
  FXS_TRY(const Minimized result, minimize(all, kOperationsAtOnce, test));
  return result.kept.size() == all.size() ? raw : function.with(result.kept);
}

}  // namespace

Result<std::string> reduceModule(const std::string& raw, const FailureSignature& wanted,
                                 const ModuleProbe& probe, const TimeLimit& budget,
                                 const RunContext& context) {
  std::vector<OpId> functions;
  const mlir::Module given(raw);
  for (std::size_t i = 0; i < given.ops.size(); ++i)
    if (given.nameOf(OpId::of(i)) == "func.func") functions.push_back(OpId::of(i));
  // Backwards: what precedes a function that becomes shorter keeps its position.
  std::string out = raw;
  for (auto id = functions.rbegin(); id != functions.rend(); ++id) {
    const mlir::Module module(out);
    const std::optional<FunctionParts> function = FunctionParts::read(module, *id);
    if (!function) continue;
    FXS_TRY(std::string reduced, reduceFunction(out, *function, wanted, probe, budget, context));
    out = std::move(reduced);
  }
  return out;
}

}  // namespace fxs::diagnose
