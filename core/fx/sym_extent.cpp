// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fx/sym_extent.h"

#include <algorithm>

namespace fxs::fx {

SymExprExtent extentOf(const SymExpr& root) {
  if (root.operands.empty()) return {1, 1};
  SymExprExtent out;
  std::vector<std::pair<const SymExpr*, std::size_t>> stack{{&root, 1}};
  while (!stack.empty() && out.parts <= kMaxSymExprParts) {
    const auto [e, depth] = stack.back();
    stack.pop_back();
    ++out.parts;
    out.depth = std::max(out.depth, depth);
    for (const SymExprPtr& operand : e->operands) stack.emplace_back(operand.get(), depth + 1);
  }
  return out;
}

}  // namespace fxs::fx
