// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/input_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "compare/element_ranges.h"
#include "compare/guards.h"
#include "compare/input_uses.h"

namespace fxs::compare {
namespace {

using Draw = InputRule::Draw;

constexpr double kMostNormal = 6;   // of the generator (random.h)
constexpr double kMostInteger = 9;  // where nothing demands otherwise
constexpr double kUnlimited = 1 << 24;
constexpr double kLeastTried = 8;  // lower bounds 0 .. 8

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
    rule.message = rule.message.empty() ? bounds : bounds + "; " + rule.message;
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
      rule.message = numberText(span.min) + " to " + numberText(span.max) + ", " + reason->purpose;
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
        out.back().message = "zeros and ones, because of its name";
      }
    }
  std::map<fx::NodeId, InputRule*> byNode;
  for (InputRule& rule : out) byNode[rule.node] = &rule;
  const std::vector<fx::NodeId> repeated = followInputs(program, sizes, std::move(byNode), context);
  BoundsSearch search(program, out, sizes, bounds, context);
  search.run();
  search.addUnmet(unmet);
  const std::string order = ", and which of several writes to one place is the last is not defined";
  for (const fx::NodeId id : repeated)
    unmet.push_back("places to write at " + program.node(id).name + " may repeat" + order);
  for (const InputRule& rule : out)
    if (rule.distinctAlong && writesOf(program, rule, sizes) > rule.max - rule.min + 1)
      unmet.push_back("elements of " + program.node(rule.node).name +
                      " repeat, as there are more writes than places" + order);
  return out;
}

}  // namespace fxs::compare
