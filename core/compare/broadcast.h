// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// Which element of an operand is read for an element of a result, as PyTorch broadcasts.
#include <cstdint>
#include <optional>
#include <vector>

namespace fxs::compare {

using Dimensions = std::vector<std::int64_t>;

class Broadcast {
 public:
  /// `to`: broadcastSizes() of `from` and others.
  Broadcast(const Dimensions& from, const Dimensions& to);
  /// The row-major position in the operand, for that in the result.
  std::uint64_t at(std::uint64_t i) const;

 private:
  struct Dimension {
    std::uint64_t size = 1, stride = 0;  ///< of the result; of the operand, 0 where it is repeated
  };
  std::vector<Dimension> dimensions_;  // the last one first
  bool isSame_;
};

/// Those of the result; std::nullopt if the operands do not belong together.
std::optional<Dimensions> broadcastSizes(const Dimensions&, const Dimensions&);

}  // namespace fxs::compare
