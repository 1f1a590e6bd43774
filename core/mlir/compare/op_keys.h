// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Hashes of operations that do not depend on names of values, locations or aliases, for finding an
// operation in another text.
#include <cstdint>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

using Keys = std::vector<std::uint64_t>;

/// Each by OpId.
struct OpKeys {
  Keys own;   ///< of its own text and the types of its block arguments
  Keys deep;  ///< also of the contents of its regions
  Keys cone;  ///< also of everything that its operands are computed from
  /// Equal for operations that are alike, as those of equal attributes and other types; and of
  /// everything that their operands are computed from. Empty if that is not known.
  Keys alike, alikeCone;
};
OpKeys keysOf(const Module&, Keys alike = {});

}  // namespace fxs::mlir
