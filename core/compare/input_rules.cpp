// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/input_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "compare/element_ranges.h"
#include "compare/guards.h"
#include "ops/shapes.h"

namespace fxs::compare {
namespace {

using Draw = InputRule::Draw;

constexpr double kMostNormal = 6;   // of the generator (random.h)
constexpr double kMostInteger = 9;  // where nothing demands otherwise
constexpr double kUnlimited = 1 << 24;
constexpr double kLeastTried = 8;  // lower bounds 0 .. 8
/// Multiplied or filled in where a mask is 0, such as -1e9.
constexpr double kMaskedOut = 1000;

/// What to draw floats from, in order of preference.
struct Span {
  double min, max;
};
constexpr std::array<Span, 5> kSpans{
    {{-kMostNormal, kMostNormal}, {0.0625, 4}, {-0.9375, 0.9375}, {0.0625, 0.9375}, {1.0625, 4}}};

/// The limits of a type; large ones are those that are searched up to.
IntegerLimits limitsOf(DType dtype, Bounds bounds) {
  IntegerLimits out = integerLimits(dtype);
  if (bounds == Bounds::Widest) return out;
  out.least = 0;
  if (facts(dtype).bytes > 2) out.most = kUnlimited;
  return out;
}

std::string numberText(double value) {
  std::string text = std::to_string(value);
  if (value == std::trunc(value)) return text.substr(0, text.find('.'));
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

bool keepsElements(std::string_view packet) {
  constexpr std::array<std::string_view, 33> kKept{"alias",      "broadcast_to",
                                                   "clone",      "contiguous",
                                                   "detach",     "expand",
                                                   "expand_as",  "flatten",
                                                   "lift_fresh", "lift_fresh_copy",
                                                   "movedim",    "narrow",
                                                   "permute",    "ravel",
                                                   "repeat",     "reshape",
                                                   "reshape_as", "select",
                                                   "slice",      "squeeze",
                                                   "swapaxes",   "t",
                                                   "to",         "_to_copy",
                                                   "type_as",    "transpose",
                                                   "unbind",     "unflatten",
                                                   "unsqueeze",  "view",
                                                   "view_as",    "_unsafe_view",
                                                   "split"};
  return std::find(kKept.begin(), kKept.end(), packet) != kKept.end();
}

/// Which values are the elements of an input, only moved, repeated or converted; and how they are
/// used.
class Uses {
 public:
  Uses(const fx::Program& program, const Sizes& sizes, std::map<fx::NodeId, InputRule*> rules,
       const RunContext& context)
      : program_(program),
        sizes_(sizes),
        rules_(std::move(rules)),
        source_(program.nodes.size()),
        places_(program.nodes.size()),
        isElsewhere_(program.nodes.size(), false),
        complement_(program.nodes.size()) {
    for (const auto& [placeholder, rule] : rules_)
      source_[placeholder.index()] = places_[placeholder.index()] = placeholder;
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
    return source.valid() ? rules_.at(source) : nullptr;
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
    const std::string_view packet = packetOf(node);
    if (node.args.empty()) return;
    const fx::NodeId* first = node.args.front().value.node();
    isElsewhere_[node.id.index()] = packet == "arange";
    if (first == nullptr) return;
    const auto samePlaces = [&] {
      places_[node.id.index()] = places_[first->index()];
      isElsewhere_[node.id.index()] = isElsewhere_[first->index()];
    };
    if (keepsElements(packet) || node.target == fx::kGetitem) {
      source_[node.id.index()] = source_[first->index()];
      samePlaces();
      complement_[node.id.index()] = complement_[first->index()];
    }
    if (packet == "neg") samePlaces();
    if (node.args.size() < 2) return;
    // Elements that differ still differ when a number is added, or they are multiplied by one.
    const std::int64_t* number = node.args[1].value.integer();
    if (number != nullptr && (packet == "add" || packet == "sub" || packet == "rsub" ||
                              (packet == "mul" && *number != 0)))
      samePlaces();
    // 1 - mask
    if (packet == "rsub" && isScalar(&node.args[1]))
      complement_[node.id.index()] = source_[first->index()];
    if (packet == "sub" && isScalar(&node.args[0]))
      complement_[node.id.index()] = sourceOf(&node.args[1]);
  }

  void use(const fx::Node& node) {
    const std::string_view packet = packetOf(node);
    if (packet.empty() || node.args.empty()) return;
    const fx::NodeArgument *first = &node.args.front(),
                           *second = node.args.size() > 1 ? &node.args[1] : nullptr;
    // Zeros and ones.
    if (packet == "to" || packet == "_to_copy") {
      const fx::TensorMeta* result = node.val.tensor();
      InputRule* rule = ruleOf(first);
      if (rule != nullptr && result != nullptr && result->dtype == DType::Bool) {
        rule->isTruth = rule->draw != Draw::Mask || rule->isTruth;
        mask(*rule, node);
      }
    }
    if (packet == "masked_fill" || packet == "mul") {
      const bool isLarge = packet == "masked_fill" || isMaskingNumber(second);
      for (const fx::NodeArgument* operand : {first, second}) {
        const fx::NodeId* id = operand == nullptr ? nullptr : operand->value.node();
        if (id != nullptr && isLarge && complement_[id->index()].valid())
          mask(*rules_.at(complement_[id->index()]), node);
      }
    }
    if (packet.find("scaled_dot_product") != std::string_view::npos)
      for (const char* name : {"attn_mask", "attn_bias"})
        if (InputRule* rule = ruleOf(node.find(name))) additiveMask(*rule, node);
    if (packet == "add" || packet == "mul")
      for (const fx::NodeArgument* operand : {first, second}) {
        InputRule* rule = ruleOf(operand);
        if (rule == nullptr || !isNamedMask(*rule) || !isFloating(meta(*rule).dtype)) continue;
        if (packet == "add") additiveMask(*rule, node);
        else mask(*rule, node);
      }
    // Divisors.
    if (packet == "div" || packet == "true_divide" || packet == "reciprocal" ||
        packet == "remainder" || packet == "fmod") {
      InputRule* rule = ruleOf(packet == "reciprocal" ? first : second);
      if (rule != nullptr && rule->draw == Draw::Normal) rule->isNonzero = true;
    }
    if (packet.find("shift__") != std::string_view::npos || packet.ends_with("_shift"))
      if (InputRule* rule = ruleOf(second)) rule->isShift = true;
    if (packet == "searchsorted" || packet == "bucketize") sorted(node);
    if (packet == "embedding_bag" || packet == "_embedding_bag") offsets(node);
    writes(node, packet);
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
    rule.why = "zeros and ones, as a mask at " + node.name;
  }
  void additiveMask(InputRule& rule, const fx::Node& node) {
    if (rule.draw != Draw::Normal || !isFloating(meta(rule).dtype)) return;
    rule.draw = Draw::AdditiveMask;
    rule.why = "some elements are far below the others, as a mask at " + node.name;
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
    rule->why = "increasing, as offsets at " + node.name;
  }

  /// What is searched by halves is sorted, unless another argument says in which order.
  void sorted(const fx::Node& node) {
    const fx::NodeArgument* sequence = node.find("sorted_sequence");
    InputRule* rule = ruleOf(sequence != nullptr ? sequence : node.find("boundaries"));
    if (rule == nullptr || ruleOf(node.find("sorter")) != nullptr) return;
    rule->isSorted = true;
    rule->why = "ascending, to be searched at " + node.name;
  }

  /// Of several writes to one place, any may be the last.
  void writes(const fx::Node& node, std::string_view packet) {
    const bool isPut = packet == "index_put" || packet == "_unsafe_index_put" ||
                       packet == "_index_put_impl" || packet == "put";
    if (packet != "scatter" && packet != "index_copy" && !isPut) return;
    const fx::NodeArgument* accumulate = node.find("accumulate");
    const bool* adds = accumulate == nullptr ? nullptr : std::get_if<bool>(&accumulate->value);
    if (adds != nullptr && *adds) return;
    if (isPut &&
        isScalar(node.find("values") != nullptr ? node.find("values") : node.find("source")))
      return;
    if (packet == "scatter" && node.find("src") == nullptr) return;
    const fx::NodeArgument* list = node.find("indices");
    if (const fx::ArgumentList* items = list == nullptr ? nullptr : list->value.list()) {
      bool any = false, isKnown = false;
      for (const fx::Argument& item : *items) {
        const fx::NodeId* id = item.node();
        if (id == nullptr) continue;
        const fx::TensorMeta* tensor = program_.node(*id).val.tensor();
        isKnown |= isElsewhere_[id->index()] || (tensor != nullptr && !isIntegral(tensor->dtype));
        if (places_[id->index()].valid())
          any = distinct(node, places_[id->index()], InputRule::kEverywhere) || any;
      }
      if (!any && !isKnown) repeated_.push_back(node.id);
      return;
    }
    const fx::NodeArgument* index = node.find("index");
    const fx::TensorMeta* tensor = tensorOf(index);
    if (tensor == nullptr) return;
    const fx::NodeId place =
        index->value.node() == nullptr ? fx::NodeId() : places_[index->value.node()->index()];
    if (!place.valid()) {
      if (!isElsewhere_[index->value.node()->index()]) repeated_.push_back(node.id);
      return;
    }
    const fx::NodeArgument* dim = node.find("dim");
    const std::int64_t* dimension = dim == nullptr ? nullptr : dim->value.integer();
    std::optional<std::size_t> along;
    if (packet == "scatter" && dimension != nullptr &&
        meta(*rules_.at(place)).rank() == tensor->rank() && tensor->rank() > 0)
      along = ops::wrapIndex(*dimension, tensor->rank());
    distinct(node, place, along.value_or(InputRule::kEverywhere));
  }
  /// Whether the input's elements are drawn as distinct as there are places.
  bool distinct(const fx::Node& node, fx::NodeId input, std::size_t along) {
    InputRule& rule = *rules_.at(input);
    if (rule.distinctAlong) return true;
    if (!isIntegral(meta(rule).dtype)) return false;
    rule.distinctAlong = along;
    rule.why = "distinct where possible, as places to write at " + node.name;
    return true;
  }

  const fx::Program& program_;
  const Sizes& sizes_;
  std::map<fx::NodeId, InputRule*> rules_;
  std::vector<fx::NodeId> source_;  // by node: the input whose elements its elements are
  std::vector<fx::NodeId>
      places_;  // by node: the input whose distinct elements make its elements distinct
  std::vector<bool> isElsewhere_;       // by node: a range or a weight, of which nothing is drawn
  std::vector<fx::NodeId> complement_;  // by node: the input that it is 1 minus
  std::vector<fx::NodeId> repeated_;
};

/// Finds the largest bounds of inputs that fulfil all demands on them.
class BoundsSearch {
 public:
  BoundsSearch(const fx::Program& program, std::vector<InputRule>& rules, const Sizes& sizes,
               Bounds bounds, const RunContext& context)
      : program_(program),
        rules_(rules),
        bounds_(bounds),
        ranges_(program, sizes, bounds == Bounds::Widest, context) {
    for (InputRule& rule : rules_) {
      const DType dtype = typeOf(rule);
      if (rule.draw == Draw::Mask || dtype == DType::Bool)
        rule.draw = Draw::Mask, rule.min = 0, rule.max = 1;
      else if (rule.draw == Draw::Offsets) rule.min = 0;
      else if (isIntegral(dtype)) rule.draw = Draw::Integers;
      else rule.min = -kMostNormal, rule.max = kMostNormal;
      if (!isComplex(dtype)) ranges_.set(rule.node, rule.min, rule.max);
    }
    ranges_.propagate();
    demands_ = ranges_.demands();
  }

  void run() {
    for (InputRule& rule : rules_) {
      const std::vector<const ElementDemand*> demands = demandsOn(rule);
      if (rule.draw == Draw::Integers) integers(rule, demands);
      else if (rule.draw == Draw::Normal && !isComplex(typeOf(rule)) && !demands.empty())
        reals(rule, demands);
    }
  }
  /// After run().
  void addUnmet(std::vector<std::string>& unmet) const {
    for (const ElementDemand& demand : demands_)
      if (demand.isRequired && !ranges_.holds(demand))
        unmet.push_back("elements of " + program_.node(demand.of).name + " may not be valid " +
                        demand.purpose);
  }

 private:
  DType typeOf(const InputRule& rule) const { return program_.node(rule.node).val.tensor()->dtype; }

  std::vector<const ElementDemand*> demandsOn(fx::NodeId input) const {
    std::vector<const ElementDemand*> out;
    for (const ElementDemand& demand : demands_) {
      const std::vector<fx::NodeId>& inputs = ranges_.of(demand.of)->inputs;
      if (std::find(inputs.begin(), inputs.end(), input) != inputs.end()) out.push_back(&demand);
    }
    return out;
  }
  /// Without those that elements other than 0 fulfil, if the input has no 0.
  std::vector<const ElementDemand*> demandsOn(const InputRule& rule) const {
    std::vector<const ElementDemand*> out = demandsOn(rule.node);
    if (bounds_ == Bounds::Widest && rule.isNonzero)
      std::erase_if(out, [](const ElementDemand* demand) { return demand->isDivisor; });
    return out;
  }
  /// The first demand that these bounds break, and null if they break none.
  const ElementDemand* broken(const InputRule& rule, double min, double max,
                              const std::vector<const ElementDemand*>& demands) {
    ranges_.set(rule.node, min, max);
    ranges_.propagate();
    for (const ElementDemand* demand : demands)
      if (!ranges_.holds(*demand)) return demand;
    return nullptr;
  }

  void integers(InputRule& rule, const std::vector<const ElementDemand*>& demands) {
    const auto [smallest, largest] = limitsOf(typeOf(rule), bounds_);
    rule.isBounded = true;
    if (demands.empty()) return free(rule, smallest, largest);
    double least = 0;
    while (least <= kLeastTried && broken(rule, least, least, demands) != nullptr) ++least;
    if (least > kLeastTried) {
      broken(rule, 0, 0, demands);
      rule.max = 0;
      return;
    }
    const ElementDemand* reason = least > 0 ? demands.front() : nullptr;
    const auto allows = [&](double low, double high) {
      const ElementDemand* demand = broken(rule, low, high, demands);
      if (demand != nullptr) reason = demand;
      return demand == nullptr;
    };
    // Demands are broken from some bound on.
    const double most = farthest(least, largest, [&](double high) { return allows(least, high); });
    // What has no upper bound may be a count, and large ones take memory.
    const bool isLimited =
        std::any_of(demands.begin(), demands.end(),
                    [](const ElementDemand* demand) { return std::isfinite(demand->max); });
    const bool isCount = most == largest && (!isLimited || largest > kUnlimited / 2);
    rule.min = least;
    rule.max = isCount ? std::min(least + kMostInteger, largest) : most;
    if (bounds_ == Bounds::Widest && !isCount && smallest < least)
      rule.min = -farthest(-least, -smallest, [&](double low) { return allows(-low, rule.max); });
    broken(rule, rule.min, rule.max, demands);
    if (reason == nullptr) return;
    const std::string bounds =
        numberText(rule.min) + " to " + numberText(rule.max) + ", " + reason->purpose;
    rule.why = rule.why.empty() ? bounds : bounds + "; " + rule.why;
  }
  /// Of an input that nothing is demanded of.
  void free(InputRule& rule, double smallest, double largest) {
    rule.min = bounds_ == Bounds::Widest ? smallest : 0;
    rule.max = bounds_ == Bounds::Widest ? largest : std::min(kMostInteger, largest);
    if (rule.isShift && bounds_ == Bounds::Widest)
      rule.min = 0, rule.max = facts(typeOf(rule)).bytes * 8 + 3;
    ranges_.set(rule.node, rule.min, rule.max);
  }
  /// The last number from `good` up to `end` that is allowed, if all before it are.
  template <class Allows>
  static double farthest(double good, double end, Allows&& allows) {
    if (allows(end)) return end;
    double bad = end;
    while (bad - good > 1) {
      const double middle = std::floor((good + bad) / 2);
      if (middle <= good || middle >= bad) break;
      if (allows(middle)) good = middle;
      else bad = middle;
    }
    return good;
  }

  void reals(InputRule& rule, const std::vector<const ElementDemand*>& demands) {
    const ElementDemand* reason = nullptr;
    for (const Span& span : kSpans) {
      const ElementDemand* demand = broken(rule, span.min, span.max, demands);
      if (demand != nullptr) {
        if (reason == nullptr) reason = demand;
        continue;
      }
      if (reason == nullptr) return bounded(rule, demands);
      rule.draw = Draw::Uniform;
      rule.min = span.min;
      rule.max = span.max;
      rule.why = numberText(span.min) + " to " + numberText(span.max) + ", " + reason->purpose;
      return bounded(rule, demands);
    }
    broken(rule, -kMostNormal, kMostNormal, demands);
  }
  /// The widest of some spans in which all that is required holds; not more than the usual one
  /// where the program does not say.
  void bounded(InputRule& rule, const std::vector<const ElementDemand*>& demands) {
    std::vector<const ElementDemand*> required = demands;
    std::erase_if(required, [](const ElementDemand* demand) { return !demand->isRequired; });
    rule.isBounded = !required.empty();
    if (required.empty() || bounds_ == Bounds::Usual) return;
    for (const double end : {0x1p30, 0x1p23, 32767.0, 4096.0, 255.0, 127.0, 31.0})
      for (const double least : {-end, 0.0}) {
        if (least > rule.min || broken(rule, least, end, required) != nullptr) continue;
        rule.min = least;
        rule.max = end;
        return;
      }
    broken(rule, rule.min, rule.max, demands);
  }

  const fx::Program& program_;
  std::vector<InputRule>& rules_;
  const Bounds bounds_;
  ElementRanges ranges_;
  std::vector<ElementDemand> demands_;
};

/// How many elements of an input ought to differ from each other.
double writesOf(const fx::Program& program, const InputRule& rule, const Sizes& sizes) {
  const fx::TensorMeta& meta = *program.node(rule.node).val.tensor();
  double count = 1;
  for (std::size_t d = 0; d < meta.rank(); ++d) {
    if (*rule.distinctAlong != InputRule::kEverywhere && d != *rule.distinctAlong) continue;
    const fx::SymInt& size = meta.sizes[d];
    const auto value =
        size.isStatic() ? std::optional(size.value()) : fx::evaluate(*size.expr(), sizes);
    count *= static_cast<double>(value.value_or(1));
  }
  return count;
}

}  // namespace

std::vector<InputRule> inputRules(const fx::Program& program, const Sizes& sizes, Bounds bounds,
                                  std::vector<std::string>& unmet, const RunContext& context) {
  std::vector<InputRule> out;
  for (const fx::Node* node : givenInputs(program))
    if (node->val.tensor() != nullptr) {
      out.emplace_back().node = node->id;
      if (isIntegral(node->val.tensor()->dtype) && node->name.find("mask") != std::string::npos) {
        out.back().draw = Draw::Mask;
        out.back().why = "zeros and ones, because of its name";
      }
    }
  std::map<fx::NodeId, InputRule*> byNode;
  for (InputRule& rule : out) byNode[rule.node] = &rule;
  const Uses uses(program, sizes, std::move(byNode), context);
  BoundsSearch search(program, out, sizes, bounds, context);
  search.run();
  search.addUnmet(unmet);
  const std::string order = ", and which of several writes to one place is the last is not defined";
  for (const fx::NodeId id : uses.repeated())
    unmet.push_back("places to write at " + program.node(id).name + " may repeat" + order);
  for (const InputRule& rule : out)
    if (rule.distinctAlong && writesOf(program, rule, sizes) > rule.max - rule.min + 1)
      unmet.push_back("elements of " + program.node(rule.node).name +
                      " repeat, as there are more writes than places" + order);
  return out;
}

}  // namespace fxs::compare
