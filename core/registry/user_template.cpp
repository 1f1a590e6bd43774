// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/user_template.h"

#include <fmt/format.h>

#include <optional>

namespace fxs::registry {
namespace {

/// Limit for the text of one call, because a body can repeat a long list any number of times.
constexpr std::size_t kMaxText = std::size_t{16} << 20;

std::string freshName(const Call& call, const std::string& name) {
  return "%n" + std::to_string(call.node().id.index()) + "_" + name;
}

tl::expected<TensorType, Refusal> typeOf(const Fact& fact, Call& call) {
  if (fact.argument == "result") return call.result(static_cast<std::size_t>(fact.number));
  FXS_TAKE(value, call.operand(fact.argument));
  return value.tensor;
}

std::string scalarText(const Scalar& value) {
  return std::visit(
      [](auto v) -> std::string {
        if constexpr (std::is_same_v<decltype(v), bool>) return v ? "true" : "false";
        else if constexpr (std::is_same_v<decltype(v), std::int64_t>) return std::to_string(v);
        else if constexpr (std::is_same_v<decltype(v), double>) return elementText(v, "f64");
        else
          return fmt::format("({}, {})", elementText(v.real(), "f64"),
                             elementText(v.imag(), "f64"));
      },
      value);
}

std::optional<std::string> constantText(const fx::Argument& argument) {
  if (const auto* flag = std::get_if<bool>(&argument)) return scalarText(*flag);
  if (const auto* integer = argument.integer()) return scalarText(*integer);
  if (const auto* number = std::get_if<double>(&argument)) return scalarText(*number);
  if (const auto* text = std::get_if<std::string>(&argument)) return quoted(*text);
  const fx::ArgumentList* items = argument.list();
  if (items == nullptr) return std::nullopt;
  std::string out = "[";
  for (const fx::Argument& item : *items) {
    const auto text = constantText(item);
    if (!text) return std::nullopt;
    out += (out.size() == 1 ? "" : ", ") + *text;
  }
  return out + "]";
}

tl::expected<std::string, Refusal> factText(const Fact& fact, Call& call) {
  switch (fact.kind) {
    case FactKind::Constant: {
      const auto text = constantText(call.argument(fact.argument));
      if (!text) return refuse("argument '" + fact.argument + "' is not a constant");
      return *text;
    }
    case FactKind::Float: {
      FXS_TAKE(number, call.number(fact.argument));
      if (std::holds_alternative<std::complex<double>>(number))
        return refuse("argument '" + fact.argument + "' is complex");
      return std::visit(
          [](auto v) -> std::string {
            if constexpr (std::is_same_v<decltype(v), std::complex<double>>) return {};
            else return elementText(static_cast<double>(v), "f64");
          },
          number);
    }
    default: break;
  }
  // For a result the number is its index, for an argument the dimension.
  FXS_TAKE(type, typeOf(fact, call));
  switch (fact.kind) {
    case FactKind::Type: return type.text();
    case FactKind::Element: return type.element;
    case FactKind::Rank: return std::to_string(type.rank());
    case FactKind::Shape: {
      std::string out;
      for (const std::int64_t size : type.sizes) out += std::to_string(size) + "x";
      return out;
    }
    default: {
      FXS_TAKE(dim, Call::dim(fact.number, type.rank()));
      if (type.sizes.empty()) return refuse("a 0-d tensor has no sizes");
      return std::to_string(type.sizes[static_cast<std::size_t>(dim)]);
    }
  }
}

tl::expected<std::string, Refusal> pieceText(const Piece& piece, Call& call) {
  if (const auto* text = std::get_if<std::string>(&piece)) return *text;
  if (const auto* fact = std::get_if<Fact>(&piece)) return factText(*fact, call);
  if (const auto* local = std::get_if<LocalName>(&piece)) return freshName(call, local->name);
  FXS_TAKE(value, call.operand(std::get<OperandName>(piece).name));
  return value.name;
}

bool compares(std::int64_t a, const std::string& relation, std::int64_t b) {
  if (relation == "==") return a == b;
  if (relation == "!=") return a != b;
  if (relation == "<") return a < b;
  if (relation == "<=") return a <= b;
  return relation == ">" ? a > b : a >= b;
}

tl::expected<bool, Refusal> holds(const Condition& condition, Call& call) {
  const fx::Argument argument = call.argument(condition.argument);
  if (condition.kind == ConditionKind::None) return argument.isNone();
  if (condition.kind == ConditionKind::Constant) return constantText(argument).has_value();
  FXS_TAKE(value, call.operand(condition.argument));
  const DType dtype = call.dtypeOf(argument);
  switch (condition.kind) {
    case ConditionKind::Float: return isFloating(dtype);
    case ConditionKind::Integer: return isIntegral(dtype);
    case ConditionKind::Bool: return dtype == DType::Bool;
    case ConditionKind::SameType: {
      FXS_TAKE(other, call.operand(condition.other));
      return value.type == other.type;
    }
    case ConditionKind::Rank:
      return compares(value.tensor.rank(), condition.relation, condition.number);
    case ConditionKind::Element:
      return (value.tensor.element == condition.element) == (condition.relation == "==");
    default: {
      if (value.tensor.sizes.empty()) return false;
      FXS_TAKE(dim, Call::dim(condition.dim, value.tensor.rank()));
      return compares(value.tensor.sizes[static_cast<std::size_t>(dim)], condition.relation,
                      condition.number);
    }
  }
}

Handled callExternal(const Template& entry, Call& call) {
  Values operands;
  for (const std::string& name : entry.arguments) {
    const fx::Argument argument = call.argument(name);
    if (argument.isNone()) continue;
    if (const bool* flag = std::get_if<bool>(&argument)) {
      operands.push_back(call.emit.scalar("i1", *flag));
    } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&argument)) {
      operands.push_back(call.emit.scalar("i64", *integer));
    } else if (const double* number = std::get_if<double>(&argument)) {
      operands.push_back(call.emit.scalar("f64", *number));
    } else if (argument.node() != nullptr) {
      FXS_TAKE(value, call.operand(name));
      operands.push_back(value);
    } else {
      return refuse("an external function accepts tensors and numbers; '" + name + "' is neither");
    }
  }
  const fx::ValueList* parts = call.node().val.list();
  std::vector<TensorType> results;
  std::vector<std::string> types;
  for (std::size_t i = 0; i < (parts != nullptr ? parts->size() : 1); ++i) {
    FXS_TAKE(type, call.result(i));
    types.push_back(type.text());
    results.push_back(type);
  }
  const std::string callee = call.emit.external(entry.external, operands, types);
  Values out = call.emit.ops("func.call", operands, types, "callee = @" + callee);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].tensor = results[i];
  return out;
}

}  // namespace

Handled expand(const Template& entry, Call& call) {
  for (const Condition& condition : entry.conditions) {
    FXS_TAKE(met, holds(condition, call));
    if (!met) return refuse("condition not met: " + condition.text);
  }
  if (!entry.external.empty()) return callExternal(entry, call);
  std::string text;
  std::size_t ops = 0;
  for (const BodyLine& line : entry.body) {
    for (const Piece& piece : line.pieces) {
      FXS_TAKE(part, pieceText(piece, call));
      text += part;
      if (text.size() > kMaxText)
        return refuse(fmt::format("its text would exceed {} MiB", kMaxText >> 20));
    }
    if (line.isComplete) text += call.emit.location();
    text += '\n';
    ops += line.isOp ? 1 : 0;
  }
  Values out;
  for (std::size_t i = 0; i < entry.returned.size(); ++i) {
    if (const auto* operand = std::get_if<OperandName>(&entry.returned[i])) {
      FXS_TAKE(value, call.operand(operand->name));
      out.push_back(value);
      continue;
    }
    FXS_TAKE(type, call.result(i));
    FXS_TAKE(name, pieceText(entry.returned[i], call));
    out.push_back({name, type.text(), type});
  }
  call.emit.lines(text, ops);
  return out;
}

}  // namespace fxs::registry
