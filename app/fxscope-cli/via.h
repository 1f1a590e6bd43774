#pragma once
// --via of `lower`: which way leads to the output type.
#include <string_view>

#include "base/result.h"

namespace fxs::cli {

enum class Via { TorchMlir, Nodes, Registry };

/// "torch-mlir", "nodes" or "registry"; Usage with "did you mean".
Result<Via> viaFrom(std::string_view);

}  // namespace fxs::cli
