// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The matched operation in another element type or rank: changes around a call that do not depend
// on what it computes.
#include "rewrite/emit.h"

namespace fxs::rewrite {

using Takes = bool (*)(DType);
/// The matched operation, with every tensor that `takes` accepts cast to `to`, and its results cast
/// back.
Results inElementType(Emitter&, Takes takes, DType to);

/// Gives the first argument, which has one dimension less than `rank`, and every other tensor of
/// its rank if it is a scalar, a leading dimension of size 1, and removes it from every result
/// tensor that has it.
Results withLeadingDimension(Emitter&, std::size_t rank);

}  // namespace fxs::rewrite
