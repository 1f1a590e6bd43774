// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which operations only give a constant, and a difference without them.
#include <string_view>

#include "mlir/compare/diff.h"

namespace fxs::mlir {

/// `operation` is a full name: arith.constant, tosa.const, torch.constant.int,
/// torch.vtensor.literal.
bool isConstant(std::string_view operation);

/// Whether all operations of a pair only give a constant.
bool isConstant(const Module& a, const Module& b, const OpPair& pair);

/// Without the pairs of constants. `hiddenConstants` of the result counts those that differ;
/// `pairOfA` and `pairOfB` are empty.
Diff withoutConstants(const Module& a, const Module& b, const Diff& diff);

}  // namespace fxs::mlir
