// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Arguments as operands of type promotion (ops/promotion.h).
#include <optional>

#include "fx/program.h"
#include "ops/promotion.h"

namespace fxs::fx {

ops::TypedOperand typedOperand(const TensorMeta&);
/// For a Python number; std::nullopt for other constants.
std::optional<ops::TypedOperand> typedNumber(const Argument&);
/// For a number, a tensor node or a symbolic scalar node; std::nullopt for anything else, including
/// nodes of unknown value.
std::optional<ops::TypedOperand> typedOperand(const Program&, const Argument&);

}  // namespace fxs::fx
