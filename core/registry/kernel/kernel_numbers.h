// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Operators of a kernel as PyTorch has them, where Helion has others, or passes numbers that are
// known at run time only.
#include "fx/program.h"

namespace fxs::registry {

/// Helion's own operators that are one operator of PyTorch.
void usePyTorchOperators(fx::Program&);

/// Numbers known at run time only that PyTorch's operators take as tensors become tensors of rank
/// 0. Operators that take them as numbers become their forms on tensors, where PyTorch computes
/// in the same type: aten.clamp_min(x, eps) is aten.clamp_min.Tensor(x, eps).
void useTensorsForNumbers(fx::Program&);

}  // namespace fxs::registry
