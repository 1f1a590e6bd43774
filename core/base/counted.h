// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Counts with a noun, for messages.
#include <cstddef>
#include <string>
#include <string_view>

namespace fxs {

/// "1 node", "3 nodes"
inline std::string counted(std::size_t count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

}  // namespace fxs
