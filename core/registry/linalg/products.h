// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Products of matrices with linalg's named operations.
#include "registry/handler.h"

namespace fxs::registry::linalg {

struct Factor {
  Value value;
  DType dtype = DType::Unknown;
};
/// a times b, of rank 2, or of rank 3 as batches, whose elements are converted to `sum` first and
/// summed in it.
Value product(OpBuilder&, const Factor& a, const Factor& b, DType sum);

}  // namespace fxs::registry::linalg
