// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hashes of operations that do not depend on names of values, locations or aliases, for finding an
// operation in another text.
#include <cstdint>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// Each by OpId.
struct OpKeys {
  std::vector<std::uint64_t> own;   ///< of its own text and the types of its block arguments
  std::vector<std::uint64_t> deep;  ///< also of the contents of its regions
  std::vector<std::uint64_t> cone;  ///< also of everything that its operands are computed from
};
OpKeys keysOf(const Module&);

}  // namespace fxs::mlir
