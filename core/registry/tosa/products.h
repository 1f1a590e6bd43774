// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Matrix products, a batch of them at once.
#include "registry/handler.h"

namespace fxs::registry::tosa {

/// [B, M, K] x [B, K, N] -> [B, M, N]; floating elements are summed in at least f32 and given in
/// `ops::computationType(dtype)`.
Value batchMatmul(OpBuilder&, const Value& a, const Value& b, DType dtype);
/// beta * self + alpha * product, in the type of `product`, rounded to `dtype`; a beta of 0 ignores
/// self, as in PyTorch.
Handled addProduct(Call&, const Value& product, DType dtype);

}  // namespace fxs::registry::tosa
