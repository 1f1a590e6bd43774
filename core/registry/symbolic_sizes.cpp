// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry/symbolic_sizes.h"

#include <algorithm>
#include <array>
#include <set>

namespace fxs::registry {
namespace {

struct Operation {
  std::string_view function, op;
};
constexpr std::array kOperations{Operation{"Add", "arith.addi"},
                                 Operation{"Mul", "arith.muli"},
                                 Operation{"FloorDiv", "arith.floordivsi"},
                                 Operation{"CleanDiv", "arith.floordivsi"},
                                 Operation{"Max", "arith.maxsi"},
                                 Operation{"Min", "arith.minsi"},
                                 Operation{"Mod", "arith.remsi"}};

const fx::SymValue* integerOf(const fx::Value& recorded) {
  const fx::SymValue* symbol = recorded.symbol();
  return symbol != nullptr && symbol->kind == fx::SymKind::Int && symbol->expr ? symbol : nullptr;
}

}  // namespace

std::int64_t SymbolicSizes::of(const fx::SymInt& size) {
  if (size.isStatic()) return size.value();
  const auto [found, isNew] = byText_.try_emplace(fx::infix(*size.expr()), 0);
  if (!isNew) return found->second;
  for (const Known& known : known_)
    if (fx::equal(*known.expr, *size.expr())) return found->second = known.size;
  found->second = emit_.symbol();
  known_.push_back({size.expr(), found->second});
  return found->second;
}

std::optional<std::int64_t> SymbolicSizes::integer(const fx::Value& recorded) {
  const fx::SymValue* symbol = integerOf(recorded);
  return symbol != nullptr ? std::optional(of(fx::SymInt(symbol->expr))) : std::nullopt;
}

bool SymbolicSizes::knows(const fx::SymExpr& expr) const {
  bool out = true;
  fx::collectSymbols(expr, [&](const std::string& name) { out &= sources_.contains(name); });
  return out;
}

/// A symbol that only `2*s0` is known of is found from that.
void SymbolicSizes::learn(const fx::SymExprPtr& expr, const Value& value, std::int64_t dim) {
  std::set<std::string> symbols;
  fx::collectSymbols(*expr, [&](const std::string& name) { symbols.insert(name); });
  if (symbols.size() != 1) return;
  const std::string& name = *symbols.begin();
  const auto at = [&](std::int64_t number) { return fx::evaluate(*expr, {{name, number}}); };
  const std::optional<std::int64_t> zero = at(0), one = at(1);
  if (!zero || !one || *one <= *zero) return;
  const Source source{value, dim, *one - *zero, *zero};
  const fx::SymInt line =
      fx::SymInt(source.scale) * fx::SymInt(fx::SymExpr::symbol(name)) + fx::SymInt(source.offset);
  if (line.isStatic() || !fx::equal(*line.expr(), *expr)) return;
  const auto [known, isNew] = sources_.try_emplace(name, source);
  if (!isNew && known->second.scale > source.scale) known->second = source;
}

void SymbolicSizes::learn(const fx::Value& recorded, const Value& value) {
  if (const fx::SymValue* symbol = integerOf(recorded)) learn(symbol->expr, value, -1);
  if (const fx::TensorMeta* meta = recorded.tensor())
    for (std::size_t d = 0; d < meta->sizes.size(); ++d)
      if (!meta->sizes[d].isStatic())
        learn(meta->sizes[d].expr(), value, static_cast<std::int64_t>(d));
}

void SymbolicSizes::write(std::int64_t size, const fx::SymExprPtr& expr) {
  if (emit_.hasValue(size)) return;
  if (const auto value = compute(*expr)) emit_.setSymbol(size, *value);
}

void SymbolicSizes::write(const fx::Value& recorded) {
  if (const fx::ValueList* parts = recorded.list())
    for (const fx::Value& part : *parts) write(part);
  if (const fx::SymValue* symbol = integerOf(recorded))
    write(of(fx::SymInt(symbol->expr)), symbol->expr);
  if (const fx::TensorMeta* meta = recorded.tensor())
    for (const fx::SymInt& size : meta->sizes)
      if (!size.isStatic()) write(of(size), size.expr());
}

Value SymbolicSizes::binary(std::string_view op, const Value& a, const Value& b) {
  const std::vector<Value> operands{a, b};
  return emit_.ops(op, operands, std::span(&a.type, 1)).front();
}

Value SymbolicSizes::read(const Source& source) {
  const std::string type = "index";
  std::vector<Value> operands{source.value};
  if (source.dim >= 0) operands.push_back(emit_.index(source.dim));
  Value out =
      emit_.ops(source.dim >= 0 ? "tensor.dim" : "arith.index_cast", operands, std::span(&type, 1))
          .front();
  if (source.offset != 0) out = binary("arith.subi", out, emit_.index(source.offset));
  return source.scale == 1 ? out : binary("arith.divsi", out, emit_.index(source.scale));
}

std::optional<Value> SymbolicSizes::compute(const fx::SymExpr& expr) {
  switch (expr.kind) {
    case fx::SymExpr::Kind::Integer: return emit_.scalar("index", expr.integer);
    case fx::SymExpr::Kind::Symbol: {
      const auto source = sources_.find(expr.name);
      if (source == sources_.end()) return std::nullopt;
      const auto known = byText_.find(expr.name);
      if (known != byText_.end() && emit_.hasValue(known->second))
        return emit_.index(known->second);
      Value value = read(source->second);
      if (known != byText_.end()) emit_.setSymbol(known->second, value);
      return value;
    }
    case fx::SymExpr::Kind::Call: return computeCall(expr);
    default: return std::nullopt;
  }
}

std::optional<Value> SymbolicSizes::computeCall(const fx::SymExpr& expr) {
  const auto operation = std::find_if(kOperations.begin(), kOperations.end(),
                                      [&](const Operation& o) { return o.function == expr.name; });
  if (operation == kOperations.end() || expr.operands.empty()) return std::nullopt;
  std::optional<Value> out;
  for (const fx::SymExprPtr& operand : expr.operands) {
    const std::optional<Value> next = compute(*operand);
    if (!next) return std::nullopt;
    out = out ? binary(operation->op, *out, *next) : *next;
  }
  return out;
}

}  // namespace fxs::registry
