#pragma once
// Which memory format a tensor has, by the rule that PyTorch's shape propagation uses: the first of contiguous,
// channels_last and channels_last_3d whose strides fit, where a dimension of length 1 may have any stride.
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::normalize {

/// "torch.contiguous_format", "torch.channels_last", "torch.channels_last_3d", "None" (neither), "unknown" (symbolic sizes
/// without a hint that do not tell). Sizes are compared as expressions, then by their hints, then by the program's ranges.
std::string memoryFormat(const fx::Program&, const fx::TensorMeta&);

}  // namespace fxs::normalize
