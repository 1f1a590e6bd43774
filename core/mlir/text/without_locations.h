// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// A printed module without its locations, which can be parsed again.
#include <string>
#include <string_view>

namespace fxs::mlir {

/// Locations of operations and arguments, and the lines that define `#loc` aliases, are left out.
std::string withoutLocations(std::string_view text);

}  // namespace fxs::mlir
