// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// What is written on an operation when it is drawn.
#include <string>

#include "fx/tensor_meta.h"
#include "mlir/text/module.h"

namespace fxs::trace {

/// The value of a type as fx shows it: a tensor for `tensor<2x?xf32>` and
/// `!torch.vtensor<[2,?],f32>`, an unknown size as the symbol "?"; another type by its text.
fx::Value valueOfType(std::string_view type);
/// A constant in a few characters: "1e-05", "true", "weight" for a resource "layers.0.weight", else
/// its operation, "literal"; "fill 0" for a filled tensor.
std::string constantText(const mlir::Module&, mlir::OpId);

/// What the operations in the body of a `linalg.generic` compute, and along which dimensions it
/// reduces: "exp", "mulf, addf; reduces d2", "copy" if it only yields an element.
std::string bodyText(const mlir::Module&, mlir::OpId);

}  // namespace fxs::trace
