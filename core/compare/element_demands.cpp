// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/element_demands.h"

#include <charconv>
#include <map>

#include "base/take_until.h"
#include "ops/operators.h"

namespace fxs::compare {

namespace {

/// Stands for "greater than 0" and the like.
constexpr double kSlightly = 1e-6;

}  // namespace

class Demands {
 public:
  Demands(std::vector<ElementDemand>& out, bool canWrap, const RangedOperands& operands)
      : out_(out), canWrap_(canWrap), o_(operands) {}

  void collect() {
    const std::string_view packet = packetOf(o_.node());
    const ops::Operator& row = ops::operatorNamed(packet);
    if (const auto indexing = readIndexing(row.rule(ops::Rule::Index))) indices(*indexing);
    if (const auto domain = readDomain(row.rule(ops::Rule::Domain)))
      demand(o_.argument("self"), domain->min, domain->max, false,
             "for the domain of " + std::string(packet));
    if (const DemandRule rule = demandRule(row.rule(ops::Rule::Demands))) (this->*rule)();
  }

  /// A scalar taken from a tensor lies within the range that the program gives its symbol.
  void scalar() {
    const fx::Node& node = o_.node();
    const fx::SymValue* symbol = node.val.symbol();
    if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
      return;
    for (const fx::RangeConstraint& range : o_.program().ranges) {
      if (range.symbol != symbol->expr->name || (!range.min && !range.max)) continue;
      out_.push_back({node.id, range.min ? static_cast<double>(*range.min) : -kUnbounded,
                      range.max ? static_cast<double>(*range.max) : kUnbounded, true,
                      "for the range of " + range.symbol + " at " + node.name});
    }
  }

  void indexAll() { below(o_.argument("index"), o_.elements(o_.tensor(o_.at(0))), canWrap_); }
  void assertion() { demand(o_.at(0), 1, 1, true, "for the assertion at " + o_.node().name); }
  void range() {
    demand(o_.at(0), o_.number("min", 0).value_or(0),
           o_.number("max", kUnbounded).value_or(kUnbounded), true,
           "for the range at " + o_.node().name);
  }
  void counts() { demand(o_.at(0), 0, kUnbounded, true, "as counts at " + o_.node().name); }
  void probabilities() {
    const std::string purpose = "as probabilities at " + o_.node().name;
    demand(o_.argument("self"), kSlightly, 1 - kSlightly, true, purpose);
    demand(o_.argument("target"), 0, 1, false, purpose);
  }
  void variances() {
    demand(o_.argument("running_var"), 0, kUnbounded, false, "as variances at " + o_.node().name);
  }
  /// Each tensor of a list indexes one dimension, a mask as many as it has.
  void indexList() {
    const fx::TensorMeta* self = o_.tensor(o_.argument("self"));
    const fx::ArgumentList* list =
        o_.argument("indices") == nullptr ? nullptr : o_.argument("indices")->list();
    if (self == nullptr || list == nullptr) return;
    std::size_t dimension = 0;
    for (const fx::Argument& item : *list) {
      const fx::TensorMeta* index = o_.tensor(&item);
      const bool isMask =
          index != nullptr && (index->dtype == DType::Bool || index->dtype == DType::UInt8);
      if (index != nullptr && !isMask && dimension < self->rank())
        below(&item, o_.size(self->sizes[dimension]), canWrap_);
      dimension += isMask ? index->rank() : 1;
    }
  }
  void oneHot() {
    const auto classes = o_.number("num_classes", -1);
    demand(o_.at(0), 0, classes && *classes > 0 ? *classes - 1 : kUnbounded, true,
           "as classes at " + o_.node().name);
  }
  /// C++ leaves open which integer a float becomes that has no integer of the type.
  void conversion() {
    const fx::TensorMeta *from = o_.tensor(o_.at(0)), *to = o_.node().val.tensor();
    if (from == nullptr || to == nullptr || !isFloating(from->dtype) || !isIntegral(to->dtype))
      return;
    const auto [least, most] = integerLimits(to->dtype);
    demand(o_.at(0), least, most, true, "for the conversion at " + o_.node().name);
  }
  void base() {
    const MaybeRange exponent = o_.range("exponent");
    const fx::TensorMeta* tensor = o_.tensor(o_.argument("exponent"));
    const bool isInteger = (exponent && exponent->min == exponent->max &&
                            exponent->min == std::trunc(exponent->min)) ||
                           (tensor != nullptr && !isFloating(tensor->dtype));
    if (!isInteger)
      demand(o_.argument("self"), kSlightly, kUnbounded, false, "for the domain of pow");
    const fx::TensorMeta* result = o_.node().val.tensor();
    if (result != nullptr && isIntegral(result->dtype))
      demand(o_.argument("exponent"), 0, kUnbounded, true, "as exponents at " + o_.node().name);
  }
  void divisor() {
    const fx::TensorMeta* tensor = o_.tensor(o_.at(1));
    if (tensor == nullptr || !isIntegral(tensor->dtype) || o_.at(1)->node() == nullptr) return;
    demand(o_.at(1), 1, kUnbounded, true, "as divisors at " + o_.node().name);
    out_.back().isDivisor = true;
  }

 private:
  void demand(const fx::Argument* argument, double min, double max, bool isRequired,
              std::string purpose) {
    const fx::NodeId* id = argument == nullptr ? nullptr : argument->node();
    if (id != nullptr) out_.push_back({*id, min, max, isRequired, std::move(purpose)});
  }
  void below(const fx::Argument* argument, std::optional<std::int64_t> size, bool wraps = false) {
    if (!size || *size < 1) return;
    const double least = wraps ? -static_cast<double>(*size) : 0;
    demand(argument, least, static_cast<double>(*size - 1), true,
           "as indices at " + o_.node().name);
  }
  void indices(const Indexing& indexing) {
    const fx::TensorMeta *table = o_.tensor(o_.argument(indexing.table)),
                         *index = o_.tensor(o_.argument(indexing.index));
    if (table == nullptr || (index != nullptr && !isIntegral(index->dtype))) return;
    auto dimension = indexing.dimension;
    if (!dimension) dimension = o_.dimension();
    else if (table->rank() == 1)
      dimension = 0;  // the classes of a single sample are its only dimension
    if (dimension) below(o_.argument(indexing.index), o_.size(table, *dimension));
  }

  std::vector<ElementDemand>& out_;
  const bool canWrap_;
  const RangedOperands& o_;
};

DemandRule demandRule(std::string_view name) {
  static const std::map<std::string_view, DemandRule> kRules{
      {"scalar", &Demands::scalar},
      {"index-list", &Demands::indexList},
      {"index-all", &Demands::indexAll},
      {"classes", &Demands::oneHot},
      {"assertion", &Demands::assertion},
      {"range", &Demands::range},
      {"counts", &Demands::counts},
      {"base", &Demands::base},
      {"conversion", &Demands::conversion},
      {"divisor", &Demands::divisor},
      {"probabilities", &Demands::probabilities},
      {"variances", &Demands::variances}};
  const auto rule = kRules.find(name);
  return rule == kRules.end() ? nullptr : rule->second;
}

std::optional<Domain> readDomain(std::string_view interval) {
  std::string_view end = interval.substr(std::min<std::size_t>(interval.size(), 1));
  const std::string_view start = takeUntil(',', end);
  Domain out;
  if (std::from_chars(start.data(), start.data() + start.size(), out.min).ec != std::errc() ||
      std::from_chars(end.data(), end.data() + end.size(), out.max).ec != std::errc())
    return std::nullopt;
  if (interval.starts_with('(')) out.min += kSlightly;
  if (interval.ends_with(')')) out.max -= kSlightly;
  return out;
}

std::optional<Indexing> readIndexing(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Indexing out;
  out.index = takeUntil('/', text);
  out.table = takeUntil('/', text);
  if (text == "dim") return out;
  std::int64_t dimension = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), dimension).ec != std::errc())
    return std::nullopt;
  out.dimension = dimension;
  return out;
}

void collectDemands(const RangedOperands& operands, bool canWrap, std::vector<ElementDemand>& out) {
  Demands(out, canWrap, operands).collect();
}

}  // namespace fxs::compare
