// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Numbers for the block sizes of a Helion kernel. Its graphs compute on tiles of symbolic sizes;
// with numbers, every value in a tile is a tensor of known sizes, so that all handlers of the
// registries lower it. The last tile of a loop is as large as the others: what lies beyond the
// loop's end is loaded as zeros, masked where Helion masks it, and not stored.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/run_context.h"
#include "fx/kernel.h"

namespace fxs::registry {

using BlockSizes = std::map<std::string, std::int64_t>;  ///< by symbol, "u0"

struct KernelPlan {
  std::shared_ptr<const fx::Kernel> kernel;
  fx::ProgramPtr recorded;  ///< the program, with the symbols of block sizes
  fx::ProgramPtr sized;     ///< with numbers in their place; its nodes and graphs have the same ids
  /// The size of a tile, by block; nullopt of a block that is a whole dimension.
  std::vector<std::optional<std::int64_t>> tiles;
};

/// Blocks that `chosen` does not name get the size in the file, at most their extent. Usage for a
/// block that does not exist or is a whole dimension, and for a size out of range.
Result<std::shared_ptr<const KernelPlan>> planKernel(const fx::ProgramPtr&,
                                                     const std::shared_ptr<const fx::Kernel>&,
                                                     const BlockSizes& chosen, const RunContext&);

}  // namespace fxs::registry
