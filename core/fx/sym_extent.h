#pragma once
// How large symbolic sizes are when they are written out. Parts of an expression are shared, so that a few steps of arithmetic can make
// one whose text would fill a disk: arithmetic on sizes (sym_expr.h) throws Abandoned where a result passes these limits.
#include "fx/sym_expr.h"

namespace fxs::fx {

inline constexpr std::size_t kMaxSymExprParts = std::size_t{1} << 15, kMaxMadeSymExprDepth = 2 * kMaxSymExprDepth;

/// Shared parts count at every occurrence. Stops counting past kMaxSymExprParts.
struct SymExprExtent {
  std::size_t parts = 0;
  std::size_t depth = 0;
};
SymExprExtent extentOf(const SymExpr&);

}  // namespace fxs::fx
