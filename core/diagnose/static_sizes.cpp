// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnose/static_sizes.h"

#include <algorithm>
#include <cmath>

#include "rewrite/emit.h"

namespace fxs::diagnose {
namespace {

constexpr std::int64_t kUsualSize = 4;

using Sizes = std::map<std::string, std::int64_t>;

fx::SymExprPtr exprOf(const fx::SymInt& size) {
  return size.isStatic() ? fx::SymExpr::integerOf(size.value()) : size.expr();
}

/// The expression with numbers for its symbols. Its depth is at most kMaxSymExprDepth.
fx::SymInt partlyFixed(const fx::SymExprPtr& expr, const Sizes& sizes) {
  using Kind = fx::SymExpr::Kind;
  if (expr->kind == Kind::Integer) return expr->integer;
  if (expr->kind == Kind::Symbol) {
    const auto known = sizes.find(expr->name);
    return known == sizes.end() ? fx::SymInt(expr) : fx::SymInt(known->second);
  }
  if (expr->kind != Kind::Call) return fx::SymInt(expr);
  std::vector<fx::SymInt> operands;
  bool areWhole = !expr->operands.empty();
  for (const fx::SymExprPtr& operand : expr->operands) {
    operands.push_back(partlyFixed(operand, sizes));
    areWhole &= operand->kind != Kind::Float && operand->kind != Kind::Rational;
  }
  if (areWhole && (expr->name == "Add" || expr->name == "Mul")) {
    fx::SymInt out = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i)
      out = expr->name == "Add" ? out + operands[i] : out * operands[i];
    return out;
  }
  std::vector<fx::SymExprPtr> fixed;
  for (const fx::SymInt& operand : operands) fixed.push_back(exprOf(operand));
  return fx::SymInt(fx::SymExpr::call(expr->name, std::move(fixed)));
}

bool hasAnyOf(const fx::SymExpr& expr, const Sizes& sizes) {
  bool found = false;
  fx::collectSymbols(expr, [&](const std::string& symbol) { found |= sizes.contains(symbol); });
  return found;
}

void fixSize(fx::SymInt& size, const Sizes& sizes) {
  if (const auto value = fx::evaluate(size, sizes)) size = fx::SymInt(*value);
  else if (!size.isStatic() && hasAnyOf(*size.expr(), sizes))
    size = fx::SymInt(exprOf(partlyFixed(size.expr(), sizes)), size.hint());
}

void fix(fx::Value& value, const Sizes& sizes) {
  if (auto* symbol = std::get_if<fx::SymValue>(&value)) {
    const bool isFixed = symbol->expr && hasAnyOf(*symbol->expr, sizes);
    if (isFixed && !fx::evaluate(*symbol->expr, sizes))
      symbol->expr = exprOf(partlyFixed(symbol->expr, sizes));
  } else if (auto* tensor = std::get_if<fx::TensorMeta>(&value)) {
    for (fx::SymInt& size : tensor->sizes) fixSize(size, sizes);
    for (fx::SymInt& stride : tensor->strides) fixSize(stride, sizes);
    fixSize(tensor->storageOffset, sizes);
  } else if (auto* items = std::get_if<fx::ValueList>(&value)) {
    for (fx::Value& item : *items) fix(item, sizes);
  }
}

/// The value of a scalar node for the chosen sizes.
std::optional<fx::Argument> constantOf(const fx::Node& node, const Sizes& sizes) {
  const fx::SymValue* symbol = node.val.symbol();
  if (symbol == nullptr || !symbol->expr || symbol->kind == fx::SymKind::Float) return std::nullopt;
  const auto value = fx::evaluate(*symbol->expr, sizes);
  if (!value) return std::nullopt;
  if (symbol->kind == fx::SymKind::Bool) return fx::Argument(*value != 0);
  return fx::Argument(*value);
}

std::optional<double> numberOf(const fx::Argument& argument) {
  if (const std::int64_t* integer = argument.integer()) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&argument);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

/// What Python computes of numbers.
std::optional<double> unaryResult(std::string_view target, double a) {
  if (target == "torch.sym_float") return a;
  if (target == "torch._sym_sqrt" || target == "math.sqrt") return std::sqrt(a);
  if (target == "_operator.neg") return -a;
  return std::nullopt;
}
std::optional<double> binaryResult(std::string_view target, double a, double b) {
  if (target == "_operator.add") return a + b;
  if (target == "_operator.sub") return a - b;
  if (target == "_operator.mul") return a * b;
  if (target == "_operator.truediv") return a / b;
  if (target == "_operator.pow") return std::pow(a, b);
  return std::nullopt;
}

/// The value of a scalar node of type float all of whose operands are constants.
std::optional<fx::Argument> floatOf(const fx::Node& node) {
  const fx::SymValue* symbol = node.val.symbol();
  if (symbol == nullptr || symbol->kind != fx::SymKind::Float || node.args.empty() ||
      node.args.size() > 2)
    return std::nullopt;
  const std::optional<double> a = numberOf(node.args[0].value),
                              b = numberOf(node.args.back().value);
  if (!a || !b) return std::nullopt;
  const std::optional<double> out =
      node.args.size() == 1 ? unaryResult(node.target, *a) : binaryResult(node.target, *a, *b);
  // Where Python raises, or has a complex number.
  if (!out || !std::isfinite(*out)) return std::nullopt;
  return fx::Argument(*out);
}

/// The usual size, or the nearest one that its ranges allow.
std::int64_t sizeWithin(const std::vector<fx::RangeConstraint>& ranges, const std::string& symbol) {
  std::int64_t size = kUsualSize;
  for (const fx::RangeConstraint& range : ranges) {
    if (range.symbol != symbol) continue;
    if (range.min) size = std::max(size, *range.min);
    if (range.max) size = std::min(size, *range.max);
  }
  return size;
}

Result<> checkSizesOf(const fx::Node& node) {
  std::string symbol;
  bool isFixed = true;
  forEachSize(node.val, [&](const fx::SymInt& size) {
    if (size.isStatic()) return;
    isFixed = false;
    fx::collectSymbols(*size.expr(), [&](const std::string& each) {
      if (isUnbacked(each)) symbol = each;
    });
  });
  if (!symbol.empty())
    return fail(ErrorCode::Unsupported,
                "the size " + symbol +
                    " is data-dependent and cannot be fixed by exporting with static shapes");
  if (!isFixed)
    return fail(ErrorCode::Unsupported, "the size of node '" + node.name +
                                            "' cannot be computed from the sizes of the inputs");
  return {};
}

}  // namespace

bool isUnbacked(std::string_view symbol) {
  return symbol.starts_with("u") || symbol.starts_with("zuf");
}

bool isOfRunTime(const fx::SymExpr& number) {
  bool found = false;
  fx::collectSymbols(number, [&](const std::string& symbol) { found |= isUnbacked(symbol); });
  return found;
}

void forEachSize(const fx::Value& value, const std::function<void(const fx::SymInt&)>& visit) {
  if (const fx::TensorMeta* tensor = value.tensor()) {
    for (const fx::SymInt& size : tensor->sizes) visit(size);
    for (const fx::SymInt& stride : tensor->strides) visit(stride);
    visit(tensor->storageOffset);
  } else if (const fx::ValueList* items = value.list()) {
    for (const fx::Value& item : *items) forEachSize(item, visit);
  }
}

std::map<std::string, std::int64_t> chosenSizes(const fx::Program& program) {
  Sizes sizes;
  std::set<std::string> symbols;
  const auto see = [&](const fx::SymInt& size) {
    if (size.isStatic()) return;
    fx::collectSymbols(*size.expr(), [&](const std::string& s) { symbols.insert(s); });
    if (size.expr()->kind == fx::SymExpr::Kind::Symbol)
      if (const auto hint = size.hint()) sizes[size.expr()->name] = *hint;
  };
  for (const fx::Node& node : program.nodes) {
    forEachSize(node.val, see);
    const fx::SymValue* symbol = node.val.symbol();
    if (symbol == nullptr || !symbol->expr || symbol->expr->kind != fx::SymExpr::Kind::Symbol)
      continue;
    symbols.insert(symbol->expr->name);
    if (const auto* hint = std::get_if<std::int64_t>(&symbol->constant))
      sizes[symbol->expr->name] = *hint;
  }
  for (const std::string& symbol : symbols)
    if (!sizes.contains(symbol)) sizes[symbol] = sizeWithin(program.ranges, symbol);
  return sizes;
}

Result<fx::ProgramPtr> withNumbers(const fx::ProgramPtr& program, const Sizes& sizes) {
  auto out = std::make_shared<fx::Program>(*program);
  std::vector<std::optional<fx::Argument>> constants(out->nodes.size());
  for (fx::Node& node : out->nodes) {
    if (node.op == fx::NodeOp::CallFunction) constants[node.id.index()] = constantOf(node, sizes);
    for (fx::NodeArgument& argument : node.args)
      argument.value = fx::mapNodes(argument.value, [&](fx::NodeId used) {
        const auto& constant = constants[used.index()];
        return constant ? *constant : fx::Argument(used);
      });
    if (auto& constant = constants[node.id.index()];
        !constant && node.op == fx::NodeOp::CallFunction)
      constant = floatOf(node);
    fix(node.val, sizes);
  }
  for (fx::OutputSpec& spec : out->outputs)
    if (const fx::NodeId* node = spec.value.node(); node != nullptr && constants[node->index()])
      spec.value = *constants[node->index()];
  std::erase_if(out->ranges,
                [&](const fx::RangeConstraint& range) { return sizes.contains(range.symbol); });
  FXS_CHECK(fx::verify(*out));
  return fx::ProgramPtr(std::move(out));
}

Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr& program) {
  // A number known only at run time stays one, if no size depends on it.
  const auto isUnbackedEntry = [](const auto& entry) { return isUnbacked(entry.first); };
  Sizes sizes = chosenSizes(*program);
  // Ranges of symbols that no node has go too.
  for (const fx::RangeConstraint& range : program->ranges)
    sizes.try_emplace(range.symbol, sizeWithin(program->ranges, range.symbol));
  std::erase_if(sizes, isUnbackedEntry);
  FXS_TRY(fx::ProgramPtr out, withNumbers(program, sizes));
  for (const fx::Node& node : out->nodes) FXS_CHECK(checkSizesOf(node));
  return out;
}

Result<fx::ProgramPtr> withStaticSizes(const fx::ProgramPtr& program,
                                       const std::set<std::string>& kept) {
  Sizes sizes = chosenSizes(*program);
  std::erase_if(sizes, [&](const auto& entry) {
    return isUnbacked(entry.first) || kept.contains(entry.first);
  });
  return sizes.empty() ? program : withNumbers(program, sizes);
}

const rewrite::Rule& trueAssertions() {
  static const rewrite::Rule rule{
      std::string(fx::kAssertScalar), "a condition on constant sizes is always true", false,
      [](rewrite::Emitter& e) -> rewrite::Results {
        const fx::Argument condition = e.argument("self");
        const bool* flag = std::get_if<bool>(&condition);
        const std::int64_t* number = condition.integer();
        if ((flag != nullptr && *flag) || (number != nullptr && *number != 0))
          return std::vector<fx::Argument>{fx::None{}};
        return std::nullopt;
      },
      "static-sizes"};
  return rule;
}

}  // namespace fxs::diagnose
