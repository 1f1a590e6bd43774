// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Element conversions as PyTorch defines them: towards zero from floats to integers, modulo between
// integers, != 0 to bool.
#include "registry/handler.h"

namespace fxs::registry::tosa {

Value cast(OpBuilder&, const Value&, DType from, DType to);
/// A tensor argument in that type, or a number as a constant with sizes of 1 in every dimension of
/// result 0.
tl::expected<Value, Refusal> operandAs(Call&, std::string_view name, DType);

// Most operators compute in the computation type of result 0: an operand in that type, and such a
// value as the result, rounded once.
DType computedType(const Call&);
tl::expected<Value, Refusal> computedOperand(Call&, std::string_view name);
Values asResult(Call&, const Value&);

}  // namespace fxs::registry::tosa
