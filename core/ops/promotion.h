#pragma once
// PyTorch's type promotion: in which element type an operator computes, and in which it gives its result. The only place that knows it;
// shapes are in shapes.h. tests/oracle/promotion_matches_torch.py compares every answer with PyTorch.
// Sources: c10/core/ScalarType.cpp (promoteTypes), ATen/native/TypeProperties.cpp (result_type), torch/_prims_common (computation types).
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/dtype.h"

namespace fxs::ops {

/// torch.promote_types: the smallest type that holds the elements of both; float16 and bfloat16 give float32, an integer and a float the
/// float. Nothing where PyTorch refuses: an 8-bit float meets its own type only; uint16, uint32 and uint64 meet their own type and the
/// other floats only. Nothing for Unknown.
std::optional<DType> promoteTypes(DType a, DType b);

/// How much an operand counts in promotion: a tensor with dimensions more than one without, and that one more than a Python number. One
/// that counts less changes the result only where its category (bool < integer < float < complex) is higher.
enum class OperandKind : std::uint8_t { Number, ZeroDimTensor, Tensor };
struct TypedOperand {
  DType dtype;  ///< of a number: Bool, an integer, a float or a complex type; which one of its category does not matter
  OperandKind kind;
};
/// torch.result_type, of any number of operands, with float32 as the default type of floats. Nothing where PyTorch refuses, for no
/// operands, and where one is Unknown.
std::optional<DType> resultType(const std::vector<TypedOperand>& operands);

/// In which type exp, mean, div .. of `dtype` are given (INT_TO_FLOAT in torch/_prims_common): float32 for integers and bool, itself
/// otherwise.
DType integerToFloat(DType dtype);
/// In which type PyTorch's kernels compute and accumulate (at::opmath_type, get_computation_dtype): float32 for float16 and bfloat16,
/// complex64 for complex32, itself otherwise.
DType computationType(DType dtype);

}  // namespace fxs::ops
