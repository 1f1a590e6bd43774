// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matches the operations of two modules. Equal text is not enough if a program has 32 equal layers:
// these are told apart by what their operands are computed from, then by the operations they are
// connected to, then by position.
#include <vector>

#include "mlir/compare/op_keys.h"
#include "mlir/text/module.h"

namespace fxs::mlir {

/// For each operation of `a`, the matching one of `b` or an invalid id; no operation of `b` occurs
/// twice. Matching operations have the same name. Near linear in the number of operations and
/// operands.
std::vector<OpId> matchOps(const Module& a, const OpKeys& keysA, const Module& b,
                           const OpKeys& keysB);

}  // namespace fxs::mlir
