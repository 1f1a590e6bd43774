// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "summary/flops.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "base/take_until.h"
#include "ops/operators.h"
#include "ops/schema.h"
#include "summary/saturating.h"

namespace fxs::summary {
namespace {

using Sizes = std::vector<std::int64_t>;
using Count = std::optional<std::uint64_t>;  ///< nullopt: a size is not known
constexpr std::uint64_t kFlopsOfProduct = 2;

std::uint64_t productOf(std::span<const std::int64_t> sizes) {
  std::uint64_t out = 1;
  for (const std::int64_t size : sizes)
    out = saturatingProduct(out, static_cast<std::uint64_t>(size));
  return out;
}

std::optional<Sizes> sizesOfValue(const fx::Value& value) {
  const fx::TensorMeta* tensor = value.tensor();
  if (const fx::ValueList* list = value.list(); list && !list->empty())
    tensor = list->front().tensor();
  if (tensor == nullptr) return std::nullopt;
  std::optional<Sizes> sizes = fx::staticSizes(tensor->sizes);
  const auto isNegative = [](std::int64_t size) { return size < 0; };
  if (sizes && std::any_of(sizes->begin(), sizes->end(), isNegative)) return std::nullopt;
  return sizes;
}

/// A call, whose result is the first tensor that it returns.
struct CountedCall {
  const fx::Program& program;
  const fx::Node& node;

  std::optional<Sizes> result() const { return sizesOfValue(node.val); }
  std::optional<Sizes> tensor(std::string_view argument) const {
    const fx::NodeArgument* given = node.find(argument);
    const fx::NodeId* id = given ? given->value.node() : nullptr;
    return id ? sizesOfValue(program.node(*id).val) : std::nullopt;
  }
};

/// Of "product/self": an element of the result sums the last dimension of the argument.
Count matrixProduct(const CountedCall& call, std::string_view argument) {
  const auto result = call.result(), summed = call.tensor(argument);
  if (!result || !summed || summed->empty()) return std::nullopt;
  return saturatingProduct(productOf(*result), static_cast<std::uint64_t>(summed->back()));
}

/// The filter is applied at each position of the result, or of the input of a transposed one, whose
/// channels are its first dimension.
Count convolution(const CountedCall& call, bool isTransposed) {
  const auto positions = isTransposed ? call.tensor("input") : call.result();
  const auto weight = call.tensor("weight");
  if (!positions || !weight || weight->empty()) return std::nullopt;
  const auto channels = static_cast<std::uint64_t>(weight->front());
  if (channels == 0) return 0;
  return saturatingProduct(productOf(*weight), productOf(*positions) / channels);
}

/// query @ key^T, and what it weighs @ value; a causal mask does not halve them.
Count attention(const CountedCall& call) {
  const auto result = call.result(), query = call.tensor("query"), key = call.tensor("key"),
             value = call.tensor("value");
  if (!result || !query || !key || !value) return std::nullopt;
  if (query->empty() || key->size() < 2 || value->empty()) return std::nullopt;
  const auto widthOfValue = static_cast<std::uint64_t>(value->back());
  if (widthOfValue == 0) return 0;
  const std::uint64_t weights = saturatingProduct(
      productOf(*result) / widthOfValue, static_cast<std::uint64_t>((*key)[key->size() - 2]));
  return saturatingProduct(weights, static_cast<std::uint64_t>(query->back()) + widthOfValue);
}

/// The elements of the result times those of the dimensions of `self` that are summed.
Count tensorProduct(const CountedCall& call) {
  const auto result = call.result(), self = call.tensor("self");
  const fx::NodeArgument* dims = call.node.find("dims_self");
  const fx::ArgumentList* summed = dims ? dims->value.list() : nullptr;
  if (!result || !self || summed == nullptr) return std::nullopt;
  const auto rank = static_cast<std::int64_t>(self->size());
  std::uint64_t out = productOf(*result);
  for (const fx::Argument& each : *summed) {
    const std::int64_t* dim = each.integer();
    if (dim == nullptr || *dim < -rank || *dim >= rank) return std::nullopt;
    out = saturatingProduct(
        out, static_cast<std::uint64_t>((*self)[static_cast<std::size_t>((*dim + rank) % rank)]));
  }
  return out;
}

/// Sizes by letter; false if an operand has another rank than its letters.
bool addLetters(std::string_view letters, const Sizes& sizes, std::map<char, std::int64_t>& of) {
  if (letters.size() != sizes.size()) return false;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    of[letters[i]] = std::max(of[letters[i]], sizes[i]);
  return true;
}

/// Of two operands, without an ellipsis.
struct Einsum {
  std::array<std::string, 2> operands;  ///< letters
  std::string result;
  std::array<fx::NodeId, 2> nodes;
};

std::optional<Einsum> einsumOf(const fx::Node& node) {
  const fx::NodeArgument *equation = node.find("equation"), *given = node.find("tensors");
  const auto* text = equation ? std::get_if<std::string>(&equation->value) : nullptr;
  const fx::ArgumentList* operands = given ? given->value.list() : nullptr;
  if (text == nullptr || operands == nullptr || operands->size() != 2) return std::nullopt;
  std::string letters = *text;
  std::erase(letters, ' ');
  const std::size_t arrow = letters.find("->"), comma = letters.find(',');
  const bool isPlain = letters.find('.') == std::string::npos;
  if (!isPlain || arrow == std::string::npos || comma > arrow) return std::nullopt;
  const fx::NodeId *left = operands->front().node(), *right = operands->back().node();
  if (left == nullptr || right == nullptr) return std::nullopt;
  return Einsum{{letters.substr(0, comma), letters.substr(comma + 1, arrow - comma - 1)},
                letters.substr(arrow + 2),
                {*left, *right}};
}

/// One product for each value of the letters that both operands have or that are in the result; a
/// letter of one operand alone is summed before. Without a common letter to sum, the operands are
/// multiplied element by element.
Count einsum(const fx::Program& program, const Einsum& call) {
  std::map<char, std::int64_t> sizes;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    const auto operand = sizesOfValue(program.node(call.nodes[i]).val);
    if (!operand || !addLetters(call.operands[i], *operand, sizes)) return std::nullopt;
  }
  std::uint64_t out = 1;
  bool isSummed = false;
  for (const auto& [letter, size] : sizes) {
    const bool isCommon = call.operands[0].find(letter) != std::string::npos &&
                          call.operands[1].find(letter) != std::string::npos;
    const bool isKept = call.result.find(letter) != std::string::npos;
    if (!isCommon && !isKept) continue;
    isSummed = isSummed || !isKept;
    out = saturatingProduct(out, static_cast<std::uint64_t>(size));
  }
  return isSummed ? out : 0;
}

Count productsOf(const CountedCall& call, std::string_view rule) {
  std::string_view argument = rule;
  if (takeUntil('/', argument) == "product") return matrixProduct(call, argument);
  if (rule == "convolution") return convolution(call, call.node.isTrue("transposed"));
  if (rule == "transposed-convolution") return convolution(call, true);
  if (rule == "attention") return attention(call);
  return tensorProduct(call);
}

/// Operators that run a subgraph once for each call.
bool runsOnce(std::string_view target) {
  return target.starts_with("higher_order.wrap") || target == "higher_order.invoke_subgraph";
}
/// Operators of which the subgraphs have all products.
bool hasProductsInSubgraphs(std::string_view target) {
  constexpr std::array<std::string_view, 5> kControlFlow{
      "higher_order.cond", "higher_order.while_loop", "higher_order.map_impl", "higher_order.scan",
      "higher_order.associative_scan"};
  return runsOnce(target) ||
         std::find(kControlFlow.begin(), kControlFlow.end(), target) != kControlFlow.end();
}

bool isPythonFunction(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("math.") ||
         target.starts_with("torch.sym_");
}

/// How often each graph runs in one run of the program; nullopt if that is not known.
std::vector<Count> runsOf(const fx::Program& program) {
  std::vector<Count> runs(program.graphs.size(), 0);
  const std::vector<std::vector<fx::NodeId>> users = fx::usersOf(program);
  for (std::size_t i = 0; i < runs.size(); ++i) {  // a graph comes after the one that holds it
    const fx::NodeId parent = program.graphs[i].parent;
    if (!parent.valid()) {
      runs[i] = 1;
      continue;
    }
    for (const fx::NodeId user : users[parent.index()]) {
      const fx::Node& node = program.node(user);
      const Count ofUser = node.graph.index() < i ? runs[node.graph.index()] : std::nullopt;
      const bool isKnown = runs[i] && ofUser && runsOnce(node.target);
      runs[i] = isKnown ? Count(*runs[i] + *ofUser) : std::nullopt;
    }
  }
  return runs;
}

}  // namespace

std::string_view name(FlopStanding standing) {
  switch (standing) {
    case FlopStanding::NoRule: return "no rule";
    case FlopStanding::UnknownSize: return "sizes known only at run time";
    case FlopStanding::UnknownRuns: return "in a branch or loop";
    case FlopStanding::NotCounted:
    case FlopStanding::Counted: break;
  }
  return "";
}

bool isFlopsRule(std::string_view rule) {
  constexpr std::array<std::string_view, 6> kRules{
      "convolution", "transposed-convolution", "attention", "tensordot", "einsum", "unknown"};
  return rule.starts_with("product/") ||
         std::find(kRules.begin(), kRules.end(), rule) != kRules.end();
}

Flops flopsOf(const fx::Program& program, const fx::Node& node) {
  if (node.op == fx::NodeOp::CallMethod || node.op == fx::NodeOp::CallModule)
    return {FlopStanding::NoRule};
  const bool isCall = node.op == fx::NodeOp::CallFunction;
  if (!isCall || hasProductsInSubgraphs(node.target) || isPythonFunction(node.target)) return {};
  const ops::Schema* schema = ops::SchemaTable::builtin().find(node.target);
  if (schema == nullptr || (schema->ns != "aten" && schema->ns != "prims"))
    return {FlopStanding::NoRule};
  std::string_view packet = schema->packet;
  if (schema->isMutable && packet.ends_with('_')) packet.remove_suffix(1);
  const std::string_view rule = ops::operatorNamed(packet).rule(ops::Rule::Flops);
  if (rule.empty()) return {};
  if (rule == "unknown") return {FlopStanding::NoRule};
  const std::optional<Einsum> pair = rule == "einsum" ? einsumOf(node) : std::nullopt;
  if (rule == "einsum" && !pair) return {FlopStanding::NoRule};
  const Count products = pair ? einsum(program, *pair) : productsOf({program, node}, rule);
  if (!products) return {FlopStanding::UnknownSize};
  return {FlopStanding::Counted, saturatingProduct(kFlopsOfProduct, *products)};
}

std::vector<Flops> flopsOf(const fx::Program& program) {
  const std::vector<Count> runs = runsOf(program);
  std::vector<Flops> out;
  out.reserve(program.nodes.size());
  for (const fx::Node& node : program.nodes) {
    Flops flops = flopsOf(program, node);
    const Count times = runs[node.graph.index()];
    if (flops.standing != FlopStanding::NotCounted && !times) flops = {FlopStanding::UnknownRuns};
    if (times) flops.count = saturatingProduct(flops.count, *times);
    out.push_back(flops);
  }
  return out;
}

}  // namespace fxs::summary
