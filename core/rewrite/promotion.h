#pragma once
// PyTorch's type promotion and broadcasting, as torch.result_type and torch.broadcast_shapes define them: what a rule needs
// to state the result of a pointwise op.
#include <optional>
#include <vector>

#include "fx/tensor_meta.h"

namespace fxs::rewrite {

/// The smaller type that holds both: f16 and bf16 give f32, an integer and a float give the float.
DType promoteTypes(DType a, DType b);

/// How much an operand weighs in promotion: a tensor with dimensions outranks one without, and that one a Python number,
/// unless the lighter one is of a higher category (bool < integer < float < complex).
enum class OperandWeight : std::uint8_t { Number, ZeroDimTensor, Tensor };
struct TypedOperand { DType dtype; OperandWeight weight; };
DType resultType(const std::vector<TypedOperand>&);

/// The type in which mean, exp, sqrt .. of `dtype` are given: itself when floating, else the default float32.
DType floatTypeOf(DType);
/// The type in which PyTorch's CPU and CUDA kernels accumulate: float32 for the half types, itself otherwise.
DType computeTypeOf(DType);

/// The broadcast shape; sizes that are not known to be 1 are taken to agree.
std::vector<fx::SymInt> broadcastSizes(const std::vector<fx::SymInt>& a, const std::vector<fx::SymInt>& b);

/// `dim` of a tensor of that rank as 0 .. rank-1 (a scalar counts as rank 1), or nothing when it is out of range.
std::optional<std::size_t> wrapDim(std::int64_t dim, std::size_t rank);

}  // namespace fxs::rewrite
