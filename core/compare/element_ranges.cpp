// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/element_ranges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "ops/shapes.h"

namespace fxs::compare {
namespace {

using fx::Node;
using fx::NodeId;
using fx::TensorMeta;
using MaybeRange = std::optional<ElementRange>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Stands for "greater than 0" and the like.
constexpr double kSlightly = 1e-6;

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

/// The arguments of one call as ranges, numbers and sizes.
class Operands {
 public:
  Operands(const fx::Program& program, const Node& node, const Sizes& sizes,
           const std::vector<MaybeRange>& ranges)
      : program_(program), node_(node), sizes_(sizes), ranges_(ranges) {}

  const Node& node() const { return node_; }
  const fx::Argument* argument(std::string_view name) const {
    const fx::NodeArgument* found = node_.find(name);
    return found == nullptr ? nullptr : &found->value;
  }
  const fx::Argument* at(std::size_t position) const {
    return position < node_.args.size() ? &node_.args[position].value : nullptr;
  }

  MaybeRange range(const fx::Argument* argument) const {
    if (argument == nullptr) return std::nullopt;
    if (const NodeId* id = argument->node()) {
      if (const fx::SymValue* symbol = program_.node(*id).val.symbol();
          symbol != nullptr && symbol->expr)
        if (const auto value = fx::evaluate(*symbol->expr, sizes_))
          return point(static_cast<double>(*value));
      return ranges_[id->index()];
    }
    if (const std::int64_t* integer = argument->integer())
      return point(static_cast<double>(*integer));
    if (const double* real = std::get_if<double>(argument))
      return std::isnan(*real) ? std::nullopt : MaybeRange(point(*real));
    if (const bool* flag = std::get_if<bool>(argument)) return point(*flag ? 1 : 0);
    return std::nullopt;
  }
  MaybeRange range(std::string_view name) const { return range(argument(name)); }
  MaybeRange self() const { return range(at(0)); }
  std::optional<double> number(std::string_view name,
                               std::optional<double> otherwise = std::nullopt) const {
    const fx::Argument* found = argument(name);
    if (found == nullptr || found->isNone()) return otherwise;
    const MaybeRange value = range(found);
    return value && value->min == value->max ? std::optional(value->min) : std::nullopt;
  }
  const TensorMeta* tensor(const fx::Argument* argument) const {
    const NodeId* id = argument == nullptr ? nullptr : argument->node();
    return id == nullptr ? nullptr : program_.node(*id).val.tensor();
  }
  std::optional<std::int64_t> size(const fx::SymInt& size) const {
    return size.isStatic() ? std::optional(size.value()) : fx::evaluate(*size.expr(), sizes_);
  }
  std::optional<std::int64_t> size(const TensorMeta* tensor, std::int64_t dimension) const {
    if (tensor == nullptr) return std::nullopt;
    if (tensor->rank() == 0) return 1;
    const auto position = ops::wrapIndex(dimension, tensor->rank());
    return position ? size(tensor->sizes[*position]) : std::nullopt;
  }
  std::optional<std::int64_t> elements(const TensorMeta* tensor) const {
    if (tensor == nullptr) return std::nullopt;
    std::int64_t out = 1;
    for (const fx::SymInt& s : tensor->sizes) {
      const auto factor = size(s);
      if (!factor || __builtin_mul_overflow(out, *factor, &out)) return std::nullopt;
    }
    return out;
  }
  std::optional<std::int64_t> dimension() const {
    const auto value = number("dim");
    return value ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
  }

  static ElementRange point(double value) { return {value, value, {}}; }

 private:
  const fx::Program& program_;
  const Node& node_;
  const Sizes& sizes_;
  const std::vector<MaybeRange>& ranges_;
};

// ---- Results, by kinds of operator.

using Rule = MaybeRange (*)(const Operands&);

MaybeRange sameElements(const Operands& o) { return o.self(); }

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
  if (!a) return a;
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
  const MaybeRange a = o.self();
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

/// 0 or 1, and which of them if the bounds say so.
MaybeRange comparison(const Operands& o, std::string_view op) {
  const MaybeRange a = o.self(), b = o.range(o.at(1));
  if (!a || !b) return ElementRange{0, 1, {}};
  bool always = false, never = false;
  if (op == "lt") always = a->max < b->min, never = a->min >= b->max;
  if (op == "le") always = a->max <= b->min, never = a->min > b->max;
  if (op == "gt") always = a->min > b->max, never = a->max <= b->min;
  if (op == "ge") always = a->min >= b->max, never = a->max < b->min;
  const bool isOne = a->min == a->max && b->min == b->max && a->min == b->min;
  const bool isApart = a->max < b->min || b->max < a->min;
  if (op == "eq") always = isOne, never = isApart;
  if (op == "ne") always = isApart, never = isOne;
  return rangeFrom(*a, *b, always ? 1 : 0, never ? 0 : 1);
}

MaybeRange both(const Operands& o) {
  const auto out = least(o);
  return out && out->min >= 0 && out->max <= 1 ? out : ElementRange{0, 1, {}};
}

const std::map<std::string_view, Rule>& rules() {
  static const std::map<std::string_view, Rule> table = [] {
    std::map<std::string_view, Rule> out;
    for (const std::string_view same : {"alias",
                                        "as_strided",
                                        "broadcast_to",
                                        "chunk",
                                        "clone",
                                        "contiguous",
                                        "detach",
                                        "diagonal",
                                        "expand",
                                        "expand_as",
                                        "flatten",
                                        "flip",
                                        "gather",
                                        "index",
                                        "index_select",
                                        "item",
                                        "_local_scalar_dense",
                                        "lift_fresh",
                                        "lift_fresh_copy",
                                        "masked_select",
                                        "movedim",
                                        "narrow",
                                        "permute",
                                        "ravel",
                                        "repeat",
                                        "reshape",
                                        "reshape_as",
                                        "roll",
                                        "rot90",
                                        "select",
                                        "slice",
                                        "sort",
                                        "split",
                                        "split_with_sizes",
                                        "squeeze",
                                        "swapaxes",
                                        "t",
                                        "take",
                                        "tile",
                                        "topk",
                                        "transpose",
                                        "unbind",
                                        "unfold",
                                        "unflatten",
                                        "unsafe_chunk",
                                        "unsafe_split",
                                        "unsqueeze",
                                        "view",
                                        "view_as",
                                        "_unsafe_view",
                                        "amax",
                                        "amin",
                                        "all",
                                        "any",
                                        "tensor_split",
                                        "trunc",
                                        "floor",
                                        "ceil",
                                        "round",
                                        "cummax",
                                        "unique_consecutive",
                                        "_unique2",
                                        "mean"})
      out[same] = sameElements;
    for (const std::string_view list :
         {"cat", "concat", "concatenate", "stack", "hstack", "vstack", "column_stack"})
      out[list] = listElements;
    for (const std::string_view cast : {"to", "_to_copy", "type_as", "_cast_Long", "_cast_Int"})
      out[cast] = converted;
    for (const std::string_view zero : {"zeros", "zeros_like", "new_zeros"})
      out[zero] = [](const Operands& o) { return constantOf(o, 0); };
    for (const std::string_view one : {"ones", "ones_like", "new_ones"})
      out[one] = [](const Operands& o) { return constantOf(o, 1); };
    for (const std::string_view full : {"full", "full_like", "new_full"})
      out[full] = [](const Operands& o) { return o.range("fill_value"); };
    out["scalar_tensor"] = sameElements;
    out["add"] = [](const Operands& o) { return sum(o, 1); };
    out["sub"] = [](const Operands& o) { return sum(o, -1); };
    out["rsub"] = [](const Operands& o) {
      const MaybeRange difference = sum(o, -1);
      return difference ? MaybeRange({-difference->max, -difference->min, difference->inputs})
                        : std::nullopt;
    };
    out["mul"] = [](const Operands& o) { return product(o.self(), o.range(o.at(1))); };
    out["square"] = [](const Operands& o) {
      const MaybeRange a = magnitude(o);
      return a ? MaybeRange({a->min * a->min, a->max * a->max, a->inputs}) : std::nullopt;
    };
    out["neg"] = [](const Operands& o) {
      const MaybeRange a = o.self();
      return a ? MaybeRange({-a->max, -a->min, a->inputs}) : std::nullopt;
    };
    out["relu"] = [](const Operands& o) {
      const MaybeRange a = o.self();
      return a ? MaybeRange({std::max(a->min, 0.0), std::max(a->max, 0.0), a->inputs})
               : std::nullopt;
    };
    out["div"] = out["floor_divide"] = quotient;
    out["remainder"] = out["fmod"] = remainder;
    out["clamp"] = out["clip"] = out["clamp_min"] = out["clamp_max"] = clamped;
    out["minimum"] = least;
    out["maximum"] = greatest;
    out["min"] = [](const Operands& o) {
      return o.argument("other") == nullptr ? o.self() : least(o);
    };
    out["max"] = [](const Operands& o) {
      return o.argument("other") == nullptr ? o.self() : greatest(o);
    };
    out["abs"] = magnitude;
    out["where"] = chosen;
    out["masked_fill"] = filled;
    out["cumsum"] = accumulated;
    out["sum"] = out["count_nonzero"] = total;
    out["arange"] = counting;
    out["argmax"] = out["argmin"] = out["argsort"] = position;
    out["lt"] = [](const Operands& o) { return comparison(o, "lt"); };
    out["le"] = [](const Operands& o) { return comparison(o, "le"); };
    out["gt"] = [](const Operands& o) { return comparison(o, "gt"); };
    out["ge"] = [](const Operands& o) { return comparison(o, "ge"); };
    out["eq"] = [](const Operands& o) { return comparison(o, "eq"); };
    out["ne"] = [](const Operands& o) { return comparison(o, "ne"); };
    out["logical_and"] = out["bitwise_and"] = out["__and__"] = out["and_"] = both;
    out["floordiv"] = quotient;
    out["mod"] = remainder;
    return out;
  }();
  return table;
}

/// Whether the second element of its results holds positions.
bool givesPositions(std::string_view packet) {
  return packet == "sort" || packet == "topk" || packet == "max" || packet == "min";
}

MaybeRange resultOf(const fx::Program& program, const Operands& o) {
  const Node& node = o.node();
  if (node.target == fx::kGetitem) {
    const NodeId* tuple = o.at(0) == nullptr ? nullptr : o.at(0)->node();
    const std::int64_t* index = o.at(1) == nullptr ? nullptr : o.at(1)->integer();
    if (tuple == nullptr || index == nullptr) return std::nullopt;
    const Node& source = program.node(*tuple);
    if (*index > 0 && packetOf(source) == "_unique2") return std::nullopt;
    if (*index == 0 || !givesPositions(packetOf(source))) return o.self();
    const TensorMeta* operand =
        source.args.empty() ? nullptr : o.tensor(&source.args.front().value);
    const auto count = o.elements(operand);
    return count ? MaybeRange({0, static_cast<double>(std::max<std::int64_t>(*count - 1, 0)), {}})
                 : std::nullopt;
  }
  std::string_view packet = packetOf(node);
  if (packet.empty() && node.target.starts_with("_operator."))
    packet = std::string_view(node.target).substr(10);
  const auto rule = rules().find(packet);
  MaybeRange out = rule == rules().end() ? std::nullopt : rule->second(o);
  if (out && (std::isnan(out->min) || std::isnan(out->max))) out.reset();
  const TensorMeta* tensor = node.val.tensor();
  if (!out && tensor != nullptr && tensor->dtype == DType::Bool) out = ElementRange{0, 1, {}};
  return out;
}

// ---- What operators demand.

struct Domain {
  std::string_view packet;
  double min, max;
};
constexpr std::array<Domain, 22> kDomains{{{"log", kSlightly, kInfinity},
                                           {"log2", kSlightly, kInfinity},
                                           {"log10", kSlightly, kInfinity},
                                           {"sqrt", 0, kInfinity},
                                           {"rsqrt", kSlightly, kInfinity},
                                           {"log1p", kSlightly - 1, kInfinity},
                                           {"acos", -1, 1},
                                           {"asin", -1, 1},
                                           {"arccos", -1, 1},
                                           {"arcsin", -1, 1},
                                           {"atanh", kSlightly - 1, 1 - kSlightly},
                                           {"arctanh", kSlightly - 1, 1 - kSlightly},
                                           {"acosh", 1, kInfinity},
                                           {"arccosh", 1, kInfinity},
                                           {"lgamma", kSlightly, kInfinity},
                                           {"digamma", kSlightly, kInfinity},
                                           {"polygamma", kSlightly, kInfinity},
                                           {"erfinv", kSlightly - 1, 1 - kSlightly},
                                           {"logit", kSlightly, 1 - kSlightly},
                                           {"bernoulli", 0, 1},
                                           {"multinomial", kSlightly, kInfinity},
                                           {"poisson", 0, kInfinity}}};

/// Operators with an operand of positions along their dimension `dim`, or along `fixed`.
struct Indexing {
  std::string_view packet, index, table;
  std::optional<std::int64_t> fixed;
};
constexpr std::array<Indexing, 23> kIndexing{{{"embedding", "indices", "weight", 0},
                                              {"embedding_bag", "indices", "weight", 0},
                                              {"_embedding_bag", "indices", "weight", 0},
                                              {"index_select", "index", "self", {}},
                                              {"index_add", "index", "self", {}},
                                              {"index_copy", "index", "self", {}},
                                              {"index_fill", "index", "self", {}},
                                              {"index_reduce", "index", "self", {}},
                                              {"gather", "index", "self", {}},
                                              {"scatter", "index", "self", {}},
                                              {"scatter_add", "index", "self", {}},
                                              {"scatter_reduce", "index", "self", {}},
                                              {"take_along_dim", "indices", "self", {}},
                                              {"nll_loss", "target", "self", 1},
                                              {"nll_loss_nd", "target", "self", 1},
                                              {"nll_loss_forward", "target", "self", 1},
                                              {"nll_loss2d", "target", "self", 1},
                                              {"nll_loss2d_forward", "target", "self", 1},
                                              {"cross_entropy_loss", "target", "self", 1},
                                              {"multi_margin_loss", "target", "self", 1},
                                              {"select", "index", "self", {}},
                                              {"_safe_embedding", "indices", "weight", 0},
                                              {"embedding_renorm", "indices", "self", 0}}};

class Demands {
 public:
  Demands(std::vector<ElementDemand>& out, bool canWrap) : out_(out), canWrap_(canWrap) {}

  void collect(const Operands& o) {
    const std::string_view packet = packetOf(o.node());
    if (packet.empty()) return;
    for (const Indexing& indexing : kIndexing)
      if (indexing.packet == packet) indices(o, indexing);
    for (const Domain& domain : kDomains)
      if (domain.packet == packet)
        demand(o, o.at(packet == "polygamma" ? 1 : 0), domain.min, domain.max, false,
               "for the domain of " + std::string(packet));
    if (packet == "index" || packet == "index_put" || packet == "_unsafe_index" ||
        packet == "_unsafe_index_put" || packet == "_index_put_impl")
      indexList(o);
    else if (packet == "take" || packet == "put")
      below(o, o.argument("index"), o.elements(o.tensor(o.at(0))), canWrap_);
    else if (packet == "one_hot") oneHot(o);
    else if (packet == "_assert_scalar" || packet == "_assert_async")
      demand(o, o.at(0), 1, 1, true, "for the assertion at " + o.node().name);
    else if (packet == "sym_constrain_range" || packet == "sym_constrain_range_for_size")
      demand(o, o.at(0), o.number("min", 0).value_or(0),
             o.number("max", kInfinity).value_or(kInfinity), true,
             "for the range at " + o.node().name);
    else if (packet == "repeat_interleave" || packet == "bincount")
      demand(o, o.at(0), 0, kInfinity, true, "as counts at " + o.node().name);
    else if (packet == "pow") base(o);
    else if (packet == "to" || packet == "_to_copy" || packet == "type_as" ||
             packet.starts_with("_cast_"))
      conversion(o);
    else if (packet == "div" || packet == "floor_divide" || packet == "remainder" ||
             packet == "fmod")
      divisor(o);
    else if (packet == "binary_cross_entropy") {
      demand(o, o.argument("self"), kSlightly, 1 - kSlightly, true,
             "as probabilities at " + o.node().name);
      demand(o, o.argument("target"), 0, 1, false, "as probabilities at " + o.node().name);
    } else if (packet == "batch_norm" || packet == "native_batch_norm" ||
               packet == "_native_batch_norm_legit_no_training")
      demand(o, o.argument("running_var"), 0, kInfinity, false, "as variances at " + o.node().name);
  }

  /// A scalar taken from a tensor lies within the range that the program gives its symbol.
  void scalar(const fx::Program& program, const Node& node) {
    const fx::SymValue* symbol = node.val.symbol();
    if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
      return;
    for (const fx::RangeConstraint& range : program.ranges) {
      if (range.symbol != symbol->expr->name || (!range.min && !range.max)) continue;
      out_.push_back({node.id, range.min ? static_cast<double>(*range.min) : -kInfinity,
                      range.max ? static_cast<double>(*range.max) : kInfinity, true,
                      "for the range of " + range.symbol + " at " + node.name});
    }
  }

 private:
  void demand(const Operands&, const fx::Argument* argument, double min, double max,
              bool isRequired, std::string purpose) {
    const NodeId* id = argument == nullptr ? nullptr : argument->node();
    if (id != nullptr) out_.push_back({*id, min, max, isRequired, std::move(purpose)});
  }
  void below(const Operands& o, const fx::Argument* argument, std::optional<std::int64_t> size,
             bool wraps = false) {
    if (!size || *size < 1) return;
    const double least = wraps ? -static_cast<double>(*size) : 0;
    demand(o, argument, least, static_cast<double>(*size - 1), true,
           "as indices at " + o.node().name);
  }
  void indices(const Operands& o, const Indexing& indexing) {
    const TensorMeta *table = o.tensor(o.argument(indexing.table)),
                     *index = o.tensor(o.argument(indexing.index));
    if (table == nullptr || (index != nullptr && !isIntegral(index->dtype))) return;
    auto dimension = indexing.fixed;
    if (!dimension) dimension = o.dimension();
    else if (table->rank() == 1)
      dimension = 0;  // the classes of a single sample are its only dimension
    if (dimension) below(o, o.argument(indexing.index), o.size(table, *dimension));
  }
  /// Each tensor of a list indexes one dimension, a mask as many as it has.
  void indexList(const Operands& o) {
    const TensorMeta* self = o.tensor(o.argument("self"));
    const fx::ArgumentList* list =
        o.argument("indices") == nullptr ? nullptr : o.argument("indices")->list();
    if (self == nullptr || list == nullptr) return;
    std::size_t dimension = 0;
    for (const fx::Argument& item : *list) {
      const TensorMeta* index = o.tensor(&item);
      const bool isMask =
          index != nullptr && (index->dtype == DType::Bool || index->dtype == DType::UInt8);
      if (index != nullptr && !isMask && dimension < self->rank())
        below(o, &item, o.size(self->sizes[dimension]), canWrap_);
      dimension += isMask ? index->rank() : 1;
    }
  }
  void oneHot(const Operands& o) {
    const auto classes = o.number("num_classes", -1);
    demand(o, o.at(0), 0, classes && *classes > 0 ? *classes - 1 : kInfinity, true,
           "as classes at " + o.node().name);
  }
  /// C++ leaves open which integer a float becomes that has no integer of the type.
  void conversion(const Operands& o) {
    const TensorMeta *from = o.tensor(o.at(0)), *to = o.node().val.tensor();
    if (from == nullptr || to == nullptr || !isFloating(from->dtype) || !isIntegral(to->dtype))
      return;
    const auto [least, most] = integerLimits(to->dtype);
    demand(o, o.at(0), least, most, true, "for the conversion at " + o.node().name);
  }
  void base(const Operands& o) {
    const MaybeRange exponent = o.range("exponent");
    const TensorMeta* tensor = o.tensor(o.argument("exponent"));
    const bool isWhole = (exponent && exponent->min == exponent->max &&
                          exponent->min == std::trunc(exponent->min)) ||
                         (tensor != nullptr && !isFloating(tensor->dtype));
    if (!isWhole)
      demand(o, o.argument("self"), kSlightly, kInfinity, false, "for the domain of pow");
    const TensorMeta* result = o.node().val.tensor();
    if (result != nullptr && isIntegral(result->dtype))
      demand(o, o.argument("exponent"), 0, kInfinity, true, "as exponents at " + o.node().name);
  }
  void divisor(const Operands& o) {
    const TensorMeta* tensor = o.tensor(o.at(1));
    if (tensor == nullptr || !isIntegral(tensor->dtype) || o.at(1)->node() == nullptr) return;
    demand(o, o.at(1), 1, kInfinity, true, "as divisors at " + o.node().name);
    out_.back().isDivisor = true;
  }

  std::vector<ElementDemand>& out_;
  const bool canWrap_;
};

}  // namespace

IntegerLimits integerLimits(DType dtype) {
  const int bits = facts(dtype).bytes * 8;
  const bool isUnsigned = dtype == DType::UInt8 || dtype == DType::UInt16 ||
                          dtype == DType::UInt32 || dtype == DType::UInt64;
  if (dtype == DType::Bool) return {0, 1};
  if (isUnsigned) return {0, std::ldexp(1.0, bits) - 1};
  return {-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1) - 1};
}

std::string_view packetOf(const fx::Node& node) {
  std::string_view target = node.target;
  if (node.op != fx::NodeOp::CallFunction || !target.starts_with("aten.")) return {};
  target.remove_prefix(5);
  target = target.substr(0, target.find('.'));
  if (target.ends_with("_") && !target.ends_with("__")) target.remove_suffix(1);
  return target;
}

ElementRanges::ElementRanges(const fx::Program& program, const Sizes& sizes, bool canWrap,
                             const RunContext& context)
    : program_(program),
      sizes_(sizes),
      canWrap_(canWrap),
      context_(context),
      ranges_(program.nodes.size()) {}

void ElementRanges::set(fx::NodeId placeholder, double min, double max) {
  ranges_[placeholder.index()] = {min, max, {placeholder}};
}

/// Operands of a subgraph's call are its placeholders. Bodies of loops are left out: there they
/// change.
void ElementRanges::enterSubgraphs(const fx::Node& call) {
  if (!call.target.starts_with("higher_order.") ||
      call.target.find("while_loop") != std::string::npos ||
      call.target.find("scan") != std::string::npos || call.target.find("map") != std::string::npos)
    return;
  std::vector<NodeId> operands;
  std::vector<fx::GraphId> subgraphs;
  for (const fx::NodeArgument& argument : call.args)
    fx::forEachNode(argument.value, [&](NodeId id) {
      const Node& used = program_.node(id);
      if (used.op == fx::NodeOp::GetAttr && used.subgraph.valid())
        subgraphs.push_back(used.subgraph);
      else operands.push_back(id);
    });
  for (const fx::GraphId id : subgraphs) {
    std::vector<NodeId> placeholders;
    for (const NodeId node : program_.graph(id).nodes)
      if (program_.node(node).op == fx::NodeOp::Placeholder) placeholders.push_back(node);
    if (placeholders.size() > operands.size()) continue;
    // Those in front, such as the condition of cond, are not passed on.
    for (std::size_t i = 0; i < placeholders.size(); ++i)
      ranges_[placeholders[i].index()] =
          ranges_[operands[operands.size() - placeholders.size() + i].index()];
  }
}

void ElementRanges::propagate() {
  const auto update = [&](const fx::Node& node) {
    context_.spend(Resource::Values, 1 + node.args.size(), "the bounds of indices");
    enterSubgraphs(node);
    std::optional<ElementRange>& range = ranges_[node.id.index()];
    range = resultOf(program_, Operands(program_, node, sizes_, ranges_));
    return range && !range->inputs.empty();
  };
  if (!isFirst_) {
    for (const NodeId id : depending_) update(program_.node(id));
    return;
  }
  isFirst_ = false;
  for (const fx::Node& node : program_.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    if (update(node) || node.target.starts_with("higher_order.")) depending_.push_back(node.id);
  }
}

/// Drops the calls that none of the demanded values is computed from.
void ElementRanges::forgetOthers(const std::vector<ElementDemand>& demands) {
  std::vector<bool> isNeeded(program_.nodes.size());
  for (const ElementDemand& demand : demands) isNeeded[demand.of.index()] = true;
  std::vector<NodeId> kept;
  for (auto id = depending_.rbegin(); id != depending_.rend(); ++id) {
    const Node& node = program_.node(*id);
    // A call with subgraphs passes its operands on to them.
    if (!isNeeded[id->index()] && !node.target.starts_with("higher_order.")) continue;
    kept.push_back(*id);
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](NodeId operand) { isNeeded[operand.index()] = true; });
  }
  depending_.assign(kept.rbegin(), kept.rend());
}

std::vector<ElementDemand> ElementRanges::demands() {
  std::vector<ElementDemand> out;
  Demands demands(out, canWrap_);
  for (const fx::Node& node : program_.nodes) {
    if (node.op != fx::NodeOp::CallFunction) continue;
    context_.spend(Resource::Values, 1, "what operations demand of indices");
    demands.collect(Operands(program_, node, sizes_, ranges_));
    if (packetOf(node) == "item" || packetOf(node) == "_local_scalar_dense")
      demands.scalar(program_, node);
  }
  std::erase_if(out, [&](const ElementDemand& demand) {
    const auto& range = ranges_[demand.of.index()];
    return !range || range->inputs.empty();
  });
  forgetOthers(out);
  return out;
}

bool ElementRanges::holds(const ElementDemand& demand) const {
  const auto& range = ranges_[demand.of.index()];
  return !range || (range->min >= demand.min && range->max <= demand.max);
}

}  // namespace fxs::compare
