// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Maps blocks and values of two modules to each other, given a mapping of their operations.
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// By id of one side, the id of the other; invalid if nothing corresponds.
struct Correspondence {
  std::vector<BlockId> blockOfA, blockOfB;
  std::vector<ValueId> valueOfA, valueOfB;
};
/// `opOfA` is the operation of `b` for each of `a`, or invalid. In regions of matched operations,
/// entry blocks correspond; other blocks are matched by the number of matched operations they
/// share, then by position. Results and arguments correspond in order; if the numbers of arguments
/// differ, those with equal types from the front and from the back.
Correspondence correspondence(const Module& a, const Module& b, const std::vector<OpId>& opOfA);

}  // namespace fxs::mlir
