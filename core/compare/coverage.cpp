// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/coverage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "compare/broadcast.h"
#include "compare/element_ranges.h"
#include "compare/guards.h"

namespace fxs::compare {
namespace {

constexpr std::uint64_t kMostLookedAt = std::uint64_t{1} << 20;
constexpr std::size_t kCompared = 4096;  // elements among which equal ones are looked for
constexpr double kSteep = 88, kLarge = 1000, kMasking = -1000;

void addFloat(double value, double smallestNormal, double largest, Values& out) {
  if (std::isnan(value)) return out.add(Value::Nan);
  if (std::isinf(value)) {
    if (value < 0) out.add(Value::Masked);
    return out.add(Value::Infinity);
  }
  const double size = std::abs(value);
  if (value == 0) out.add(Value::Zero);
  if (value < 0) out.add(Value::Negative);
  if (size - std::floor(size) == 0.5) out.add(Value::Half);
  if (size > 0 && size < smallestNormal) out.add(Value::Denormal);
  if (size > kSteep) out.add(Value::Steep);
  if (size > kLarge) out.add(Value::Large);
  if (value < kMasking) out.add(Value::Masked);
  if (size >= largest / 2) out.add(Value::Largest);
  if (value != 0 && value != 1) out.add(Value::Truth);
}

void addInteger(double value, int bits, const IntegerLimits& limits, Values& out) {
  if (value == 0) out.add(Value::Zero);
  if (value < 0) out.add(Value::Negative), out.add(Value::Wrapped);
  if (std::abs(value) > limits.most / 2) out.add(Value::High);
  if (value == limits.least && value < 0) out.add(Value::Least);
  if (value >= bits) out.add(Value::Beyond);
  if (value != 0 && value != 1) out.add(Value::Truth);
}

/// Collects the kinds of values among elements of one type.
class ElementKinds {
 public:
  explicit ElementKinds(DType dtype)
      : isFloat_(isFloating(dtype)),
        bits_(facts(dtype).bytes * 8),
        limits_(isFloat_ ? IntegerLimits() : integerLimits(dtype)) {
    if (dtype == DType::Float16) smallestNormal_ = 0x1p-14, largest_ = 65504;
    else if (dtype == DType::Float64) smallestNormal_ = 0x1p-1022, largest_ = 0x1p1023;
  }

  void add(double value) {
    if (isFloat_) addFloat(value, smallestNormal_, largest_, kinds_);
    else addInteger(value, bits_, limits_, kinds_);
    isBelow_ = isBelow_ && value < 0;
    isAbove_ = isAbove_ && value > 0;
    if (known_.size() < kCompared && !kinds_.has(Value::Equal) && !std::isnan(value) &&
        !known_.insert(value).second)
      kinds_.add(Value::Equal);
  }
  /// After at least one element.
  Values ofAll() const {
    Values out = kinds_;
    if (isBelow_) out.add(Value::Below);
    if (isAbove_) out.add(Value::Above);
    return out;
  }

 private:
  const bool isFloat_;
  const int bits_;
  const IntegerLimits limits_;
  double smallestNormal_ = 0x1p-126, largest_ = 0x1p127;
  Values kinds_;
  bool isBelow_ = true, isAbove_ = true;
  std::unordered_set<double> known_;
};

/// Values that an operand of this type can have, and that are not decided by what inputs are given.
Values applicable(const tensor::Tensor& operand) {
  if (isFloating(operand.dtype))
    return {Value::Negative, Value::Half, Value::Steep, Value::Truth, Value::Below, Value::Above};
  if (isIntegral(operand.dtype)) {
    Values out{Value::High, Value::Beyond, Value::Truth};
    if (integerLimits(operand.dtype).least < 0)
      out |= {Value::Negative, Value::Below, Value::Above};
    return out;
  }
  return {};
}

/// An operand of a comparison: the value of a node, or a number.
std::optional<tensor::Tensor> comparedValue(const fx::Argument& argument,
                                            const NodeValue& valueOf) {
  if (const fx::NodeId* node = argument.node()) return valueOf(*node);
  if (const std::int64_t* integer = argument.integer())
    return tensor::tensorFrom(DType::Float64, {}, {static_cast<double>(*integer)});
  if (const double* real = std::get_if<double>(&argument))
    return tensor::tensorFrom(DType::Float64, {}, {*real});
  return std::nullopt;
}

/// The operands whose values matter: of where and shifts only one.
bool matters(std::string_view packet, Value value, std::size_t operand) {
  if (value == Value::Beyond) return operand == 1;
  if (value == Value::Truth && packet == "where") return operand == 0;
  if (value == Value::Truth && packet == "masked_fill") return operand == 1;
  return true;
}

}  // namespace

Values valuesIn(const tensor::Tensor& tensor) {
  if (!isFloating(tensor.dtype) && !isIntegral(tensor.dtype)) return {};
  ElementKinds kinds(tensor.dtype);
  std::array<double, 1024> chunk;
  const std::uint64_t count = std::min(tensor.elements(), kMostLookedAt);
  for (std::uint64_t first = 0; first < count; first += chunk.size()) {
    const auto length =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), count - first));
    tensor::readParts(tensor, first, {chunk.data(), length});
    for (std::size_t i = 0; i < length; ++i) kinds.add(chunk[i]);
  }
  return count > 0 ? kinds.ofAll() : Values();
}

std::vector<bool> dependOnInputs(const fx::Program& program) {
  std::vector<bool> out(program.nodes.size());
  for (const fx::Node* node : givenInputs(program))
    out[node->id.index()] = node->val.tensor() != nullptr;
  for (const fx::NodeId id : program.main().nodes) {
    const fx::Node& node = program.node(id);
    if (node.op != fx::NodeOp::CallFunction || node.val.symbol() != nullptr) continue;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId operand) {
        if (out[operand.index()]) out[id.index()] = true;
      });
  }
  return out;
}

bool comparesElements(const fx::Node& node) {
  const OperatorValues* row = node.op == fx::NodeOp::CallFunction ? operatorValues(node) : nullptr;
  return row != nullptr && row->separating.has(Value::Tied) && node.args.size() >= 2;
}

bool forEachDifference(const fx::Node& node, const NodeValue& valueOf,
                       const std::function<bool(double)>& visit) {
  const auto a = comparedValue(node.args[0].value, valueOf);
  const auto b = a ? comparedValue(node.args[1].value, valueOf) : std::nullopt;
  if (!b || isComplex(a->dtype) || isComplex(b->dtype)) return false;
  const auto sizes = broadcastSizes(a->sizes, b->sizes);
  if (!sizes) return false;
  const Broadcast ofA(a->sizes, *sizes), ofB(b->sizes, *sizes);
  const std::uint64_t count = std::min(tensor::elementCount(*sizes).value_or(0), kMostLookedAt);
  for (std::uint64_t i = 0; i < count; ++i)
    if (visit(tensor::elementAt(*a, ofA.at(i)) - tensor::elementAt(*b, ofB.at(i)))) break;
  return true;
}

Coverage::Coverage(const fx::Program& program)
    : program_(program),
      depends_(dependOnInputs(program)),
      seen_(program.nodes.size()),
      saw_(program.nodes.size()),
      isKnown_(program.nodes.size()) {}

void Coverage::add(const NodeValue& valueOf) {
  std::map<fx::NodeId, OperandKinds> known;
  const auto kindsOf = [&](fx::NodeId id) {
    const auto [found, isNew] = known.try_emplace(id);
    if (isNew && program_.node(id).val.tensor() != nullptr && depends_[id.index()])
      if (const auto value = valueOf(id)) found->second = {valuesIn(*value), applicable(*value)};
    return found->second;
  };
  for (const fx::NodeId id : program_.main().nodes) {
    const fx::Node& node = program_.node(id);
    const OperatorValues* row =
        node.op == fx::NodeOp::CallFunction ? operatorValues(node) : nullptr;
    if (row == nullptr || row->separating.isEmpty() || node.target == fx::kGetitem) continue;
    Values possible = addOperands(node, row->separating, kindsOf);
    if (row->separating.has(Value::Tied) && depends_[id.index()] && addTies(node, valueOf))
      possible.add(Value::Tied);
    // What no operand can have counts as seen.
    seen_[id.index()] |= saw_[id.index()] | (row->separating - possible);
  }
}

Values Coverage::addOperands(const fx::Node& call, const Values& separating,
                             const std::function<OperandKinds(fx::NodeId)>& kindsOf) {
  const std::string_view packet = packetOf(call);
  Values possible;
  for (std::size_t a = 0; a < call.args.size(); ++a)
    fx::forEachNode(call.args[a].value, [&](fx::NodeId operand) {
      const OperandKinds kinds = kindsOf(operand);
      if (!kinds.applicable.isEmpty()) isKnown_[call.id.index()] = true;
      for (const Value value : separating.list()) {
        if (!matters(packet, value, a)) continue;
        if (kinds.seen.has(value)) saw_[call.id.index()].add(value);
        if (kinds.applicable.has(value)) possible.add(value);
      }
    });
  return possible;
}

bool Coverage::addTies(const fx::Node& comparison, const NodeValue& valueOf) {
  return forEachDifference(comparison, valueOf, [&](double difference) {
    if (difference == 0) saw_[comparison.id.index()].add(Value::Tied);
    return difference == 0;
  });
}

std::vector<Unseen> Coverage::unseen() const {
  std::map<std::pair<std::string, Value>, std::size_t> counts;
  for (const fx::NodeId id : program_.main().nodes) {
    if (!isKnown_[id.index()]) continue;
    const fx::Node& node = program_.node(id);
    for (const Value value : (operatorValues(node)->separating - seen_[id.index()]).list())
      ++counts[{std::string(packetOf(node)), value}];
  }
  std::vector<Unseen> out;
  for (const auto& [of, calls] : counts) out.push_back({of.second, of.first, calls});
  return out;
}

std::vector<Sight> Coverage::sights() const {
  std::map<std::pair<std::string, Value>, Sight> all;
  for (const fx::NodeId id : program_.main().nodes) {
    if (!isKnown_[id.index()]) continue;
    const fx::Node& node = program_.node(id);
    const std::string packet(packetOf(node));
    for (const Value value : operatorValues(node)->separating.list()) {
      Sight& sight = all.try_emplace({packet, value}, Sight{packet, value}).first->second;
      ++sight.calls;
      sight.seen += saw_[id.index()].has(value) ? 1 : 0;
    }
  }
  std::vector<Sight> out;
  for (auto& [of, sight] : all) out.push_back(std::move(sight));
  return out;
}

}  // namespace fxs::compare
