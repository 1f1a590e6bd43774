// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/guards.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "base/ascii.h"
#include "ops/shapes.h"

namespace fxs::compare {
namespace {

using Kind = fx::SymExpr::Kind;

bool isComparison(const fx::SymExpr& e) {
  return e.kind == Kind::Call &&
         (e.name == "Equality" || e.name == "Unequality" || e.name.ends_with("Than"));
}

/// "2 <= s0 <= 8" is parsed as in C, which is not what Python means.
bool hasChainedComparison(const fx::SymExpr& e) {
  return std::any_of(e.operands.begin(), e.operands.end(), [&](const fx::SymExprPtr& operand) {
    return (isComparison(e) && isComparison(*operand)) || hasChainedComparison(*operand);
  });
}

/// Rewrites a guard as an expression of symbols: "L['x'].size()[0] % 8 == 0" becomes "(s0) % 8 ==
/// 0". A path into a structured argument, "L['a'][0]", is a placeholder's name, "a_0"
/// (torch._export.utils.placeholder_naming_pass); "L['flat_args'][0]" of a strict export is the
/// first input.
class GuardText {
 public:
  GuardText(const fx::Program& program, std::string_view text) : program_(program), text_(text) {}

  std::optional<std::string> symbols() {
    std::string out;
    while (at_ < text_.size()) {
      if (skip("L['")) {
        const auto value = input();
        if (!value) return std::nullopt;
        out += "(" + *value + ")";
      } else if (isWordChar(text_[at_])) {
        const std::size_t begin = at_;
        while (at_ < text_.size() && isWordChar(text_[at_])) ++at_;
        const std::string_view word = text_.substr(begin, at_ - begin);
        if (word == "not") return std::nullopt;  // binds less tightly than comparisons, unlike ~
        if (word == "and") out += '&';
        else if (word == "or") out += '|';
        else out += word;
      } else {
        out += text_[at_++];
      }
    }
    return out;
  }

 private:
  bool skip(std::string_view prefix) {
    if (!text_.substr(at_).starts_with(prefix)) return false;
    at_ += prefix.size();
    return true;
  }
  std::optional<std::string_view> upTo(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return std::nullopt;
    const std::string_view out = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return out;
  }
  std::optional<std::size_t> index() {
    const auto digits = upTo("]");
    std::size_t out = 0;
    if (!digits || std::from_chars(digits->data(), digits->data() + digits->size(), out).ptr !=
                       digits->data() + digits->size())
      return std::nullopt;
    return out;
  }

  std::optional<std::string> input() {
    auto part = upTo("']");
    if (!part) return std::nullopt;
    std::string name(*part);
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] == '[') {
      ++at_;
      const bool isKey = skip("'");
      part = upTo(isKey ? "']" : "]");
      if (!part) return std::nullopt;
      name += "_" + std::string(*part);
    }
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const fx::Node* node : givenInputs(program_))
      if (node->name == name) return valueOf(*node);
    if (!name.starts_with("flat_args_")) return std::nullopt;
    at_ = begin + 1;
    const auto position = index();
    const fx::Node* node = position ? userInput(*position) : nullptr;
    return node == nullptr ? std::nullopt : valueOf(*node);
  }

  const fx::Node* userInput(std::size_t position) const {
    for (const fx::InputSpec& spec : program_.inputs)
      if (spec.kind == fx::InputKind::UserInput && position-- == 0)
        return &program_.node(spec.node);
    return nullptr;
  }

  std::optional<std::string> valueOf(const fx::Node& node) {
    if (const fx::SymValue* symbol = node.val.symbol())
      return symbol->expr ? std::optional(fx::infix(*symbol->expr)) : std::nullopt;
    const fx::TensorMeta* tensor = node.val.tensor();
    if (tensor == nullptr) return std::nullopt;
    if (skip(".storage_offset()")) return tensor->storageOffset.text();
    const bool isSize = skip(".size()[") || skip(".shape[");
    if (!isSize && !skip(".stride()[")) return std::nullopt;
    const auto dimension = index();
    const std::vector<fx::SymInt>& of = isSize ? tensor->sizes : tensor->strides;
    return dimension && *dimension < of.size() ? std::optional(of[*dimension].text())
                                               : std::nullopt;
  }

  const fx::Program& program_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<fx::SymExprPtr> guardExpr(const fx::Program& program, std::string_view text) {
  const auto symbols = GuardText(program, text).symbols();
  if (!symbols) return std::nullopt;
  const auto expr = fx::parseInfix(*symbols);
  if (!expr || hasChainedComparison(**expr)) return std::nullopt;
  return *expr;
}

/// select_scatter wants a source with the sizes of the slice that it replaces; torch.export does
/// not guard them.
std::vector<SizeCondition> sourceSizes(const fx::Program& program, const fx::Node& node) {
  if (node.target != "aten.select_scatter.default") return {};
  const auto metaOf = [&](std::string_view name) -> const fx::TensorMeta* {
    const fx::NodeArgument* argument = node.find(name);
    const fx::NodeId* operand = argument == nullptr ? nullptr : argument->value.node();
    return operand == nullptr ? nullptr : program.node(*operand).val.tensor();
  };
  const fx::TensorMeta* self = metaOf("self");
  const fx::TensorMeta* source = metaOf("src");
  const fx::NodeArgument* dim = node.find("dim");
  const std::int64_t* dimension = dim == nullptr ? nullptr : dim->value.integer();
  if (self == nullptr || source == nullptr || dimension == nullptr ||
      source->rank() + 1 != self->rank())
    return {};
  const auto selected = ops::wrapIndex(*dimension, self->rank());
  if (!selected) return {};
  std::vector<fx::SymInt> slice = self->sizes;
  slice.erase(slice.begin() + static_cast<std::ptrdiff_t>(*selected));
  std::vector<SizeCondition> out;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    std::string text = "(" + source->sizes[i].text() + ") == (" + slice[i].text() + ")";
    auto expr = fx::parseInfix(text);
    if (expr && source->sizes[i].text() != slice[i].text())
      out.push_back({*std::move(expr), std::move(text)});
  }
  return out;
}

}  // namespace

std::vector<const fx::Node*> givenInputs(const fx::Program& program) {
  std::vector<const fx::Node*> out;
  for (const fx::InputSpec& spec : program.inputs) {
    if (spec.kind != fx::InputKind::UserInput) continue;
    const fx::Node& node = program.node(spec.node);
    const fx::SymValue* symbol = node.val.symbol();
    if (node.val.tensor() != nullptr || (symbol != nullptr && symbol->expr)) out.push_back(&node);
  }
  return out;
}

std::vector<std::string> inputSymbols(const fx::Program& program) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  const auto see = [&](const std::string& symbol) {
    if (seen.insert(symbol).second) out.push_back(symbol);
  };
  for (const fx::Node* node : givenInputs(program)) {
    if (const fx::TensorMeta* tensor = node->val.tensor()) {
      for (const fx::SymInt& size : tensor->sizes)
        if (!size.isStatic()) fx::collectSymbols(*size.expr(), see);
    } else if (node->val.symbol()->kind != fx::SymKind::Float) {
      fx::collectSymbols(*node->val.symbol()->expr, see);
    }
  }
  return out;
}

SizeConditions sizeConditions(const fx::Program& program, const RunContext& context) {
  SizeConditions out;
  for (const std::string& guard : program.guards) {
    context.spend(Resource::Values, 1 + guard.size(), "the guards of the program");
    if (auto expr = guardExpr(program, guard)) out.known.push_back({*expr, guard});
    else out.unread.push_back(guard);
  }
  const std::vector<std::string> symbols = inputSymbols(program);
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    for (SizeCondition& condition : sourceSizes(program, node))
      out.known.push_back(std::move(condition));
    const fx::SymExprPtr condition = fx::assertedBy(program, node);
    if (!condition) continue;
    bool isOfInputs = true;
    fx::collectSymbols(*condition, [&](const std::string& name) {
      isOfInputs = isOfInputs && std::find(symbols.begin(), symbols.end(), name) != symbols.end();
    });
    if (isOfInputs) out.known.push_back({condition, fx::infix(*condition)});
  }
  return out;
}

}  // namespace fxs::compare
