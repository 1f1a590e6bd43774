// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arithmetic of PyTorch on MLIR values, with the arith and math dialects: on elements inside a loop
// body, or on whole tensors of one shape. The operation is chosen by the DType, which tells
// unsigned from signed; bool adds as "or" and multiplies as "and"; conversions truncate and wrap as
// PyTorch's do. Complex numbers are added, subtracted, multiplied, divided and negated, as elements
// only.
#include <string>
#include <string_view>

#include "registry/handler.h"

namespace fxs::registry::linalg {

enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

using registry::elementOf;
/// "f32" of a scalar and of a tensor of f32.
std::string_view elementOf(const Value&);
/// `like`'s type with another element: "tensor<2xi1>" of tensor<2xf32>, "i1" of f32.
std::string withElement(const Value& like, std::string_view element);
/// Whether arith can compute with it: every type but complex and the 8-bit floats.
bool isArithmetic(DType);

class Arith {
 public:
  /// Of values of `dtype`; Int64 also stands for `index`.
  Arith(OpBuilder& emit, DType dtype) : emit_(emit), dtype_(dtype) {}

  DType dtype() const { return dtype_; }
  /// A constant of the type of `like`, or a scalar of this DType's element type.
  Value constant(const Value& like, Scalar) const;
  Value constant(Scalar value) const { return emit_.scalar(elementOf(dtype_), value); }

  Value add(const Value& a, const Value& b) const;
  Value sub(const Value& a, const Value& b) const;
  Value mul(const Value& a, const Value& b) const;
  Value div(const Value& a, const Value& b) const;        ///< integers truncate
  Value remainder(const Value& a, const Value& b) const;  ///< of the sign of `a`
  Value floorDiv(const Value& a, const Value& b) const;
  Value maximum(const Value& a, const Value& b) const;  ///< NaN wins
  Value minimum(const Value& a, const Value& b) const;
  Value neg(const Value& a) const;
  Value compare(Relation, const Value& a, const Value& b) const;  ///< with NaN only NotEqual holds
  Value isNan(const Value& a) const;                              ///< of a float
  Value select(const Value& condition, const Value& a, const Value& b) const;
  Value both(const Value& a, const Value& b) const { return like("arith.andi", {a, b}, a); }
  Value either(const Value& a, const Value& b) const { return like("arith.ori", {a, b}, a); }
  Value function(std::string_view mathOp, const Value& a) const {
    return like("math." + std::string(mathOp), {a}, a);
  }
  Value power(const Value& base, const Value& exponent)
      const;  ///< of integers by squaring; negative exponents as PyTorch

 private:
  Value like(std::string_view op, std::initializer_list<Value> operands, const Value& result,
             std::string_view attributes = {}) const;
  Value typed(std::string_view op, std::initializer_list<Value> operands, const std::string& type,
              std::string_view attributes = {}) const;
  OpBuilder& emit_;
  DType dtype_;
};

/// `value` of DType `from` as `to`; Tensor.to of PyTorch.
Value convert(OpBuilder&, const Value& value, DType from, DType to);
Value toIndex(OpBuilder&, const Value& integer);
Value fromIndex(OpBuilder&, const Value& index, std::string_view element);

}  // namespace fxs::registry::linalg
