#pragma once
// What an argument is to type promotion (ops/promotion.h).
#include <optional>

#include "fx/program.h"
#include "ops/promotion.h"

namespace fxs::fx {

ops::TypedOperand typedOperand(const TensorMeta&);
/// Of a Python number; nothing for any other constant.
std::optional<ops::TypedOperand> typedNumber(const Argument&);
/// Of a number, or of a node that is a tensor or a symbolic number; nothing for None, lists, text, and nodes whose value is not known.
std::optional<ops::TypedOperand> typedOperand(const Program&, const Argument&);

}  // namespace fxs::fx
