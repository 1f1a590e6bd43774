// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/reduce_module.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/joined.h"
#include "diagnose/minimize.h"
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

/// The parts of the last function written by the importer, from which candidates are built.
class MainFunction {
 public:
  /// nullopt if the text does not have the form that the importer writes.
  static std::optional<MainFunction> read(const mlir::Module& module) {
    MainFunction out(module);
    return out.readParts() ? std::optional<MainFunction>(std::move(out)) : std::nullopt;
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
    out += "    \"func.return\"(" + joined(names) + ") : (" + types + ") -> ()" +
           std::string(returnLocation_) + "\n  }" + std::string(after_);
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
      for (const mlir::Operand& operand : m_->operandsOf(operations_[i]))
        out.used.insert(operand.value);
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

  explicit MainFunction(const mlir::Module& module) : m_(&module) {}

  std::string_view textOf(TextRange range) const {
    return m_->text.substr(range.begin, range.end - range.begin);
  }

  bool readParts() {
    OpId function;
    for (std::size_t i = 0; i < m_->ops.size(); ++i)
      if (m_->nameOf(OpId::of(i)) == "func.func") function = OpId::of(i);
    if (!function.valid() || m_->regionsOf(function).size() != 1) return false;
    const mlir::Region& region = m_->region(m_->regionsOf(function).front());
    const auto blocks = m_->blocksOf(m_->regionsOf(function).front());
    if (blocks.size() != 1) return false;
    return readHead(m_->op(function), region, m_->block(blocks.front())) &&
           readBody(blocks.front());
  }

  bool readHead(const mlir::Op& function, const mlir::Region& region, const mlir::Block& block) {
    const std::string_view text = m_->text;
    const std::size_t open = text.find('(', function.text.begin);
    if (open == std::string_view::npos || open > region.text.begin) return false;
    const std::size_t close = closingOf(text, open);
    if (close == std::string_view::npos || close > region.text.begin) return false;
    before_ = text.substr(0, open + 1);
    const std::vector<std::string_view> arguments = parts(text.substr(open + 1, close - open - 1));
    if (arguments.size() != block.arguments.size()) return false;
    for (std::uint32_t i = 0; i < arguments.size(); ++i)
      arguments_.push_back({ValueId::of(block.arguments.begin + i), arguments[i]});
    std::size_t at = close + 1;
    if (text.substr(at).starts_with(" -> (")) {
      at = closingOf(text, at + 4);
      if (at == std::string_view::npos || at > region.text.begin) return false;
      ++at;
    }
    tail_ = text.substr(at, region.text.begin - at);
    if (tail_.find("->") != std::string_view::npos) return false;
    after_ = text.substr(region.text.end);
    return true;
  }

  bool readBody(mlir::BlockId block) {
    for (const OpId id : m_->opsOf(block)) {
      if (!m_->regionsOf(id).empty()) return false;
      operations_.push_back(id);
    }
    if (operations_.empty() || m_->nameOf(operations_.back()) != "func.return") return false;
    const mlir::Op& last = m_->op(operations_.back());
    const std::string_view text = textOf(last.text);
    const auto operands = m_->operandsOf(operations_.back());
    operations_.pop_back();
    const std::size_t colon = text.find(" : (");
    if (colon == std::string_view::npos) return false;
    const std::size_t close = closingOf(text, colon + 3);
    if (close == std::string_view::npos) return false;
    const std::vector<std::string_view> types = parts(text.substr(colon + 4, close - colon - 4));
    if (types.size() != operands.size()) return false;
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (!operands[i].value.valid()) return false;
      returned_.push_back({operands[i].value, textOf(operands[i].text), types[i]});
    }
    const std::size_t location = text.find(" loc(", close);
    if (location != std::string_view::npos) returnLocation_ = text.substr(location);
    for (const OpId id : operations_)
      for (const mlir::Operand& operand : m_->operandsOf(id))
        if (!operand.value.valid()) return false;
    return true;
  }

  /// The one result of its operation, and a tensor.
  bool isTensor(ValueId id) const {
    return m_->op(m_->value(id).op).results.size() == 1 &&
           textOf(m_->typeOf(id)).starts_with("!torch.vtensor<");
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
  std::string_view before_, tail_, after_, returnLocation_;
  std::vector<Argument> arguments_;
  std::vector<OpId> operations_;
  std::vector<Returned> returned_;
};

}  // namespace

Result<std::string> reduceModule(const std::string& raw, const FailureSignature& wanted,
                                 const ModuleProbe& probe, const TimeLimit& budget,
                                 const RunContext& context) {
  const mlir::Module module = mlir::readModule(raw);
  const std::optional<MainFunction> function = MainFunction::read(module);
  if (!function) return raw;
  const SubsetTest test =
      [&](const std::vector<Subset>& candidates) -> Result<std::optional<std::vector<bool>>> {
    if (context.stop.stop_requested() || budget.isReached())
      return std::optional<std::vector<bool>>();
    std::vector<std::string> texts;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (std::string text = function->with(candidates[i]); !text.empty()) {
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
  Subset all(function->items());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  FXS_TRY(const auto full, test({all}));
  if (!full || !(*full)[0]) return raw;
  FXS_TRY(const Minimized result, minimize(all, kOperationsAtOnce, test));
  return result.kept.size() == all.size() ? raw : function->with(result.kept);
}

}  // namespace fxs::diagnose
