// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The memory format of a tensor as in torch.fx's shape propagation: the first of contiguous,
// channels_last and channels_last_3d that its strides match, where dimensions of size 1 match any
// stride.
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::normalize {

/// "torch.contiguous_format", "torch.channels_last", "torch.channels_last_3d", "None" (none of
/// them), or "unknown" (undecidable symbolic sizes). Sizes are compared as expressions, then by
/// their hints, then by the program's ranges.
std::string memoryFormat(const fx::Program&, const fx::TensorMeta&);

}  // namespace fxs::normalize
