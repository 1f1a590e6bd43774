#pragma once
// Which blocks and values of two modules correspond, once it is known which operations do.
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// By id; invalid where nothing corresponds.
struct Correspondence {
  std::vector<BlockId> blockOfA, blockOfB;
  std::vector<ValueId> valueOfA, valueOfB;
};
/// `opOfA` is the operation of `b` for each of `a`, or invalid. The first blocks of matched operations' regions correspond; of the
/// others those with the most matched operations in common, then those in the same place. Results and arguments correspond in
/// order; where the numbers of arguments differ, those with the same types from the front and from the back.
Correspondence correspondence(const Module& a, const Module& b, const std::vector<OpId>& opOfA);

}  // namespace fxs::mlir
