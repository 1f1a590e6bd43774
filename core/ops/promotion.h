// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// PyTorch's type promotion: the element type in which an operator computes, and that of its result.
// For shapes, see shapes.h. tests/oracle/promotion_matches_torch.py compares it with PyTorch.
// Sources: c10/core/ScalarType.cpp (promoteTypes), ATen/native/TypeProperties.cpp (result_type),
// torch/_prims_common (computation types).
#include <cstdint>
#include <optional>
#include <vector>

#include "ops/dtype.h"

namespace fxs::ops {

/// torch.promote_types. float16 with bfloat16 gives float32, an integer with a float the float.
/// std::nullopt for Unknown and where PyTorch raises an error: an 8-bit float promotes only with
/// its own type; uint16, uint32 and uint64 only with their own type and the other floats.
std::optional<DType> promoteTypes(DType a, DType b);

/// The priority of an operand in promotion: a tensor with dimensions comes before a zero-dim
/// tensor, and that before a Python number. An operand of lower priority changes the result only if
/// its category (bool < integer < float < complex) is higher.
enum class OperandKind : std::uint8_t { Number, ZeroDimTensor, Tensor };
struct TypedOperand {
  DType dtype;  ///< for a number, any type of its category: bool, integer, float or complex
  OperandKind kind;
};
/// torch.result_type for any number of operands, with float32 as the default dtype. std::nullopt
/// where PyTorch raises an error, if there are no operands, and if one is Unknown.
std::optional<DType> resultType(const std::vector<TypedOperand>& operands);

/// The result type of exp, mean, div .. (INT_TO_FLOAT in torch/_prims_common): float32 for integers
/// and bool, else `dtype`.
DType integerToFloat(DType dtype);
/// The type in which PyTorch's kernels compute and accumulate (at::opmath_type,
/// get_computation_dtype): float32 for float16 and bfloat16, complex64 for complex32, else `dtype`.
DType computationType(DType dtype);

/// c10::toRealValueType: the type of a complex number's parts; `dtype` if it is not complex.
DType realType(DType dtype);

}  // namespace fxs::ops
