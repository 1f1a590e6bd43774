// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Tensors of one value as aten.full, of the matched call's sizes and its result's type.
#include "rewrite/emit.h"

namespace fxs::rewrite {

/// 0 or 1, as PyTorch fills with it.
fx::Argument fillValue(DType, int number);
Results filledWith(Emitter&, const fx::Argument& value);
template <int number>
Results filled(Emitter& e) {
  return filledWith(e, fillValue(e.result().dtype, number));
}

}  // namespace fxs::rewrite
