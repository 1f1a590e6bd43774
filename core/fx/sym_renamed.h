// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Symbolic sizes of two programs side by side, whose symbols have other names.
#include "fx/sym_expr.h"

namespace fxs::fx {

using SymbolName = std::function<std::string(const std::string& symbol)>;
/// With other names of symbols, sums and products in the order of these, and operands of
/// commutative functions sorted: the same for expressions that differ in names and order only.
SymExprPtr renamed(const SymExprPtr&, const SymbolName&);

}  // namespace fxs::fx
