// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operations element by element. Operands of the tosa forms broadcast (ranks are made equal here);
// those of the whole-tensor arith and math forms are repeated to the same shape first.
#include "registry/op_builder.h"

namespace fxs::registry::tosa {

/// A constant that broadcasts against `like`: sizes of 1 in all its dimensions, of its element
/// type.
Value number(OpBuilder&, const Value& like, Scalar);

Value unary(OpBuilder&, std::string_view op, const Value&, std::string_view attributes = {});
/// A tosa operation of two operands; the element of the result is that of `a` when `element` is
/// empty.
Value binary(OpBuilder&, std::string_view op, const Value& a, const Value& b,
             std::string element = {}, std::string_view attributes = {});
Value add(OpBuilder&, const Value& a, const Value& b);  ///< bool: or
Value sub(OpBuilder&, const Value& a, const Value& b);
Value mul(OpBuilder&, const Value& a, const Value& b);  ///< bool: and
/// By a number. Does not use tosa.mul for a factor of 0.0, because it is folded to 0 also for NaN
/// and infinities.
Value scaled(OpBuilder&, const Value&, Scalar factor);
Value negate(OpBuilder&, const Value&);
Value select(OpBuilder&, const Value& condition, const Value& a, const Value& b);
Value logicalNot(OpBuilder&, const Value&);

/// An arith or math operation on whole tensors of one shape.
Value tensorOp(OpBuilder&, std::string_view op, std::initializer_list<Value> operands,
               std::string element = {}, std::string_view attributes = {});
/// Exact, as IEEE has it; tosa.reciprocal and a product differ in the last bit.
Value divide(OpBuilder&, const Value& a, const Value& b);
/// "eq", "ne", "gt", "ge", "lt", "le"; unordered (NaN) is true for "ne" alone.
Value compare(OpBuilder&, std::string_view relation, const Value& a, const Value& b,
              bool isUnsigned = false);

}  // namespace fxs::registry::tosa
