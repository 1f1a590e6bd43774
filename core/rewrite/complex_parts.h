// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Complex tensors as two real ones.
#include <optional>

#include "rewrite/emit.h"

namespace fxs::rewrite {

/// Real and imaginary part, of one shape and real type; without an imaginary part it is 0.
struct ComplexParts {
  Tensor real;
  std::optional<Tensor> imaginary;
};

/// Those of `x`; a real tensor is its real part, integers in the default floating type. Parts that
/// complexOf() combined are taken as they were.
ComplexParts partsOf(Emitter&, const Tensor& x);
/// The square of the absolute value, of parts that both are there.
Tensor squaredAbs(Emitter&, const ComplexParts&);
/// The complex tensor of type `dtype`. Parts are broadcast to each other.
Tensor complexOf(Emitter&, const ComplexParts&, DType dtype);

}  // namespace fxs::rewrite
