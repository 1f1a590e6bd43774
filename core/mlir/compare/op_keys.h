#pragma once
// What an operation is, as numbers that do not depend on names of values, locations or aliases: for finding it again in
// another text.
#include <cstdint>
#include <vector>

#include "mlir/text/module.h"

namespace fxs::mlir {

/// Each by OpId.
struct OpKeys {
  std::vector<std::uint64_t> own;   ///< its own text, and the types of its blocks' arguments
  std::vector<std::uint64_t> deep;  ///< and what its regions hold
  std::vector<std::uint64_t> cone;  ///< and all that its operands are computed from
};
OpKeys keysOf(const Module&);

}  // namespace fxs::mlir
