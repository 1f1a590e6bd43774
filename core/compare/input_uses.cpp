// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/input_uses.h"

#include <cmath>

#include "compare/element_ranges.h"
#include "ops/operators.h"
#include "ops/shapes.h"

namespace fxs::compare {
namespace {

using Draw = InputRule::Draw;

/// Multiplied or filled in where a mask is 0, such as -1e9.
constexpr double kMaskedOut = 1000;

/// Which values are the elements of an input, only moved, repeated or converted; and how they are
/// used.
class Uses {
 public:
  Uses(const fx::Program& program, const Sizes& sizes, std::map<fx::NodeId, InputRule*> inputs,
       const RunContext& context)
      : program_(program),
        sizes_(sizes),
        inputs_(std::move(inputs)),
        source_(program.nodes.size()),
        positions_(program.nodes.size()),
        isElsewhere_(program.nodes.size(), false),
        complement_(program.nodes.size()) {
    for (const auto& [placeholder, rule] : inputs_)
      source_[placeholder.index()] = positions_[placeholder.index()] = placeholder;
    for (const fx::Node& node : program.nodes) {
      if (node.op != fx::NodeOp::CallFunction) {
        isElsewhere_[node.id.index()] = !source_[node.id.index()].valid();
        continue;
      }
      context.spend(Resource::Values, 1 + node.args.size(), "how inputs are used");
      follow(node);
      use(node);
    }
  }
  using Rule = void (Uses::*)(const fx::Node&);
  static const std::map<std::string_view, Rule>& rules() {
    static const std::map<std::string_view, Rule> kRules{{"truth", &Uses::truth},
                                                         {"fill", &Uses::fill},
                                                         {"product", &Uses::product},
                                                         {"sum", &Uses::sum},
                                                         {"attention", &Uses::attention},
                                                         {"divisor", &Uses::divisor},
                                                         {"inverse", &Uses::inverse},
                                                         {"shift", &Uses::shift},
                                                         {"sorted", &Uses::sorted},
                                                         {"offsets", &Uses::offsets},
                                                         {"put", &Uses::put},
                                                         {"scatter", &Uses::scatter},
                                                         {"index-copy", &Uses::indexCopy}};
    return kRules;
  }
  /// The nodes that write to places which are not distinct elements of inputs, as far as can be
  /// seen.
  const std::vector<fx::NodeId>& repeated() const { return repeated_; }

 private:
  fx::NodeId sourceOf(const fx::NodeArgument* argument) const {
    const fx::NodeId* id = argument == nullptr ? nullptr : argument->value.node();
    return id == nullptr ? fx::NodeId() : source_[id->index()];
  }
  const fx::TensorMeta* tensorOf(const fx::NodeArgument* argument) const {
    const fx::NodeId* id = argument == nullptr ? nullptr : argument->value.node();
    return id == nullptr ? nullptr : program_.node(*id).val.tensor();
  }
  InputRule* ruleOf(const fx::NodeArgument* argument) {
    const fx::NodeId source = sourceOf(argument);
    return source.valid() ? inputs_.at(source) : nullptr;
  }
  const fx::TensorMeta& meta(const InputRule& rule) const {
    return *program_.node(rule.node).val.tensor();
  }
  bool isNamedMask(const InputRule& rule) const {
    return program_.node(rule.node).name.find("mask") != std::string::npos;
  }

  /// A number, or a tensor of rank 0.
  bool isScalar(const fx::NodeArgument* argument) const {
    if (argument == nullptr) return false;
    if (argument->value.node() == nullptr) return true;
    const fx::TensorMeta* tensor = tensorOf(argument);
    return tensor != nullptr && tensor->rank() == 0;
  }

  void follow(const fx::Node& node) {
    if (node.args.empty()) return;
    const std::string_view packet = packetOf(node);
    const ops::Operator& row = ops::operatorNamed(packet);
    const std::size_t at = node.id.index();
    isElsewhere_[at] = packet == "arange";
    const fx::NodeId* first = node.args.front().value.node();
    if (first == nullptr) return;
    const bool isKept = row.is(ops::Trait::KeepsElements) || node.target == fx::kGetitem;
    if (isKept) {
      source_[at] = source_[first->index()];
      complement_[at] = complement_[first->index()];
    }
    if (isKept || (row.is(ops::Trait::KeepsDistinct) && keepsDistinct(node))) {
      positions_[at] = positions_[first->index()];
      isElsewhere_[at] = isElsewhere_[first->index()];
    }
    // 1 - mask
    if (packet == "rsub" && isScalar(second(node))) complement_[at] = source_[first->index()];
    if (packet == "sub" && isScalar(&node.args[0])) complement_[at] = sourceOf(second(node));
  }
  /// Elements that differ still differ when a number is added, or they are multiplied by one.
  bool keepsDistinct(const fx::Node& node) const {
    if (packetOf(node) == "neg") return true;
    if (node.args.size() < 2) return false;
    const std::int64_t* number = node.args[1].value.integer();
    return number != nullptr && (*number != 0 || packetOf(node) != "mul");
  }

  // ---- Rules by operator.

  void use(const fx::Node& node) {
    if (node.args.empty()) return;
    const auto rule = rules().find(operatorOf(node).rule(ops::Rule::Use));
    if (rule != rules().end()) (this->*rule->second)(node);
  }

  static const fx::NodeArgument* second(const fx::Node& node) {
    return node.args.size() > 1 ? &node.args[1] : nullptr;
  }
  void truth(const fx::Node& node) {
    const fx::TensorMeta* result = node.val.tensor();
    InputRule* rule = ruleOf(&node.args.front());
    if (rule == nullptr || result == nullptr || result->dtype != DType::Bool) return;
    rule->isTruth = rule->draw != Draw::Mask || rule->isTruth;
    mask(*rule, node);
  }
  void fill(const fx::Node& node) {
    for (const fx::NodeArgument* operand : {&node.args.front(), second(node)}) {
      const fx::NodeId* id = operand == nullptr ? nullptr : operand->value.node();
      if (id != nullptr && complement_[id->index()].valid())
        mask(*inputs_.at(complement_[id->index()]), node);
    }
  }
  void product(const fx::Node& node) {
    if (isMaskingNumber(second(node))) fill(node);
    for (InputRule* rule : namedMasks(node)) mask(*rule, node);
  }
  void sum(const fx::Node& node) {
    for (InputRule* rule : namedMasks(node)) additiveMask(*rule, node);
  }
  void attention(const fx::Node& node) {
    for (const char* name : {"attn_mask", "attn_bias"})
      if (InputRule* rule = ruleOf(node.find(name))) additiveMask(*rule, node);
  }
  void divisor(const fx::Node& node) { nonzero(second(node)); }
  void inverse(const fx::Node& node) { nonzero(&node.args.front()); }
  void shift(const fx::Node& node) {
    if (InputRule* rule = ruleOf(second(node))) rule->isShift = true;
  }

  void nonzero(const fx::NodeArgument* argument) {
    InputRule* rule = ruleOf(argument);
    if (rule != nullptr && rule->draw == Draw::Normal) rule->isNonzero = true;
  }
  /// The first two operands that are floats and masks by name.
  std::vector<InputRule*> namedMasks(const fx::Node& node) {
    std::vector<InputRule*> out;
    for (const fx::NodeArgument* operand : {&node.args.front(), second(node)}) {
      InputRule* rule = ruleOf(operand);
      if (rule != nullptr && isNamedMask(*rule) && isFloating(meta(*rule).dtype))
        out.push_back(rule);
    }
    return out;
  }
  bool isMaskingNumber(const fx::NodeArgument* argument) const {
    if (argument == nullptr) return false;
    if (const double* real = std::get_if<double>(&argument->value))
      return std::abs(*real) >= kMaskedOut;
    if (const std::int64_t* integer = argument->value.integer())
      return std::abs(static_cast<double>(*integer)) >= kMaskedOut;
    return isScalar(argument);
  }
  void mask(InputRule& rule, const fx::Node& node) {
    const fx::TensorMeta* result = node.val.tensor();
    if (result == nullptr || result->dtype != DType::Bool) rule.isTruth = false;
    if (rule.draw == Draw::Mask || isComplex(meta(rule).dtype)) return;
    rule.draw = Draw::Mask;
    rule.message = "zeros and ones, as a mask at " + node.name;
  }
  void additiveMask(InputRule& rule, const fx::Node& node) {
    if (rule.draw != Draw::Normal || !isFloating(meta(rule).dtype)) return;
    rule.draw = Draw::AdditiveMask;
    rule.message = "some elements are far below the others, as a mask at " + node.name;
  }

  void offsets(const fx::Node& node) {
    InputRule* rule = ruleOf(node.find("offsets"));
    const fx::TensorMeta* indices = tensorOf(node.find("indices"));
    if (rule == nullptr || indices == nullptr || indices->rank() != 1) return;
    const fx::SymInt& size = indices->sizes[0];
    const auto count =
        size.isStatic() ? std::optional(size.value()) : fx::evaluate(*size.expr(), sizes_);
    if (!count) return;
    rule->draw = Draw::Offsets;
    rule->max = static_cast<double>(*count);
    rule->message = "increasing, as offsets at " + node.name;
  }

  /// What is searched by halves is sorted, unless another argument says in which order.
  void sorted(const fx::Node& node) {
    const fx::NodeArgument* sequence = node.find("sorted_sequence");
    InputRule* rule = ruleOf(sequence != nullptr ? sequence : node.find("boundaries"));
    if (rule == nullptr || ruleOf(node.find("sorter")) != nullptr) return;
    rule->isSorted = true;
    rule->message = "ascending, to be searched at " + node.name;
  }

  // ---- Of several writes to one place, any may be the last.

  static bool isAdded(const fx::Node& node) {
    const fx::NodeArgument* accumulate = node.find("accumulate");
    const bool* adds = accumulate == nullptr ? nullptr : std::get_if<bool>(&accumulate->value);
    return adds != nullptr && *adds;
  }
  void put(const fx::Node& node) {
    const fx::NodeArgument* values = node.find("values");
    if (isAdded(node) || isScalar(values != nullptr ? values : node.find("source"))) return;
    const fx::NodeArgument* list = node.find("indices");
    const fx::ArgumentList* items = list == nullptr ? nullptr : list->value.list();
    if (items != nullptr) writesByList(node, *items);
    else writesAt(node, std::nullopt);
  }
  void scatter(const fx::Node& node) {
    if (node.find("src") == nullptr) return;
    const fx::NodeArgument* dim = node.find("dim");
    const std::int64_t* dimension = dim == nullptr ? nullptr : dim->value.integer();
    writesAt(node, dimension == nullptr ? std::nullopt : std::optional(*dimension));
  }
  void indexCopy(const fx::Node& node) { writesAt(node, std::nullopt); }

  void writesByList(const fx::Node& node, const fx::ArgumentList& items) {
    bool any = false, isKnown = false;
    for (const fx::Argument& item : items) {
      const fx::NodeId* id = item.node();
      if (id == nullptr) continue;
      const fx::TensorMeta* tensor = program_.node(*id).val.tensor();
      isKnown |= isElsewhere_[id->index()] || (tensor != nullptr && !isIntegral(tensor->dtype));
      if (positions_[id->index()].valid())
        any = distinct(node, positions_[id->index()], InputRule::kEverywhere) || any;
    }
    if (!any && !isKnown) repeated_.push_back(node.id);
  }
  /// At the places of `index`, which are distinct along `dimension` if one is given.
  void writesAt(const fx::Node& node, std::optional<std::int64_t> dimension) {
    const fx::NodeArgument* index = node.find("index");
    const fx::TensorMeta* tensor = tensorOf(index);
    if (tensor == nullptr) return;
    const std::size_t at = index->value.node()->index();
    const fx::NodeId position = positions_[at];
    if (!position.valid()) {
      if (!isElsewhere_[at]) repeated_.push_back(node.id);
      return;
    }
    std::optional<std::size_t> along;
    if (dimension && meta(*inputs_.at(position)).rank() == tensor->rank() && tensor->rank() > 0)
      along = ops::wrapIndex(*dimension, tensor->rank());
    distinct(node, position, along.value_or(InputRule::kEverywhere));
  }
  /// Whether the input's elements are drawn as distinct as there are places.
  bool distinct(const fx::Node& node, fx::NodeId input, std::size_t along) {
    InputRule& rule = *inputs_.at(input);
    if (rule.distinctAlong) return true;
    if (!isIntegral(meta(rule).dtype)) return false;
    rule.distinctAlong = along;
    rule.message = "distinct where possible, as places to write at " + node.name;
    return true;
  }

  const fx::Program& program_;
  const Sizes& sizes_;
  std::map<fx::NodeId, InputRule*> inputs_;
  std::vector<fx::NodeId> source_;  // by node: the input whose elements its elements are
  std::vector<fx::NodeId>
      positions_;  // by node: the input whose distinct elements make its elements distinct
  std::vector<bool> isElsewhere_;       // by node: a range or a weight, of which nothing is drawn
  std::vector<fx::NodeId> complement_;  // by node: the input that it is 1 minus
  std::vector<fx::NodeId> repeated_;
};

}  // namespace

bool isUseRule(std::string_view name) { return Uses::rules().contains(name); }

std::vector<fx::NodeId> followInputs(const fx::Program& program, const Sizes& sizes,
                                     std::map<fx::NodeId, InputRule*> inputs,
                                     const RunContext& context) {
  return Uses(program, sizes, std::move(inputs), context).repeated();
}

}  // namespace fxs::compare
