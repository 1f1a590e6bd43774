#pragma once
// --via of `lower`: the lowering path.
#include <string_view>

#include "base/result.h"

namespace fxs::cli {

enum class LoweringPath { TorchMlir, Nodes, Registry };

/// "torch-mlir", "nodes" or "registry"; Usage with "did you mean".
Result<LoweringPath> loweringPathFrom(std::string_view);

}  // namespace fxs::cli
