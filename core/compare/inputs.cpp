// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compare/inputs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/joined.h"
#include "compare/elements.h"
#include "compare/guards.h"
#include "compare/input_rules.h"
#include "compare/random.h"
#include "compare/value_plan.h"

namespace fxs::compare {
namespace {

using tensor::Tensor;

constexpr std::int64_t kMostSolved = 4096;  // values of s0 that are tried for a size such as s0//2
constexpr std::uint64_t kStreamsOfASet = std::uint64_t{1} << 20;
constexpr std::uint64_t kStreamsOfARound = std::uint64_t{1} << 12;

struct SetName {
  InputSetKind set;
  std::string_view name;
};
constexpr std::array<SetName, 8> kSetNames{{{InputSetKind::Given, "given"},
                                            {InputSetKind::Example, "example"},
                                            {InputSetKind::Ordinary, "ordinary"},
                                            {InputSetKind::Steps, "steps"},
                                            {InputSetKind::Range, "range"},
                                            {InputSetKind::Edges, "edges"},
                                            {InputSetKind::Nonfinite, "nonfinite"},
                                            {InputSetKind::Shifted, "shifted"}}};

DType dtypeOf(const fx::SymValue& symbol) {
  if (symbol.kind == fx::SymKind::Int) return DType::Int64;
  return symbol.kind == fx::SymKind::Bool ? DType::Bool : DType::Float64;
}

Result<std::vector<std::int64_t>> sizesOf(const fx::Node& node, const fx::TensorMeta& meta,
                                          const Sizes& sizes) {
  std::vector<std::int64_t> out;
  for (const fx::SymInt& size : meta.sizes) {
    const auto value = fx::evaluate(size, sizes);
    if (!value || *value < 0)
      return fail(ErrorCode::Unsupported,
                  "input '" + node.name + "': its size " + size.text() + " cannot be computed");
    out.push_back(*value);
  }
  return out;
}

/// Sizes of an input that can be drawn.
Result<std::vector<std::int64_t>> drawableSizes(const fx::Node& node, const Sizes& sizes) {
  const fx::TensorMeta& meta = *node.val.tensor();
  if (meta.dtype == DType::Unknown || meta.layout != Layout::Strided)
    return fail(ErrorCode::Unsupported, "input '" + node.name + "': " + meta.text() +
                                            " cannot be drawn, only dense tensors");
  FXS_TRY(std::vector<std::int64_t> dimensions, sizesOf(node, meta, sizes));
  const auto count = tensor::elementCount(dimensions);
  if (!count || *count > UINT64_MAX / 64)
    return fail(ErrorCode::Unsupported,
                "input '" + node.name + "': " + meta.text() + " is too large");
  return dimensions;
}

Result<Tensor> drawNumber(const fx::Node& node, const Sizes& sizes, Random random) {
  const fx::SymValue& symbol = *node.val.symbol();
  if (symbol.kind == fx::SymKind::Float)
    return tensor::tensorFrom(DType::Float64, {}, {0.5 + random.uniform()});
  const auto value = fx::evaluate(*symbol.expr, sizes);
  if (!value)
    return fail(ErrorCode::Unsupported, "input '" + node.name + "': its value " +
                                            fx::infix(*symbol.expr) + " cannot be computed");
  return tensor::tensorFrom(dtypeOf(symbol), {}, {static_cast<double>(*value)});
}

Result<> checkUserInputs(const fx::Program& program) {
  for (const fx::InputSpec& spec : program.inputs) {
    const fx::Node& node = program.node(spec.node);
    if (spec.kind == fx::InputKind::CustomObject ||
        std::holds_alternative<fx::CustomObject>(node.val))
      return fail(ErrorCode::Unsupported,
                  "input '" + node.name + "' is a custom object, which cannot be given");
    if (spec.kind == fx::InputKind::UserInput && std::holds_alternative<fx::Unknown>(node.val))
      return fail(ErrorCode::Unsupported, "input '" + node.name + "': its type is not known");
  }
  return {};
}

// ---- From a file.

std::string storedType(const tensor::StoredTensor& stored) {
  return tensor::typeText(Tensor{stored.dtype, stored.sizes, {}});
}

bool fits(const fx::TensorMeta& meta, const tensor::StoredTensor& stored, const Sizes& symbols) {
  return meta.dtype == stored.dtype &&
         std::equal(meta.sizes.begin(), meta.sizes.end(), stored.sizes.begin(), stored.sizes.end(),
                    [&](const fx::SymInt& size, std::int64_t storedSize) {
                      return fx::evaluate(size, symbols) == storedSize;
                    });
}

/// Which tensor of a file belongs to which input.
Result<std::vector<const tensor::StoredTensor*>> matched(
    const fx::Program& program, const std::vector<const fx::Node*>& inputs,
    const std::vector<tensor::StoredTensor>& stored, const std::string& label) {
  std::map<std::string_view, const tensor::StoredTensor*> byName;
  for (const tensor::StoredTensor& tensor : stored) byName.emplace(tensor.name, &tensor);
  // Arguments that are lists have several placeholders, and then names of arguments say nothing.
  const bool hasArgumentNames = program.inputNames.size() == inputs.size();
  std::vector<const tensor::StoredTensor*> out;
  std::string missing;
  bool anyFound = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto found = byName.find(inputs[i]->name);
    if (found == byName.end() && hasArgumentNames) found = byName.find(program.inputNames[i]);
    if (found == byName.end() && missing.empty()) missing = inputs[i]->name;
    anyFound |= found != byName.end();
    out.push_back(found == byName.end() ? nullptr : found->second);
  }
  if (missing.empty()) return out;
  if (!anyFound && stored.size() == inputs.size()) {
    for (std::size_t i = 0; i < stored.size(); ++i) out[i] = &stored[i];
    return out;
  }
  std::vector<std::string> names;
  for (const fx::Node* node : inputs) names.push_back(node->name);
  return fail(ErrorCode::Usage,
              label + ": there is no tensor '" + missing + "'; the inputs are " + joined(names));
}

/// The symbol of an expression that is not bound, if it is the only one.
std::optional<std::string> onlyUnbound(const fx::SymExpr& expr, const Sizes& bound) {
  std::set<std::string> unbound;
  fx::collectSymbols(expr, [&](const std::string& symbol) {
    if (!bound.contains(symbol)) unbound.insert(symbol);
  });
  return unbound.size() == 1 ? std::optional(*unbound.begin()) : std::nullopt;
}

/// Binds symbols to the sizes of a tensor: those that are sizes by themselves, else those whose
/// value follows from an expression of them.
void bindSymbols(const fx::Node& node, const std::vector<std::int64_t>& sizes, bool isPlain,
                 Sizes& bound, const RunContext& context) {
  const fx::TensorMeta* meta = node.val.tensor();
  for (std::size_t i = 0; meta != nullptr && i < std::min(meta->rank(), sizes.size()); ++i) {
    const fx::SymInt& size = meta->sizes[i];
    if (size.isStatic() || (size.expr()->kind == fx::SymExpr::Kind::Symbol) != isPlain) continue;
    const auto symbol = onlyUnbound(*size.expr(), bound);
    if (!symbol) continue;
    for (std::int64_t value = isPlain ? sizes[i] : 0; value <= std::max(sizes[i], kMostSolved);
         ++value) {
      context.spend(Resource::Values, 1, "the sizes of input '" + node.name + "'");
      bound[*symbol] = value;
      if (fx::evaluate(*size.expr(), bound) == sizes[i]) break;
      bound.erase(*symbol);
    }
  }
}

/// Whether one element of the inputs may decide what is computed: by a branch, a loop, or a choice
/// by a single condition.
bool hasControlFlow(const fx::Program& program) {
  const auto isOneCondition = [&](const fx::Node& node) {
    if (node.target != "aten.where.self" || node.args.empty() ||
        node.args.front().value.node() == nullptr)
      return false;
    const fx::TensorMeta* condition = program.node(*node.args.front().value.node()).val.tensor();
    return condition != nullptr && condition->rank() == 0;
  };
  return std::any_of(program.nodes.begin(), program.nodes.end(), [&](const fx::Node& node) {
    return node.target.starts_with("higher_order.cond") ||
           node.target.starts_with("higher_order.while_loop") || isOneCondition(node);
  });
}

/// What sets of inputs are drawn from, for some sizes.
class Drawing {
 public:
  static Result<Drawing> make(const fx::Program& program, const Sizes& given,
                              const RunContext& context) {
    FXS_CHECK(checkUserInputs(program));
    FXS_TRY(std::vector<Sizes> choices, sizesToTry(program, given, context));
    Drawing out(program, std::move(choices.front()), context);
    for (const fx::Node* node : givenInputs(program)) {
      std::vector<std::int64_t> dimensions;
      if (node->val.tensor() != nullptr) {
        FXS_TRY(dimensions, drawableSizes(*node, out.sizes_));
      }
      out.dimensions_.push_back(std::move(dimensions));
    }
    return out;
  }

  Result<Inputs> draw(InputSetKind set, std::size_t round, std::uint64_t seed) const {
    Inputs out;
    out.sizes = sizes_;
    out.set = set;
    out.round = round;
    const bool isOrdinary = set == InputSetKind::Ordinary;
    // Rounds of edges go on in one order.
    const std::uint64_t firstOfRound = set == InputSetKind::Edges ? 0 : kStreamsOfARound * round;
    const std::uint64_t first =
        isOrdinary ? 0 : kStreamsOfASet * static_cast<std::uint64_t>(set) + firstOfRound;
    std::size_t tensors = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const fx::Node& node = *inputs_[i];
      const Random random(seed, first + i);
      if (node.val.tensor() == nullptr) {
        FXS_TRY(out.tensors.emplace_back(), drawNumber(node, sizes_, random));
        continue;
      }
      const DType dtype = node.val.tensor()->dtype;
      const InputRule& rule = (isWide(set, dtype) ? wide_ : usual_)[tensors++];
      const auto count = tensor::elementCount(dimensions_[i]).value_or(0);
      // Elements are drawn as doubles or integers of 64 bits.
      context_.spend(Resource::Text,
                     count * (sizeof(double) + static_cast<std::uint64_t>(facts(dtype).bytes)),
                     "input '" + node.name + "'");
      if (count == 0) out.tensors.push_back(tensor::tensorFrom(dtype, dimensions_[i], {}));
      else
        out.tensors.push_back(drawElements({set, round, tensors - 1}, rule, plans_[i], dtype,
                                           dimensions_[i], count, random));
      if (!rule.message.empty()) out.notes.push_back(node.name + ": " + rule.message);
    }
    out.notes.insert(out.notes.end(), unmet_.begin(), unmet_.end());
    for (const std::string& guard : sizeConditions(program_, context_).unread)
      out.notes.push_back("a guard was not checked: " + guard);
    return out;
  }

  /// How often a set of a kind is drawn; 0 if no input can have what it consists of.
  std::size_t rounds(InputSetKind set) const {
    const bool anyNonfinite = std::any_of(plans_.begin(), plans_.end(), [&](const ValuePlan& plan) {
      const fx::TensorMeta* meta = program_.node(plan.node).val.tensor();
      return meta != nullptr && isFloating(meta->dtype) &&
             (plan.borne.has(Value::Nan) || plan.borne.has(Value::Infinity));
    });
    if (set == InputSetKind::Nonfinite && !anyNonfinite) return 0;
    if (set == InputSetKind::Shifted && !hasControlFlow(program_)) return 0;
    std::size_t out = 1, tensors = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (const fx::TensorMeta* meta = inputs_[i]->val.tensor())
        out = std::max(
            out, roundsOf(set, (isWide(set, meta->dtype) ? wide_ : usual_)[tensors++], plans_[i],
                          meta->dtype, tensor::elementCount(dimensions_[i]).value_or(0)));
    // The last round of steps is for products of two inputs.
    return set == InputSetKind::Steps && tensors == 1 ? std::min<std::size_t>(out, 3) : out;
  }

 private:
  Drawing(const fx::Program& program, Sizes sizes, const RunContext& context)
      : program_(program),
        sizes_(std::move(sizes)),
        context_(context),
        inputs_(givenInputs(program)),
        plans_(valuePlans(program, context)),
        usual_(inputRules(program, sizes_, Bounds::Usual, unmet_, context)) {
    std::vector<std::string> known;
    wide_ = inputRules(program, sizes_, Bounds::Widest, known, context);
    for (std::size_t i = 0, tensors = 0; i < inputs_.size(); ++i)
      if (const fx::TensorMeta* meta = inputs_[i]->val.tensor())
        restrict(wide_[tensors++], plans_[i], meta->dtype);
  }

  static bool isWide(InputSetKind set, DType dtype) {
    return set == InputSetKind::Range || set == InputSetKind::Edges ||
           (set == InputSetKind::Steps && isIntegral(dtype));
  }

  /// Long integers that an operator does not bear, or that may be numbers of trips, stay small.
  static void restrict(InputRule& rule, const ValuePlan& plan, DType dtype) {
    if (!isIntegral(dtype) || rule.draw != InputRule::Draw::Integers) return;
    constexpr double kSmall = 100;
    const bool isLong = facts(dtype).bytes > 2 && !plan.borne.has(Value::High);
    if (plan.reachesLoop) rule.max = std::min(rule.max, 9.0);
    if (plan.reachesLoop || !plan.borne.has(Value::Negative))
      rule.min = std::max(rule.min, std::min(0.0, rule.max));
    if (!isLong) return;
    rule.min = std::max(rule.min, -kSmall);
    rule.max = std::max(std::min(rule.max, 10 * kSmall), rule.min);
  }

  const fx::Program& program_;
  Sizes sizes_;
  const RunContext& context_;
  std::vector<const fx::Node*> inputs_;
  std::vector<ValuePlan> plans_;
  std::vector<std::string> unmet_;
  std::vector<InputRule> usual_, wide_;
  std::vector<std::vector<std::int64_t>> dimensions_;
};

}  // namespace

std::string_view name(InputSetKind set) {
  for (const SetName& each : kSetNames)
    if (each.set == set) return each.name;
  return {};
}

std::optional<InputSetKind> inputSetNamed(std::string_view name) {
  for (const SetName& each : kSetNames)
    if (each.name == name) return each.set;
  return std::nullopt;
}

std::string label(const Inputs& inputs) {
  return std::string(name(inputs.set)) +
         (inputs.round > 0 ? "." + std::to_string(inputs.round) : "");
}

Result<Inputs> drawInputs(const fx::Program& program, const Sizes& given, std::uint64_t seed,
                          const RunContext& context) {
  return drawInputs(program, given, seed, InputSetKind::Ordinary, 0, context);
}

Result<Inputs> drawInputs(const fx::Program& program, const Sizes& given, std::uint64_t seed,
                          InputSetKind set, std::size_t round, const RunContext& context) {
  FXS_TRY(const Drawing drawing, Drawing::make(program, given, context));
  return drawing.draw(set, round, seed);
}

Result<std::vector<Inputs>> drawInputSets(const fx::Program& program, const Sizes& given,
                                          std::uint64_t seed, const RunContext& context) {
  FXS_TRY(const Drawing drawing, Drawing::make(program, given, context));
  std::vector<Inputs> out;
  for (const InputSetKind set :
       {InputSetKind::Ordinary, InputSetKind::Steps, InputSetKind::Range, InputSetKind::Edges,
        InputSetKind::Nonfinite, InputSetKind::Shifted}) {
    for (std::size_t round = 0; round < drawing.rounds(set); ++round) {
      FXS_TRY(Inputs drawn, drawing.draw(set, round, seed));
      const bool isNew = std::none_of(out.begin(), out.end(), [&](const Inputs& other) {
        return other.tensors == drawn.tensors;
      });
      if (isNew) out.push_back(std::move(drawn));
    }
  }
  return out;
}

Result<Inputs> inputsFrom(const fx::Program& program, const tensor::TensorFile& file,
                          const std::string& label, const RunContext& context) {
  FXS_CHECK(checkUserInputs(program));
  const std::vector<const fx::Node*> inputs = givenInputs(program);
  FXS_TRY(const auto stored, matched(program, inputs, file.tensors(), label));
  Inputs out;
  for (const bool isPlain : {true, false})
    for (std::size_t i = 0; i < inputs.size(); ++i)
      bindSymbols(*inputs[i], stored[i]->sizes, isPlain, out.sizes, context);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const fx::Node& node = *inputs[i];
    const auto wrong = [&](const std::string& expected) {
      return fail(ErrorCode::Usage, label + ": input '" + node.name + "': expected " + expected +
                                        ", got " + storedType(*stored[i]));
    };
    if (const fx::SymValue* symbol = node.val.symbol()) {
      if (stored[i]->dtype != dtypeOf(*symbol) || tensor::elementCount(stored[i]->sizes) != 1)
        return wrong("a single " + std::string(facts(dtypeOf(*symbol)).shortName));
    } else if (const fx::TensorMeta& meta = *node.val.tensor();
               !fits(meta, *stored[i], out.sizes)) {
      return wrong(meta.text());
    }
    FXS_TRY(Tensor tensor, file.read(*stored[i], context.budget->left(Resource::Text), context));
    if (const fx::SymValue* symbol = node.val.symbol()) {
      tensor.sizes.clear();
      if (symbol->expr->kind == fx::SymExpr::Kind::Symbol && symbol->kind == fx::SymKind::Int)
        out.sizes.emplace(symbol->expr->name,
                          static_cast<std::int64_t>(tensor::elementAt(tensor, 0)));
    }
    context.spend(Resource::Text, tensor.bytes.size(), label);
    out.tensors.push_back(std::move(tensor));
  }
  // Ranges and guards are checked as for sizes that the user gives.
  const auto allowed = sizesToTry(program, out.sizes, context);
  if (!allowed) return fail(allowed.error().code, label + ": " + allowed.error().message);
  out.sizes = allowed->front();
  return out;
}

}  // namespace fxs::compare
