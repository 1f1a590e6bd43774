// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Option --block-size of `registry` and `lower`: sizes of the tiles of a Helion kernel.
#include "command.h"
#include "registry/kernel/kernel_plan.h"

namespace fxs::cli {

Option blockSizeOption();
/// Of all --block-size SYMBOL=SIZE; else Usage.
Result<registry::BlockSizes> blockSizesFrom(const Arguments& arguments);

}  // namespace fxs::cli
