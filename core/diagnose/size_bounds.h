// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Upper bounds of sizes that are known only at run time: a count of a mask's true elements is at
// most the mask's elements, a number read from a tensor at most what the program asserts, and what
// it is a slice of.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fx/program.h"

namespace fxs::diagnose {

struct SizeBound {
  std::int64_t most = 0;
  bool isCount = false;  ///< of the true elements of a mask; else a number read from a tensor
};

struct SizeBounds {
  std::map<std::string, SizeBound> bounds;  ///< by symbol: "u0"
  /// Conditions of assertions that hold for the bounds and may not for other sizes: "u0 >= 2".
  std::vector<std::string> unchecked;
  std::map<std::string, std::int64_t> numbers() const;
};

/// The symbols of a tensor's dimensions, "" for the others.
std::vector<std::string> sizeSymbols(const fx::TensorMeta&);
/// Whether a size, of the value or of an element of it, or the number that it is depends on one of
/// the symbols.
bool dependsOn(const fx::Value&, const SizeBounds&);

/// Of all such sizes of a functional program. Unsupported if one has no bound, or another form than
/// a symbol.
Result<SizeBounds> sizeBoundsOf(const fx::Program&);

}  // namespace fxs::diagnose
