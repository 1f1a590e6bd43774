// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/element_bounds.h"

#include <algorithm>
#include <array>
#include <map>

#include "ops/operators.h"

namespace fxs::compare {
namespace {

using fx::NodeId;
using fx::TensorMeta;
using Operands = RangedOperands;

std::vector<NodeId> unionOf(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
  std::vector<NodeId> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

ElementRange rangeFrom(const ElementRange& a, const ElementRange& b, double min, double max) {
  return {min, max, unionOf(a.inputs, b.inputs)};
}
ElementRange hull(const ElementRange& a, const ElementRange& b) {
  return rangeFrom(a, b, std::min(a.min, b.min), std::max(a.max, b.max));
}

MaybeRange listElements(const Operands& o) {
  const fx::ArgumentList* list = o.at(0) == nullptr ? nullptr : o.at(0)->list();
  MaybeRange out;
  if (list == nullptr) return out;
  for (const fx::Argument& item : *list) {
    const MaybeRange range = o.range(&item);
    if (!range) return std::nullopt;
    out = out ? hull(*out, *range) : *range;
  }
  return out;
}

MaybeRange sum(const Operands& o, double sign) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  const auto alpha = o.number("alpha", 1);
  if (!a || !b || !alpha) return std::nullopt;
  const double x = sign * *alpha * b->min, y = sign * *alpha * b->max;
  return rangeFrom(*a, *b, a->min + std::min(x, y), a->max + std::max(x, y));
}

MaybeRange product(const MaybeRange& a, const MaybeRange& b) {
  if (!a || !b) return std::nullopt;
  const std::array<double, 4> ends{a->min * b->min, a->min * b->max, a->max * b->min,
                                   a->max * b->max};
  return rangeFrom(*a, *b, *std::min_element(ends.begin(), ends.end()),
                   *std::max_element(ends.begin(), ends.end()));
}

MaybeRange quotient(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b || b->min <= 0) return std::nullopt;
  const auto inverse = product(a, ElementRange{1 / b->max, 1 / b->min, b->inputs});
  const TensorMeta* result = o.node().val.tensor();
  const bool isReal = result != nullptr && isFloating(result->dtype);
  return isReal ? inverse
                : ElementRange{std::floor(inverse->min), std::ceil(inverse->max), inverse->inputs};
}

MaybeRange remainder(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b || b->min <= 0) return std::nullopt;
  if (a->min >= 0 && a->max < b->min) return rangeFrom(*a, *b, a->min, a->max);
  const TensorMeta* result = o.node().val.tensor();
  return rangeFrom(*a, *b, 0, result != nullptr && isFloating(result->dtype) ? b->max : b->max - 1);
}

MaybeRange clamped(const Operands& o) {
  MaybeRange out = o.self();
  if (!out) return out;
  const fx::Argument *min = o.argument("min"), *max = o.argument("max");
  if (min != nullptr && !min->isNone()) {
    const MaybeRange bound = o.range(min);
    if (!bound) return std::nullopt;
    out = rangeFrom(*out, *bound, std::max(out->min, bound->min), std::max(out->max, bound->max));
  }
  if (max != nullptr && !max->isNone()) {
    const MaybeRange bound = o.range(max);
    if (!bound) return std::nullopt;
    out = rangeFrom(*out, *bound, std::min(out->min, bound->min), std::min(out->max, bound->max));
  }
  return out;
}

MaybeRange least(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b) return std::nullopt;
  return rangeFrom(*a, *b, std::min(a->min, b->min), std::min(a->max, b->max));
}
MaybeRange greatest(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b) return std::nullopt;
  return rangeFrom(*a, *b, std::max(a->min, b->min), std::max(a->max, b->max));
}

MaybeRange magnitude(const Operands& o) {
  const MaybeRange a = o.self();
  if (!a) return std::nullopt;
  const double end = std::max(std::abs(a->min), std::abs(a->max));
  double begin = 0;
  if (a->min > 0) begin = a->min;
  else if (a->max < 0) begin = -a->max;
  return ElementRange{begin, end, a->inputs};
}

MaybeRange chosen(const Operands& o) {
  const MaybeRange a = o.range("self"), b = o.range("other");
  return a && b ? MaybeRange(hull(*a, *b)) : std::nullopt;
}

MaybeRange filled(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range("value");
  return a && b ? MaybeRange(hull(*a, *b)) : std::nullopt;
}

MaybeRange converted(const Operands& o) {
  MaybeRange a = o.self();
  const TensorMeta* result = o.node().val.tensor();
  if (!a || result == nullptr) return std::nullopt;
  if (result->dtype == DType::Bool)
    return ElementRange{a->min > 0 || a->max < 0 ? 1.0 : 0.0,
                        a->min == 0 && a->max == 0 ? 0.0 : 1.0, a->inputs};
  if (isIntegral(result->dtype))
    return ElementRange{std::trunc(a->min), std::trunc(a->max), a->inputs};
  return a;
}

/// Partial sums along a dimension.
MaybeRange accumulated(const Operands& o) {
  const MaybeRange a = o.self();
  const auto dimension = o.dimension();
  const auto count = dimension ? o.size(o.tensor(o.at(0)), *dimension) : std::nullopt;
  if (!a || !count) return std::nullopt;
  const double n = static_cast<double>(std::max<std::int64_t>(*count, 1));
  return ElementRange{std::min(a->min, n * a->min), std::max(a->max, n * a->max), a->inputs};
}

/// At most all elements are added.
MaybeRange total(const Operands& o) {
  const MaybeRange a = o.self();
  const auto count = o.elements(o.tensor(o.at(0)));
  if (!a || !count) return std::nullopt;
  const double n = static_cast<double>(*count);
  return ElementRange{std::min({0.0, a->min, n * a->min}), std::max({0.0, a->max, n * a->max}),
                      a->inputs};
}

MaybeRange counting(const Operands& o) {
  const fx::Argument* endArgument = o.argument("end") != nullptr ? o.argument("end") : o.at(0);
  const MaybeRange end = o.range(endArgument);
  const auto start = o.number("start", 0), step = o.number("step", 1);
  if (!end || !start || !step || *step <= 0) return std::nullopt;
  return ElementRange{*start, std::max(*start, end->max - std::min(*step, 1.0)), end->inputs};
}

MaybeRange constantOf(const Operands& o, double value) {
  const MaybeRange fill =
      o.argument("fill_value") != nullptr ? o.range("fill_value") : Operands::point(value);
  return fill;
}

/// Positions within the operand.
MaybeRange position(const Operands& o) {
  const auto count = o.elements(o.tensor(o.at(0)));
  if (!count) return std::nullopt;
  const auto dimension = o.dimension();
  const auto along = dimension ? o.size(o.tensor(o.at(0)), *dimension) : count;
  return ElementRange{
      0, static_cast<double>(std::max<std::int64_t>(along.value_or(*count) - 1, 0)), {}};
}
bool isBelow(const ElementRange& a, const ElementRange& b) { return a.max < b.min; }
bool isNotAbove(const ElementRange& a, const ElementRange& b) { return a.max <= b.min; }

/// What bounds say of a comparison.
struct Verdict {
  bool always, never;
};
Verdict less(const ElementRange& a, const ElementRange& b) {
  return {isBelow(a, b), isNotAbove(b, a)};
}
Verdict lessOrEqual(const ElementRange& a, const ElementRange& b) {
  return {isNotAbove(a, b), isBelow(b, a)};
}
Verdict greater(const ElementRange& a, const ElementRange& b) { return less(b, a); }
Verdict greaterOrEqual(const ElementRange& a, const ElementRange& b) { return lessOrEqual(b, a); }
Verdict unequal(const ElementRange& a, const ElementRange& b) {
  const bool isOne = a.min == a.max && b.min == b.max && a.min == b.min;
  return {isBelow(a, b) || isBelow(b, a), isOne};
}
Verdict equal(const ElementRange& a, const ElementRange& b) {
  const Verdict other = unequal(a, b);
  return {other.never, other.always};
}

/// 0 or 1, and which of them if the bounds say so.
template <Verdict (*verdictOn)(const ElementRange&, const ElementRange&)>
MaybeRange comparison(const Operands& o) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b) return ElementRange{0, 1, {}};
  const Verdict verdict = verdictOn(*a, *b);
  return rangeFrom(*a, *b, verdict.always ? 1 : 0, verdict.never ? 0 : 1);
}

MaybeRange both(const Operands& o) {
  const auto out = least(o);
  return out && out->min >= 0 && out->max <= 1 ? out : ElementRange{0, 1, {}};
}

MaybeRange negated(const MaybeRange& a) {
  return a ? MaybeRange({-a->max, -a->min, a->inputs}) : std::nullopt;
}

MaybeRange squared(const Operands& o) {
  const MaybeRange a = magnitude(o);
  return a ? MaybeRange({a->min * a->min, a->max * a->max, a->inputs}) : std::nullopt;
}

MaybeRange rectified(const Operands& o) {
  const MaybeRange a = o.self();
  return a ? MaybeRange({std::max(a->min, 0.0), std::max(a->max, 0.0), a->inputs}) : std::nullopt;
}

/// Of an element of a tuple.
MaybeRange ofPart(const Operands& o) {
  const NodeId* tuple = o.at(0) == nullptr ? nullptr : o.at(0)->node();
  const std::int64_t* index = o.at(1) == nullptr ? nullptr : o.at(1)->integer();
  if (tuple == nullptr || index == nullptr) return std::nullopt;
  const fx::Node& source = o.program().node(*tuple);
  const std::string_view parts = operatorOf(source).rule(ops::Rule::Parts);
  if (*index > 0 && parts == "others") return std::nullopt;
  if (*index == 0 || parts != "positions") return o.self();
  const TensorMeta* operand = source.args.empty() ? nullptr : o.tensor(&source.args.front().value);
  const auto count = o.elements(operand);
  return count ? MaybeRange({0, static_cast<double>(std::max<std::int64_t>(*count - 1, 0)), {}})
               : std::nullopt;
}

std::string_view ruleNameOf(const fx::Node& node) {
  std::string_view packet = packetOf(node);
  if (packet.empty() && node.target.starts_with("_operator.")) {
    const auto& own = ops::operatorNamed(node.target).rule(ops::Rule::Bounds);
    if (!own.empty()) return own;
    packet = std::string_view(node.target).substr(10);
  }
  return ops::operatorNamed(packet).rule(ops::Rule::Bounds);
}

}  // namespace

BoundsRule boundsRule(std::string_view name) {
  static const std::map<std::string_view, BoundsRule> kRules{
      {"operand", [](const Operands& o) { return o.self(); }},
      {"list", listElements},
      {"converted", converted},
      {"zero", [](const Operands& o) { return constantOf(o, 0); }},
      {"one", [](const Operands& o) { return constantOf(o, 1); }},
      {"fill", [](const Operands& o) { return o.range("fill_value"); }},
      {"sum", [](const Operands& o) { return sum(o, 1); }},
      {"difference", [](const Operands& o) { return sum(o, -1); }},
      {"difference-reversed", [](const Operands& o) { return negated(sum(o, -1)); }},
      {"product", [](const Operands& o) { return product(o.self(), o.range(o.at(1))); }},
      {"square", squared},
      {"negative", [](const Operands& o) { return negated(o.self()); }},
      {"rectified", rectified},
      {"quotient", quotient},
      {"remainder", remainder},
      {"clamped", clamped},
      {"least", least},
      {"greatest", greatest},
      {"least-or-operand",
       [](const Operands& o) { return o.argument("other") == nullptr ? o.self() : least(o); }},
      {"greatest-or-operand",
       [](const Operands& o) { return o.argument("other") == nullptr ? o.self() : greatest(o); }},
      {"magnitude", magnitude},
      {"choice", chosen},
      {"filled", filled},
      {"partial-sums", accumulated},
      {"total", total},
      {"counting", counting},
      {"position", position},
      {"less", comparison<less>},
      {"less-or-equal", comparison<lessOrEqual>},
      {"greater", comparison<greater>},
      {"greater-or-equal", comparison<greaterOrEqual>},
      {"equal", comparison<equal>},
      {"unequal", comparison<unequal>},
      {"both", both}};
  const auto rule = kRules.find(name);
  return rule == kRules.end() ? nullptr : rule->second;
}

MaybeRange boundsOf(const RangedOperands& o) {
  const fx::Node& node = o.node();
  if (node.target == fx::kGetitem) return ofPart(o);
  const BoundsRule rule = boundsRule(ruleNameOf(node));
  MaybeRange out = rule == nullptr ? std::nullopt : rule(o);
  if (out && (std::isnan(out->min) || std::isnan(out->max))) out.reset();
  const TensorMeta* tensor = node.val.tensor();
  if (!out && tensor != nullptr && tensor->dtype == DType::Bool) out = ElementRange{0, 1, {}};
  return out;
}

}  // namespace fxs::compare
