// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Reads what a Device IR says besides its graphs (fx/kernel.h): "args", "fake_args", "block_sizes",
// "grid_block_ids", "expr_to_origin", and of each graph "block_ids" and "branches_outputs".
#include <memory>

#include "base/json.h"
#include "base/run_context.h"
#include "fx/kernel.h"

namespace fxs::read::helion {

/// Null if the file does not list its block sizes. `graphNames`: the name of each graph of the file
/// in the program, by its number.
Result<std::shared_ptr<const fx::Kernel>> readKernel(const Json& top,
                                                     const std::vector<std::string>& graphNames,
                                                     const RunContext&);

}  // namespace fxs::read::helion
