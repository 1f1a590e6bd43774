// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Option --via of `lower`: the lowering path.
#include <string_view>

#include "base/result.h"

namespace fxs::cli {

enum class LoweringPath { TorchMlir, Nodes, Registry };

/// Parses "torch-mlir", "nodes" or "registry"; else Usage.
Result<LoweringPath> loweringPathFrom(std::string_view);

}  // namespace fxs::cli
