// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Limits of computed symbolic sizes. Because subexpressions are shared, a few operations can create
// an expression whose text would fill a disk; arithmetic on sizes (sym_expr.h) throws Abandoned if
// a result exceeds these limits.
#include "fx/sym_expr.h"

namespace fxs::fx {

inline constexpr std::size_t kMaxSymExprParts = std::size_t{1} << 15,
                             kMaxMadeSymExprDepth = 2 * kMaxSymExprDepth;

/// The number of subexpressions, shared ones counted at each occurrence, and the depth. Counting
/// stops beyond kMaxSymExprParts.
struct SymExprExtent {
  std::size_t parts = 0;
  std::size_t depth = 0;
};
SymExprExtent extentOf(const SymExpr&);

}  // namespace fxs::fx
