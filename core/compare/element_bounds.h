// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Bounds of the elements of one call's result, from those of its operands. Operators name their
// rule in resources/ops/operators.txt: "bounds=product".
#include "compare/element_operands.h"

namespace fxs::compare {

using BoundsRule = MaybeRange (*)(const RangedOperands&);
/// Null if there is no such rule.
BoundsRule boundsRule(std::string_view name);

/// std::nullopt if nothing is known.
MaybeRange boundsOf(const RangedOperands&);

}  // namespace fxs::compare
