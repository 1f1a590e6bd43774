// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/value_plan.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compare/element_ranges.h"
#include "compare/guards.h"

namespace fxs::compare {
namespace {

constexpr std::size_t kMostTargets = 64;

/// What became of an input's elements at a node.
struct Reached {
  Passing passing = Passing::Moved;
  bool isProduct = false;                ///< an inner product was on the way
  std::array<Values, kValues> values{};  ///< by value of the input: among the elements here
  std::optional<double> factor = 1;  ///< the elements are factor * x + offset; nullopt: otherwise
  double offset = 0;
};

/// factor * x + offset of each element.
struct Affine {
  double factor = 1, offset = 0;
};

std::optional<double> numberIn(const fx::Node& node, std::size_t position) {
  if (position >= node.args.size()) return std::nullopt;
  const fx::Argument& argument = node.args[position].value;
  if (const std::int64_t* integer = argument.integer()) return static_cast<double>(*integer);
  if (const double* real = std::get_if<double>(&argument)) return *real;
  return std::nullopt;
}

/// What the call makes of its operand; std::nullopt if it is something else.
std::optional<Affine> affineOf(const fx::Node& node) {
  const std::string_view rule = operatorOf(node).rule(ops::Rule::Affine);
  if (rule == "negated") return Affine{-1, 0};
  const auto number = numberIn(node, 1);
  if (!number) return std::nullopt;
  if (rule == "plus") return Affine{1, *number};
  if (rule == "minus") return Affine{1, -*number};
  if (*number == 0) return std::nullopt;
  if (rule == "times") return Affine{*number, 0};
  const bool isQuotient = rule == "divided" && node.find("rounding_mode") == nullptr;
  return isQuotient ? std::optional(Affine{1 / *number, 0}) : std::nullopt;
}

class Following {
 public:
  Following(const fx::Program& program, fx::NodeId input, const RunContext& context)
      : program_(program), context_(context), reached_(program.nodes.size()) {
    plan_.node = input;
    Reached start;
    for (std::size_t v = 0; v < kValues; ++v) start.values[v].add(static_cast<Value>(v));
    reached_[input.index()] = start;
  }

  ValuePlan run() {
    for (const fx::Node& node : program_.nodes) {
      context_.spend(Resource::Values, 1, "what operators do with inputs");
      if (node.op == fx::NodeOp::CallFunction) call(node);
    }
    std::sort(plan_.targets.begin(), plan_.targets.end());
    plan_.targets.erase(std::unique(plan_.targets.begin(), plan_.targets.end()),
                        plan_.targets.end());
    return std::move(plan_);
  }

 private:
  void call(const fx::Node& node) {
    std::optional<Reached> operand;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) { join(operand, reached_[id.index()]); });
    if (!operand) return;
    if (node.target.starts_with("higher_order.")) return higherOrder(node, *operand);
    // Sizes and other numbers of Python are values of their own.
    if (packetOf(node).empty() && node.target != fx::kGetitem) return;
    const OperatorValues* row = operatorValues(node);
    if (row == nullptr) return forbidAll(node, *operand);
    plan(node, *row, *operand);
    if (row->passing != Passing::Tested)
      reached_[node.id.index()] = passed(node, *row, *std::move(operand));
  }

  /// What the call makes of the elements that reach it.
  static Reached passed(const fx::Node& node, const OperatorValues& row, Reached out) {
    for (Values& values : out.values) {
      Values made;
      for (const Value value : values.list()) made |= row.makes[static_cast<std::size_t>(value)];
      values = made;
    }
    out.passing = std::max(out.passing, row.passing);
    out.isProduct |= operatorOf(node).is(ops::Trait::InnerProduct);
    affine(node, out);
    return out;
  }

  /// What the call wants and forbids.
  void plan(const fx::Node& node, const OperatorValues& row, const Reached& operand) {
    const bool isEach = operand.passing <= Passing::Pointwise;
    const bool isSteep = row.separating.has(Value::Steep);
    constexpr Values kOfAllElements{Value::Below, Value::Above};
    // Sums of products of one sign are large and rounded, which exponents would show.
    if (isEach) plan_.wanted |= row.separating;
    else if (!isSteep) plan_.wanted |= row.separating & kOfAllElements;
    const bool isPower = row.passing == Passing::Mixed ||
                         row.makes[static_cast<std::size_t>(Value::Steep)].has(Value::Infinity);
    if (operand.isProduct && isSteep) plan_.isSteepAsProduct = true;
    if (operand.isProduct && isSteep && isPower) plan_.isExponentAsProduct = true;
    if (operatorOf(node).rule(ops::Rule::Use) == "attention")
      plan_.isSteepAsProduct = plan_.isExponentAsProduct = true;
    for (std::size_t v = 0; v < kValues; ++v)
      if (!(operand.values[v] - row.bears).isEmpty()) forbid(static_cast<Value>(v), node);
    if (isEach) addTargets(node, operand);
  }

  static void join(std::optional<Reached>& into, const std::optional<Reached>& other) {
    if (!other) return;
    if (!into) {
      into = other;
      return;
    }
    into->passing = std::max(into->passing, other->passing);
    into->isProduct |= other->isProduct;
    for (std::size_t v = 0; v < kValues; ++v) into->values[v] |= other->values[v];
    if (into->factor != other->factor || into->offset != other->offset) into->factor.reset();
  }

  void forbid(Value value, const fx::Node& node) {
    if (!plan_.borne.has(value)) return;
    plan_.borne.remove(value);
    plan_.forbids[static_cast<std::size_t>(value)] = node.id;
  }
  void forbidAll(const fx::Node& node, Reached operand) {
    for (std::size_t v = 0; v < kValues; ++v) forbid(static_cast<Value>(v), node);
    operand.passing = Passing::Mixed;
    reached_[node.id.index()] = operand;
  }

  /// Operands of a branch are its placeholders; in a loop they change.
  void higherOrder(const fx::Node& node, Reached operand) {
    const bool isLoop = node.target.find("while_loop") != std::string::npos ||
                        node.target.find("scan") != std::string::npos ||
                        node.target.find("map") != std::string::npos;
    plan_.reachesLoop |= isLoop;
    if (isLoop) return forbidAll(node, operand);
    std::vector<fx::NodeId> operands;
    std::vector<fx::GraphId> subgraphs;
    for (const fx::NodeArgument& argument : node.args)
      fx::forEachNode(argument.value, [&](fx::NodeId id) {
        const fx::Node& used = program_.node(id);
        if (used.op == fx::NodeOp::GetAttr && used.subgraph.valid())
          subgraphs.push_back(used.subgraph);
        else operands.push_back(id);
      });
    for (const fx::GraphId id : subgraphs) {
      std::vector<fx::NodeId> placeholders;
      for (const fx::NodeId inner : program_.graph(id).nodes)
        if (program_.node(inner).op == fx::NodeOp::Placeholder) placeholders.push_back(inner);
      if (placeholders.size() > operands.size()) continue;
      for (std::size_t i = 0; i < placeholders.size(); ++i)
        reached_[placeholders[i].index()] =
            reached_[operands[operands.size() - placeholders.size() + i].index()];
      // Nodes of subgraphs may precede the call.
      for (const fx::NodeId inner : program_.graph(id).nodes)
        if (program_.node(inner).op == fx::NodeOp::CallFunction) call(program_.node(inner));
    }
    operand.passing = Passing::Mixed;
    operand.factor.reset();
    reached_[node.id.index()] = operand;
  }

  /// factor and offset of the result, whose values are those of the operand still.
  static void affine(const fx::Node& node, Reached& out) {
    if (!out.factor) return;
    const OperatorValues* row = operatorValues(node);
    if (row != nullptr && row->passing == Passing::Moved) return;
    const auto by = affineOf(node);
    if (!by) return out.factor.reset();
    *out.factor *= by->factor;
    out.offset = out.offset * by->factor + by->offset;
  }

  /// Elements of the input for which this node gets a tie of rounding or one of its limits.
  void addTargets(const fx::Node& node, const Reached& operand) {
    if (!operand.factor || *operand.factor == 0) return;
    const ops::Operator& op = operatorOf(node);
    const bool isInput = *operand.factor == 1 && operand.offset == 0;
    // Ties of rounding are drawn anyhow.
    if (op.is(ops::Trait::Rounds) && !(isInput && packetOf(node) == "round"))
      for (const double half : {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5}) addTarget(half, operand);
    if (!op.is(ops::Trait::Limits)) return;
    for (std::size_t i = 1; i < node.args.size(); ++i)
      if (const auto limit = numberIn(node, i); limit && std::abs(*limit) < 1e6)
        for (const double value : {*limit, *limit + 1, -*limit - 1}) addTarget(value, operand);
  }
  void addTarget(double value, const Reached& operand) {
    const double x = (value - operand.offset) / *operand.factor;
    if (std::isfinite(x) && plan_.targets.size() < kMostTargets) plan_.targets.push_back(x);
  }

  const fx::Program& program_;
  const RunContext& context_;
  ValuePlan plan_;
  std::vector<std::optional<Reached>> reached_;
};

}  // namespace

std::vector<ValuePlan> valuePlans(const fx::Program& program, const RunContext& context) {
  std::vector<ValuePlan> out;
  for (const fx::Node* node : givenInputs(program))
    out.push_back(Following(program, node->id, context).run());
  return out;
}

}  // namespace fxs::compare
