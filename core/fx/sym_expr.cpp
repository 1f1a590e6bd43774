// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/sym_expr.h"

namespace fxs::fx {

SymExprPtr SymExpr::symbol(std::string name) {
  auto out = std::make_shared<SymExpr>();
  out->kind = Kind::Symbol;
  out->name = std::move(name);
  return out;
}

SymExprPtr SymExpr::integerOf(std::int64_t value) {
  auto out = std::make_shared<SymExpr>();
  out->integer = value;
  return out;
}

SymExprPtr SymExpr::floatOf(double value) {
  auto out = std::make_shared<SymExpr>();
  out->kind = Kind::Float;
  out->real = value;
  return out;
}

SymExprPtr SymExpr::rationalOf(std::int64_t numerator, std::int64_t denominator) {
  auto out = std::make_shared<SymExpr>();
  out->kind = Kind::Rational;
  out->integer = numerator;
  out->denominator = denominator;
  return out;
}

SymExprPtr SymExpr::call(std::string head, std::vector<SymExprPtr> operands) {
  auto out = std::make_shared<SymExpr>();
  out->kind = Kind::Call;
  out->name = std::move(head);
  out->operands = std::move(operands);
  return out;
}

void collectSymbols(const SymExpr& root, const std::function<void(const std::string&)>& visit) {
  std::vector<const SymExpr*> stack{&root};
  while (!stack.empty()) {
    const SymExpr* e = stack.back();
    stack.pop_back();
    if (e->kind == SymExpr::Kind::Symbol) visit(e->name);
    for (auto it = e->operands.rbegin(); it != e->operands.rend(); ++it) stack.push_back(it->get());
  }
}

std::string SymInt::text() const { return expr_ ? infix(*expr_) : std::to_string(value_); }

std::optional<std::vector<std::int64_t>> staticSizes(const std::vector<SymInt>& sizes) {
  std::vector<std::int64_t> out;
  for (const SymInt& size : sizes) {
    if (!size.isStatic()) return std::nullopt;
    out.push_back(size.value());
  }
  return out;
}

bool operator==(const SymInt& a, const SymInt& b) {
  if (a.isStatic() != b.isStatic()) return false;
  return a.isStatic() ? a.value_ == b.value_ : equal(*a.expr_, *b.expr_);
}

}  // namespace fxs::fx
