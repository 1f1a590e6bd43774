// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/typed_operand.h"

namespace fxs::fx {
namespace {

ops::TypedOperand numberOf(DType dtype) { return {dtype, ops::OperandKind::Number}; }

}  // namespace

ops::TypedOperand typedOperand(const TensorMeta& meta) {
  return {meta.dtype,
          meta.rank() == 0 ? ops::OperandKind::ZeroDimTensor : ops::OperandKind::Tensor};
}

std::optional<ops::TypedOperand> typedNumber(const Argument& argument) {
  if (std::holds_alternative<bool>(argument)) return numberOf(DType::Bool);
  if (std::holds_alternative<std::int64_t>(argument)) return numberOf(DType::Int64);
  if (std::holds_alternative<double>(argument)) return numberOf(DType::Float32);
  if (std::holds_alternative<std::complex<double>>(argument)) return numberOf(DType::Complex64);
  return std::nullopt;
}

std::optional<ops::TypedOperand> typedOperand(const Program& program, const Argument& argument) {
  const NodeId* id = argument.node();
  if (id == nullptr) return typedNumber(argument);
  const Value& value = program.node(*id).val;
  if (const TensorMeta* meta = value.tensor()) return typedOperand(*meta);
  const SymValue* symbol = value.symbol();
  if (symbol == nullptr) return std::nullopt;
  switch (symbol->kind) {
    case SymKind::Bool: return numberOf(DType::Bool);
    case SymKind::Int: return numberOf(DType::Int64);
    case SymKind::Float: return numberOf(DType::Float32);
  }
  return std::nullopt;
}

}  // namespace fxs::fx
